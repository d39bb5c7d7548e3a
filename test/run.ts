import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrate } from '../src/platform/database/migrate.ts'
import { startEmbedded } from '../src/platform/postgres/embedded.ts'
import { isCluster } from './harness/database.ts'

/**
 * `npm test [-- files]` runs the fast tier (`*.test.ts`), `npm run test:all` adds the slow one
 * (`*.slow.test.ts`: child processes, browser, chaos, long properties). Named files always run.
 *
 * Starts a PostgreSQL of its own, or uses the server of TEST_DATABASE_URL, and migrates a template
 * database that each file clones. TEST_DATABASE_CLONE=0 is for servers that cannot clone, such as the coordinator
 * of a cluster: one worker runs the files in the database that TEST_DATABASE_URL names and deletes its rows
 * before each.
 */
const readOnly = 'its database becomes read-only, which a cluster cannot take back'
const planned = 'the plans are those of one server'
/** Files that make no sense on a cluster, and why. */
const notOnCluster: Readonly<Record<string, string>> = {
  'src/sandbox/snapshots/routes.test.ts': 'snapshots are for databases on one server',
  'test/bench/tables.test.ts': 'it drops the keys of a table and leaves it so',
  'test/outage.test.ts': readOnly,
  'test/read-only.test.ts': readOnly,
  'test/shards.test.ts': 'it reads plans of one server as a cluster would make them',
  'test/simulation/conformance.test.ts': 'the simulated PostgreSQL imitates one server',
  'test/sql-columns.test.ts': 'its list of exceptions is that of one server',
  'src/listings/own/plans.test.ts': planned,
  'src/listings/search/plans.test.ts': planned,
  'src/orders/search/plans.test.ts': planned,
}
/** Files that share what the first of them reads, the SQL of all sources. One worker runs them in a row. */
const sharing = ['test/table-owners.test.ts', 'test/sql-columns.test.ts', 'test/placement.test.ts']
const patterns = ['src/**/*.test.ts', 'test/**/*.test.ts', 'client/*.test.ts', 'examples/*.test.ts']
/** Time limit of one file, and so of each of its tests: three times what the longest takes on a busy machine. */
const timeoutMs = Number(process.env['TEST_FILE_MINUTES'] ?? 10) * 60_000
/** A worker that spins can end no test by itself. */
const workerTimeoutMs = 3 * timeoutMs
/** Modules are never unloaded: a fresh process after so many files keeps memory small. A process warms up for 4 s. */
const filesPerWorker = 200
const harness = (file: string) => fileURLToPath(new URL(`harness/${file}`, import.meta.url))
const worker = harness('worker.ts')
/** Loaded before the worker. */
const preloaded = ['promise-tracking.ts', 'chance.ts']
const cache = fileURLToPath(new URL('../node_modules/.cache/feria-test', import.meta.url))
const durationsFile = join(cache, 'durations.json')

/** Ends the workers, and with them the run; the server and its folder are cleaned up as after any run. */
const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort())

