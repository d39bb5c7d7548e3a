import { hourMs, secondMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { isHanging } from '../attempt.ts'
import { disableQueue } from '../queues/commands.ts'
import { healthAfter, isBroken, isGivenUp, restAfter, type Seen } from '../queues/health.ts'
import { withSecret } from '../signing/commands.ts'
import type { Admission, TakeTurn } from './admission.ts'
import { type Attempting, type AttemptTools, makeAttempt } from './attempting.ts'
import type { OutcomeWriter } from './outcome-writer.ts'
import { runConcurrently } from './run-concurrently.ts'
import { type Fresh, readFresh, readRetries } from './store-batches.ts'
import type { RecordedOutcome, RetryDue } from './store-outcomes.ts'
import { type LeasedQueue, readTarget, releaseQueue, type Target } from './store-queues.ts'

export type QueueDispatchTools = AttemptTools & Pick<Context, 'db' | 'reads' | 'timers'>

/** What a process has for all its lanes. */
export interface Shared {
  outcomeWriter: OutcomeWriter
  admission: Admission
  isClosing: () => boolean
  lingerMs: number
}

/** What is read at once, times what may be under way: so that the end of a batch, when fewer and fewer
 * are, does not weigh. */
const batchesDeep = 16

const ignore = () => {}

/** What a batch is to be made of: `attempts` in order, `passedOver` what is left out of it. */
interface Batch {
  attempts: Pick<Attempting, 'notification' | 'attempt'>[]
  passedOver: Fresh[]
  /** The cursor once all of it is done. */
  end: Pick<LeasedQueue, 'cursorSeq' | 'cursorAt'>
  /** Whether there may be more. */
  isFull: boolean
  isRetry: boolean
}

/** Works on one lane that this process holds, until there is nothing to send, it rests, it is no
 * longer ours, or this process stops. */
export class QueueDispatch {
  readonly #tools: QueueDispatchTools
  readonly #shared: Shared
  readonly #takeTurn: TakeTurn
  #queue: LeasedQueue
  /** Whether there may be something new since the last look; ends the lingering. */
  #isWoken = false
  #isLeaving = false
  #endLinger: (() => void) | undefined
  /** The lane as its row was last written. */
  #saved: LeasedQueue
  /** The last batch, while it is written down and the next is sent already. */
  #settling: Promise<RetryDue> | undefined

  constructor(tools: QueueDispatchTools, { queue, ...shared }: Shared & { queue: LeasedQueue }) {
    this.#tools = tools
    this.#shared = shared
    this.#takeTurn = shared.admission.queue()
    this.#queue = queue
    this.#saved = queue
  }

  /** There may be something new for this lane, or this process stops. */
  wake(): void {
    this.#isWoken = true
    this.#endLinger?.()
  }

  /** Others need the place: a lane that has nothing to send is let go of. */
  hurry(): void {
    this.#endLinger?.()
  }

  /** Another process is to have the lane: it is let go of after what is under way. */
  leave(): void {
    this.#isLeaving = true
    this.#endLinger?.()
  }

  #isOver = () => this.#isLeaving || this.#shared.isClosing()

  async run(): Promise<void> {
    const { writes } = this.#tools.db
    let next = this.#readAhead({ isFirst: true, afterRetries: false })
    while (!this.#isOver()) {
      const batch = await next
      // Its outcome could not be written down. The lane is claimed again once it can.
      if (writes.isInDoubt) return
      if (batch.attempts.length + batch.passedOver.length === 0) {
        if (await this.#isLost()) return
        // Somebody else has taken what was due.
        if (batch.isRetry) this.#queue = { ...this.#queue, retryDue: null }
        else if (!this.#isRetryDue() && !(await this.#linger())) break
        next = this.#readAhead({ isFirst: false, afterRetries: batch.isRetry })
        continue
      }
      // Read anew for every batch: a callback that was removed or changed is done with at once.
      const [target, isLost] = await Promise.all([this.#target(), this.#isLost()])
      // A lane that is kept while nothing comes may have been paused or taken over meanwhile.
      if (isLost || !this.#isHeldNow(target)) return
      if (!target.callbackUrl) break
      const began = this.#tools.now()
      const following = this.#readFollowing(batch)
      const settled = await this.#sendAll({ ...target, callbackUrl: target.callbackUrl }, batch)
      if (await this.#after(batch, settled, began)) return
      // All that there was has been sent: there is no need to look before somebody says so.
      if (!batch.isFull && !this.#isRetryDue() && !(await this.#linger())) break
      next =
        following && this.#stands(batch)
          ? following
          : this.#readAhead({ isFirst: false, afterRetries: batch.isRetry })
    }
    if (await this.#isLost()) return
    await releaseQueue(this.#tools.db, this.#queue, { now: this.#tools.now(), restMs: 0 })
  }

  /** Waits a little for something new, so that a lane to which something comes all the time is not let
   * go of and claimed again for each. Returns whether it came. */
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

  /** Begins to read. Whoever fails meanwhile for another reason never asks what came of it. */
  #readAhead(how: { isFirst: boolean; afterRetries: boolean }): Promise<Batch> {
    const reading = this.#read(how)
    reading.catch(ignore)
    return reading
  }

  /** Begins to read what follows a batch, while that is sent; undefined where all depends on how it
   * goes. */
  #readFollowing({ isFull, isRetry, end }: Batch): Promise<Batch> | undefined {
    if (!isFull || isRetry || this.#queue.failures > 0 || this.#isRetryDue()) return undefined
    const reading = this.#readNew({ ...this.#queue, ...end }, this.#limit(false))
    reading.catch(ignore)
    return reading
  }

  /** Whether all of a batch went as was counted on when what follows was read. */
  #stands({ end }: Batch): boolean {
    const { failures, cursorSeq } = this.#queue
    return failures === 0 && cursorSeq === end.cursorSeq && !this.#isRetryDue()
  }

  #isRetryDue(): boolean {
    const { retryDue } = this.#queue
    return retryDue !== null && retryDue <= this.#tools.now()
  }

  /** What comes next: retries that are due and what is new, in turn. */
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
      // What was tried last must be written down before it is asked for again.
      await this.#settling
      const retries = await readRetries(db, queue, { now: now(), limit })
      const attempts = retries.map((each) => ({ notification: each, attempt: each.attempts + 1 }))
      return { attempts, passedOver: [], end: queue, isFull: true, isRetry: true }
    }
    return this.#readNew(queue, limit)
  }

  async #readNew(queue: LeasedQueue, limit: number): Promise<Batch> {
    this.#isWoken = false
    const { reads, config } = this.#tools
    const coalesces = queue.coalesces ?? config.delivery.coalesces
    const fresh = await readFresh(reads, queue, { limit, coalesces })
    const last = fresh.at(-1)
    return {
      attempts: fresh
        .filter(({ intoSeq, isPassedOver }) => intoSeq === null && !isPassedOver)
        .map((notification) => ({ notification, attempt: 1 })),
      passedOver: fresh.filter(({ intoSeq, isPassedOver }) => intoSeq !== null || isPassedOver),
      end: last ? { cursorSeq: last.seq, cursorAt: last.fannedAt } : queue,
      isFull: fresh.length === limit,
      isRetry: false,
    }
  }

  #limit(isFirst: boolean): number {
    // Whoever fails throughout is tried by one; whoever just failed or has not been tried, by what goes
    // at once.
    if (isBroken(this.#queue)) return 1
    const batch =
      isFirst || this.#queue.failures > 0 ? this.#inFlight : batchesDeep * this.#inFlight
    return Math.min(batch, this.#queue.ratePerSecond ?? batch)
  }

  get #inFlight(): number {
    return this.#queue.inFlight ?? this.#tools.config.delivery.inFlight
  }

  async #target(): Promise<Target> {
    const { reads, now } = this.#tools
    const { applicationId } = this.#queue
    const target = await readTarget(reads, { applicationId, now: now() })
    return withSecret(this.#tools, { applicationId, target })
  }

  #isHeldNow({ leaseEpoch, holder }: Target): boolean {
    return leaseEpoch === this.#queue.leaseEpoch && holder === this.#queue.holder
  }

  /** Sends a batch, in order, several at a time. Once closing, begins no more: what was sent then is a
   * beginning of the batch. */
  #sendAll(
    { callbackUrl: url, secrets }: Target & { callbackUrl: string },
    { attempts }: Batch,
  ): Promise<RecordedOutcome[]> {
    return runConcurrently(attempts, {
      most: this.#inFlight,
      isOver: this.#isOver,
      takeTurn: this.#takeTurn,
      timers: this.#tools.timers,
      work: (each) => makeAttempt(this.#tools, { url, secrets, ...each }),
    })
  }

  /** Has a batch written down and says whether the lane is done with for now. */
  async #after(batch: Batch, settled: readonly RecordedOutcome[], began: Date): Promise<boolean> {
    const { now, config } = this.#tools
    const at = now()
    const seen = settled.map(
      ({ outcome, came }): Seen => ({ accepted: outcome === 'accepted', hung: isHanging(came) }),
    )
    const health = healthAfter(this.#queue, seen, at)
    const queue = { ...this.#queue, ...health, ...this.#reached(batch, settled) }
    const { disableHours } = config.delivery
    const restMs = Math.max(restAfter(health, seen, at), this.#paceMs(settled.length, began))
    const passedOver = batch.passedOver.filter(({ seq }) => seq <= queue.cursorSeq)
    const saves = passedOver.length > 0 || this.#isToBeSaved(queue)
    this.#settling = this.#shared.outcomeWriter.settle({ queue, settled, passedOver, at, saves })
    this.#settling.catch(ignore)
    this.#queue = queue
    if (saves) this.#saved = queue
    if (restMs === 0 && batch.isFull) return false
    if (await this.#isLost()) return true
    if (restMs === 0) return false
    if (isGivenUp(health, at, disableHours)) await disableQueue(this.#tools, this.#queue)
    else await releaseQueue(this.#tools.db, this.#queue, { now: at, restMs })
    return true
  }

  /** Whether more has changed than how far the lane is, or that is far by now: history before its row's
   * cursor is kept. */
  #isToBeSaved({ failures, cursorAt }: LeasedQueue): boolean {
    const { failures: before, cursorAt: savedAt } = this.#saved
    return failures !== before || cursorAt.getTime() - savedAt.getTime() > hourMs
  }

  /** How far the cursor goes: to the end, or to the last that was begun. */
  #reached(
    { attempts, end, isRetry }: Batch,
    settled: readonly RecordedOutcome[],
  ): Pick<LeasedQueue, 'cursorSeq' | 'cursorAt'> {
    if (isRetry || settled.length === attempts.length) return end
    const sent = new Set(settled.map(({ notification }) => notification.seq))
    const last = attempts.findLast(({ notification }) => sent.has(notification.seq))
    if (!last) return this.#queue
    const { seq, fannedAt } = last.notification as Fresh
    return { cursorSeq: seq, cursorAt: fannedAt }
  }

  #paceMs(count: number, began: Date): number {
    const { ratePerSecond } = this.#queue
    if (ratePerSecond === null || count === 0) return 0
    const elapsed = this.#tools.now().getTime() - began.getTime()
    return Math.max(0, Math.ceil((count * secondMs) / ratePerSecond) - elapsed)
  }

  /** Waits until the last batch is written down. Returns whether the lane is not ours any more: what we
   * sent will be sent again, and settled, by whoever has it. */
  async #isLost(): Promise<boolean> {
    const settling = this.#settling
    if (!settling) return false
    const standing = await settling
    this.#settling = undefined
    if (!standing) return true
    this.#queue = { ...this.#queue, ...standing }
    return false
  }
}
