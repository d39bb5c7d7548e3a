import { systemTimers, type Timer, type Timers } from '../../platform/timers.ts'

/** Slots of the process: requests under way that are young, so that the process itself may be what delays them. */
const maxYoung = 64
/** Slots of a receiver that has requests under way and has answered none for `silentMs`. */
const maxYoungOfSilent = 4
const silentMs = 250
/** How long a request is young. A busy process needs longer, because a response may lie unread. */
const defaultYoungMs = { idle: 10, busy: 250 }
/** A process is busy if its event loop worked for more than this share of the time since the last check. */
const busyShare = 0.8
/** How often the ages of requests are checked. */
const checkMs = 3
/** A slot makes this many requests of one queue before it goes to the next one. */
const stepsPerTurn = 8

/** Waits for a slot and makes a few requests in it, one after another. `step` makes one and resolves with whether more
 * follow. The turn ends early when a request waits for its receiver. */
export type RunInSlot = (step: () => Promise<boolean>) => Promise<void>

/** One turn, with the start of its present request (running time). */
interface Slot {
  queue: ReceiverQueue
  since: number
}

/** The requests to one receiver. */
interface ReceiverQueue {
  /** Requests that hold a slot. */
  young: number
  /** Requests that wait for the receiver and hold no slot any more. */
  old: number
  answeredAt: number
  /** Turns that wait for a slot. */
  turns: ((slot: Slot) => void)[]
}

/**
 * Limits concurrent requests to what keeps this process busy; more would only wait inside the process with open
 * connections. A request that is not answered although the process had time gives up its slot: it waits for its
 * receiver. A receiver that answers nothing gets few slots, so that slow receivers delay no others.
 *
 * Queues take turns in rotation. A thousand busy queues then need one or two connections each, not all they may have.
 * Without the limit, 14 % fewer notifications per second reach a thousand receivers, and each costs 31 % more processor
 * time (docs/decisions/0035-own-machinery.md).
 */
export class DeliverySlots {
  readonly #youngMs: Readonly<typeof defaultYoungMs>
  readonly #timers: Timers
  readonly #young = new Set<Slot>()
  /** Queues that wait for a slot and may have one, the next one first. */
  readonly #rotation = new Set<ReceiverQueue>()
  #timer: Timer | undefined
  #lastUtilization: ReturnType<Timers['utilization']>

  constructor({ youngMs = defaultYoungMs, timers = systemTimers } = {}) {
    this.#youngMs = youngMs
    this.#timers = timers
    this.#lastUtilization = timers.utilization()
  }

  /** Returns the function by which a new delivery queue takes its turns. */
  addQueue(): RunInSlot {
    const queue: ReceiverQueue = {
      young: 0,
      old: 0,
      answeredAt: this.#timers.runningMs(),
      turns: [],
    }
    return (step) => this.#turn(queue, step)
  }

  /** Takes a slot and runs steps until one returns false, the slot is given up, or the turn has had its number of
   * steps. */
  async #turn(queue: ReceiverQueue, step: () => Promise<boolean>): Promise<void> {
    const slot =
      this.#young.size < maxYoung && this.#mayTakeSlot(queue)
        ? this.#takeSlot(queue)
        : await this.#waitForSlot(queue)
    try {
      for (let n = 0; n < stepsPerTurn && this.#young.has(slot); n++) {
        slot.since = this.#timers.runningMs()
        const hasMore = await step()
        queue.answeredAt = this.#timers.runningMs()
        if (!hasMore) return
      }
    } finally {
      if (!this.#freeSlot(slot)) queue.old--
      this.#admit(queue)
    }
  }

  #waitForSlot(queue: ReceiverQueue): Promise<Slot> {
    return new Promise((resolve) => {
      queue.turns.push(resolve)
      this.#rotate(queue)
    })
  }

  #takeSlot(queue: ReceiverQueue): Slot {
    const slot = { queue, since: this.#timers.runningMs() }
    queue.young++
    this.#young.add(slot)
    if (!this.#timer) {
      this.#lastUtilization = this.#timers.utilization()
      this.#timer = this.#timers.every(checkMs, () => this.#checkAges())
    }
    return slot
  }

  /** Frees a slot. Returns false if its request was too old to hold it any more. */
  #freeSlot(slot: Slot): boolean {
    const wasYoung = this.#young.delete(slot)
    if (wasYoung) slot.queue.young--
    return wasYoung
  }

  /** Frees the slots of requests that are not young any more. */
  #checkAges(): void {
    const total = this.#timers.utilization()
    const { utilization } = this.#timers.utilization(total, this.#lastUtilization)
    this.#lastUtilization = total
    const { busy, idle } = this.#youngMs
    const oldest = this.#timers.runningMs() - (utilization > busyShare ? busy : idle)
    for (const slot of this.#young) {
      if (slot.since >= oldest) continue
      this.#freeSlot(slot)
      slot.queue.old++
      this.#admit(slot.queue)
    }
    if (this.#young.size > 0) return
    this.#timer?.cancel()
    this.#timer = undefined
  }

  /** Assigns free slots in rotation, after `queue` has freed one. */
  #admit(queue: ReceiverQueue): void {
    this.#rotate(queue)
    while (this.#young.size < maxYoung) {
      const [next] = this.#rotation
      if (!next) return
      this.#rotation.delete(next)
      if (!this.#mayTakeSlot(next)) continue
      next.turns.shift()?.(this.#takeSlot(next))
      this.#rotate(next)
    }
  }

  #mayTakeSlot({ young, old, answeredAt }: ReceiverQueue): boolean {
    if (old === 0 || young < maxYoungOfSilent) return true
    return this.#timers.runningMs() - answeredAt < silentMs
  }

  /** Adds a queue to the end of the rotation if it waits for a slot and may have one; otherwise removes it. */
  #rotate(queue: ReceiverQueue): void {
    if (queue.turns.length > 0 && this.#mayTakeSlot(queue)) this.#rotation.add(queue)
    else this.#rotation.delete(queue)
  }
}