async function main(): Promise<boolean> {
  const args = process.argv.slice(2)
  const givenUrl = process.env['TEST_DATABASE_URL']
  const clone = process.env['TEST_DATABASE_CLONE'] !== '0'
  if (!clone && !givenUrl) throw new Error('TEST_DATABASE_CLONE=0 needs a TEST_DATABASE_URL')
  const onCluster = !clone && givenUrl !== undefined && (await isCluster(givenUrl))
  const files = inOrder(filesOf(args)).filter((file) => !onCluster || runsOnCluster(file))
  const folder = mkdtempSync(join(fastestFolder(), 'feria-test-'))
  const server = givenUrl
    ? undefined
    : await startEmbedded({ dataDirectory: folder, durable: false })
  try {
    const serverUrl = givenUrl ?? server?.url ?? ''
    const template = clone ? await makeTemplate(serverUrl) : undefined
    if (!clone) await migrate(serverUrl, { distribute: onCluster })
    const claims = join(folder, 'claims')
    mkdirSync(claims)
    const env = {
      FERIA_TEST_SERVER: serverUrl,
      FERIA_TEST_QUEUE: JSON.stringify({
        groups: groupsOf(files),
        claims,
        timeoutMs,
        filesPerWorker,
      }),
      // Kept between runs: sources are stripped of their types once per change.
      NODE_COMPILE_CACHE: join(cache, 'compiled'),
      FERIA_TEST_TIER: tierOf(args),
      FERIA_TEST_CLUSTER: onCluster ? 'yes' : 'no',
      ...(template ? { FERIA_TEST_TEMPLATE: template } : {}),
    }
    // One more than there are cores: tests also wait, for the database and for deadlines.
    const workers = clone ? availableParallelism() + 1 : 1
    const passed = await runWorkers(workers, files, env)
    if (template) await onServer(serverUrl, `drop database ${template}`)
    return passed
  } finally {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function runsOnCluster(file: string): boolean {
  const reason = notOnCluster[file]
  if (reason !== undefined) console.log(`${file} is skipped on a cluster: ${reason}`)
  return reason === undefined
}

const tierOf = (args: string[]) => (args.length === 0 ? 'fast' : 'all')

function filesOf(args: string[]): string[] {
  const named = args.filter((arg) => !arg.startsWith('--'))
  if (named.length > 0) return named.flatMap(filesNamed)
  const all = patterns.flatMap((pattern) => globSync(pattern))
  return tierOf(args) === 'all' ? all : all.filter((file) => !file.endsWith('.slow.test.ts'))
}

/** A name that fits nothing would pass without a test. */
function filesNamed(pattern: string): string[] {
  const files = globSync(pattern)
  if (files.length > 0) return files
  console.error(`There is no test file ${pattern}`)
  process.exit(1)
}

/** Longest first by the last run, so that no worker is left alone with a long file. Without a last run:
 * the slow tier first, then by size. */
function inOrder(files: string[]): string[] {
  const durations = readDurations()
  const slowMs = 60_000
  const expectedMs = (file: string) =>
    durations[file] ?? (file.endsWith('.slow.test.ts') ? slowMs : 0) + statSync(file).size / 10
  return [...new Set(files)].sort((a, b) => expectedMs(b) - expectedMs(a))
}

/** Returns what a worker takes at once: a file alone, or the files that share something. */
function groupsOf(files: string[]): string[][] {
  const shared = files.filter((file) => sharing.includes(file))
  return files.flatMap((file) => {
    if (!shared.includes(file)) return [[file]]
    return file === shared[0] ? [shared] : []
  })
}

function readDurations(): Record<string, number> {
  return existsSync(durationsFile) ? JSON.parse(readFileSync(durationsFile, 'utf8')) : {}
}

/** Memory where there is enough of it (a container may have 64 MB), otherwise the disk. */
function fastestFolder(): string {
  const memory = '/dev/shm'
  const neededBytes = 2 * 1024 ** 3
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > neededBytes ? memory : tmpdir()
}

async function makeTemplate(serverUrl: string): Promise<string> {
  const template = `feria_template_${process.pid}`
  await onServer(serverUrl, `create database ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${template}`
  await migrate(url.href)
  return template
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** Runs the queue to its end and reports all workers as one run. Returns false if a test failed or a
 * file was never finished. */
async function runWorkers(
  workers: number,
  files: string[],
  env: Record<string, string>,
): Promise<boolean> {
  // `node:test` marks its children; without the mark a run inside another run would report to it.
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const events = run({
    // One file for the runner is one process; as one ends, the next takes its place.
    files: Array.from({ length: workers + Math.ceil(files.length / filesPerWorker) }, () => worker),
    concurrency: workers,
    timeout: workerTimeoutMs,
    signal: interrupt.signal,
    // The examples import the client as its users do; here that is its source.
    execArgv: [
      '--conditions=feria-source',
      ...preloaded.map((file) => `--import=${harness(file)}`),
    ],
    env: { ...inherited, ...env },
  })
  const durations = new Map<string, number>()
  let failed = false
  events.on('test:fail', ({ todo }) => {
    if (!todo) failed = true
  })
  events.on('test:complete', ({ nesting, name, details }) => {
    if (nesting === 0 && name !== worker) durations.set(name, details.duration_ms)
  })
  const shown = async function* (source: AsyncIterable<TestEvent>) {
    // A worker is a file to the runner, which shows it as a test of its own.
    for await (const event of source) {
      const isWorker =
        'name' in (event.data ?? {}) && (event.data as { name: string }).name === worker
      if (!isWorker || event.type === 'test:fail') yield event
    }
  }
  await pipeline(events, shown, new spec(), process.stdout, { end: false })
  const unfinished = files.filter((file) => !durations.has(file))
  for (const file of unfinished) console.error(`${file} was not run to its end`)
  mkdirSync(cache, { recursive: true })
  const allDurations = { ...readDurations(), ...Object.fromEntries(durations) }
  writeFileSync(durationsFile, JSON.stringify(allDurations, undefined, 1))
  return !failed && unfinished.length === 0
}

process.exitCode = (await main()) ? 0 : 1
