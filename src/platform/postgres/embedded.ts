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
import { EmbeddedFailure, startFailure, steps, writeFailure } from './failure.ts'
import { clearLeftovers, readPostmasterFile } from './leftovers.ts'
import { type DirectoryLock, lockDirectory } from './lock.ts'
import { openServerLog, type ServerLog } from './log.ts'
import { processExists, waitUntil } from './processes.ts'
import { launchServer, type RunningServer } from './server.ts'

export interface EmbeddedServer {
  /** The URL of the database `feria` on 127.0.0.1, with its password. */
  readonly url: string
  /** The process id of the current server. A restart changes it. */
  readonly pid: number
  /** Resolves when the server has ended for good. `expected` is false if nobody stopped it. */
  readonly ended: Promise<{ expected: boolean }>
  /** Returns the last lines of the log. They are kept in memory, because a full disk takes no log. */
  logTail(): string
  /** Stops the server: fast within a time limit, then immediately. Commits survive in both cases. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** The data directory (`FERIA_DATA`). The cluster lies in its folder `postgres`. */
  dataDirectory: string
  /**
   * False is faster and for tests only: a killed server may lose its last commits, and a power failure the whole
   * database. Default: true.
   */
  durable?: boolean
  /** Size of the shared buffers. Default: 128. */
  sharedBuffersMb?: number
  /** Receives a line for each longer step of a start. */
  say?: (step: string) => void
  /** Called before a server that ended unexpectedly is restarted on the same port. Without it, such an end is final. */
  onRestart?: (restart: RestartInfo) => void
}

export interface RestartInfo {
  pauseMs: number
  /** The last lines of the server's log. */
  lastLines: string[]
}

/** Parts that tests replace. */
export interface TestOverrides {
  binaries?: Binaries
  setpriv?: string
  restartPausesMs?: readonly number[]
}

/** Pauses before restarts. A server that ends again and again is given up after 30 s. */
const restartPausesMs = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000]
/** After a server has run this long, the pauses begin again. */
const stableMs = 60_000
const lastLinesCount = 10

/** Signals of a stop with their time limits, within the 10 s that container runtimes allow before the kill. */
const stopBounds = [
  { signal: 'SIGINT', milliseconds: 7_000 },
  { signal: 'SIGQUIT', milliseconds: 2_000 },
  { signal: 'SIGKILL', milliseconds: 2_000 },
] as const

/**
 * Starts the embedded PostgreSQL in the data directory. It creates the cluster at the first start and ends servers
 * that a killed Feria left running. Throws `EmbeddedFailure` with a message for people; then nothing is running.
 */
export async function startEmbedded(
  options: EmbeddedOptions,
  seams: TestOverrides = {},
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
    await createDatabaseIfMissing(address, say)
    if (isFirstStart) say(steps.ready)
    const { port } = server
    return superviseServer(server, {
      url: `${address}/${databaseName}`,
      lock,
      log,
      pausesMs: options.onRestart ? (seams.restartPausesMs ?? restartPausesMs) : [],
      onRestart: options.onRestart ?? (() => {}),
      restart: async () => {
        // Children of the dead server may still hold its shared memory.
        await clear(true)
        return launchServer({ ...launch, port })
      },
    })
  } catch (error) {
    // A server that does not end is ended by the next start. Report why this start failed instead.
    if (server) await endServer(server).catch(() => {})
    const logTail = log?.tail() ?? ''
    log?.close()
    lock.release()
    if (error instanceof EmbeddedFailure) throw error
    throw startFailure({
      what: `Starting the embedded database (${(error as Error).message})`,
      cluster,
      log: logTail,
    })
  }
}

/** Returns the URL of the server that runs on this data directory, whoever started it. Undefined if none runs. */
export function findRunningServer(dataDirectory: string): string | undefined {
  const cluster = join(dataDirectory, 'postgres')
  const [pid, , , port] = readPostmasterFile(cluster) ?? []
  if (!port || !processExists(Number(pid))) return undefined
  const password = readPassword(cluster)
  return `postgres://${databaseName}:${password}@127.0.0.1:${port}/${databaseName}`
}

