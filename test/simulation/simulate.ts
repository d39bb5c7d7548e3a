import { recordChanges } from '../../src/changes/record.ts'
import { type Config, readConfig } from '../../src/platform/config.ts'
import { makeMetrics } from '../../src/platform/metrics.ts'
import { type GuaranteeBreach, GuaranteeChecker } from './guarantees.ts'
import {
  makePlan,
  maxSkewMs,
  type PlannedChange,
  type PlannedFault,
  recorderProcess,
  type SimulationPlan,
} from './plan.ts'
import type { ConnectionFaults } from './postgres/client.ts'
import { type ExecutedStatement, SimulatedPostgres } from './postgres/server.ts'
import { FeriaProcess, type SimulationContext } from './process.ts'
import { SimulatedReceivers } from './receivers.ts'
import { SimulationClock } from './simulation-clock.ts'

export interface SimulationResult {
  seed: number
  plan: SimulationPlan
  breaches: readonly GuaranteeBreach[]
  /** What happened, line by line, if that was asked for. */
  trace: readonly string[]
  /** What the server ran, if that was asked for. */
  executedStatements: readonly ExecutedStatement[]
  events: number
  virtualMs: number
  sent: number
}

interface SimulationOptions {
  tells?: boolean
  records?: boolean
  plan?: SimulationPlan
}

const baseConfig = readConfig({ FERIA_MODE: 'sandbox', FERIA_LOG_LEVEL: 'silent' })
const metrics = makeMetrics()

/** A quiet system has a second from the commit of a change to its delivery. */
const maxQuietDeliveryMs = 1_000
/** Rests of lanes that wait for their retries, and of those that fail throughout. */
const maxClockMoves = 150

/** Runs the schedule of a seed, and says which guarantees it broke. */
export async function simulateSchedule(
  seed: number,
  { tells = false, records = false, plan = makePlan(seed) }: SimulationOptions = {},
): Promise<SimulationResult> {
  const simulation = new Simulation(plan, { tells, records })
  return simulation.run()
}

class Simulation {
  readonly #plan: SimulationPlan
  readonly #world: SimulationClock
  readonly #server: SimulatedPostgres
  readonly #receivers: SimulatedReceivers
  readonly #weather: ConnectionFaults = { breakProbability: 0, slowness: 1, frozenUntil: 0 }
  readonly #context: SimulationContext
  readonly #guarantees: GuaranteeChecker
  /** All that ever were, by name. */
  readonly #processes = new Map<string, FeriaProcess>()
  /** Those that are there now, by their number in the plan. */
  readonly #running: (FeriaProcess | undefined)[] = []
  readonly #recorder: FeriaProcess

