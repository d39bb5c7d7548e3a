import { setTimeout as sleep } from 'node:timers/promises'
import { BenchSandbox, type Subscribers } from '../../bench/deliver/bench-sandbox.ts'
import { type CallbackReceiver, openCallbackReceiver } from '../../bench/deliver/callbacks.ts'
import { monotonicMs } from '../../bench/deliver/clock.ts'
import type { DeliveryJobs } from '../../bench/deliver/jobs.ts'
import { startProducer } from '../../bench/deliver/producer-process.ts'
import { nextApplications, nextJobs } from '../../bench/deliver/throughput.ts'
import { startWorker, type WorkerProcess } from '../../bench/deliver/worker-process.ts'
import { makeFolder } from '../../bench/measure.ts'
import {
  type DeliveryLedger,
  type DeliveryTally,
  deliveryPace,
  tallyDeliveries,
} from './delivery-tally.ts'
import { ChaosServer } from './server.ts'
import { describeLost } from './tables.ts'

const applications = 10
const dispatcherCount = 2
const warmMs = 500
const inFlightMs = 500

/** How long, how much. */
export interface LoadChaosScale {
  perSecond: number
  beforeMs: number
  duringMs: number
  lockHeldMs: number
  parkedCount: number
  /** For what was committed to arrive, in the end. */
  drainMs: number
}

export const scales: Record<'short' | 'long', LoadChaosScale> = {
  short: {
    perSecond: 100,
    beforeMs: 1_200,
    duringMs: 2_500,
    lockHeldMs: 20_000,
    parkedCount: 2_000,
    drainMs: 20_000,
  },
  long: {
    perSecond: Number(process.env['FERIA_CHAOS_RATE'] ?? 500),
    beforeMs: 20_000,
    duringMs: 40_000,
    lockHeldMs: 600_000,
    parkedCount: Number(process.env['FERIA_CHAOS_PARKED'] ?? 500_000),
    drainMs: 900_000,
  },
}

/** What a cell has in hand while it strikes. */
export interface ChaosContext {
  scale: LoadChaosScale
  server: ChaosServer
  world: BenchSandbox
  subscribers: Subscribers
  callbacks: CallbackReceiver
  /** Dispatchers that run. */
  dispatchers: WorkerProcess[]
  startDispatcher(): Promise<void>
  /** Remembered with the cell's row. */
  note(text: string): void
}

export interface LoadChaosCell {
  name: string
  /** Before anything happens; what it parks must arrive in the end as well. */
  prepare?(context: ChaosContext): Promise<DeliveryJobs>
  /** What goes wrong; `over` says when it has gone on for long enough. */
  injectFault(context: ChaosContext, over: AbortSignal): Promise<void>
  /** How long it goes on. */
  faultDurationMs?(scale: LoadChaosScale): number
}

export interface LoadChaosResult extends DeliveryTally {
  name: string
  /** Told a second before it struck, and from then on. */
  rateBefore: number
  rateDuring: number
  p99Before: number
  p99During: number
  /** Dispatchers that ended by themselves. */
  crashedDispatchers: number
  notes: string[]
}

/** A database of its own, dispatchers on it, and one cell after the other. */
export class LoadChaosRunner {
  readonly #scale: LoadChaosScale
  readonly #folder: string
  readonly #server: ChaosServer
  readonly #world: BenchSandbox
  readonly #subscribers: Subscribers
  readonly #callbacks: CallbackReceiver
  readonly #dispatchers: WorkerProcess[] = []

  private constructor(of: {
    scale: LoadChaosScale
    folder: string
    server: ChaosServer
    world: BenchSandbox
    subscribers: Subscribers
    callbacks: CallbackReceiver
  }) {
    this.#scale = of.scale
    this.#folder = of.folder
    this.#server = of.server
    this.#world = of.world
    this.#subscribers = of.subscribers
    this.#callbacks = of.callbacks
  }

