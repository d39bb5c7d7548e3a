import { setTimeout as pause } from 'node:timers/promises'
import { describeFailure } from './failure.ts'
import { shareCompiledSources } from './measure.ts'
import { closeAll } from './resources.ts'

/**
 * `npm run bench -- <name|all> [--short]`. Each benchmark ends with lines `figure <name> <value>
 * <unit>`. Ratios compare two things measured in turn in the same run; `--short` is the smoke run:
 * it shows that the benchmark works, its figures mean little. A benchmark that fails says why in one
 * line, stops what it started and ends the run with exit code 1; `--trace` adds where it failed.
 */
type Benchmark = (options: { short: boolean }) => Promise<Figure[]>

export interface Figure {
  name: string
  value: number
  unit: string
}

/** Each is loaded when it runs, so that none needs what only others import. */
const benchmarks: Record<string, () => Promise<Benchmark>> = {
  'order-read': async () => (await import('./order-read.ts')).orderRead,
  'order-search': async () => (await import('./order-search.ts')).orderSearch,
  'operator-search': async () => (await import('./operator-search.ts')).operatorSearch,
  'order-intake': async () => (await import('./order-intake.ts')).orderIntake,
  'listing-search': async () => (await import('./listing-search/listing-search.ts')).listingSearch,
  autosuggest: async () => (await import('./listing-search/autosuggest.ts')).autosuggest,
  import: async () => (await import('./import.ts')).importBenchmark,
  'audit-log': async () => (await import('./audit-log.ts')).auditLog,
  exports: async () => (await import('./exports.ts')).exportBenchmark,
  moderation: async () => (await import('./moderation.ts')).moderation,
  messages: async () => (await import('./messages/messages.ts')).messages,
  uploads: async () => (await import('./uploads.ts')).uploads,
  deliver: async () => (await import('./deliver/deliver.ts')).deliver,
  feed: async () => (await import('./feed.ts')).feed,
  catalog: async () => (await import('./catalog/catalog.ts')).catalog,
  predict: async () => (await import('./predict/predict.ts')).predict,
  relevance: async () => (await import('./relevance/relevance.ts')).relevance,
  overload: async () => (await import('./overload/overload.ts')).overload,
  start: async () => (await import('./start.ts')).start,
}

const deliverTo = (applications: number) => async () =>
  (await import('./deliver/deliver.ts')).deliverTo(applications)

/** Not part of `all`. */
const others: typeof benchmarks = {
  cluster: async () => (await import('./cluster.ts')).cluster,
  'order-indexes': async () => (await import('./order-indexes.ts')).orderIndexes,
  'deliver-1': deliverTo(1),
  'deliver-10': deliverTo(10),
  'deliver-1000': deliverTo(1_000),
  'deliver-lag': async () => (await import('./deliver/deliver.ts')).deliverLag,
  'deliver-exam': async () => (await import('./deliver/exam.ts')).deliverExam,
  'deliver-isolation': async () => (await import('./deliver/deliver.ts')).deliverIsolation,
}

const flags = ['--short', '--trace']
/** How long the end of a server may take to be seen: it is the cause more often than not. */
const causeMs = 500

async function main(args: readonly string[]): Promise<number> {
  const allBenchmarks = { ...benchmarks, ...others }
  const [name = 'all', ...rest] = args.filter((arg) => !flags.includes(arg))
  if (
    rest.length > 0 ||
    name.startsWith('-') ||
    (name !== 'all' && !Object.hasOwn(allBenchmarks, name))
  ) {
    process.stderr.write(
      `Usage: npm run bench -- NAME [--short] [--trace]\nNAME is one of: all, ${Object.keys(allBenchmarks).join(', ')}\n`,
    )
    return 1
  }
  const chosen = name === 'all' ? Object.keys(benchmarks) : [name]
  const short = args.includes('--short')
  if (short) shareCompiledSources()
  for (const benchmarkName of chosen) {
    process.stdout.write(`\n${benchmarkName}${short ? ' (short: a smoke run)' : ''}\n`)
    const began = performance.now()
    try {
      const benchmark = await allBenchmarks[benchmarkName]?.()
      const figures = (await Promise.race([benchmark?.({ short }), crashed])) ?? []
      for (const { name, value, unit } of figures) {
        process.stdout.write(`figure ${name} ${Number(value.toPrecision(4))} ${unit}\n`)
      }
    } catch (error) {
      if (error instanceof Interrupted) {
        process.stderr.write(`${benchmarkName} was interrupted; stopping its servers\n`)
      }
      await closeAll()
      if (!(error instanceof Interrupted)) {
        await pause(causeMs)
        process.stderr.write(`${benchmarkName} failed: ${describeFailure(error)}\n`)
        if (args.includes('--trace')) process.stderr.write(`${(error as Error).stack}\n`)
      }
      return error instanceof Interrupted ? 130 : 1
    }
    process.stdout.write(
      `${benchmarkName}: ${((performance.now() - began) / 1_000).toFixed(0)} s\n`,
    )
  }
  await closeAll()
  return 0
}

class Interrupted extends Error {}

/** Rejects when an error reaches nobody, or when somebody ends the run: servers must end with it too. */
const crashed = new Promise<never>((_, reject) => {
  process.on('uncaughtException', reject)
  let wasInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (wasInterrupted) process.exit(130)
      wasInterrupted = true
      reject(new Interrupted())
    })
  }
})
crashed.catch(() => {})

// What is still open after a failure must not keep the process.
process.exit(await main(process.argv.slice(2)))
