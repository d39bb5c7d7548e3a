import type pg from 'pg'
import type { Dispatcher } from '../../src/notifications/delivery/dispatcher.ts'
import { makeDispatcher, notificationLoops } from '../../src/notifications/delivery/loops.ts'
import type { Config } from '../../src/platform/config.ts'
import type { Context } from '../../src/platform/context.ts'
import { Database } from '../../src/platform/database/database.ts'
import { OutageLog } from '../../src/platform/database/outage-log.ts'
import { clockMovedChannel, Signals } from '../../src/platform/database/signals.ts'
import type { Log } from '../../src/platform/log.ts'
import { type RunningLoop, startLoop } from '../../src/platform/loop.ts'
import type { Metrics } from '../../src/platform/metrics.ts'
import {
  type ConnectionFaults,
  type ConnectionOwner,
  SimulatedClient,
  SimulatedPool,
} from './postgres/client.ts'
import type { SimulatedPostgres } from './postgres/server.ts'
import type { SimulatedDelivery, SimulatedReceivers } from './receivers.ts'
import type { SimulationClock } from './simulation-clock.ts'

/** What all processes of a simulation share. */
export interface SimulationContext {
  world: SimulationClock
  server: SimulatedPostgres
  weather: ConnectionFaults
  receivers: SimulatedReceivers
  config: Config
  metrics: Metrics
  /** Called when a process sends. */
  onSend(process: FeriaProcess, delivery: SimulatedDelivery): void
}

/** The moment at which all simulations begin, an hour before midnight: days change in some. */
const simulationStart = Date.parse('2026-03-10T22:59:50.000Z')

const supervisorRestMs = 500

/**
 * A process of Feria: the real loops of fan-out and deliveries, on the real database access, in virtual time
 * and on simulated connections.
 */
export class FeriaProcess implements ConnectionOwner {
  readonly name: string
  readonly clients = new Set<SimulatedClient>()
  /** Its clock is ahead of the true time by this. */
  readonly skewMs: number
  isAlive = false
  isStopping = false
  readonly db: Database
  readonly #simulation: SimulationContext
  readonly #ctx: Context
  readonly #signals: Signals
  #dispatcher: Dispatcher | undefined
  #loops: RunningLoop[] = []

  constructor(around: SimulationContext, { name, skewMs }: { name: string; skewMs: number }) {
    this.#simulation = around
    this.name = name
    this.skewMs = skewMs
    const { world, receivers, config, metrics } = around
    const timers = world.timers(() => this.isAlive)
    const options = { url: 'postgres://simulated', statementTimeoutMs: 15_000 }
    const makePool = (pool: pg.PoolConfig) =>
      new SimulatedPool(around, this, pool) as unknown as pg.Pool
    const makeClient = () => new SimulatedClient(around, this) as unknown as pg.Client
    this.#signals = new Signals(options.url, { timers, makeClient })
    const signals = this.#signals
    this.db = new Database({ ...options, poolSize: 10, signals, timers, makePool })
    const reads = new Database({ ...options, poolSize: 3, timers, makePool })
    const log = logOf(world, this.name)
    const outageLog = new OutageLog({
      log,
      timers,
      currentWriteError: () => this.db.writes.currentError(),
    })
    this.#ctx = {
      config,
      metrics,
      db: this.db,
      reads,
      signals,
      timers,
      now: () => this.now(),
      random: world.random.fork(),
      send: receivers.sendFor(this, (delivery) => around.onSend(this, delivery)),
      log,
      outageLog,
    } as unknown as Context
  }

  now(): Date {
    const { world } = this.#simulation
    return new Date(simulationStart + Math.floor(world.now) + world.aheadMs + this.skewMs)
  }

  /** Starts; a database that is not there is tried again, as a supervisor does. */
  start(): void {
    this.isAlive = true
    this.#simulation.world.log(() => `${this.name}: starts`)
    void this.#start()
  }

  /** Connects and runs no loops: records only. */
  startRecording(): void {
    this.isAlive = true
    void this.#connect()
  }

  async #connect(): Promise<void> {
    for (let isConnected = false; !isConnected && this.isAlive; ) {
      isConnected = await this.#signals.open().then(
        () => true,
        () => false,
      )
      if (!isConnected) await this.#simulation.world.sleep(supervisorRestMs)
    }
  }

  async #start(): Promise<void> {
    await this.#connect()
    if (!this.isAlive || this.isStopping) return
    const ctx = this.#ctx
    const dispatcher = makeDispatcher(ctx)
    this.#dispatcher = dispatcher
    const loops = notificationLoops(ctx, { dispatcher, followers: {} })
    this.#loops = loops.map((loop) => startLoop(loop, ctx))
  }

  /** Ends as on SIGTERM, what was begun last first. What takes too long is cut off: returns whether nothing was. */
  async stop(): Promise<boolean> {
    const { world, config } = this.#simulation
    this.isStopping = true
    world.log(() => `${this.name}: is asked to end`)
    const steps = [
      ...this.#loops.map((loop) => () => loop.stop()).toReversed(),
      () => this.#dispatcher?.close(),
      () => this.#signals.close(),
    ]
    let isWhole = true
    for (const step of steps) {
      const isDone = Promise.resolve(step()).then(() => true)
      const isCutOff = world.sleep(config.shutdownMs).then(() => false)
      if (!(await Promise.race([isDone, isCutOff]))) isWhole = false
    }
    this.kill()
    return isWhole
  }

  /** Ends at once. The server learns it after so long. */
  kill({ noticedMs = 0 } = {}): void {
    if (this.isAlive) this.#simulation.world.log(() => `${this.name}: has ended`)
    this.isAlive = false
    for (const client of [...this.clients]) client.drop(noticedMs)
  }

  /** Hears that the clock was moved. */
  notifyClockMoved(): void {
    this.#signals.deliver(clockMovedChannel, String(this.#simulation.world.aheadMs))
  }
}

/** Keeps the lines of a process that is told of; nothing where nobody listens. */
function logOf(world: SimulationClock, name: string): Log {
  const line = (fields: object, text: string) =>
    world.log(() => {
      const { err } = fields as { err?: Error }
      return `${name}: ${text}${err ? ` (${err.message})` : ''}`
    })
  const isLevelEnabled = () => false
  return { debug: line, info: line, warn: line, error: line, answered() {}, isLevelEnabled }
}