  /** Plays these cells on a stage of their own. */
  static async runCells(
    cells: readonly LoadChaosCell[],
    { scale, onResult }: { scale: LoadChaosScale; onResult: (row: LoadChaosResult) => void },
  ): Promise<LoadChaosResult[]> {
    const closers: (() => Promise<void> | void)[] = []
    try {
      const { path: folder, remove } = makeFolder()
      closers.push(remove)
      const server = await ChaosServer.open(folder)
      closers.push(() => server.stop())
      const callbacks = await openCallbackReceiver(applications)
      closers.push(() => callbacks.stop())
      const first = await startWorker({ databaseUrl: server.url, folder })
      closers.push(() => first.stop())
      const world = await BenchSandbox.open(server.url)
      closers.push(() => world.close())
      const subscribers = await world.registerSubscribers(
        callbacks.urls,
        nextApplications(applications),
      )
      const runner = new LoadChaosRunner({ scale, folder, server, world, subscribers, callbacks })
      runner.#dispatchers.push(first)
      closers.push(() => Promise.all(runner.#dispatchers.map((work) => work.stop())).then(() => {}))
      const rows: LoadChaosResult[] = []
      for (const cell of cells) {
        const row = await runner.#runCell(cell)
        rows.push(row)
        onResult(row)
      }
      return rows
    } finally {
      for (const close of closers.reverse()) await close()
    }
  }

  async #startDispatcher(): Promise<void> {
    this.#dispatchers.push(
      await startWorker({ databaseUrl: this.#server.url, folder: this.#folder }),
    )
  }

  /** What a cell before has killed is replaced. */
  async #replaceKilledDispatchers(): Promise<void> {
    const running = this.#dispatchers.filter((work) => work.isRunning()).length
    const missing = Math.max(0, dispatcherCount - running)
    await Promise.all(Array.from({ length: missing }, () => this.#startDispatcher()))
  }

  async #runCell(cell: LoadChaosCell): Promise<LoadChaosResult> {
    const [scale, server, world, subscribers] = [
      this.#scale,
      this.#server,
      this.#world,
      this.#subscribers,
    ]
    const [callbacks, works] = [this.#callbacks, this.#dispatchers]
    const notes: string[] = []
    await this.#replaceKilledDispatchers()
    await callbacks.clear()
    const context: ChaosContext = {
      scale,
      server,
      world,
      subscribers,
      callbacks,
      dispatchers: works,
      startDispatcher: () => this.#startDispatcher(),
      note: (text) => void notes.push(text),
    }
    const parked = await cell.prepare?.(context)
    const lastsMs = cell.faultDurationMs?.(scale) ?? scale.duringMs
    const { perSecond } = scale
    const longestMs = warmMs + scale.beforeMs + lastsMs + scale.drainMs
    const most = Math.ceil((longestMs / 1_000) * perSecond)
    const jobs = nextJobs(callbacks.urls, most)
    const plan = { databaseUrl: server.url, jobs, sellerIds: subscribers.sellerIds, perSecond }
    const producing = await startProducer(plan)
    await sleep(warmMs)
    const beganAt = monotonicMs()
    await sleep(scale.beforeMs)
    const struckAt = monotonicMs()
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(), lastsMs)
    await cell.injectFault(context, over.signal).finally(() => clearTimeout(timer))
    await sleep(Math.max(0, struckAt + lastsMs - monotonicMs()))
    const endedAt = monotonicMs()
    const produced = await producing.stop()
    const ledger = await waitForDeliveries({ callbacks, jobs, produced, parked }, scale.drainMs)
    const account = tallyDeliveries(ledger)
    if (account.lost > 0) notes.push(...(await describeLost(server, account)))
    // What was under way when it struck is told apart from before.
    const before = deliveryPace(ledger, { from: beganAt, to: struckAt - inFlightMs })
    const during = deliveryPace(ledger, { from: struckAt, to: endedAt })
    const fallen = works.filter((work) => work.hasCrashed()).length
    if (fallen > 0) notes.push(`${fallen} dispatchers have ended by themselves`)
    works.splice(0, works.length, ...works.filter((work) => work.isRunning()))
    return {
      name: cell.name,
      ...account,
      crashedDispatchers: fallen,
      notes,
      rateBefore: before.perSecond,
      rateDuring: during.perSecond,
      p99Before: before.p99,
      p99During: during.p99,
    }
  }
}

/** Waits until nothing is missing, or for as long as it may take. */
async function waitForDeliveries(
  { callbacks, ...of }: Omit<DeliveryLedger, 'receivedRequests'> & { callbacks: CallbackReceiver },
  boundMs: number,
): Promise<DeliveryLedger> {
  const end = performance.now() + boundMs
  let lastReceived = -1
  for (;;) {
    const { received } = await callbacks.count()
    const isLast = performance.now() > end
    if (received !== lastReceived || isLast) {
      lastReceived = received
      const ledger = { ...of, receivedRequests: await callbacks.receivedRequests() }
      if (isLast || tallyDeliveries(ledger).lost === 0) return ledger
    }
    await sleep(200)
  }
}
