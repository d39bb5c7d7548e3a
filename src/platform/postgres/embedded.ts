import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chooseRunner } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import {
  clusterExists,
  createCluster,
  databaseName,
  mendOwnership,
  readPassword,
  removeHalfDone,
} from './cluster.ts'
import { EmbeddedFailure, failedStart, refusedWrite, steps } from './failure.ts'
import { clearLeftovers, readPostmasterFile } from './leftovers.ts'
import { type DirectoryLock, lockDirectory } from './lock.ts'
import { openServerLog, type ServerLog } from './log.ts'
import { answersSignals, waitUntil } from './processes.ts'
import { launchServer, type RunningServer } from './server.ts'

export interface EmbeddedServer {
  /** postgres://… of the database `feria`, on 127.0.0.1, with its password */
  readonly url: string
  /** of the server that runs now: another one after a restart */
  readonly pid: number
  /** resolves when the server has ended for good; `expected: false` when nobody asked for it */
  readonly ended: Promise<{ expected: boolean }>
  /** the last lines of its log, kept in memory: a full disk takes no log either */
  logTail(): string
  /** fast, bounded, then immediate; in both cases nothing that was committed is lost */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** FERIA_DATA; the cluster lies in its folder `postgres` */
  dataDirectory: string
  /**
   * false, for tests only: quicker; when it is killed the last commits may be lost, and with the
   * power the whole database. Default true
   */
  durable?: boolean
  /** the memory in which the server keeps pages. Default 128 */
  sharedBuffersMb?: number
  /** is told every step of a start that takes a while */
  say?: (step: string) => void
  /** Has a server that ends on its own started again on the same port, after a pause of which this is
   * told. Without it, such an end is final. */
  onRestart?: (restart: Restart) => void
}

export interface Restart {
  pauseMs: number
  /** the end of the server's log */
  lastLines: string[]
}

/** What a test replaces. */
export interface Seams {
  binaries?: Binaries
  setpriv?: string
  restartPausesMs?: readonly number[]
}

/** A server that ends once is back at once; one that ends again and again is given up after half a
 * minute of growing pauses. */
const restartPausesMs = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000]
/** A server that ran for so long begins again with the shortest pause. */
const stableMs = 60_000
const lastLinesCount = 10

/** Fast shutdown first, within the ten seconds that container runtimes give; then harder. */
const stopBounds = [
  { signal: 'SIGINT', milliseconds: 7_000 },
  { signal: 'SIGQUIT', milliseconds: 2_000 },
  { signal: 'SIGKILL', milliseconds: 2_000 },
] as const

/**
 * Starts a PostgreSQL of our own in the data directory, making it at first start and replacing what
 * a killed Feria left. Throws EmbeddedFailure, in words for a person, with nothing left running.
 */
export async function startEmbedded(
  options: EmbeddedOptions,
  seams: Seams = {},
): Promise<EmbeddedServer> {
  const { durable = true, sharedBuffersMb = 128, say = () => {} } = options
  const dataDirectory = openDataDirectory(options.dataDirectory)
  const cluster = join(dataDirectory, 'postgres')
  const lock = await takeLock(dataDirectory)
  let log: ServerLog | undefined
  let server: RunningServer | undefined
  try {
    const binaries = seams.binaries ?? (await findBinaries())
    const setpriv = seams.setpriv ?? 'setpriv'
    const runner = chooseRunner({ dataDirectory, cluster, binaries, setpriv })
    await removeHalfDone(dataDirectory)
    const isFirstStart = !clusterExists(cluster)
    if (isFirstStart) {
      say(steps.preparing)
      await createCluster({ dataDirectory, cluster, binaries, runner, durable })
    }
    mendOwnership(cluster, runner.account)
    const password = readPassword(cluster)
    const { pgControl } = binaries
    const clear = (suspected: boolean) => clearLeftovers(cluster, { pgControl, suspected, say })
    await clear(lock.tookOver)

    log = openServerLog(join(dataDirectory, 'postgres.log'))
    const launched = { cluster, binaries, runner, log, say, clear: () => clear(true) }
    const launch = { ...launched, durable, sharedBuffersMb }
    server = await launchServer(launch)
    const address = `postgres://${databaseName}:${password}@127.0.0.1:${server.port}`
    await openDatabase(address, say)
    if (isFirstStart) say(steps.ready)
    const { port } = server
    return transferServer(server, {
      url: `${address}/${databaseName}`,
      lock,
      log,
      pausesMs: options.onRestart ? (seams.restartPausesMs ?? restartPausesMs) : [],
      onRestart: options.onRestart ?? (() => {}),
      restart: async () => {
        // Children of the dead one may still hold its shared memory.
        await clear(true)
        return launchServer({ ...launch, port })
      },
    })
  } catch (error) {
    // What does not end even now is the next start's to clear; why this one failed matters more.
    if (server) await endServer(server).catch(() => {})
    const lastWords = log?.tail() ?? ''
    log?.close()
    lock.release()
    if (error instanceof EmbeddedFailure) throw error
    throw failedStart({
      what: `Starting the embedded database (${(error as Error).message})`,
      cluster,
      log: lastWords,
    })
  }
}

