import type { Context } from '../../platform/context.ts'
import { type DeliveryTarget, readDeliveryTarget } from '../delivery-read-model.ts'
import { disableQueue } from '../queues/commands.ts'
import { withSigningSecrets } from '../signing/commands.ts'
import type { DeliverySlots, RunInSlot } from './delivery-slots.ts'
import {
  afterBatch,
  type Batch,
  type DispatchState,
  isRetryDue,
  maxInFlight,
  type PlannedRead,
  planRead,
  planReadBehind,
} from './dispatch-step.ts'
import { type AttemptTools, makeAttempt } from './make-attempt.ts'
import type { OutcomeWriter } from './outcome-writer.ts'
import { runConcurrently } from './run-concurrently.ts'
import { readDueRetries, readNewNotifications } from './store-batches.ts'
import type { BatchOutcomes, FinishedAttempt, RetryDue } from './store-outcomes.ts'
import { type LeasedQueue, releaseQueue } from './store-queues.ts'

export type QueueDispatchTools = AttemptTools & Pick<Context, 'db' | 'reads' | 'timers'>

/** What all queues of a process share. */
export interface DispatchContext {
  outcomeWriter: OutcomeWriter
  deliverySlots: DeliverySlots
  isClosing: () => boolean
  lingerMs: number
}

const ignore = () => {}

/**
 * Sends the notifications of one leased queue until it is empty or rests, the lease is lost, or the process stops. It
 * reads, sends and records batches as `dispatch-step.ts` decides.
 *
 * The three steps overlap: while a batch is sent, the one behind it is read, and the one before is recorded. Outcomes
 * are recorded after sending, so a crash sends a batch again, with the same ids; recording before sending would lose
 * what was not sent. The lease epoch is checked when outcomes are recorded, not by a lock that is held while sending:
 * an open transaction would keep PostgreSQL from cleaning up. A job table with a row per notification was measured in
 * `bench/deliver` against this: it is updated and vacuumed for each, here nothing is per accepted notification
 * (docs/performance.md, docs/decisions/0012-append-only-deliveries.md).
 */
export class QueueDispatch {
  readonly #tools: QueueDispatchTools
  readonly #shared: DispatchContext
  readonly #runInSlot: RunInSlot
  #state: DispatchState
  /** Until when the receiver held up the queue: it failed, or the queue rested or was paused. */
  #heldUpUntil: Date
  /** Whether notifications may have come since the last read. */
  #isWoken = false
  #isLeaving = false
  #endLinger: (() => void) | undefined
  /** The recording of the last batch, which overlaps with sending the next one. */
  #recording: Promise<RetryDue> | undefined

  constructor(
    tools: QueueDispatchTools,
    { queue, ...shared }: DispatchContext & { queue: LeasedQueue },
  ) {
    this.#tools = tools
    this.#shared = shared
    this.#runInSlot = shared.deliverySlots.addQueue()
    this.#state = { queue, saved: queue }
    this.#heldUpUntil = queue.failures > 0 ? tools.now() : queue.restsUntil
  }

  /** Has the queue read again: notifications may have come, or the process stops. */
  wake(): void {
    this.#isWoken = true
    this.#endLinger?.()
  }

  /** Releases the queue if it is idle: other queues need its capacity. */
  hurry(): void {
    this.#endLinger?.()
  }

  /** Releases the queue after the requests under way: another process should own it. */
  leave(): void {
    this.#isLeaving = true
    this.#endLinger?.()
  }

  #isOver = () => this.#isLeaving || this.#shared.isClosing()

