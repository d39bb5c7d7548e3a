import { Overloaded } from '../../kernel/failure.ts'
import type { CallerKey } from '../caller.ts'
import { FairQueue } from './fair-queue.ts'

export interface AdmissionLimits {
  /** Requests that work at a time. */
  atOnce: number
  /** Of each of two kinds of callers: the operator, and all others. */
  mostWaiting: number
  waitMs: number
}

/** Who asks; `key` says whose turn a request takes. */
export interface Claimant {
  isOperator: boolean
  key: CallerKey
  /** Whether nobody waits for the answer any more. */
  hasLeft: () => boolean
}

interface Waiting {
  start: () => void
  refuse: () => void
  hasLeft: () => boolean
}

/**
 * A bounded queue in front of the database. Beyond `atOnce` requests wait, for `waitMs` at most, and callers take
 * turns; the operator's requests take every other turn, because a marketplace's own orders are among them. When
 * `mostWaiting` wait, a caller with fewer than others takes the place of the newest request of the one with the most.
 */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #observe: (outcome: 'admitted' | 'refused', waitedMs: number) => void
  readonly #operator = new FairQueue<Waiting>()
  readonly #others = new FairQueue<Waiting>()
  #working = 0
  #isOperatorsTurn = false

  constructor(
    limits: AdmissionLimits,
    observe: (outcome: 'admitted' | 'refused', waitedMs: number) => void,
  ) {
    this.#limits = limits
    this.#observe = observe
  }

  /** Does `work` when it is its turn. Throws `Overloaded` when that does not come in time. */
  async run<T>(claimant: Claimant, work: () => Promise<T>): Promise<T> {
    if (this.#working < this.#limits.atOnce) this.#working++
    else await this.#wait(claimant)
    try {
      return await work()
    } finally {
      this.#working--
      this.#startNext()
    }
  }

  #wait({ isOperator, key, hasLeft }: Claimant): Promise<void> {
    const queue = isOperator ? this.#operator : this.#others
    const since = performance.now()
    return new Promise((resolve, reject) => {
      const leave = (outcome: 'admitted' | 'refused') => {
        clearTimeout(timer)
        this.#observe(outcome, performance.now() - since)
      }
      const waiting: Waiting = {
        hasLeft,
        start: () => {
          leave('admitted')
          resolve()
        },
        refuse: () => {
          leave('refused')
          reject(new Overloaded())
        },
      }
      const timer = setTimeout(() => {
        queue.remove(key, waiting)
        waiting.refuse()
      }, this.#limits.waitMs)
      if (queue.size >= this.#limits.mostWaiting) {
        const displaced = queue.makeRoomFor(key)
        if (!displaced) return waiting.refuse()
        displaced.refuse()
      }
      queue.push(key, waiting)
    })
  }

  #startNext(): void {
    while (this.#working < this.#limits.atOnce) {
      const next = this.#next()
      if (!next) return
      if (next.hasLeft()) {
        next.refuse()
        continue
      }
      this.#working++
      next.start()
    }
  }

  #next(): Waiting | undefined {
    this.#isOperatorsTurn = !this.#isOperatorsTurn
    const [first, second] = this.#isOperatorsTurn
      ? [this.#operator, this.#others]
      : [this.#others, this.#operator]
    return first.shift() ?? second.shift()
  }
}
