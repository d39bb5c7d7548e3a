import { hourMs, secondMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { isHanging } from '../attempt.ts'
import { disableQueue } from '../queues/commands.ts'
import {
  type AttemptHealth,
  healthAfter,
  isBreakerOpen,
  restMsAfter,
  shouldDisable,
} from '../queues/health.ts'
import { withSigningSecrets } from '../signing/commands.ts'
import type { DeliverySlots, RunInSlot } from './delivery-slots.ts'
import { type AttemptInput, type AttemptTools, makeAttempt } from './make-attempt.ts'
import type { OutcomeWriter } from './outcome-writer.ts'
import { runConcurrently } from './run-concurrently.ts'
import { type NewNotification, readDueRetries, readNewNotifications } from './store-batches.ts'
import type { FinishedAttempt, RetryDue } from './store-outcomes.ts'
import {
  type DeliveryTarget,
  type LeasedQueue,
  readDeliveryTarget,
  releaseQueue,
} from './store-queues.ts'

export type QueueDispatchTools = AttemptTools & Pick<Context, 'db' | 'reads' | 'timers'>

/** What all queues of a process share. */
export interface DispatchContext {
  outcomeWriter: OutcomeWriter
  deliverySlots: DeliverySlots
  isClosing: () => boolean
  lingerMs: number
}

/** Batch size = 16 × concurrency, so that the slow tail of a batch costs little. */
const batchesDeep = 16

const ignore = () => {}

/** Notifications that are read and sent together. */
interface Batch {
  /** The attempts to make, in order. */
  attempts: Pick<AttemptInput, 'notification' | 'attempt'>[]
  /** Skipped notifications. */
  skipped: NewNotification[]
  /** The cursor after the batch. */
  end: Pick<LeasedQueue, 'cursorSeq' | 'cursorAt'>
  /** Whether more notifications may follow. */
  isFull: boolean
  isRetry: boolean
}

/** Sends the notifications of one leased queue until it is empty or rests, the lease is lost, or the process stops. */
export class QueueDispatch {
  readonly #tools: QueueDispatchTools
  readonly #shared: DispatchContext
  readonly #takeTurn: RunInSlot
  #queue: LeasedQueue
  /** Whether notifications may have come since the last read. */
  #isWoken = false
  #isLeaving = false
  #endLinger: (() => void) | undefined
  /** The queue as its row was last saved. */
  #saved: LeasedQueue
  /** The recording of the last batch, which overlaps with sending the next one. */
  #recording: Promise<RetryDue> | undefined

  constructor(
    tools: QueueDispatchTools,
    { queue, ...shared }: DispatchContext & { queue: LeasedQueue },
  ) {
    this.#tools = tools
    this.#shared = shared
    this.#takeTurn = shared.deliverySlots.addQueue()
    this.#queue = queue
    this.#saved = queue
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
    const { writes } = this.#tools.db
    let next = this.#readAhead({ isFirst: true, afterRetries: false })
    while (!this.#isOver()) {
      const batch = await next
      // Outcomes cannot be recorded now. The queue is leased again once they can.
      if (writes.isInDoubt) return
      if (batch.attempts.length + batch.skipped.length === 0) {
        if (await this.#isLost()) return
        // A replay or a manual retry has delivered what was due.
        if (batch.isRetry) this.#queue = { ...this.#queue, retryDue: null }
        else if (!this.#isRetryDue() && !(await this.#linger())) break
        next = this.#readAhead({ isFirst: false, afterRetries: batch.isRetry })
        continue
      }
      // Read for every batch, so that a changed or removed callback URL takes effect at once.
      const [target, isLost] = await Promise.all([this.#target(), this.#isLost()])
      // An idle queue may have been paused or leased by another process meanwhile.
      if (isLost || !this.#isHeldNow(target)) return
      if (!target.callbackUrl) break
      const began = this.#tools.now()
      const following = this.#readFollowing(batch)
      const outcomes = await this.#sendAll({ ...target, callbackUrl: target.callbackUrl }, batch)
      if (await this.#finishBatch(batch, outcomes, began)) return
      // The queue is empty: there is nothing to read before a signal comes.
      if (!batch.isFull && !this.#isRetryDue() && !(await this.#linger())) break
      next =
        following && this.#hasGoneAsExpected(batch)
          ? following
          : this.#readAhead({ isFirst: false, afterRetries: batch.isRetry })
    }
    if (await this.#isLost()) return
    await releaseQueue(this.#tools.db, this.#queue, { now: this.#tools.now(), restMs: 0 })
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
    const reading = this.#read(options)
    reading.catch(ignore)
    return reading
  }

  /** Begins to read the next batch while this one is sent; undefined when it depends on the outcomes. */
  #readFollowing({ isFull, isRetry, end }: Batch): Promise<Batch> | undefined {
    if (!isFull || isRetry || this.#queue.failures > 0 || this.#isRetryDue()) return undefined
    const reading = this.#readNew({ ...this.#queue, ...end }, this.#limit(false))
    reading.catch(ignore)
    return reading
  }

  /** Whether the batch that was read ahead still follows: all was accepted and no retry is due. */
  #hasGoneAsExpected({ end }: Batch): boolean {
    const { failures, cursorSeq } = this.#queue
    return failures === 0 && cursorSeq === end.cursorSeq && !this.#isRetryDue()
  }

  #isRetryDue(): boolean {
    const { retryDue } = this.#queue
    return retryDue !== null && retryDue <= this.#tools.now()
  }

  /** Reads the next batch: due retries and new notifications in turn. */
  async #read({
    isFirst,
    afterRetries,
  }: {
    isFirst: boolean
    afterRetries: boolean
  }): Promise<Batch> {
    const { db, now } = this.#tools
    const queue = this.#queue
    const limit = this.#limit(isFirst)
    if (this.#isRetryDue() && !afterRetries) {
      this.#isWoken = false
      // The last outcomes must be recorded first, or the same retries are read again.
      await this.#recording
      const retries = await readDueRetries(db, queue, { now: now(), limit })
      const attempts = retries.map((retry) => ({
        notification: retry,
        attempt: retry.attempts + 1,
      }))
      return { attempts, skipped: [], end: queue, isFull: true, isRetry: true }
    }
    return this.#readNew(queue, limit)
  }

  /** Reads up to `limit` notifications that had no attempt yet. Skipped ones are recorded without an attempt. The
   * batch ends at the last notification read, or at the cursor if there is none. */
  async #readNew(queue: LeasedQueue, limit: number): Promise<Batch> {
    this.#isWoken = false
    const { reads, config } = this.#tools
    const coalesces = queue.coalesces ?? config.delivery.coalesces
    const fresh = await readNewNotifications(reads, queue, { limit, coalesces })
    const last = fresh.at(-1)
    return {
      attempts: fresh
        .filter(({ intoSeq, isPassedOver }) => intoSeq === null && !isPassedOver)
        .map((notification) => ({ notification, attempt: 1 })),
      skipped: fresh.filter(({ intoSeq, isPassedOver }) => intoSeq !== null || isPassedOver),
      end: last ? { cursorSeq: last.seq, cursorAt: last.fannedAt } : queue,
      isFull: fresh.length === limit,
      isRetry: false,
    }
  }

  #limit(isFirst: boolean): number {
    // An open breaker probes with one request; after a failure or at first, a batch has one round of requests.
    if (isBreakerOpen(this.#queue)) return 1
    const batch =
      isFirst || this.#queue.failures > 0 ? this.#inFlight : batchesDeep * this.#inFlight
    return Math.min(batch, this.#queue.ratePerSecond ?? batch)
  }

  get #inFlight(): number {
    return this.#queue.inFlight ?? this.#tools.config.delivery.inFlight
  }

  async #target(): Promise<DeliveryTarget> {
    const { reads, now } = this.#tools
    const { applicationId } = this.#queue
    const target = await readDeliveryTarget(reads, { applicationId, now: now() })
    return withSigningSecrets(this.#tools, { applicationId, target })
  }

  #isHeldNow({ leaseEpoch, holder }: DeliveryTarget): boolean {
    return leaseEpoch === this.#queue.leaseEpoch && holder === this.#queue.holder
  }

  /** Sends a batch in order, with `inFlight` concurrent requests. When the process stops, only a prefix is sent. */
  #sendAll(
    { callbackUrl: url, secrets }: DeliveryTarget & { callbackUrl: string },
    { attempts }: Batch,
  ): Promise<FinishedAttempt[]> {
    return runConcurrently(attempts, {
      most: this.#inFlight,
      isOver: this.#isOver,
      takeTurn: this.#takeTurn,
      timers: this.#tools.timers,
      work: (attempt) => makeAttempt(this.#tools, { url, secrets, ...attempt }),
    })
  }

  /** Begins to record a batch. Returns whether the queue was released, disabled or lost. */
  async #finishBatch(
    batch: Batch,
    outcomes: readonly FinishedAttempt[],
    began: Date,
  ): Promise<boolean> {
    const { now, config } = this.#tools
    const at = now()
    const results = outcomes.map(
      ({ outcome, response }): AttemptHealth => ({
        accepted: outcome === 'accepted',
        hung: isHanging(response),
      }),
    )
    const health = healthAfter(this.#queue, results, at)
    const queue = { ...this.#queue, ...health, ...this.#cursorAfter(batch, outcomes) }
    const { disableHours } = config.delivery
    const restMs = Math.max(restMsAfter(health, results, at), this.#paceMs(outcomes.length, began))
    const passedOver = batch.skipped.filter(({ seq }) => seq <= queue.cursorSeq)
    const saves = passedOver.length > 0 || this.#mustSave(queue)
    const work = { queue, outcomes, passedOver, at, saves }
    this.#recording = this.#shared.outcomeWriter.record(work)
    this.#recording.catch(ignore)
    this.#queue = queue
    if (saves) this.#saved = queue
    if (restMs === 0 && batch.isFull) return false
    if (await this.#isLost()) return true
    if (restMs === 0) return false
    if (shouldDisable(health, at, disableHours)) await disableQueue(this.#tools, this.#queue)
    else await releaseQueue(this.#tools.db, this.#queue, { now: at, restMs })
    return true
  }

  /** Whether the failure count changed, or the saved cursor is an hour behind: history after it cannot be dropped. */
  #mustSave({ failures, cursorAt }: LeasedQueue): boolean {
    const { failures: before, cursorAt: savedAt } = this.#saved
    return failures !== before || cursorAt.getTime() - savedAt.getTime() > hourMs
  }

  /** Returns the cursor after a batch: its end, or the last notification that was sent. */
  #cursorAfter(
    { attempts, end, isRetry }: Batch,
    outcomes: readonly FinishedAttempt[],
  ): Pick<LeasedQueue, 'cursorSeq' | 'cursorAt'> {
    if (isRetry || outcomes.length === attempts.length) return end
    const sent = new Set(outcomes.map(({ notification }) => notification.seq))
    const last = attempts.findLast(({ notification }) => sent.has(notification.seq))
    if (!last) return this.#queue
    const { seq, fannedAt } = last.notification as NewNotification
    return { cursorSeq: seq, cursorAt: fannedAt }
  }

  /** Returns how long to rest so that `count` requests since `began` keep to the rate. */
  #paceMs(count: number, began: Date): number {
    const { ratePerSecond } = this.#queue
    if (ratePerSecond === null || count === 0) return 0
    const elapsed = this.#tools.now().getTime() - began.getTime()
    return Math.max(0, Math.ceil((count * secondMs) / ratePerSecond) - elapsed)
  }

  /** Waits until the last batch is recorded. Returns whether the lease was lost: the new owner then sends and records
   * the batch again. */
  async #isLost(): Promise<boolean> {
    if (!this.#recording) return false
    const retryDue = await this.#recording
    this.#recording = undefined
    if (!retryDue) return true
    this.#queue = { ...this.#queue, ...retryDue }
    return false
  }
}
