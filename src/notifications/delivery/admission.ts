/** Requests that are under way and may yet be answered at once. */
const mostYoung = 64
/** For how long one is young in a process that has nothing else to do, and in one that is busy, where an
 * answer may lie unread. */
const usualYoungMs = { idle: 10, busy: 250 }
/** A process that has worked for more of the time than this since it last looked is busy. */
const busyShare = 0.8
const lookMs = 3
/** So many requests follow each other in a place before it is somebody else's turn. */
const stepsOfTurn = 8

/** Where one request after another is under way, the present one since then (`performance.now()`). */
interface Place {
  since: number
}

/**
 * Lets no more requests begin at a time than keep this process busy: the others would only lie in its own
 * queues, each of them open and later than it had to be. One that is not answered though this process has had
 * the time for it waits for its receiver. It takes no place any more, so that receivers that are slow or
 * hang hold up nobody.
 */
export class Admission {
  readonly #youngMs: Readonly<typeof usualYoungMs>
  readonly #young = new Set<Place>()
  /** Whose turn is to come, in their order from `#next` on. */
  #waiting: ((place: Place) => void)[] = []
  #next = 0
  #timer: NodeJS.Timeout | undefined
  #worked = performance.eventLoopUtilization()

  constructor(youngMs = usualYoungMs) {
    this.#youngMs = youngMs
  }

  /** Takes a place, when there is one, for some requests one after another: `step` makes one and resolves
   * with whether there may be more. The turn is over early when one of them waits for its receiver. */
  async turn(step: () => Promise<boolean>): Promise<void> {
    const place = this.#young.size < mostYoung ? this.#take() : await this.#comingTurn()
    try {
      for (let n = 0; n < stepsOfTurn && this.#young.has(place); n++) {
        place.since = performance.now()
        if (!(await step())) return
      }
    } finally {
      this.#young.delete(place)
      this.#admit()
    }
  }

  #take(): Place {
    const place = { since: performance.now() }
    this.#young.add(place)
    if (!this.#timer) {
      this.#worked = performance.eventLoopUtilization()
      this.#timer = setInterval(() => this.#lookAgain(), lookMs)
    }
    return place
  }

  #comingTurn(): Promise<Place> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  #lookAgain(): void {
    const worked = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(worked, this.#worked)
    this.#worked = worked
    const { busy, idle } = this.#youngMs
    const oldest = performance.now() - (utilization > busyShare ? busy : idle)
    for (const place of this.#young) if (place.since < oldest) this.#young.delete(place)
    this.#admit()
    if (this.#young.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #admit(): void {
    while (this.#young.size < mostYoung && this.#next < this.#waiting.length) {
      this.#waiting[this.#next++]?.(this.#take())
    }
    if (this.#next < this.#waiting.length) return
    this.#waiting = []
    this.#next = 0
  }
}