/** The address of the server that runs on this data directory, whoever started it; undefined when none
 * does. Touches nothing. */
export function findRunningServer(dataDirectory: string): string | undefined {
  const cluster = join(dataDirectory, 'postgres')
  const [pid, , , port] = readPostmasterFile(cluster) ?? []
  if (!port || !answersSignals(Number(pid))) return undefined
  const password = readPassword(cluster)
  return `postgres://${databaseName}:${password}@127.0.0.1:${port}/${databaseName}`
}

function openDataDirectory(path: string): string {
  try {
    makeFolder(resolve(path))
    // Without links in it: that is how PostgreSQL is told, and how its processes are found again.
    return realpathSync(path)
  } catch (error) {
    throw new EmbeddedFailure(
      `The data directory ${resolve(path)} cannot be opened (${(error as Error).message}). ` +
        'Choose another one: FERIA_DATA=./data-2 npm start',
    )
  }
}

/** Creates a folder and those above it. `mkdirSync` with `recursive` never returns below a folder such
 * as /proc, which is there and refuses new entries with ENOENT. */
function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another program may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory())
      throw error
  }
}

async function takeLock(dataDirectory: string): Promise<DirectoryLock> {
  try {
    return await lockDirectory(join(dataDirectory, 'feria.lock'))
  } catch (error) {
    if (error instanceof EmbeddedFailure) throw error
    throw refusedWrite(dataDirectory, error as NodeJS.ErrnoException)
  }
}

/** Makes sure that the database is there: also when the first start was interrupted before it. */
async function openDatabase(address: string, say: (step: string) => void): Promise<void> {
  const connectionString = `${address}/postgres`
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 })
  // A server that ends while we talk to it is told by the query that fails.
  client.on('error', () => {})
  try {
    await client.connect()
    const find = 'select from pg_database where datname = $1'
    const { rowCount } = await client.query(find, [databaseName])
    if (rowCount === 0) {
      say(steps.creating)
      await client.query(`create database ${databaseName}`)
    }
  } finally {
    await client.end().catch(() => {})
  }
}

interface ServerTransfer {
  url: string
  lock: DirectoryLock
  log: ServerLog
  pausesMs: readonly number[]
  onRestart: (restart: Restart) => void
  restart: () => Promise<RunningServer>
}

function transferServer(first: RunningServer, of: ServerTransfer): EmbeddedServer {
  let server = first
  const stopping = new AbortController()

  /** Starts it again, pause after pause; undefined when it is to stop or does not come back. */
  async function startAgain(pausesMs: number[]): Promise<RunningServer | undefined> {
    for (let pauseMs = pausesMs.shift(); pauseMs !== undefined; pauseMs = pausesMs.shift()) {
      const lastLines = of.log.tail().split('\n').slice(-lastLinesCount)
      of.onRestart({ pauseMs, lastLines })
      const options = { signal: stopping.signal, ref: false }
      await sleep(pauseMs, undefined, options).catch(() => {})
      if (stopping.signal.aborted) return undefined
      // Why it failed is in the log.
      const next = await of.restart().catch(() => undefined)
      if (next) return next
    }
    return undefined
  }

  async function watch(): Promise<void> {
    let pausesMs = [...of.pausesMs]
    for (;;) {
      holdProcess(server, false)
      const startedAt = performance.now()
      await server.exited
      // Children of a server that was killed may still hold its output open.
      holdProcess(server, false)
      if (stopping.signal.aborted) return
      if (performance.now() - startedAt > stableMs) pausesMs = [...of.pausesMs]
      await Promise.race([server.allRead, sleep(300, undefined, { ref: false })])
      const next = await startAgain(pausesMs)
      if (!next) return
      server = next
      // Asked to stop while it was coming up.
      if (stopping.signal.aborted) await endServer(server).catch(() => {})
    }
  }

  const ended = watch().then(() => {
    // Only when all is read: the last lines say why it ended.
    void server.allRead.then(() => of.log.close())
    of.lock.release()
    return { expected: stopping.signal.aborted }
  })
  return {
    url: of.url,
    get pid() {
      return server.pid
    },
    ended,
    logTail: () => of.log.tail(),
    async stop() {
      stopping.abort()
      await endServer(server)
      await ended
    },
  }
}

async function endServer(server: RunningServer): Promise<void> {
  const hasEnded = () => server.child.exitCode !== null || server.child.signalCode !== null
  holdProcess(server, true)
  for (const { signal, milliseconds } of stopBounds) {
    if (hasEnded()) return
    server.signal(signal)
    if (await waitUntil(hasEnded, milliseconds)) return
  }
  throw new EmbeddedFailure(`The embedded database does not end. End it: kill -9 ${server.pid}`)
}

/** Whether the server alone keeps this process from ending: only while it is awaited. */
function holdProcess({ child }: RunningServer, held: boolean): void {
  const pipe = child.stderr as unknown as { ref(): void; unref(): void } | null
  for (const part of [child, pipe]) {
    if (held) part?.ref()
    else part?.unref()
  }
}
