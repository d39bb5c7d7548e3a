import { withClient } from '../database.ts'
import { median } from '../measure.ts'
import type { Figure } from '../run.ts'
import { BenchSandbox, type Subscribers } from './bench-sandbox.ts'
import { type CallbackReceiver, openCallbackReceiver } from './callbacks.ts'
import type { DeliveryBench } from './delivery-bench.ts'
import type { DeliveryJobs } from './jobs.ts'
import { type DeliverySide, measureThroughput, openSideProcess } from './race.ts'
import type { SideSetting } from './sides/serve.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

/** What each side is tried with; the best of them is measured. */
const concurrencySettings = [50, 100, 200, 400].map((atOnce) => ({ atOnce }))
const batches = [
  { workers: 1, batch: 500 },
  { workers: 4, batch: 50 },
  { workers: 4, batch: 200 },
  { workers: 8, batch: 100 },
]
const settingsBySide = {
  program: [16, 64].map((inFlight) => ({ inFlight })),
  floor: [8, 32, 128, 512].map((atOnce) => ({ atOnce })),
  pgboss: batches,
  'pgboss-alone': batches,
  bullmq: concurrencySettings,
  'bullmq-alone': concurrencySettings,
} satisfies Record<string, SideSetting[]>

type SideName = keyof typeof settingsBySide

export interface ThroughputRates {
  perSecond: Partial<Record<SideName, number>>
  /** What the program does of each other side's, in the same round: medians. */
  ratios: Partial<Record<SideName, number>>
}

export interface ThroughputOptions {
  applications: number
  count: number
  rounds: number
  short: boolean
}

/** No two measurements share a resource, nor two casts an application. */
let resources = 2_000_000_000
let applicationsSoFar = 0

export function nextJobs(urls: readonly string[], count: number): DeliveryJobs {
  const jobs = { urls, first: resources, count }
  resources += count
  return jobs
}

export function nextApplications(count: number): number {
  applicationsSoFar += count + 20
  return applicationsSoFar - count - 20
}

/** The program and the others deliver the same number to the same receiver, in turn. */
export async function throughput(
  bench: DeliveryBench,
  { applications, count, rounds, short }: ThroughputOptions,
): Promise<ThroughputRates> {
  const callbacks = await openCallbackReceiver(applications)
  const world = await BenchSandbox.open(bench.databaseUrl)
  try {
    const subscribers = await world.registerSubscribers(
      callbacks.urls,
      nextApplications(applications),
    )
    const runnerOf = (name: SideName, setting: SideSetting) =>
      name === 'program'
        ? programRunner(bench, { world, subscribers, setting })
        : openSideProcess(name, { setting, env: bench.envOf(name) })
    const trial = { callbacks, count: Math.ceil(count / 5), short }
    const runners = await bestOf(bench.sides, { runnerOf, ...trial })
    const rates = new Map<string, number[]>(runners.map(({ name }) => [name, []]))
    for (let round = short ? 1 : 0; round <= rounds; round++) {
      // Round 0 only warms up: the files of the database, most of all.
      const size = round === 0 ? Math.ceil(count / 5) : count
      for (const runner of runners) {
        const jobs = nextJobs(callbacks.urls, size)
        const result = await measureThroughput(runner, jobs, callbacks)
        await bench.vacuum()
        if (round === 0) continue
        rates.get(runner.name)?.push(result.perSecond)
        const [rate, microseconds] = [Math.round(result.perSecond), Math.round(result.processorUs)]
        process.stdout.write(
          `${applications} applications, round ${round}: ${runner.name} ${rate}/s, ` +
            `${microseconds} µs of its processor each, ${result.duplicates} twice\n`,
        )
      }
    }
    return summarizeRates(rates)
  } finally {
    await world.close()
    await callbacks.stop()
  }
}

function summarizeRates(rates: ReadonlyMap<string, number[]>): ThroughputRates {
  const summary: ThroughputRates = { perSecond: {}, ratios: {} }
  const program = rates.get('program')
  for (const [name, sideRates] of rates as ReadonlyMap<SideName, number[]>) {
    summary.perSecond[name] = median(sideRates)
    if (name === 'program' || !program) continue
    summary.ratios[name] = median(
      sideRates.map((rate, round) => (program[round] ?? Number.NaN) / rate),
    )
  }
  return summary
}

/** Each side with the setting that did best in a short trial. */
async function bestOf(
  sides: readonly string[],
  {
    runnerOf,
    callbacks,
    count,
    short,
  }: {
    runnerOf: (name: SideName, setting: SideSetting) => DeliverySide
    callbacks: CallbackReceiver
    count: number
    short: boolean
  },
): Promise<DeliverySide[]> {
  const runners: DeliverySide[] = []
  for (const name of Object.keys(settingsBySide) as SideName[]) {
    if (!sides.includes(name)) continue
    let best: { rate: number; runner: DeliverySide; setting: SideSetting } | undefined
    const tried = settingsBySide[name]
    for (const setting of short ? tried.slice(-1) : tried) {
      const runner = runnerOf(name, setting)
      const { perSecond: rate } = short
        ? { perSecond: 0 }
        : await measureThroughput(runner, nextJobs(callbacks.urls, count), callbacks)
      if (!best || rate > best.rate) best = { rate, runner, setting }
    }
    if (!best) continue
    const words = Object.entries(best.setting).map(([what, value]) => `${what} ${value}`)
    process.stdout.write(`${name} does best with ${words.join(', ')}\n`)
    runners.push(best.runner)
  }
  return runners
}

function programRunner(
  bench: DeliveryBench,
  {
    world,
    subscribers,
    setting,
  }: { world: BenchSandbox; subscribers: Subscribers; setting: SideSetting },
): DeliverySide {
  const env = { FERIA_DELIVERY_IN_FLIGHT: String(setting['inFlight']) }
  let work: WorkerProcess | undefined
  let expectedAttempts = 0
  return {
    name: 'program',
    pid: () => work?.pid ?? 0,
    async prepare(jobs) {
      await world.recordJobs(jobs, subscribers)
      expectedAttempts = (await countAttempts(bench.databaseUrl)) + jobs.count
    },
    async begin() {
      work = await startWorker({ ...bench, env })
      return work.startedAt
    },
    failure: () => (work?.hasCrashed() ? 'feria work ended' : undefined),
    async end() {
      await work?.stop()
      const attemptCounts = await countAttempts(bench.databaseUrl)
      if (attemptCounts < expectedAttempts)
        throw new Error(`the history lacks ${expectedAttempts - attemptCounts} attempts`)
    },
  }
}

async function countAttempts(databaseUrl: string): Promise<number> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query('select count(*) as n from attempts'),
  )
  return Number(rows[0].n)
}

/** Figures of one number of applications. */
export function ratesAsFigures(
  applications: number,
  { perSecond, ratios }: ThroughputRates,
): Figure[] {
  const names = { floor: 'ratio', pgboss: 'vs_pgboss', bullmq: 'vs_bullmq' } as const
  const figures: Figure[] = []
  for (const [side, value] of Object.entries(perSecond)) {
    figures.push({ name: `deliver.${side}_${applications}`, value, unit: 'notifications/s' })
  }
  for (const [side, name] of Object.entries(names)) {
    const value = ratios[side as keyof typeof names]
    if (value === undefined) continue
    const unit = side === 'floor' ? 'of the floor' : `times ${side}`
    figures.push({ name: `deliver.${name}_${applications}`, value, unit })
  }
  return figures
}
