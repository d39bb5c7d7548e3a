import { hourMs } from '../../src/kernel/clock.ts'
import type { Config } from '../../src/platform/config.ts'
import type { SimulatedPostgres, SimulatedSession } from './postgres/server.ts'
import type { RowChange, TableRows } from './postgres/tables.ts'
import type { FeriaProcess } from './process.ts'
import type { SimulatedDelivery, SimulatedReceivers } from './receivers.ts'
import type { SimulationClock } from './simulation-clock.ts'

/** What is held to, by its name in a report. */
export const guarantees = {
  told: 'every committed change reaches everyone who subscribes to it, or is lost after five attempts',
  committed: 'nothing is sent that was not committed',
  accepted: 'nothing is sent again once it was accepted and that was recorded',
  once: 'nothing is sent twice unless something went wrong',
  counted: 'attempts are counted, and there are five at most',
  schedule: 'a retry comes when it is due: twelve hours later, less up to a tenth',
  identity: 'sequence number and id are the same on every attempt',
  prompt: 'in a quiet system a change arrives within a second, also while another receiver hangs',
  lease: 'no process takes a lane that another holds and can work on',
  recordable: 'nothing is sent again while its outcome cannot be recorded',
  clean: 'nothing is left behind: no waiting change, no lease, no retry, no gap in the numbers',
  alive: 'no process fails in a way that nobody handles',
} as const
export type GuaranteeName = keyof typeof guarantees

export interface GuaranteeBreach {
  guarantee: GuaranteeName
  what: string
  at: number
}

/** For how long after something went wrong a lease may still be lost by it: its time and some more. */
const leaseLostMs = 8_000

interface SentNotification {
  id: string
  resource: string
  sends: SimulatedDelivery[]
}

/** Watches what is committed and sent, and knows what must not be. */
export class GuaranteeChecker {
  readonly breaches: GuaranteeBreach[] = []
  /** Committed changes by their resource, which no two share; and when. */
  readonly committed = new Map<string, { userIds: readonly number[]; at: number }>()
  /** When something went wrong last that excuses repetition. */
  #troubledAt = Number.NEGATIVE_INFINITY
  /** Notifications by application and number. */
  readonly #notified = new Map<string, SentNotification>()
  /** Names of processes by what they hold leases as. */
  readonly #holders = new Map<string, string>()
  /** Processes that were refused a write since writes are refused. */
  readonly #refused = new Set<string>()
  readonly #sentWhileRefused = new Set<string>()
  readonly #world: SimulationClock
  readonly #server: SimulatedPostgres
  readonly #delivery: Config['delivery']
  readonly #processes: ReadonlyMap<string, FeriaProcess>

  constructor(
    {
      world,
      server,
      config,
    }: { world: SimulationClock; server: SimulatedPostgres; config: Config },
    processes: ReadonlyMap<string, FeriaProcess>,
  ) {
    this.#world = world
    this.#server = server
    this.#delivery = config.delivery
    this.#processes = processes
    server.onCommit = (changes, session) => this.#onCommit(changes, session)
    server.onRefused = ({ owner }) => void this.#refused.add(owner)
  }

