import { findApplication } from '../../identity/store.ts'
import { secondMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { ensureDays } from '../../platform/database/partitions.ts'
import { isHanging, type Notification } from '../attempt.ts'
import { notificationsReady } from '../fan-out.ts'
import { makeAttempt } from './attempting.ts'
import {
  type Batch,
  claimLane,
  type HeldLane,
  keepLanes,
  listWaitingLanes,
  readBatch,
  releaseLane,
  type Settled,
  settleBatch,
} from './store.ts'

type Tools = Pick<
  Context,
  'db' | 'now' | 'random' | 'send' | 'config' | 'metrics' | 'log' | 'signals'
>

/** A crashed worker's lane is free for others after this; a living one renews in good time. */
const leaseSeconds = 5
const renewMs = 1_500
/** Lanes that one process works on at a time: one that hangs holds only itself. */
const mostLanes = 64
const batchSize = 32
/** Requests under way at one callback. */
const inFlight = 8
/** How long a receiver that hangs is left alone, so that a hundred of them cannot take all places. */
const restSeconds = 30

/**
 * Delivers notifications lane by lane. A lane is one application's callback; it is claimed, read,
 * sent to and settled apart from all others, and no transaction is open while sending. A turn only
 * hands out lanes: who hangs does not hold up the turn.
 */
export class Dispatcher {
  readonly #tools: Tools
  readonly #running = new Map<number, { lane: HeldLane; work: Promise<void> }>()
  #renewal: NodeJS.Timeout | undefined
  #isRenewing = false
  #closing = false

  constructor(tools: Tools) {
    this.#tools = tools
  }

  /** One turn: starts on every lane that has something to send and that nobody holds. */
  async turn(): Promise<boolean> {
    if (this.#closing) return false
    const { db, now } = this.#tools
    const room = mostLanes - this.#running.size
    if (room <= 0) return false
    this.#renewal ??= setInterval(() => void this.#renew(), renewMs).unref()
    const waiting = await listWaitingLanes(db, { now: now(), limit: mostLanes * 2 })
    const free = waiting.filter(({ applicationId }) => !this.#running.has(applicationId))
    for (const found of free.slice(0, room)) {
      const lane = await claimLane(db, found, { now: now(), leaseSeconds })
      if (lane) this.#start(lane)
    }
    return false
  }

  #start(lane: HeldLane): void {
    const { log, signals } = this.#tools
    const work = this.#work(lane)
      .catch((error: unknown) => {
        // The hold runs out by itself: whoever claims the lane then sends what was not settled.
        log.error({ err: error, application: lane.applicationId }, 'a lane failed')
      })
      .finally(() => {
        this.#running.delete(lane.applicationId)
        // What was fanned out after the last read and before the release would else wait for the poll.
        if (!this.#closing) signals.deliver(notificationsReady)
      })
    this.#running.set(lane.applicationId, { lane, work })
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
    await this.idle()
    clearInterval(this.#renewal)
  }

  async #work(claimed: HeldLane): Promise<void> {
    const { db, now } = this.#tools
    let lane = claimed
    let restMs = 0
    // The first batch is what is under way at once: a receiver that hangs shows with it.
    let limit = inFlight
    while (!this.#closing && restMs === 0) {
      // Read anew for every batch: a callback that was removed or changed is done with at once.
      const application = await findApplication(db, lane.applicationId)
      if (!application?.callbackUrl) break
      const batch = await readBatch(db, lane, { now: now(), limit })
      if (batch.fresh.length + batch.retries.length === 0) {
        // Nothing up to the last number that was given out: history has been dropped meanwhile.
        lane = { ...lane, cursorSeq: lane.lastSeq }
        break
      }
      const settled = await this.#sendAll(application.callbackUrl, batch)
      for (const { sent } of settled) await ensureDays(db, 'attempts', sent)
      const held = await settleBatch(db, lane, { batch, settled })
      // Somebody else took the lane over: what we sent will be sent again, and settled, by them.
      if (!held) return
      lane = held
      limit = batchSize
      if (settled.every(({ came }) => isHanging(came))) restMs = restSeconds * secondMs
    }
    await releaseLane(db, lane, new Date(now().getTime() + restMs))
  }

  /** Sends a batch, in order, several at a time. Once closing, begins no more: what was sent then is
   * a beginning of the batch. */
  async #sendAll(url: string, { fresh, retries }: Batch): Promise<Settled[]> {
    const queue: [Notification, number][] = [
      ...retries.map((each): [Notification, number] => [each, each.attempts + 1]),
      ...fresh.map((each): [Notification, number] => [each, 1]),
    ]
    const settled: Settled[] = []
    const sender = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        settled.push(
          await makeAttempt(this.#tools, { url, notification: next[0], attempt: next[1] }),
        )
        if (this.#closing) break
      }
    }
    await Promise.all(Array.from({ length: Math.min(inFlight, queue.length) }, sender))
    return settled
  }

  async #renew(): Promise<void> {
    const lanes = [...this.#running.values()].map(({ lane }) => lane)
    if (lanes.length === 0 || this.#isRenewing) return
    const { db, now, log } = this.#tools
    this.#isRenewing = true
    try {
      await keepLanes(db, lanes, { now: now(), leaseSeconds })
    } catch (error) {
      log.warn({ err: error }, 'could not renew the hold on lanes')
    } finally {
      this.#isRenewing = false
    }
  }
}
