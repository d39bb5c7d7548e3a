import { setTimeout as sleep } from 'node:timers/promises'
import { type Callbacks, openCallbacks } from '../../bench/deliver/callbacks.ts'
import { monotonicMs } from '../../bench/deliver/clock.ts'
import type { Jobs } from '../../bench/deliver/jobs.ts'
import { startProducing } from '../../bench/deliver/producing.ts'
import { startWork, type Work } from '../../bench/deliver/program.ts'
import { nextApplications, nextJobs } from '../../bench/deliver/throughput.ts'
import { type Cast, World } from '../../bench/deliver/world.ts'
import { makeFolder } from '../../bench/measure.ts'
import { type Account, accountOf, type Books, paceOf } from './account.ts'
import { ChaosServer } from './server.ts'
import { whatIsKnown } from './tables.ts'

const applications = 10
const dispatchers = 2
const warmMs = 500
const underWayMs = 500

/** How long, how much. */
export interface Scale {
  perSecond: number
  beforeMs: number
  duringMs: number
  heldMs: number
  parked: number
  /** For what was committed to arrive, in the end. */
  drainMs: number
}

export const scales: Record<'short' | 'long', Scale> = {
  short: {
    perSecond: 100,
    beforeMs: 1_200,
    duringMs: 2_500,
    heldMs: 20_000,
    parked: 2_000,
    drainMs: 20_000,
  },
  long: {
    perSecond: Number(process.env['FERIA_CHAOS_RATE'] ?? 500),
    beforeMs: 20_000,
    duringMs: 40_000,
    heldMs: 600_000,
    parked: Number(process.env['FERIA_CHAOS_PARKED'] ?? 500_000),
    drainMs: 900_000,
  },
}

/** What a cell has in hand while it strikes. */
export interface ChaosScene {
  scale: Scale
  server: ChaosServer
  world: World
  cast: Cast
  callbacks: Callbacks
  /** Dispatchers that run. */
  works: Work[]
  startWork(): Promise<void>
  /** Remembered with the cell's row. */
  note(text: string): void
}

export interface Cell {
  name: string
  /** Before anything happens; what it parks must arrive in the end as well. */
  prepare?(scene: ChaosScene): Promise<Jobs>
  /** What goes wrong; `over` says when it has gone on for long enough. */
  strike(scene: ChaosScene, over: AbortSignal): Promise<void>
  /** How long it goes on. */
  lasts?(scale: Scale): number
}

export interface Row extends Account {
  name: string
  /** Told a second before it struck, and from then on. */
  before: number
  during: number
  p99Before: number
  p99During: number
  /** Dispatchers that ended by themselves. */
  fallen: number
  notes: string[]
}

/** A database of its own, dispatchers on it, and one cell after the other. */
export class Stage {
  readonly #scale: Scale
  readonly #folder: string
  readonly #server: ChaosServer
  readonly #world: World
  readonly #cast: Cast
  readonly #callbacks: Callbacks
  readonly #works: Work[] = []

  private constructor(of: {
    scale: Scale
    folder: string
    server: ChaosServer
    world: World
    cast: Cast
    callbacks: Callbacks
  }) {
    this.#scale = of.scale
    this.#folder = of.folder
    this.#server = of.server
    this.#world = of.world
    this.#cast = of.cast
    this.#callbacks = of.callbacks
  }

