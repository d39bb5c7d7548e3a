import type { Context } from '../../platform/context.ts'
import { notificationsReady } from '../fan-out.ts'
import { type LaneTools, LaneWorker } from './lane-worker.ts'
import { Settler } from './settler.ts'
import { claimLanes, type HeldLane, keepLanes, listWaitingLanes } from './store-lanes.ts'

type Tools = LaneTools & Pick<Context, 'signals'>

/** A crashed worker's lane is free for others after this; a living one renews in good time. */
const leaseSeconds = 5
const renewMs = 1_500
/** Lanes that one process works on at a time: one that hangs holds only itself. */
const mostLanes = 1_000

/**
 * Delivers notifications lane by lane. A lane is one application's callback; it is claimed, read and
 * sent to apart from all others, and no transaction is open while sending. A turn only hands out
 * lanes: who hangs does not hold up the turn.
 */
export class Dispatcher {
  readonly #tools: Tools
  readonly #settler: Settler
  readonly #running = new Map<number, { lane: HeldLane; worker: LaneWorker; work: Promise<void> }>()
  readonly #lingerMs: number
  #renewal: NodeJS.Timeout | undefined
  #isRenewing = false
  #closing = false

  /** `lingerMs`: for how long a lane that has nothing more to send is kept, in case something comes. */
  constructor(tools: Tools, { lingerMs = 0 }: { lingerMs?: number } = {}) {
    this.#tools = tools
    this.#lingerMs = lingerMs
    this.#settler = new Settler(tools.db)
  }

  /** One turn: starts on every lane that has something to send and that nobody holds. */
  async turn(): Promise<boolean> {
    if (this.#closing) return false
    for (const { worker } of this.#running.values()) worker.wake()
    const { db, now } = this.#tools
    const room = mostLanes - this.#running.size
    if (room <= 0) return false
    this.#renewal ??= setInterval(() => void this.#renew(), renewMs).unref()
    const waiting = await listWaitingLanes(db, { now: now(), limit: mostLanes * 2 })
    const free = waiting.filter(({ applicationId }) => !this.#running.has(applicationId))
    const claimed = await claimLanes(db, free.slice(0, room), { now: now(), leaseSeconds })
    for (const lane of claimed) this.#start(lane)
    return false
  }

  #start(lane: HeldLane): void {
    const { log, signals } = this.#tools
    const isClosing = () => this.#closing
    const [settler, lingerMs] = [this.#settler, this.#lingerMs]
    const worker = new LaneWorker(this.#tools, { lane, settler, isClosing, lingerMs })
    const work = worker
      .run()
      .catch((error: unknown) => {
        // The hold runs out by itself: whoever claims the lane then sends what was not settled.
        log.error({ err: error, application: lane.applicationId }, 'a lane failed')
      })
      .finally(() => {
        this.#running.delete(lane.applicationId)
        // What was fanned out after the last read and before the release would else wait for the poll.
        if (!this.#closing) signals.deliver(notificationsReady)
      })
    this.#running.set(lane.applicationId, { lane, worker, work })
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
    await this.idle()
    clearInterval(this.#renewal)
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
