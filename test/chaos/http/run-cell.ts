import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '../../../bench/measure.ts'
import type { TestClient } from '../../harness/client.ts'
import { type Program, startProgram } from '../../harness/program.ts'
import { pollUntil } from '../../harness/wait.ts'
import { type NotificationArrivals, openArrivalReceiver } from './arrivals.ts'
import type { CellDatabase } from './database.ts'
import { type ChaosMarket, createChaosMarket, makeChaosClient } from './market.ts'
import { countUnnotified, tallyWrites, type WriteTally } from './write-tally.ts'
import { WriteGenerator } from './writes.ts'

export interface HttpChaosScale {
  perSecond: number
  beforeMs: number
  /** How long a fault lasts. */
  faultMs: number
  /** How long the writers go on once the fault is over. */
  afterMs: number
  /** On how many data folders first starts are killed at random moments. */
  randomFirstStarts: number
  /** After this a cell is given up. */
  boundMs: number
}

export const scales: Record<'short' | 'long', HttpChaosScale> = {
  short: {
    perSecond: 30,
    beforeMs: 500,
    faultMs: 1_500,
    afterMs: 2_000,
    randomFirstStarts: 1,
    boundMs: 120_000,
  },
  long: {
    perSecond: 100,
    beforeMs: 5_000,
    faultMs: 10_000,
    afterMs: 20_000,
    randomFirstStarts: 5,
    boundMs: 240_000,
  },
}

export interface ServerProcess {
  program: Program
  client: TestClient
  isRunning: boolean
}

/** What a fault may lay hands on. */
export interface HttpCellContext<Server> {
  scale: HttpChaosScale
  server: Server
  /** Where the database is. */
  folder: string
  market: ChaosMarket
  writers: WriteGenerator
  /** The processes that serve and deliver. */
  processes: ServerProcess[]
  start(env?: Record<string, string>): Promise<ServerProcess>
  /** SIGKILL, with nothing put in its place. */
  kill(process: ServerProcess): Promise<void>
}

export interface InjectedFault<Server> {
  name: string
  /** How many processes there are; 2 unless it says so. */
  processes?: number
  /** Settings of each process. */
  env?(index: number): Record<string, string>
  /** Why it cannot be played here; undefined where it can. */
  skipReason?(): string | undefined
  /** The size of the disk that the database has for itself, in MiB; needs root. */
  diskMiB?: number
  /** Whether only `strike` writes, into silence. */
  isQuiet?: boolean
  /** How long after the fault its effects must be over; 10 seconds unless it says so. */
  recoveryBoundMs?: number
  /** What goes wrong before the first process is up. Resolves when it is over. */
  injectAtFirstStart?(server: Server, scale: HttpChaosScale): Promise<void>
  /** Resolves when the fault is over. */
  injectFault(context: HttpCellContext<Server>): Promise<void>
}

/** A fault, and the database that it is played on. */
export interface HttpChaosCell<Server = unknown> extends InjectedFault<Server> {
  open(folder: string): Promise<CellDatabase<Server>>
}

export interface HttpChaosResult extends WriteTally {
  name: string
  /** Answers that the fault does not explain. */
  unexpectedAnswers: readonly string[]
  /** Processes that ended by themselves. */
  crashedProcesses: number
}

const sellerCount = 6
const drainMs = 60_000
const processSettings = {
  FERIA_MODE: 'sandbox',
  FERIA_DEMO: 'off',
  FERIA_LOG_LEVEL: 'warn',
  FERIA_RATE_PER_MINUTE: '10000000',
}

/** Plays one cell on a database of its own, with processes of its own. Throws when it does not end in time. */
export async function runHttpCell<Server>(
  cell: HttpChaosCell<Server>,
  scale: HttpChaosScale,
): Promise<HttpChaosResult> {
  const closers: (() => unknown)[] = []
  try {
    return await Promise.race([runOpenCell(cell, scale, closers), giveUpAfter(scale.boundMs)])
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

/** What it opens is added to `closers`. */
async function runOpenCell<Server>(
  cell: HttpChaosCell<Server>,
  scale: HttpChaosScale,
  closers: (() => unknown)[],
): Promise<HttpChaosResult> {
  const { path: folder, remove } = makeFolder()
  closers.push(remove)
  if (cell.diskMiB) closers.push(mountDisk(folder, cell.diskMiB))
  const database = await cell.open(folder)
  closers.push(database.close)
  const { server } = database
  const arrivals = await openArrivalReceiver()
  closers.push(() => arrivals.close())
  await cell.injectAtFirstStart?.(server, scale)
  const firstStartStruckAt = performance.now()
  const processes: ServerProcess[] = []
  closers.push(() => Promise.all(processes.map(({ program }) => program.kill())))
  let started = 0
  const start = async (env: Record<string, string> = {}) => {
    const program = await startProgram({
      env: { ...processSettings, ...database.env(started++), ...env },
    })
    const feria = { program, client: makeChaosClient(program.address), isRunning: true }
    processes.push(feria)
    return feria
  }
  const kill = async (feria: ServerProcess) => {
    feria.isRunning = false
    await feria.program.kill()
  }
  for (let n = 0; n < (cell.processes ?? 2); n++) await start(cell.env?.(n))
  const [first] = processes as [ServerProcess]
  const market = await createChaosMarket(first.client, { sellers: sellerCount, arrivals })
  const running = () => processes.filter((each) => each.isRunning)
  const writers = new WriteGenerator(market, () => running().map(({ client }) => client))
  closers.push(() => writers.drain())
  const context = { scale, server, folder, market, writers, processes, start, kill }
  const struckAt = await injectCellFault(cell, context)
  const faultEndedAt = cell.injectAtFirstStart ? firstStartStruckAt : struckAt
  await writers.drain()
  await drain(writers, arrivals)
  const [anyone] = running()
  const { client } = anyone ?? (await start())
  const { recoveryBoundMs } = cell
  const account = await tallyWrites(client, {
    writes: writers.writes,
    arrivals,
    faultEndedAt,
    recoveryBoundMs,
  })
  const fallen = running().filter(({ program }) => !isAlive(program.pid)).length
  return {
    name: cell.name,
    ...account,
    unexpectedAnswers: writers.unexpectedAnswers,
    crashedProcesses: fallen,
  }
}

async function giveUpAfter(boundMs: number): Promise<never> {
  await sleep(boundMs, undefined, { ref: false })
  throw new Error(`not over after ${boundMs / 1_000} seconds`)
}

/** Returns when the fault was over. */
async function injectCellFault<Server>(
  cell: HttpChaosCell<Server>,
  context: HttpCellContext<Server>,
): Promise<number> {
  if (cell.isQuiet) {
    await cell.injectFault(context)
    return performance.now()
  }
  const { perSecond, beforeMs, afterMs } = context.scale
  void context.writers.run(perSecond)
  await sleep(beforeMs)
  await cell.injectFault(context)
  const endedAt = performance.now()
  await sleep(afterMs)
  return endedAt
}

/** Waits until all is notified, or for as long as it may take: what is missing then shows in the account. */
async function drain(writers: WriteGenerator, arrivals: NotificationArrivals): Promise<void> {
  const isDone = () => countUnnotified(writers.writes, arrivals) === 0
  await pollUntil('all notifications', isDone, drainMs).catch(() => {})
}

/** Puts a small disk there; returns what takes it away. */
function mountDisk(folder: string, sizeMiB: number): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m,mode=755`, 'tmpfs', folder])
  return () => execFileSync('umount', ['-l', folder])
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