  reportBreach(guarantee: GuaranteeName, what: string): void {
    this.#world.log(() => `BROKEN: ${guarantees[guarantee]}: ${what}`)
    this.breaches.push({ guarantee, what, at: this.#world.now })
  }

  /** Something goes wrong, or has until now; or until then. */
  noteTrouble(until = this.#world.now): void {
    this.#troubledAt = Math.max(this.#troubledAt, until)
  }

  noteWritesAccepted(): void {
    this.#refused.clear()
    this.#sentWhileRefused.clear()
  }

  onSend(process: FeriaProcess, delivery: SimulatedDelivery): void {
    const { applicationId, seq, id, resource, attempt } = delivery
    const name = `${applicationId}/${seq}`
    const notified = this.#notified.get(name)
    if (!notified) {
      this.reportBreach('committed', `${name} ${resource}`)
      return
    }
    if (notified.id !== id || notified.resource !== resource) {
      this.reportBreach(
        'identity',
        `${name} was ${notified.id} ${notified.resource}, is ${id} ${resource}`,
      )
    }
    if (attempt > this.#delivery.attempts)
      this.reportBreach('counted', `${name} attempt ${attempt}`)
    this.#checkRepetition(process, delivery, notified)
    this.#checkRecorded(process, delivery)
    this.#checkRefused(process, name)
    notified.sends.push(delivery)
  }

  #checkRepetition(
    process: FeriaProcess,
    { attempt, at }: SimulatedDelivery,
    { sends, id }: SentNotification,
  ) {
    const before = sends.findLast((each) => each.attempt === attempt)
    if (!before || this.#troubledAt >= before.at - leaseLostMs) return
    const since = Math.round(at - before.at)
    this.reportBreach(
      'once',
      `${process.name} sends ${id} attempt ${attempt} again after ${since} ms`,
    )
  }

  /** What a process may send depends on what is recorded, as long as it holds the lane. */
  #checkRecorded(process: FeriaProcess, { applicationId, seq, attempt }: SimulatedDelivery): void {
    const lane = this.#server.rows('lanes').get(`${applicationId}`)
    const isHeld = lane?.holder != null && this.#holders.get(lane.holder) === process.name
    const name = `${applicationId}/${seq}`
    const attempts = this.attemptsAt(applicationId, seq)
    if (attempts.some(({ outcome }) => outcome === 'accepted')) {
      const timeoutMs = leaseLostMs + this.#delivery.timeoutMs
      if (isHeld || this.#troubledAt < this.#world.now - timeoutMs) {
        this.reportBreach('accepted', `${process.name} sends ${name} attempt ${attempt}`)
      }
    }
    if (!isHeld) return
    const lastAttempt = Math.max(0, ...attempts.map((each) => each.attempt))
    if (attempt !== lastAttempt + 1) {
      this.reportBreach(
        'counted',
        `${process.name} sends ${name} as attempt ${attempt} after ${lastAttempt}`,
      )
    }
    const due = this.#server.rows('unaccepted').get(`${applicationId} ${seq}`)?.due
    if (attempt > 1 && due && due > process.now()) {
      this.reportBreach(
        'schedule',
        `${process.name} sends ${name} at ${process.now().toISOString()}`,
      )
    }
  }

  #checkRefused(process: FeriaProcess, name: string): void {
    const { isReadOnly, isDiskFull } = this.#server.faults
    if (!isReadOnly && !isDiskFull) return
    const sent = `${process.name} ${name}`
    if (this.#refused.has(process.name) && this.#sentWhileRefused.has(sent)) {
      this.reportBreach('recordable', `${process.name} sends ${name} again`)
    }
    this.#sentWhileRefused.add(sent)
  }

  attemptsAt(applicationId: number, seq: number): TableRows['attempts'][] {
    return [...this.#server.rows('attempts').values()].filter(
      (each) => each.application_id === applicationId && each.seq === seq,
    )
  }

  #onCommit(changes: readonly RowChange[], session: SimulatedSession): void {
    for (const change of changes) {
      if (change.table === 'changes' && change.after) {
        const { resource, user_ids: userIds } = change.after
        this.committed.set(resource, { userIds, at: this.#world.now })
        this.#world.log(() => `${session.owner}: commits ${resource}`)
      } else if (change.table === 'notifications' && change.after) {
        const { application_id, seq, id, resource } = change.after
        this.#notified.set(`${application_id}/${seq}`, { id, resource, sends: [] })
      } else if (change.table === 'holders' && change.after) {
        this.#holders.set(change.after.id, session.owner)
      } else if (change.table === 'lanes') this.#checkLease(change)
      else if (change.table === 'unaccepted') this.#checkSchedule(change)
    }
  }

  #checkLease({ before, after }: Extract<RowChange, { table: 'lanes' }>): void {
    if (!before?.holder || !after?.holder || before.holder === after.holder) return
    const [holder, taker] = [this.#holders.get(before.holder), this.#holders.get(after.holder)]
    this.#world.log(() => `${taker}: takes lane ${after.application_id} from ${holder}`)
    const process = this.#processes.get(holder ?? '')
    if (!process?.isAlive || this.#troubledAt >= this.#world.now - leaseLostMs) return
    this.reportBreach('lease', `${taker} takes lane ${after.application_id} from ${holder}`)
  }

  #checkSchedule({ after }: Extract<RowChange, { table: 'unaccepted' }>): void {
    if (!after) return
    const { application_id, seq, attempts, due } = after
    const name = `${application_id}/${seq} after attempt ${attempts}`
    if (!due) {
      if (attempts !== this.#delivery.attempts) this.reportBreach('counted', `${name} is given up`)
      return
    }
    const ownAttempts = this.attemptsAt(application_id, seq).filter(
      (each) => each.attempt === attempts,
    )
    const sent = Math.max(...ownAttempts.map((each) => each.sent.getTime()))
    const waitMs = due.getTime() - sent
    const wholeMs = this.#delivery.retryHours * hourMs
    if (waitMs < 0.9 * wholeMs || waitMs > wholeMs + this.#delivery.timeoutMs + leaseLostMs) {
      this.reportBreach('schedule', `${name} waits ${Math.round(waitMs / 60_000)} minutes`)
    }
  }

  /** Whom a committed change should have reached, and whether it has: all the applications that have no
   * notification that was accepted, or given up after all attempts. */
  checkEnd(receivers: SimulatedReceivers): void {
    const accepted = new Set<string>()
    for (const { applicationId, resource, isAccepted } of receivers.deliveries) {
      if (isAccepted) accepted.add(`${applicationId} ${resource}`)
    }
    const notifications = [...this.#server.rows('notifications').values()]
    const numberOf = new Map<string, number>()
    for (const { application_id, resource, seq } of notifications) {
      const name = `${application_id} ${resource}`
      if (numberOf.has(name)) this.reportBreach('identity', `${name} has two notifications`)
      numberOf.set(name, seq)
    }
    for (const [resource, { userIds }] of this.committed) {
      for (const { user_id, application_id } of this.#server.rows('authorizations').values()) {
        const name = `${application_id} ${resource}`
        if (!userIds.includes(user_id) || accepted.has(name)) continue
        const seq = numberOf.get(name)
        if (seq === undefined) this.reportBreach('told', `${name} has no notification`)
        else if (!this.#isGivenUp(application_id, seq))
          this.reportBreach('told', `${name}, number ${seq}`)
      }
    }
    this.#checkLeftovers(notifications)
  }

  #isGivenUp(applicationId: number, seq: number): boolean {
    const parked = this.#server.rows('unaccepted').get(`${applicationId} ${seq}`)
    const attemptCount = this.attemptsAt(applicationId, seq).length
    return parked?.due === null && attemptCount >= this.#delivery.attempts
  }

  #checkLeftovers(notifications: readonly TableRows['notifications'][]): void {
    const server = this.#server
    for (const { id } of server.rows('waiting_changes').values()) {
      this.reportBreach('clean', `change ${id} waits`)
    }
    for (const { application_id, seq, due } of server.rows('unaccepted').values()) {
      if (due) this.reportBreach('clean', `${application_id}/${seq} waits for ${due.toISOString()}`)
    }
    for (const { application_id: id, holder, is_waiting, retry_due } of server
      .rows('lanes')
      .values()) {
      if (holder) this.reportBreach('clean', `lane ${id} is held by ${this.#holders.get(holder)}`)
      if (is_waiting) this.reportBreach('clean', `lane ${id} waits`)
      if (retry_due) this.reportBreach('clean', `lane ${id} has a retry`)
      const seqs = notifications.flatMap((each) => (each.application_id === id ? [each.seq] : []))
      seqs.sort((a, b) => a - b)
      const gap = seqs.findIndex((seq, index) => seq !== index + 1)
      if (gap >= 0) this.reportBreach('clean', `${id} has number ${seqs[gap]} in place ${gap + 1}`)
    }
    if (server.sessions.size > 0) this.reportBreach('clean', `${server.sessions.size} connections`)
  }
}
