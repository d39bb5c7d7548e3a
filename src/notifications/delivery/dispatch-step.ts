import { hourMs, secondMs } from '../../kernel/clock.ts'
import type { Config } from '../../platform/config.ts'
import { isHanging } from '../attempt.ts'
import {
  type AttemptHealth,
  healthAfter,
  isBreakerOpen,
  restMsAfter,
  shouldDisable,
} from '../queues/health.ts'
import type { AttemptInput } from './make-attempt.ts'
import type { NewNotification } from './store-batches.ts'
import type { BatchOutcomes, FinishedAttempt } from './store-outcomes.ts'
import type { LeasedQueue } from './store-queues.ts'

/**
 * The decisions of dispatching one delivery queue, without I/O: what to read next, and what follows from a batch.
 * `QueueDispatch` carries them out.
 */

/** What the dispatch of a queue knows between two batches. */
export interface DispatchState {
  /** The queue as the next batch finds it. */
  queue: LeasedQueue
  /** The queue as its row was last saved. */
  saved: LeasedQueue
}

/** Notifications that are read and sent together. */
export interface Batch {
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

export type DispatchSettings = Pick<Config['delivery'], 'inFlight' | 'disableHours'>

/** A batch has 16 rounds of requests, so that the slow tail of a batch costs little. */
const roundsPerBatch = 16

export function maxInFlight({ inFlight }: LeasedQueue, settings: DispatchSettings): number {
  return inFlight ?? settings.inFlight
}

export function isRetryDue({ retryDue }: LeasedQueue, now: Date): boolean {
  return retryDue !== null && retryDue <= now
}

/** What to read, and at most how many. */
export interface PlannedRead {
  kind: 'retries' | 'new'
  limit: number
}

/** Plans the next read: due retries and new notifications take turns. `isFirst`: nothing was sent with this lease. */
export function planRead(
  { queue }: DispatchState,
  { isFirst, afterRetries, now }: { isFirst: boolean; afterRetries: boolean; now: Date },
  settings: DispatchSettings,
): PlannedRead {
  const limit = batchSize(queue, { isFirst }, settings)
  return { kind: isRetryDue(queue, now) && !afterRetries ? 'retries' : 'new', limit }
}

/** Plans the read behind a batch that is being sent. Undefined if it depends on the outcomes. */
export function planReadBehind(
  { queue }: DispatchState,
  { isFull, isRetry, end }: Batch,
  { now, settings }: { now: Date; settings: DispatchSettings },
): { queue: LeasedQueue; limit: number } | undefined {
  if (!isFull || isRetry || queue.failures > 0 || isRetryDue(queue, now)) return undefined
  return { queue: { ...queue, ...end }, limit: batchSize(queue, { isFirst: false }, settings) }
}

/** An open breaker probes with one request. At first and after a failure, a batch has one round of requests. */
function batchSize(
  queue: LeasedQueue,
  { isFirst }: { isFirst: boolean },
  settings: DispatchSettings,
): number {
  if (isBreakerOpen(queue)) return 1
  const round = maxInFlight(queue, settings)
  const size = isFirst || queue.failures > 0 ? round : roundsPerBatch * round
  return Math.min(size, queue.ratePerSecond ?? size)
}

/** What follows a batch:
 * - `continue`: read on. The recording overlaps with the next batch. `isAsExpected`: what was read behind it follows.
 * - `drained`: nothing was left behind it. Wait for the recording, then for notifications.
 * - `rest`: wait for the recording, then release the queue for `restMs`.
 * - `disable`: wait for the recording, then disable the queue. */
export type Next =
  | { kind: 'continue'; isAsExpected: boolean }
  | { kind: 'drained' }
  | { kind: 'rest'; restMs: number }
  | { kind: 'disable' }

/**
 * Decides what follows a batch: the state, what to record, and what to do next. `outcomes` are those of the attempts
 * that were made, in the order of their responses: all of them, or a prefix of the batch if the process stops.
 */
export function afterBatch(
  { queue: before, saved }: DispatchState,
  {
    batch,
    outcomes,
    beganAt,
    now,
  }: { batch: Batch; outcomes: readonly FinishedAttempt[]; beganAt: Date; now: Date },
  { disableHours }: DispatchSettings,
): { state: DispatchState; work: BatchOutcomes; next: Next } {
  const attempts = outcomes.map(
    ({ outcome, response }): AttemptHealth => ({
      accepted: outcome === 'accepted',
      hung: isHanging(response),
    }),
  )
  const health = healthAfter(before, attempts, now)
  const queue = { ...before, ...health, ...cursorAfter(before, batch, outcomes) }
  const passedOver = batch.skipped.filter(({ seq }) => seq <= queue.cursorSeq)
  const saves = passedOver.length > 0 || mustSave(queue, saved)
  const work = { queue, outcomes, passedOver, at: now, saves }
  const state = { queue, saved: saves ? queue : saved }
  const elapsedMs = now.getTime() - beganAt.getTime()
  const paceMs = paceMsOf(queue, { count: outcomes.length, elapsedMs })
  const restMs = Math.max(restMsAfter(health, attempts, now), paceMs)
  if (restMs > 0) {
    const isGivenUp = shouldDisable(health, now, disableHours)
    return { state, work, next: isGivenUp ? { kind: 'disable' } : { kind: 'rest', restMs } }
  }
  if (!batch.isFull) return { state, work, next: { kind: 'drained' } }
  const isAsExpected =
    queue.failures === 0 && queue.cursorSeq === batch.end.cursorSeq && !isRetryDue(queue, now)
  return { state, work, next: { kind: 'continue', isAsExpected } }
}

/** Whether the failure count changed, or the saved cursor is an hour behind: history after it cannot be dropped. */
function mustSave({ failures, cursorAt }: LeasedQueue, saved: LeasedQueue): boolean {
  return failures !== saved.failures || cursorAt.getTime() - saved.cursorAt.getTime() > hourMs
}

/** Returns the cursor after a batch: its end, or the last notification that was sent. */
function cursorAfter(
  before: LeasedQueue,
  { attempts, end, isRetry }: Batch,
  outcomes: readonly FinishedAttempt[],
): Pick<LeasedQueue, 'cursorSeq' | 'cursorAt'> {
  if (isRetry || outcomes.length === attempts.length) return end
  const sent = new Set(outcomes.map(({ notification }) => notification.seq))
  const last = attempts.findLast(({ notification }) => sent.has(notification.seq))
  if (!last) return before
  const { seq, fannedAt } = last.notification as NewNotification
  return { cursorSeq: seq, cursorAt: fannedAt }
}

/** Returns how long to rest so that `count` requests keep to the rate. */
function paceMsOf(
  { ratePerSecond }: LeasedQueue,
  { count, elapsedMs }: { count: number; elapsedMs: number },
): number {
  if (ratePerSecond === null || count === 0) return 0
  return Math.max(0, Math.ceil((count * secondMs) / ratePerSecond) - elapsedMs)
}
