import { secondMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { isHanging } from '../attempt.ts'
import { type AttemptInput, type AttemptTools, makeAttempt } from '../delivery/make-attempt.ts'
import type { FinishedAttempt } from '../delivery/store-outcomes.ts'
import { readDeliveryTarget } from '../delivery-read-model.ts'
import { withSigningSecrets } from '../signing/commands.ts'
import { allowance } from './replay.ts'
import { listStartableReplays, markReplayRunning } from './store.ts'
import { countAttempts, type ReplayPosition, readReplayBatch } from './store-span.ts'
import {
  acquireReplayLease,
  type LeasedReplay,
  listDueReplays,
  recordReplayStep,
} from './store-steps.ts'

type Tools = AttemptTools & Pick<Context, 'db' | 'outageLog'>

/** Replays that one process runs at a time. A receiver that hangs occupies only its own. */
const maxReplays = 64
/** Concurrent requests of one replay, besides those of the application's delivery queue. */
const inFlight = 8
/** A step begins no request later than this after its start, and then records its outcomes. */
const stepMs = secondMs
/** Pause after a receiver hung, or while there is no callback URL. */
const restMs = 30 * secondMs
/** How many stretches one step reads to find a notification. */
const stretchesPerStep = 25

/**
 * Runs replays step by step. A step leases the replay, sends as many notifications as its rate allows, and records the
 * outcomes. Replays have their own connections, so live deliveries do not wait for them, and they ignore the state of
 * the delivery queue. After a crash the lease expires and the next owner repeats the step.
 */
export class Replayer {
  readonly #tools: Tools
  readonly #most: number
  readonly #running = new Map<number, Promise<void>>()
  #closing = false

  constructor(tools: Tools, { most = maxReplays }: { most?: number } = {}) {
    this.#tools = tools
    this.#most = most
  }

  /** Starts a step of every replay that is due and not leased. */
  async turn(): Promise<boolean> {
    if (this.#closing) return false
    const { db, now, config } = this.#tools
    for (const named of await listStartableReplays(db))
      await markReplayRunning(db, { ...named, now: now() })
    const due = await listDueReplays(db, { now: now(), limit: 2 * this.#most })
    for (const dueReplay of due) {
      if (this.#running.size >= this.#most) break
      if (this.#running.has(dueReplay.applicationId)) continue
      const leaseMs = stepMs + config.delivery.timeoutMs + 10 * secondMs
      const until = new Date(now().getTime() + leaseMs)
      const replay = await acquireReplayLease(db, dueReplay, until)
      if (replay) this.#start(replay)
    }
    return false
  }

  /** Resolves when no step is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  /** Starts no more steps and requests, and waits until the outcomes of the running ones are recorded. */
  async close(): Promise<void> {
    this.#closing = true
    await this.idle()
  }

  /** Runs a step of a replay in the background. */
  #start(replay: LeasedReplay): void {
    const { log, outageLog } = this.#tools
    const step = this.#runStep(replay)
      .catch((error: unknown) => {
        // The lease expires by itself; the next owner repeats the step.
        const fields = { replay: replay.id }
        if (outageLog.record(error, fields)) return
        log.error({ err: error, ...fields }, 'a replay failed; its last step is repeated')
      })
      .finally(() => this.#running.delete(replay.applicationId))
    this.#running.set(replay.applicationId, step)
  }

  /** Sends one step of a replay and records it with the position reached. Without a callback URL the replay rests.
   * If not all were sent, it resumes after the last one that was. */
  async #runStep(replay: LeasedReplay): Promise<void> {
    const { db, now } = this.#tools
    const { applicationId } = replay
    const began = now()
    const { count, nextAfter } = allowance(replay, began)
    const target = await readDeliveryTarget(db, { applicationId, now: began })
    const { callbackUrl: url, secrets } = await withSigningSecrets(this.#tools, {
      applicationId,
      target,
    })
    const start: ReplayPosition = { at: replay.positionAt, seq: replay.positionSeq }
    if (!url) {
      const nextAt = new Date(began.getTime() + restMs)
      await recordReplayStep(db, replay, {
        outcomes: [],
        position: start,
        isLast: false,
        nextAt,
        at: began,
      })
      return
    }
    const { attempts, readTo } = await this.#read(replay, { position: start, limit: count })
    const outcomes = await this.#sendAll(attempts.map((attempt) => ({ url, secrets, ...attempt })))
    const isComplete = outcomes.length === attempts.length
    const last = attempts[outcomes.length - 1]?.notification
    const reached = last ? { at: last.received, seq: last.seq } : start
    const hasHung = outcomes.some(({ response }) => isHanging(response))
    const at = now()
    await recordReplayStep(db, replay, {
      outcomes,
      position: isComplete ? (readTo ?? reached) : reached,
      isLast: isComplete && readTo === null,
      nextAt: hasHung ? new Date(at.getTime() + restMs) : nextAfter(outcomes.length),
      at,
    })
  }

  /** Reads the next notifications of a replay, with the number of the attempt that each would be. It passes several
   * stretches without a match in one step. */
  async #read(replay: LeasedReplay, from: { position: ReplayPosition; limit: number }) {
    const { db } = this.#tools
    let { position } = from
    for (let stretch = 1; ; stretch++) {
      const { notifications, readTo } = await readReplayBatch(db, replay, { ...from, position })
      const isDone = notifications.length > 0 || readTo === null || stretch === stretchesPerStep
      if (isDone) {
        const { applicationId } = replay
        const attemptCounts = await countAttempts(db, { applicationId, notifications })
        const attempts = notifications.map((notification) => ({
          notification,
          attempt: (attemptCounts.get(notification.seq) ?? 0) + 1,
        }))
        return { attempts, readTo }
      }
      position = readTo
    }
  }

  /** Sends in order, with concurrent requests. When time is up, the process stops or a receiver hangs, only a prefix is
   * sent. */
  async #sendAll(attempts: readonly AttemptInput[]): Promise<FinishedAttempt[]> {
    const { now } = this.#tools
    const until = now().getTime() + stepMs
    const outcomes: FinishedAttempt[] = []
    let next = 0
    let hasHung = false
    const sender = async () => {
      while (!this.#closing && !hasHung && now().getTime() <= until) {
        const attempt = attempts[next++]
        if (!attempt) return
        const outcome = await makeAttempt(this.#tools, attempt)
        outcomes.push(outcome)
        hasHung ||= isHanging(outcome.response)
      }
    }
    await Promise.all(Array.from({ length: Math.min(inFlight, attempts.length) }, sender))
    return outcomes
  }
}
