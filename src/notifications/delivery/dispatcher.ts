import { dayMs, secondMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { subjectsOf } from '../../platform/database/signals.ts'
import type { Timer } from '../../platform/timers.ts'
import { notificationsReady } from '../fan-out.ts'
import { Admission } from './admission.ts'
import { Heartbeats } from './heartbeats.ts'
import { OutcomeWriter } from './outcome-writer.ts'
import { QueueDispatch, type QueueDispatchTools, type Shared } from './queue-dispatch.ts'
import { preferredOwner } from './sharing.ts'
import {
  acquireLeases,
  deleteLeaseOwners,
  forgetDead,
  type LeasedQueue,
  type Living,
  listDisconnected,
  listHeartbeats,
  listLeasedQueues,
  listWaitingQueues,
  releaseQueue,
  saveHeartbeat,
  type WaitingQueue,
} from './store-queues.ts'

/** The channel on which this process wakes itself when it lets go of a lane. */
export const queueReleased = 'lane free'

type Tools = QueueDispatchTools & Pick<Context, 'signals' | 'outageLog'>

/** What a process that crashed held is free for others after this; one that lives says so in good time. */
const aliveMs = 5 * secondMs
const heartbeatMs = 1_500
/** How often it is looked whether it is time for that; turns look as well. */
const heartbeatPollMs = 300
/** A process without a connection is looked for this often, and what it holds is free when it still has none
 * at the next look: one that was cut off connects again within that time. */
const lookMs = 300
/** A process that has not been heard of for so long is forgotten. */
const forgottenMs = dayMs
/** For how long a lane is left alone on which work has failed. */
const failedRestMs = secondMs
/** How often a process that stops gives back what it holds and does not work on. */
const giveBackMs = 300
/** Lanes that one process works on at a time: one that hangs holds only itself. */
const maxQueues = 1_000

/**
 * Delivers notifications lane by lane. A lane is one application's callback; it is claimed, read and
 * sent to apart from all others, and no transaction is open while sending. A turn only hands out
 * lanes: who hangs does not hold up the turn.
 */
export class Dispatcher {
  readonly #tools: Tools
  readonly #shared: Shared
  readonly #running = new Map<
    number,
    { queue: LeasedQueue; worker: QueueDispatch; work: Promise<void> }
  >()
  readonly #patienceMs: number
  /** Names this process to others. */
  readonly #holder: string
  /** Lanes on which work has failed, until when they are left alone (running time). */
  readonly #failed = new Map<number, number>()
  #beating: Timer | undefined
  #beatAt: number | undefined
  readonly #heartbeats = new Heartbeats(aliveMs)
  /** The processes that live, this one among them. */
  #holders: readonly string[] = []
  /** Processes without a connection when it was last looked, and when that was. */
  #disconnected: readonly string[] = []
  #lookedAt = 0
  /** Lanes that are left to others, since when. */
  #left = new Map<number, number>()
  #closing = false

  /**
   * `lingerMs`: for how long a lane that has nothing more to send is kept, in case something comes.
   * `patienceMs`: for how long a lane is left to the process that is to have it; 0 where all is taken that
   * is free.
   */
  constructor(tools: Tools, { lingerMs = 0, patienceMs = 0 } = {}) {
    this.#tools = tools
    this.#patienceMs = patienceMs
    this.#shared = {
      outcomeWriter: new OutcomeWriter(tools.db),
      admission: new Admission({ timers: tools.timers }),
      isClosing: () => this.#closing,
      lingerMs,
    }
    this.#holder = idOf(tools.random.hex(16))
    tools.signals.on(notificationsReady, (payload) => this.#wake(subjectsOf(payload)))
  }

  /** One turn: starts on every lane that has something to send and that nobody holds. */
  async turn(): Promise<boolean> {
    if (this.#closing) return false
    const { db, timers } = this.#tools
    // Nothing is sent whose outcome could not be written down.
    if (db.writes.isInDoubt && (await db.writes.ask())) return false
    await this.#beat()
    await this.#freeDead()
    if (!this.#beating) {
      this.#beating = timers.every(heartbeatPollMs, () => void this.#beatAgain())
      this.#beating.unref()
    }
    const room = maxQueues - this.#running.size
    if (room <= 0) return false
    const holder = this.#holder
    const waiting = await listWaitingQueues(db, { holder, limit: maxQueues * 2, ...this.#living() })
    const free = waiting.filter(({ applicationId: id }) => this.#isFree(id))
    const mine = this.#share(free)
    if (mine.length > room) for (const { worker } of this.#running.values()) worker.hurry()
    const claimed = await acquireLeases(db, mine.slice(0, room), holder)
    for (const queue of claimed) this.#start(queue)
    return false
  }

  /** Those of these lanes that are for this process, and those for which others have not come. */
  #share(free: readonly WaitingQueue[]): WaitingQueue[] {
    const now = this.#tools.timers.runningMs()
    const [before, left] = [this.#left, new Map<number, number>()]
    this.#left = left
    return free.filter(({ applicationId: id }) => {
      if (this.#isFor(id)) return true
      const since = before.get(id) ?? now
      left.set(id, since)
      return now - since >= this.#patienceMs
    })
  }

  #isFor(applicationId: number): boolean {
    if (this.#patienceMs === 0) return true
    return (preferredOwner(this.#holders, applicationId) ?? this.#holder) === this.#holder
  }

  /** Has lanes look whether there is something new: those of these applications, or all. */
  #wake(about: readonly string[] | undefined): void {
    if (about) {
      for (const id of about) this.#running.get(Number(id))?.worker.wake()
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

  #start(queue: LeasedQueue): void {
    const { log, outageLog, signals } = this.#tools
    const worker = new QueueDispatch(this.#tools, { queue, ...this.#shared })
    const work = worker
      .run()
      .catch((error: unknown) => {
        // Whoever claims the lane then sends what was not settled.
        this.#failed.set(queue.applicationId, this.#tools.timers.runningMs() + failedRestMs)
        const work = { application: queue.applicationId }
        if (!outageLog.record(error, work)) log.error({ err: error, ...work }, 'a lane failed')
      })
      .finally(() => {
        this.#running.delete(queue.applicationId)
        // What was fanned out after the last read and before the release would else wait for the poll.
        if (this.#closing) return
        if (this.#isFor(queue.applicationId)) signals.deliver(queueReleased)
        else signals.hint(notificationsReady, `${queue.applicationId}`)
      })
    this.#running.set(queue.applicationId, { queue, worker, work })
  }

  /** Resolves when no lane is being worked on. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.all([...this.#running.values()].map(({ work }) => work))
    }
  }

  /** Takes no more lanes and waits for those in hand to settle what they have sent. */
  async close(): Promise<void> {
    this.#closing = true
    for (const { worker } of this.#running.values()) worker.wake()
    const givingBack = this.#tools.timers.every(giveBackMs, () => void this.#giveBack())
    await this.idle()
    givingBack.cancel()
    this.#beating?.cancel()
    this.#tools.signals.release(this.#holder)
    const before = new Date(this.#tools.now().getTime() - forgottenMs)
    const { db, log, outageLog } = this.#tools
    await deleteLeaseOwners(db, { holder: this.#holder, before }).catch((error: unknown) => {
      if (outageLog.record(error)) return
      log.warn({ err: error }, 'what this process held is free a little later')
    })
  }

  /** Lets go of lanes on which work has failed, which would else wait until those in hand are done. */
  async #giveBack(): Promise<void> {
    const { db, now, log, outageLog } = this.#tools
    try {
      const held = await listLeasedQueues(db, this.#holder)
      const left = held.filter(({ applicationId: id }) => !this.#running.has(id))
      for (const queue of await acquireLeases(db, left, this.#holder)) {
        await releaseQueue(db, queue, { now: now(), restMs: 0 })
      }
    } catch (error) {
      if (!outageLog.record(error)) log.warn({ err: error }, 'could not let go of lanes')
    }
  }

  #living(): Living {
    const now = this.#tools.now()
    const nowMs = now.getTime()
    const silent = this.#heartbeats.silent(nowMs).filter((holder) => holder !== this.#holder)
    return { now, beating: this.#heartbeats.beating(nowMs), silent }
  }

  /** Says that this process lives, unless it has just done so. A clock may have been moved. */
  async #beat(): Promise<void> {
    const at = this.#tools.now().getTime()
    if (this.#beatAt !== undefined && at >= this.#beatAt && at < this.#beatAt + heartbeatMs) return
    const { db, signals } = this.#tools
    const hasLock = await signals.hold(this.#holder)
    await saveHeartbeat(db, { holder: this.#holder, until: new Date(at + aliveMs), hasLock })
    const heartbeats = await listHeartbeats(db)
    this.#heartbeats.observe(heartbeats, at)
    const { now, beating, silent } = this.#living()
    this.#holders = heartbeats
      .filter(({ holder, aliveUntil }) => aliveUntil > now || beating.includes(holder))
      .map(({ holder }) => holder)
      .filter((holder) => !silent.includes(holder))
    this.#beatAt = at
    for (const [id, { worker }] of this.#running) if (!this.#isFor(id)) worker.leave()
  }

  /** Has what a process held be free soon after it died, without waiting for its last word to expire. */
  async #freeDead(): Promise<void> {
    if (this.#tools.timers.runningMs() - this.#lookedAt < lookMs) return
    const { db, log } = this.#tools
    const disconnected = await listDisconnected(db, this.#living())
    const dead = disconnected.filter((id) => id !== this.#holder && this.#disconnected.includes(id))
    this.#disconnected = disconnected
    this.#lookedAt = this.#tools.timers.runningMs()
    if (dead.length === 0) return
    await forgetDead(db, dead)
    this.#holders = this.#holders.filter((id) => !dead.includes(id))
    log.warn({ processes: dead }, 'processes that delivered are gone')
  }

  async #beatAgain(): Promise<void> {
    if (this.#running.size === 0) return
    await this.#beat().catch((error: unknown) => {
      const { log, outageLog } = this.#tools
      if (!outageLog.record(error))
        log.warn({ err: error }, 'could not say that this process lives')
    })
  }
}

/** Hex digits as PostgreSQL writes a uuid. */
function idOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
