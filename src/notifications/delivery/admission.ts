import { systemTimers, type Timer, type Timers } from '../../platform/timers.ts'

/** Requests that are under way and may yet be answered at once. */
const mostYoung = 64
/** Of those to a receiver that has answered nothing for a while, though it is waited for. */
const mostYoungOfSilent = 4
const silentMs = 250
/** For how long one is young in a process that has nothing else to do, and in one that is busy, where an
 * answer may lie unread. */
const usualYoungMs = { idle: 10, busy: 250 }
/** A process that has worked for more of the time than this since it last looked is busy. */
const busyShare = 0.8
const lookMs = 3
/** So many requests follow each other in a place before it is somebody else's turn. */
const stepsOfTurn = 8

/** Takes a place, when there is one, for some requests one after another: `step` makes one and resolves
 * with whether there may be more. The turn is over early when one of them waits for its receiver. */
export type TakeTurn = (step: () => Promise<boolean>) => Promise<void>

/** Where one request after another is under way, the present one since then (running time). */
interface Slot {
  queue: Queue
  since: number
}

/** What is under way to one receiver, and what is to come. */
interface Queue {
  young: number
  /** Requests that wait for the receiver. */
  old: number
  answeredAt: number
  turns: ((place: Slot) => void)[]
}

/**
 * Lets no more requests begin at a time than keep this process busy: the others would only lie in its own
 * queues, each of them open and later than it had to be. One that is not answered though this process has had
 * the time for it waits for its receiver. It takes no place any more, and while nothing is answered there are
 * few places for others to the same receiver, so that receivers that are slow or hang hold up nobody.
 *
 * Lanes have their turns in rotation: a thousand with much to send need a connection or two each then, where
 * each would open all it may have if it were given all places at once.
 */
export class Admission {
  readonly #youngMs: Readonly<typeof usualYoungMs>
  readonly #timers: Timers
  readonly #young = new Set<Slot>()
  /** Those that have turns to come and may have a place, the next one first. */
  readonly #rotation = new Set<Queue>()
  #timer: Timer | undefined
  #worked: ReturnType<Timers['utilization']>

  constructor({ youngMs = usualYoungMs, timers = systemTimers } = {}) {
    this.#youngMs = youngMs
    this.#timers = timers
    this.#worked = timers.utilization()
  }

  /** How one lane takes its turns. */
  queue(): TakeTurn {
    const queue: Queue = { young: 0, old: 0, answeredAt: this.#timers.runningMs(), turns: [] }
    return (step) => this.#turn(queue, step)
  }

  async #turn(queue: Queue, step: () => Promise<boolean>): Promise<void> {
    const place =
      this.#young.size < mostYoung && this.#mayHaveOne(queue)
        ? this.#take(queue)
        : await this.#comingTurn(queue)
    try {
      for (let n = 0; n < stepsOfTurn && this.#young.has(place); n++) {
        place.since = this.#timers.runningMs()
        const hasMore = await step()
        queue.answeredAt = this.#timers.runningMs()
        if (!hasMore) return
      }
    } finally {
      if (!this.#leave(place)) queue.old--
      this.#admit(queue)
    }
  }

  #comingTurn(queue: Queue): Promise<Slot> {
    return new Promise((resolve) => {
      queue.turns.push(resolve)
      this.#rotate(queue)
    })
  }

  #take(queue: Queue): Slot {
    const place = { queue, since: this.#timers.runningMs() }
    queue.young++
    this.#young.add(place)
    if (!this.#timer) {
      this.#worked = this.#timers.utilization()
      this.#timer = this.#timers.every(lookMs, () => this.#lookAgain())
    }
    return place
  }

  /** Returns whether what is under way there was young until now. */
  #leave(place: Slot): boolean {
    const wasYoung = this.#young.delete(place)
    if (wasYoung) place.queue.young--
    return wasYoung
  }

  #lookAgain(): void {
    const worked = this.#timers.utilization()
    const { utilization } = this.#timers.utilization(worked, this.#worked)
    this.#worked = worked
    const { busy, idle } = this.#youngMs
    const oldest = this.#timers.runningMs() - (utilization > busyShare ? busy : idle)
    for (const place of this.#young) {
      if (place.since >= oldest) continue
      this.#leave(place)
      place.queue.old++
      this.#admit(place.queue)
    }
    if (this.#young.size > 0) return
    this.#timer?.cancel()
    this.#timer = undefined
  }

  /** Gives away the places that there are, now that less of `lane` is young. */
  #admit(queue: Queue): void {
    this.#rotate(queue)
    while (this.#young.size < mostYoung) {
      const [next] = this.#rotation
      if (!next) return
      this.#rotation.delete(next)
      if (!this.#mayHaveOne(next)) continue
      next.turns.shift()?.(this.#take(next))
      this.#rotate(next)
    }
  }

  #mayHaveOne({ young, old, answeredAt }: Queue): boolean {
    if (old === 0 || young < mostYoungOfSilent) return true
    return this.#timers.runningMs() - answeredAt < silentMs
  }

  /** Puts a lane that may have a place behind all others, if it is not among them. */
  #rotate(queue: Queue): void {
    if (queue.turns.length > 0 && this.#mayHaveOne(queue)) this.#rotation.add(queue)
    else this.#rotation.delete(queue)
  }
}
