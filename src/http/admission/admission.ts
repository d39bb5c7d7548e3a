import { Overloaded } from '../../kernel/failure.ts'
import type { CallerKey } from '../caller.ts'
import { FairQueue } from './fair-queue.ts'

export interface AdmissionLimits {
  /** Requests that run at a time. */
  atOnce: number
  /** Requests that may wait, for the operator and for all other callers separately. */
  mostWaiting: number
  /** Longest wait of a request, in milliseconds. */
  waitMs: number
}

/** The origin of a request. Requests with the same `key` share one turn. */
export interface QueuedCaller {
  isOperator: boolean
  key: CallerKey
  /** Returns whether the client has disconnected. */
  hasLeft: () => boolean
}

interface WaitingRequest {
  start: () => void
  refuse: () => void
  hasLeft: () => boolean
}

/**
 * A bounded queue in front of the database. At most `atOnce` requests run; others wait for at most `waitMs`. Callers
 * take turns, and the operator gets every other turn, because the marketplace's own orders arrive there. When
 * `mostWaiting` requests wait, a new one displaces the newest of the caller with the most, or is refused.
 */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #observe: (outcome: 'admitted' | 'refused', waitedMs: number) => void
  readonly #operator = new FairQueue<WaitingRequest>()
  readonly #others = new FairQueue<WaitingRequest>()
  #working = 0
  #isOperatorsTurn = false

  constructor(
    limits: AdmissionLimits,
    observe: (outcome: 'admitted' | 'refused', waitedMs: number) => void,
  ) {
    this.#limits = limits
    this.#observe = observe
  }

  /** Runs `work` when its turn comes. Throws `Overloaded` if that takes longer than `waitMs`. */
  async run<T>(claimant: QueuedCaller, work: () => Promise<T>): Promise<T> {
    if (this.#working < this.#limits.atOnce) this.#working++
    else await this.#wait(claimant)
    try {
      return await work()
    } finally {
      this.#working--
      this.#startNext()
    }
  }

  /** Resolves when the caller is admitted. Rejects with `Overloaded` after the maximum wait, or when the queue
   * drops the caller. */
  #wait({ isOperator, key, hasLeft }: QueuedCaller): Promise<void> {
    const queue = isOperator ? this.#operator : this.#others
    const since = performance.now()
    return new Promise((resolve, reject) => {
      const leave = (outcome: 'admitted' | 'refused') => {
        clearTimeout(timer)
        this.#observe(outcome, performance.now() - since)
      }
      const waiting: WaitingRequest = {
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

  #next(): WaitingRequest | undefined {
    this.#isOperatorsTurn = !this.#isOperatorsTurn
    const [first, second] = this.#isOperatorsTurn
      ? [this.#operator, this.#others]
      : [this.#others, this.#operator]
    return first.shift() ?? second.shift()
  }
}
