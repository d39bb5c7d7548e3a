import { secondMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { isHanging } from '../attempt.ts'
import { type Attempting, type AttemptTools, makeAttempt } from '../delivery/attempting.ts'
import type { RecordedOutcome } from '../delivery/store-outcomes.ts'
import { readTarget } from '../delivery/store-queues.ts'
import { withSecret } from '../signing/commands.ts'
import { allowance } from './replay.ts'
import { listStartable, startReplay } from './store.ts'
import { countAttempts, type Position, readSpan } from './store-span.ts'
import { claimReplay, type HeldReplay, listDue, recordHeartbeat } from './store-work.ts'

type Tools = AttemptTools & Pick<Context, 'db' | 'outageLog'>

/** Replays that one process works on at a time: one whose receiver hangs holds only its own place. */
const mostReplays = 64
/** Requests of one replay under way at a time, apart from those of its application's lane. */
const inFlight = 8
/** A beat begins no request later than this after it began, and settles. */
const heartbeatMs = secondMs
/** How long a receiver that hangs, or a callback that is not there, is left alone. */
const restMs = 30 * secondMs
/** How many stretches one beat looks through for something to send. */
const batchesPerHeartbeat = 25

/**
 * Sends notifications once more, beat by beat: a replay is claimed, as many are sent as its rate lets
 * go, and settled. It has its own places, so that live deliveries wait for nothing here, and asks
 * nothing of how the lane stands. After a crash the hold runs out, and the beat is sent again by
 * whoever claims it then.
 */
export class Replayer {
  readonly #tools: Tools
  readonly #most: number
  readonly #running = new Map<number, Promise<void>>()
  #closing = false

  constructor(tools: Tools, { most = mostReplays }: { most?: number } = {}) {
    this.#tools = tools
    this.#most = most
  }

  /** One turn: starts a beat of every replay that is due and that nobody holds. */
  async turn(): Promise<boolean> {
    if (this.#closing) return false
    const { db, now, config } = this.#tools
    for (const named of await listStartable(db)) await startReplay(db, { ...named, now: now() })
    const due = await listDue(db, { now: now(), limit: 2 * this.#most })
    for (const found of due) {
      if (this.#running.size >= this.#most) break
      if (this.#running.has(found.applicationId)) continue
      const until = new Date(
        now().getTime() + heartbeatMs + config.delivery.timeoutMs + 10 * secondMs,
      )
      const replay = await claimReplay(db, found, until)
      if (replay) this.#start(replay)
    }
    return false
  }

  /** Resolves when no beat is under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  /** Begins nothing more, and waits until what is under way is settled. */
  async close(): Promise<void> {
    this.#closing = true
    await this.idle()
  }

  #start(replay: HeldReplay): void {
    const { log, outageLog } = this.#tools
    const beat = this.#beat(replay)
      .catch((error: unknown) => {
        // The hold runs out by itself: whoever claims the replay then sends the beat again.
        const work = { replay: replay.id }
        if (!outageLog.record(error, work)) log.error({ err: error, ...work }, 'a replay failed')
      })
      .finally(() => this.#running.delete(replay.applicationId))
    this.#running.set(replay.applicationId, beat)
  }

  async #beat(replay: HeldReplay): Promise<void> {
    const { db, now } = this.#tools
    const { applicationId } = replay
    const began = now()
    const { count, nextAfter } = allowance(replay, began)
    const known = await readTarget(db, { applicationId, now: began })
    const { callbackUrl: url, secrets } = await withSecret(this.#tools, {
      applicationId,
      target: known,
    })
    const stays: Position = { at: replay.positionAt, seq: replay.positionSeq }
    if (!url) {
      const nextAt = new Date(began.getTime() + restMs)
      await recordHeartbeat(db, replay, {
        settled: [],
        position: stays,
        isLast: false,
        nextAt,
        at: began,
      })
      return
    }
    const { attempts, readTo } = await this.#read(replay, { position: stays, limit: count })
    const settled = await this.#sendAll(attempts.map((each) => ({ url, secrets, ...each })))
    const isWhole = settled.length === attempts.length
    const last = attempts[settled.length - 1]?.notification
    const reached = last ? { at: last.received, seq: last.seq } : stays
    const hangs = settled.some(({ came }) => isHanging(came))
    const at = now()
    await recordHeartbeat(db, replay, {
      settled,
      position: isWhole ? (readTo ?? reached) : reached,
      isLast: isWhole && readTo === null,
      nextAt: hangs ? new Date(at.getTime() + restMs) : nextAfter(settled.length),
      at,
    })
  }

  async #read(replay: HeldReplay, from: { position: Position; limit: number }) {
    const { db } = this.#tools
    let { position } = from
    for (let look = 1; ; look++) {
      const { notifications, readTo } = await readSpan(db, replay, { ...from, position })
      const isDone = notifications.length > 0 || readTo === null || look === batchesPerHeartbeat
      if (isDone) {
        const { applicationId } = replay
        const before = await countAttempts(db, { applicationId, notifications })
        const attempts = notifications.map((notification) => ({
          notification,
          attempt: (before.get(notification.seq) ?? 0) + 1,
        }))
        return { attempts, readTo }
      }
      position = readTo
    }
  }

  /** Sends in order, several at a time; what was sent is a beginning of them, as a rule all. */
  async #sendAll(attempts: readonly Attempting[]): Promise<RecordedOutcome[]> {
    const { now } = this.#tools
    const until = now().getTime() + heartbeatMs
    const settled: RecordedOutcome[] = []
    let next = 0
    let hangs = false
    const sender = async () => {
      while (!this.#closing && !hangs && now().getTime() <= until) {
        const each = attempts[next++]
        if (!each) return
        const sent = await makeAttempt(this.#tools, each)
        settled.push(sent)
        hangs ||= isHanging(sent.came)
      }
    }
    await Promise.all(Array.from({ length: Math.min(inFlight, attempts.length) }, sender))
    return settled
  }
}