/** Makes the data directory unless it exists, and returns its real path. Throws `EmbeddedFailure`. */
function openDataDirectory(path: string): string {
  try {
    makeFolder(resolve(path))
    // Resolve links, because the processes of PostgreSQL are later found by this path.
    return realpathSync(path)
  } catch (error) {
    throw new EmbeddedFailure(
      `The data directory ${resolve(path)} cannot be opened (${(error as Error).message}). ` +
        'Choose another one: FERIA_DATA=./data-2 npm start',
    )
  }
}

/** Creates a folder and its parents. `mkdirSync` with `recursive` never returns below /proc, which refuses new entries
 * with ENOENT. */
function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another program may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory())
      throw error
  }
}

async function takeLock(dataDirectory: string): Promise<DirectoryLock> {
  try {
    return await lockDirectory(join(dataDirectory, 'feria.lock'))
  } catch (error) {
    if (error instanceof EmbeddedFailure) throw error
    throw writeFailure(dataDirectory, error as NodeJS.ErrnoException)
  }
}

/** Creates the database if it is missing, as after an interrupted first start. */
async function createDatabaseIfMissing(
  address: string,
  say: (step: string) => void,
): Promise<void> {
  const connectionString = `${address}/postgres`
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 })
  // The failed query reports a server that ends meanwhile.
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

interface SupervisionOptions {
  url: string
  lock: DirectoryLock
  log: ServerLog
  pausesMs: readonly number[]
  onRestart: (restart: RestartInfo) => void
  restart: () => Promise<RunningServer>
}

/** Returns the server with its restarts and its stop. */
function superviseServer(first: RunningServer, transfer: SupervisionOptions): EmbeddedServer {
  let server = first
  const stopping = new AbortController()

  /** Restarts the server after growing pauses. Undefined if it was stopped or does not come back. */
  async function startAgain(pausesMs: number[]): Promise<RunningServer | undefined> {
    for (let pauseMs = pausesMs.shift(); pauseMs !== undefined; pauseMs = pausesMs.shift()) {
      const lastLines = transfer.log.tail().split('\n').slice(-lastLinesCount)
      transfer.onRestart({ pauseMs, lastLines })
      const options = { signal: stopping.signal, ref: false }
      await sleep(pauseMs, undefined, options).catch(() => {})
      if (stopping.signal.aborted) return undefined
      // The log has the reason of a failure.
      const next = await transfer.restart().catch(() => undefined)
      if (next) return next
    }
    return undefined
  }

  /** Starts the server again each time it ends, until it is stopped. The pauses begin anew after a server that ran
   * for a while. */
  async function watch(): Promise<void> {
    let pausesMs = [...transfer.pausesMs]
    for (;;) {
      holdProcess(server, false)
      const startedAt = performance.now()
      await server.exited
      // Children of a killed server may still hold its output open.
      holdProcess(server, false)
      if (stopping.signal.aborted) return
      if (performance.now() - startedAt > stableMs) pausesMs = [...transfer.pausesMs]
      await Promise.race([server.allRead, sleep(300, undefined, { ref: false })])
      const next = await startAgain(pausesMs)
      if (!next) return
      server = next
      // `stop` was called during the restart.
      if (stopping.signal.aborted) await endServer(server).catch(() => {})
    }
  }

  const ended = watch().then(() => {
    // Close the log only after all output is read: its last lines have the reason of the end.
    void server.allRead.then(() => transfer.log.close())
    transfer.lock.release()
    return { expected: stopping.signal.aborted }
  })
  return {
    url: transfer.url,
    get pid() {
      return server.pid
    },
    ended,
    logTail: () => transfer.log.tail(),
    async stop() {
      stopping.abort()
      await endServer(server)
      await ended
    },
  }
}

/** Stops the server, with a stronger signal each time it does not end. Throws `EmbeddedFailure` if none ends it. */
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

/** Sets whether the server keeps this process alive. It must only while its end is awaited. */
function holdProcess({ child }: RunningServer, isHeld: boolean): void {
  const pipe = child.stderr as unknown as { ref(): void; unref(): void } | null
  for (const part of [child, pipe]) {
    if (isHeld) part?.ref()
    else part?.unref()
  }
}