  /** Dispatches until the queue is released or its lease is lost. */
  async run(): Promise<void> {
    const { db, now, config } = this.#tools
    let next = this.#readAhead({ isFirst: true, afterRetries: false })
    while (!this.#isOver()) {
      const batch = await next
      // Outcomes cannot be recorded now. The queue is leased again once they can.
      if (db.writes.isInDoubt) return
      if (batch.attempts.length + batch.skipped.length === 0) {
        if (!(await this.#isRecorded())) return
        if (batch.isRetry) this.#clearRetry()
        else if (!(await this.#hasMore())) break
        next = this.#readAhead({ isFirst: false, afterRetries: batch.isRetry })
        continue
      }
      // Read for every batch, so that a changed or removed callback URL takes effect at once.
      const [target, isRecorded] = await Promise.all([this.#target(), this.#isRecorded()])
      // An idle queue may have been paused or leased by another process meanwhile.
      if (!isRecorded || !this.#isHeldNow(target)) return
      if (!target.callbackUrl) break
      const beganAt = now()
      const behind = this.#readBehind(batch)
      const outcomes = await this.#sendAll({ ...target, callbackUrl: target.callbackUrl }, batch)
      const at = now()
      const step = afterBatch(this.#state, { batch, outcomes, beganAt, now: at }, config.delivery)
      this.#state = step.state
      if (step.state.queue.failures > 0) this.#heldUpUntil = at
      this.#record(step.work)
      const { next: following } = step
      if (following.kind !== 'continue' && !(await this.#isRecorded())) return
      if (following.kind === 'disable') return disableQueue(this.#tools, this.#state.queue)
      if (following.kind === 'rest') {
        return releaseQueue(db, this.#state.queue, { now: at, restMs: following.restMs })
      }
      if (following.kind === 'drained' && !(await this.#hasMore())) break
      const follows = following.kind === 'continue' && following.isAsExpected ? behind : undefined
      next = follows ?? this.#readAhead({ isFirst: false, afterRetries: batch.isRetry })
    }
    if (!(await this.#isRecorded())) return
    await releaseQueue(db, this.#state.queue, { now: now(), restMs: 0 })
  }

  /** A replay or a manual retry has delivered what was due. */
  #clearRetry(): void {
    const { queue, saved } = this.#state
    this.#state = { queue: { ...queue, retryDue: null }, saved }
  }

  /** Whether a retry is due, or notifications came while the queue lingered. */
  async #hasMore(): Promise<boolean> {
    return isRetryDue(this.#state.queue, this.#tools.now()) || this.#linger()
  }

  /** Waits up to `lingerMs` for a notification, so that a busy queue is not leased again for each. Returns whether one
   * came. */
  async #linger(): Promise<boolean> {
    const { lingerMs } = this.#shared
    if (lingerMs > 0 && !this.#isWoken && !this.#isOver()) {
      await new Promise<void>((resolve) => {
        const timer = this.#tools.timers.after(lingerMs, resolve)
        this.#endLinger = () => {
          timer.cancel()
          resolve()
        }
      })
      this.#endLinger = undefined
    }
    return lingerMs > 0 && this.#isWoken && !this.#isOver()
  }

  /** Begins to read the next batch. Its error is ignored here: nobody awaits it if `run` throws meanwhile. */
  #readAhead(options: { isFirst: boolean; afterRetries: boolean }): Promise<Batch> {
    const { now, config } = this.#tools
    const planned = planRead(this.#state, { ...options, now: now() }, config.delivery)
    const pendingRead = this.#read(this.#state.queue, planned)
    pendingRead.catch(ignore)
    return pendingRead
  }

  /** Begins to read the batch behind one that is being sent; undefined when it depends on the outcomes. */
  #readBehind(batch: Batch): Promise<Batch> | undefined {
    const { now, config } = this.#tools
    const planned = planReadBehind(this.#state, batch, { now: now(), settings: config.delivery })
    if (!planned) return undefined
    const pendingRead = this.#read(planned.queue, { kind: 'new', limit: planned.limit })
    pendingRead.catch(ignore)
    return pendingRead
  }

  async #read(queue: LeasedQueue, { kind, limit }: PlannedRead): Promise<Batch> {
    this.#isWoken = false
    return kind === 'retries' ? this.#readRetries(queue, limit) : this.#readNew(queue, limit)
  }

  async #readRetries(queue: LeasedQueue, limit: number): Promise<Batch> {
    // The last outcomes must be recorded first, or the same retries are read again.
    await this.#recording
    const { db, now } = this.#tools
    const retries = await readDueRetries(db, queue, { now: now(), limit })
    const attempts = retries.map((retry) => ({
      notification: retry,
      attempt: retry.attempts + 1,
    }))
    return { attempts, skipped: [], end: queue, isFull: true, isRetry: true }
  }

  /** Reads up to `limit` notifications that had no attempt yet. Skipped ones are recorded without an attempt. The
   * batch ends at the last notification read, or at the cursor if there is none. */
  async #readNew(queue: LeasedQueue, limit: number): Promise<Batch> {
    const { reads, config } = this.#tools
    const coalesces = queue.coalesces ?? config.delivery.coalesces
    const notifications = await readNewNotifications(reads, queue, { limit, coalesces })
    const last = notifications.at(-1)
    return {
      attempts: notifications
        .filter(({ intoSeq, isPassedOver }) => intoSeq === null && !isPassedOver)
        .map((notification) => ({ notification, attempt: 1 })),
      skipped: notifications.filter(
        ({ intoSeq, isPassedOver }) => intoSeq !== null || isPassedOver,
      ),
      end: last ? { cursorSeq: last.seq, cursorAt: last.fannedAt } : queue,
      isFull: notifications.length === limit,
      isRetry: false,
    }
  }

  async #target(): Promise<DeliveryTarget> {
    const { reads, now } = this.#tools
    const { applicationId } = this.#state.queue
    const target = await readDeliveryTarget(reads, { applicationId, now: now() })
    return withSigningSecrets(this.#tools, { applicationId, target })
  }

  #isHeldNow({ leaseEpoch, holder }: DeliveryTarget): boolean {
    const { queue } = this.#state
    return leaseEpoch === queue.leaseEpoch && holder === queue.holder
  }

  /** Sends a batch in order, with `inFlight` concurrent requests. When the process stops, only a prefix is sent. */
  #sendAll(
    { callbackUrl: url, secrets }: DeliveryTarget & { callbackUrl: string },
    { attempts }: Batch,
  ): Promise<FinishedAttempt[]> {
    const heldUpUntil = this.#heldUpUntil
    return runConcurrently(attempts, {
      most: maxInFlight(this.#state.queue, this.#tools.config.delivery),
      isOver: this.#isOver,
      takeTurn: this.#runInSlot,
      timers: this.#tools.timers,
      work: (attempt) => makeAttempt(this.#tools, { url, secrets, heldUpUntil, ...attempt }),
    })
  }

  #record(work: BatchOutcomes): void {
    this.#recording = this.#shared.outcomeWriter.record(work)
    this.#recording.catch(ignore)
  }

  /** Waits until the last batch is recorded. Returns false if the lease was lost: the new owner then sends and records
   * the batch again. */
  async #isRecorded(): Promise<boolean> {
    if (!this.#recording) return true
    const retryDue = await this.#recording
    this.#recording = undefined
    if (!retryDue) return false
    const { queue, saved } = this.#state
    this.#state = { queue: { ...queue, ...retryDue }, saved }
    return true
  }
}