  constructor(plan: SimulationPlan, { tells, records }: { tells: boolean; records: boolean }) {
    this.#plan = plan
    this.#world = new SimulationClock(plan.seed, { tells })
    this.#server = new SimulatedPostgres(this.#world)
    if (records) this.#server.executedStatements = []
    this.#receivers = new SimulatedReceivers(this.#world)
    const { inFlight, timeoutMs } = plan
    const config: Config = {
      ...baseConfig,
      delivery: { ...baseConfig.delivery, inFlight, timeoutMs },
    }
    const { onSend } = this
    this.#context = {
      world: this.#world,
      server: this.#server,
      weather: this.#weather,
      receivers: this.#receivers,
      config,
      metrics,
      onSend,
    }
    this.#guarantees = new GuaranteeChecker(this.#context, this.#processes)
    const { skewsMs } = plan
    if (Math.max(...skewsMs) - Math.min(...skewsMs) > maxSkewMs)
      this.#guarantees.noteTrouble(Infinity)
    this.#recorder = new FeriaProcess(this.#context, { name: 'recorder', skewMs: 0 })
    for (const { id, users } of plan.applications) {
      const callback_url = this.#receivers.urlOf(id)
      this.#server.put('applications', { id, callback_url, topics: ['orders_v2'] })
      this.#server.put('signing_secrets', { application_id: id, secret })
      for (const user_id of users) {
        this.#server.put('authorizations', { user_id, application_id: id })
      }
    }
  }

  onSend: SimulationContext['onSend'] = (process, delivery) => {
    this.#guarantees.onSend(process, delivery)
  }

  async run(): Promise<SimulationResult> {
    const unhandled = (error: unknown) => this.#guarantees.reportBreach('alive', String(error))
    process.on('unhandledRejection', unhandled)
    try {
      await this.#runFaults()
      await this.#checkQuiet()
      await this.#followRetries()
      await this.#end()
    } finally {
      process.off('unhandledRejection', unhandled)
    }
    return {
      seed: this.#plan.seed,
      plan: this.#plan,
      breaches: this.#guarantees.breaches,
      trace: this.#world.trace ?? [],
      executedStatements: this.#server.executedStatements ?? [],
      events: this.#world.events,
      virtualMs: this.#world.now,
      sent: this.#receivers.deliveries.length,
    }
  }

  /** Changes are recorded and things go wrong; then everything works again. */
  async #runFaults(): Promise<void> {
    const { changes, faults, applications, skewsMs, endsAt, recoveryMs } = this.#plan
    const world = this.#world
    this.#recorder.startRecording()
    for (const index of skewsMs.keys()) this.#start(index)
    for (const { id, manners } of applications) {
      for (const { at, manner } of manners) {
        world.after(at, () => this.#receivers.manners.set(id, manner))
      }
    }
    for (const fault of faults) world.after(fault.at, () => this.#begin(fault))
    for (const change of changes) world.after(change.at, () => void this.#record(change))
    await world.runFor(endsAt + 1)
    for (const { id, lastManner } of applications) this.#receivers.manners.set(id, lastManner)
    for (const index of skewsMs.keys()) if (!this.#running[index]) this.#start(index)
    world.log(() => 'everything works again')
    await world.runFor(recoveryMs)
  }

  /** Records one more change for everyone and looks whether it comes at once. */
  async #checkQuiet(): Promise<void> {
    const world = this.#world
    const quiet = this.#plan.applications.filter(({ id }) => this.#isQuiet(id))
    const resource = '/orders/quiet'
    const change = { at: 0, resources: [resource], openMs: 0, process: 0, isRolledBack: false }
    void this.#record({ ...change, user: 1, resources: [resource] })
    void this.#record({ ...change, user: 2, resources: ['/orders/quiet2'] })
    await world.runFor(maxQuietDeliveryMs)
    for (const { id, users } of quiet) {
      const wanted = users.includes(1) ? resource : '/orders/quiet2'
      const committed = this.#guarantees.committed.get(wanted)
      if (!committed)
        this.#guarantees.reportBreach('alive', 'a change of a quiet system is not recorded')
      const has = this.#receivers.deliveries.some(
        (each) => each.resource === wanted && each.applicationId === id,
      )
      if (!has) this.#guarantees.reportBreach('prompt', `${id} has not heard of ${wanted}`)
    }
  }

  /** Whether nothing of what went wrong is left of a lane: what its receiver has answered is behind it. */
  #isQuiet(id: number): boolean {
    const planned = this.#plan.applications.find((each) => each.id === id)
    if (planned?.users.includes(3) || planned?.lastManner !== 'accepts') return false
    if (planned.manners.length === 0) return true
    const lane = this.#server.rows('lanes').get(`${id}`)
    return !lane || (lane.failures === 0 && !lane.is_waiting)
  }

  /** Moves the clock to whatever is due next, until nothing is. */
  async #followRetries(): Promise<void> {
    const world = this.#world
    // One process is enough for it.
    for (const process of this.#running.slice(1)) if (process) void this.#stop(process)
    for (let moves = 0; moves < maxClockMoves; moves++) {
      await world.runUntil(() => this.#receivers.requestsInFlight === 0, 25_000)
      const due = this.#nextDue()
      if (due === undefined) return
      const [process] = this.#running
      const aheadMs = due - (process?.now().getTime() ?? 0)
      if (aheadMs > 0) world.aheadMs += aheadMs + 1
      process?.notifyClockMoved()
      await world.runFor(aheadMs > 0 ? 100 : 300)
    }
  }

  #nextDue(): number | undefined {
    const moments: number[] = []
    for (const { state, is_waiting, rests_until, retry_due } of this.#server
      .rows('lanes')
      .values()) {
      if (state !== 'open') continue
      if (is_waiting) moments.push(rests_until.getTime())
      else if (retry_due) moments.push(Math.max(retry_due.getTime(), rests_until.getTime()))
    }
    return moments.length > 0 ? Math.min(...moments) : undefined
  }

  async #end(): Promise<void> {
    for (const process of this.#running)
      if (process && !process.isStopping) void this.#stop(process)
    const hasEnded = () => this.#running.every((process) => !process?.isAlive)
    if (!(await this.#world.runUntil(hasEnded, 40_000))) {
      this.#guarantees.reportBreach('alive', 'a process does not end')
    }
    this.#recorder.kill()
    this.#guarantees.checkEnd(this.#receivers)
  }

  #start(index: number): void {
    const skewMs = this.#plan.skewsMs[index] ?? 0
    const name = `${'ABC'[index]}${this.#processes.size + 1}`
    const process = new FeriaProcess(this.#context, { name, skewMs })
    this.#processes.set(name, process)
    this.#running[index] = process
    process.start()
  }

  async #record({ process, user, resources, openMs, isRolledBack }: PlannedChange): Promise<void> {
    const recording = process === recorderProcess ? undefined : this.#running[process]
    const by = recording?.isAlive ? recording : this.#recorder
    await by.db
      .transaction(async (tx) => {
        const about = { topic: 'orders_v2', userIds: [user], sellerId: user, at: by.now() } as const
        recordChanges(
          tx,
          resources.map((resource) => ({ ...about, resource })),
        )
        if (openMs > 0) await this.#world.sleep(openMs)
        if (isRolledBack) throw new Error('rolled back')
      })
      // Whether it was committed, the server knows.
      .catch(() => {})
  }

  #begin(fault: PlannedFault): void {
    const { lastsMs } = fault
    const world = this.#world
    world.log(() => `${fault.kind} for ${Math.round(lastsMs)} ms`)
    const end = this.#injectFault(fault)
    if (fault.kind === 'stop') {
      world.after(lastsMs, () => end())
      return
    }
    const troubled = () => this.#guarantees.noteTrouble()
    troubled()
    world.after(lastsMs, () => {
      end()
      troubled()
      world.log(() => `${fault.kind} is over`)
    })
  }

  /** Returns what ends it. */
  #injectFault(fault: PlannedFault): () => void {
    const { faults } = this.#server
    const weather = this.#weather
    const world = this.#world
    switch (fault.kind) {
      case 'kill': {
        const process = this.#running[fault.process]
        if (!process || process.isStopping) return () => {}
        process.kill({ noticedMs: fault.noticedMs })
        return () => this.#replace(fault.process, process)
      }
      case 'stop': {
        const process = this.#running[fault.process]
        if (!process?.isAlive || process.isStopping) return () => {}
        void this.#stop(process)
        return () => this.#replace(fault.process, process)
      }
      case 'breaks':
        weather.breakProbability = fault.share
        return () => {
          weather.breakProbability = 0
        }
      case 'slow':
        weather.slowness = fault.slowness
        return () => {
          weather.slowness = 1
        }
      case 'frozen':
        weather.frozenUntil = world.now + fault.lastsMs
        return () => {}
      case 'crash':
        this.#server.crash()
        for (const { clients } of [...this.#processes.values(), this.#recorder]) {
          for (const client of [...clients]) client.break()
        }
        return () => {
          faults.isDown = false
        }
      case 'read-only':
        faults.isReadOnly = true
        return () => this.#acceptWrites()
      case 'disk-full':
        faults.isDiskFull = true
        return () => this.#acceptWrites()
    }
  }

  /** What is cut off may have been sent and is not recorded. */
  async #stop(process: FeriaProcess): Promise<void> {
    if (!(await process.stop())) this.#guarantees.noteTrouble()
  }

  #acceptWrites(): void {
    Object.assign(this.#server.faults, { isReadOnly: false, isDiskFull: false })
    this.#guarantees.noteWritesAccepted()
  }

  #replace(index: number, process: FeriaProcess): void {
    if (this.#running[index] === process) this.#start(index)
  }
}

const secret = `whsec_${'c2ltdWxhdGVk'.repeat(3)}`
