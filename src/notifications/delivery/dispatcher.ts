import { dayMs, secondMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { subjectsOf } from '../../platform/database/signals.ts'
import type { Timer } from '../../platform/timers.ts'
import {
  type HolderLiveness,
  listWaitingQueues,
  type WaitingQueue,
} from '../delivery-read-model.ts'
import { notificationsReady } from '../fan-out.ts'
import { DeliverySlots } from './delivery-slots.ts'
import { Heartbeats } from './heartbeats.ts'
import { OutcomeWriter } from './outcome-writer.ts'
import { preferredOwner } from './preferred-owner.ts'
import { type DispatchContext, QueueDispatch, type QueueDispatchTools } from './queue-dispatch.ts'
import {
  acquireLeases,
  deleteDeadLeaseOwners,
  deleteLeaseOwners,
  type LeasedQueue,
  listDisconnected,
  listHeartbeats,
  listLeasedQueues,
  releaseQueue,
  saveHeartbeat,
} from './store-queues.ts'

/** The signal by which this process wakes itself after it released a queue. */
export const queueReleased = 'lane free'

type Tools = QueueDispatchTools & Pick<Context, 'signals' | 'outageLog'>

/** Lease timeout: leases of a dead process expire after 5 s; live processes renew every 1.5 s. */
const aliveMs = 5 * secondMs
const heartbeatMs = 1_500
/** How often a process checks whether its heartbeat is due, besides at each turn. */
const heartbeatPollMs = 300
/** How often to look for processes without a connection. One that has none twice in a row loses its leases: a process
 * that was only cut off reconnects within that time. */
const disconnectCheckMs = 300
/** Lease owners are deleted after this time without a heartbeat. */
const ownerRetentionMs = dayMs
/** Pause of a queue whose dispatch threw. */
const failedRestMs = secondMs
/** How often a stopping process releases queues that it leased but does not dispatch. */
const releasePollMs = 300
/** Queues that one process dispatches at a time. A receiver that hangs occupies only its own. */
const maxQueues = 1_000

/**
 * Assigns delivery queues to this process. Each application's queue is leased, read and sent apart from all others,
 * without an open transaction while sending. A turn only starts queues, so a receiver that hangs does not delay it.
 */
export class Dispatcher {
  readonly #tools: Tools
  readonly #shared: DispatchContext
  readonly #running = new Map<
    number,
    { queue: LeasedQueue; worker: QueueDispatch; work: Promise<void> }
  >()
  readonly #patienceMs: number
  /** Identifies this process as a lease owner. */
  readonly #holder: string
  /** Queues whose dispatch threw, with the end of their pause (running time). */
  readonly #failed = new Map<number, number>()
  #heartbeatTimer: Timer | undefined
  #lastHeartbeat: number | undefined
  readonly #heartbeats = new Heartbeats(aliveMs)
  /** Live processes, this one included. */
  #holders: readonly string[] = []
  /** Processes without a connection at the last check. */
  #disconnected: readonly string[] = []
  #disconnectCheckedAt = 0
  /** Waiting queues that another process should lease, and since when. */
  #waitingSince = new Map<number, number>()
  #closing = false

  /**
   * `lingerMs`: how long an idle queue keeps its lease, in case a notification follows. `patienceMs`: how long to leave
   * a queue to its preferred owner; with 0 this process leases every free queue.
   */
  constructor(tools: Tools, { lingerMs = 0, patienceMs = 0 } = {}) {
    this.#tools = tools
    this.#patienceMs = patienceMs
    this.#shared = {
      outcomeWriter: new OutcomeWriter(tools.db),
      deliverySlots: new DeliverySlots({ timers: tools.timers }),
      isClosing: () => this.#closing,
      lingerMs,
    }
    this.#holder = formatUuid(tools.random.hex(16))
    tools.signals.on(notificationsReady, (payload) => this.#wake(subjectsOf(payload)))
  }

  /** Leases and starts the free queues that have something to send. */
  async turn(): Promise<boolean> {
    if (this.#closing) return false
    const { db, timers } = this.#tools
    // Without writes the outcome of an attempt could not be recorded, so none is made.
    if (db.writes.isInDoubt && (await db.writes.currentError())) return false
    await this.#renewHeartbeat()
    await this.#removeDead()
    if (!this.#heartbeatTimer) {
      this.#heartbeatTimer = timers.every(heartbeatPollMs, () => void this.#pollHeartbeat())
      this.#heartbeatTimer.unref()
    }
    const capacity = maxQueues - this.#running.size
    if (capacity <= 0) return false
    const holder = this.#holder
    const waiting = await listWaitingQueues(db, { holder, limit: maxQueues * 2, ...this.#living() })
    const free = waiting.filter(({ applicationId: id }) => this.#isFree(id))
    const candidates = this.#selectOwn(free)
    if (candidates.length > capacity) {
      for (const { worker } of this.#running.values()) worker.hurry()
    }
    const leased = await acquireLeases(db, candidates.slice(0, capacity), holder)
    for (const queue of leased) this.#start(queue)
    return false
  }

  /** Returns the queues that this process should lease, and those that their preferred owner left too long. */
  #selectOwn(free: readonly WaitingQueue[]): WaitingQueue[] {
    const now = this.#tools.timers.runningMs()
    const [before, waitingSince] = [this.#waitingSince, new Map<number, number>()]
    this.#waitingSince = waitingSince
    return free.filter(({ applicationId: id }) => {
      if (this.#isPreferredOwner(id)) return true
      const since = before.get(id) ?? now
      waitingSince.set(id, since)
      return now - since >= this.#patienceMs
    })
  }

  #isPreferredOwner(applicationId: number): boolean {
    if (this.#patienceMs === 0) return true
    return (preferredOwner(this.#holders, applicationId) ?? this.#holder) === this.#holder
  }

  /** Wakes the running queues of these applications, or all of them. */
  #wake(applicationIds: readonly string[] | undefined): void {
    if (applicationIds) {
      for (const id of applicationIds) this.#running.get(Number(id))?.worker.wake()
      return
    }
    for (const { worker } of this.#running.values()) worker.wake()
  }

  #isFree(applicationId: number): boolean {
    if (this.#running.has(applicationId)) return false
    const until = this.#failed.get(applicationId)
    if (until !== undefined && until > this.#tools.timers.runningMs()) return false
    this.#failed.delete(applicationId)
    return true
  }

  /** Delivers a queue in the background until it is released. A queue that fails rests for a second before it is
   * leased again. */
  #start(queue: LeasedQueue): void {
    const { log, outageLog, signals } = this.#tools
    const worker = new QueueDispatch(this.#tools, { queue, ...this.#shared })
    const work = worker
      .run()
      .catch((error: unknown) => {
        // The next owner sends again what was not recorded.
        this.#failed.set(queue.applicationId, this.#tools.timers.runningMs() + failedRestMs)
        const fields = { application: queue.applicationId }
        if (outageLog.record(error, fields)) return
        log.error({ err: error, ...fields }, 'a delivery queue failed; it is retried in a second')
      })
      .finally(() => {
        this.#running.delete(queue.applicationId)
        // A fan-out between the last read and the release would otherwise wait for the next poll.
        if (this.#closing) return
        if (this.#isPreferredOwner(queue.applicationId)) signals.deliver(queueReleased)
        else signals.hint(notificationsReady, `${queue.applicationId}`)
      })
    this.#running.set(queue.applicationId, { queue, worker, work })
  }

  /** Resolves when no queue is being dispatched. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.all([...this.#running.values()].map(({ work }) => work))
    }
  }

  /** Leases no more queues, waits until the outcomes of the running ones are recorded, and releases all. */
  async close(): Promise<void> {
    this.#closing = true
    for (const { worker } of this.#running.values()) worker.wake()
    const releasing = this.#tools.timers.every(releasePollMs, () => void this.#releaseIdle())
    await this.idle()
    releasing.cancel()
    this.#heartbeatTimer?.cancel()
    this.#tools.signals.release(this.#holder)
    const before = new Date(this.#tools.now().getTime() - ownerRetentionMs)
    const { db, log, outageLog } = this.#tools
    await deleteLeaseOwners(db, { holder: this.#holder, before }).catch((error: unknown) => {
      if (outageLog.record(error)) return
      log.warn({ err: error }, 'could not end the leases of this process; they expire in 5 seconds')
    })
  }

  /** Releases queues whose dispatch threw. Otherwise they wait until the slowest running queue is done. */
  async #releaseIdle(): Promise<void> {
    const { db, now, log, outageLog } = this.#tools
    try {
      const leased = await listLeasedQueues(db, this.#holder)
      const idle = leased.filter(({ applicationId: id }) => !this.#running.has(id))
      for (const queue of await acquireLeases(db, idle, this.#holder)) {
        await releaseQueue(db, queue, { now: now(), restMs: 0 })
      }
    } catch (error) {
      if (!outageLog.record(error)) log.warn({ err: error }, 'could not release delivery queues')
    }
  }

  #living(): HolderLiveness {
    const now = this.#tools.now()
    const nowMs = now.getTime()
    const silent = this.#heartbeats.deadHolders(nowMs).filter((holder) => holder !== this.#holder)
    return { now, aliveHolders: this.#heartbeats.aliveHolders(nowMs), deadHolders: silent }
  }

  /** Saves a heartbeat if one is due or the clock was moved back, and rereads those of other processes. */
  async #renewHeartbeat(): Promise<void> {
    const at = this.#tools.now().getTime()
    const last = this.#lastHeartbeat
    if (last !== undefined && at >= last && at < last + heartbeatMs) return
    const { db, signals } = this.#tools
    const hasLock = await signals.hold(this.#holder)
    await saveHeartbeat(db, { holder: this.#holder, until: new Date(at + aliveMs), hasLock })
    const heartbeats = await listHeartbeats(db)
    this.#heartbeats.observe(heartbeats, at)
    const { now, aliveHolders, deadHolders } = this.#living()
    this.#holders = heartbeats
      .filter(({ holder, aliveUntil }) => aliveUntil > now || aliveHolders.includes(holder))
      .map(({ holder }) => holder)
      .filter((holder) => !deadHolders.includes(holder))
    this.#lastHeartbeat = at
    for (const [id, { worker }] of this.#running) if (!this.#isPreferredOwner(id)) worker.leave()
  }

  /** Ends the leases of dead processes soon after their connection closed, before their heartbeat expires. */
  async #removeDead(): Promise<void> {
    if (this.#tools.timers.runningMs() - this.#disconnectCheckedAt < disconnectCheckMs) return
    const { db, log } = this.#tools
    const disconnected = await listDisconnected(db, this.#living())
    const dead = disconnected.filter((id) => id !== this.#holder && this.#disconnected.includes(id))
    this.#disconnected = disconnected
    this.#disconnectCheckedAt = this.#tools.timers.runningMs()
    if (dead.length === 0) return
    await deleteDeadLeaseOwners(db, dead)
    this.#holders = this.#holders.filter((id) => !dead.includes(id))
    log.warn({ processes: dead }, 'delivery processes are gone; their queues are free')
  }

  async #pollHeartbeat(): Promise<void> {
    if (this.#running.size === 0) return
    await this.#renewHeartbeat().catch((error: unknown) => {
      const { log, outageLog } = this.#tools
      if (outageLog.record(error)) return
      log.warn({ err: error }, 'could not save the heartbeat of this process')
    })
  }
}

/** Formats 32 hex digits as PostgreSQL writes a uuid. */
function formatUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