  /** Plays these cells on a stage of their own. */
  static async play(
    cells: readonly Cell[],
    { scale, told }: { scale: Scale; told: (row: Row) => void },
  ): Promise<Row[]> {
    const closers: (() => Promise<void> | void)[] = []
    try {
      const { path: folder, remove } = makeFolder()
      closers.push(remove)
      const server = await ChaosServer.open(folder)
      closers.push(() => server.stop())
      const callbacks = await openCallbacks(applications)
      closers.push(() => callbacks.stop())
      const first = await startWork({ databaseUrl: server.url, folder })
      closers.push(() => first.stop())
      const world = await World.open(server.url)
      closers.push(() => world.close())
      const cast = await world.cast(callbacks.urls, nextApplications(applications))
      const stage = new Stage({ scale, folder, server, world, cast, callbacks })
      stage.#works.push(first)
      closers.push(() => Promise.all(stage.#works.map((work) => work.stop())).then(() => {}))
      const rows: Row[] = []
      for (const cell of cells) {
        const row = await stage.#run(cell)
        rows.push(row)
        told(row)
      }
      return rows
    } finally {
      for (const close of closers.reverse()) await close()
    }
  }

  async #startWork(): Promise<void> {
    this.#works.push(await startWork({ databaseUrl: this.#server.url, folder: this.#folder }))
  }

  /** What a cell before has killed is replaced. */
  async #fillPlaces(): Promise<void> {
    const running = this.#works.filter((work) => work.isRunning()).length
    const missing = Math.max(0, dispatchers - running)
    await Promise.all(Array.from({ length: missing }, () => this.#startWork()))
  }

  async #run(cell: Cell): Promise<Row> {
    const [scale, server, world, cast] = [this.#scale, this.#server, this.#world, this.#cast]
    const [callbacks, works] = [this.#callbacks, this.#works]
    const notes: string[] = []
    await this.#fillPlaces()
    await callbacks.clear()
    const scene: ChaosScene = {
      scale,
      server,
      world,
      cast,
      callbacks,
      works,
      startWork: () => this.#startWork(),
      note: (text) => void notes.push(text),
    }
    const parked = await cell.prepare?.(scene)
    const lastsMs = cell.lasts?.(scale) ?? scale.duringMs
    const { perSecond } = scale
    const longestMs = warmMs + scale.beforeMs + lastsMs + scale.drainMs
    const most = Math.ceil((longestMs / 1_000) * perSecond)
    const jobs = nextJobs(callbacks.urls, most)
    const plan = { databaseUrl: server.url, jobs, sellerIds: cast.sellerIds, perSecond }
    const producing = await startProducing(plan)
    await sleep(warmMs)
    const beganAt = monotonicMs()
    await sleep(scale.beforeMs)
    const struckAt = monotonicMs()
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(), lastsMs)
    await cell.strike(scene, over.signal).finally(() => clearTimeout(timer))
    await sleep(Math.max(0, struckAt + lastsMs - monotonicMs()))
    const endedAt = monotonicMs()
    const produced = await producing.stop()
    const books = await settled({ callbacks, jobs, produced, parked }, scale.drainMs)
    const account = accountOf(books)
    if (account.lost > 0) notes.push(...(await whatIsKnown(server, account)))
    // What was under way when it struck is told apart from before.
    const before = paceOf(books, { from: beganAt, to: struckAt - underWayMs })
    const during = paceOf(books, { from: struckAt, to: endedAt })
    const fallen = works.filter((work) => work.hasFallen()).length
    if (fallen > 0) notes.push(`${fallen} dispatchers have ended by themselves`)
    works.splice(0, works.length, ...works.filter((work) => work.isRunning()))
    return {
      name: cell.name,
      ...account,
      fallen,
      notes,
      before: before.perSecond,
      during: during.perSecond,
      p99Before: before.p99,
      p99During: during.p99,
    }
  }
}

/** Waits until nothing is missing, or for as long as it may take. */
async function settled(
  { callbacks, ...of }: Omit<Books, 'told'> & { callbacks: Callbacks },
  boundMs: number,
): Promise<Books> {
  const end = performance.now() + boundMs
  let known = -1
  for (;;) {
    const { received } = await callbacks.count()
    const isLast = performance.now() > end
    if (received !== known || isLast) {
      known = received
      const books = { ...of, told: await callbacks.told() }
      if (isLast || accountOf(books).lost === 0) return books
    }
    await sleep(200)
  }
}
