import { Failure } from '../../kernel/failure.ts'

/**
 * Bounds what hashing takes of one process: at most `concurrency` hashes run, and at most `longest`
 * attempts of strangers wait. Everybody else goes ahead of those: who floods the sign-in page with guesses
 * keeps neither owners on their own devices nor the operator waiting.
 */
export class HashQueue {
  readonly #concurrency: number
  readonly #longest: number
  #running = 0
  readonly #ahead: (() => void)[] = []
  readonly #strangers: (() => void)[] = []

  constructor({ concurrency, longest }: { concurrency: number; longest: number }) {
    this.#concurrency = concurrency
    this.#longest = longest
  }

  /** Runs `work` in its turn. Throws `unavailable` when too many strangers wait already. */
  async run<T>(work: () => Promise<T>, { isStranger }: { isStranger: boolean }): Promise<T> {
    if (this.#running < this.#concurrency) this.#running++
    else await this.#turn(isStranger)
    try {
      return await work()
    } finally {
      // The next one takes over this place, or it becomes free.
      const next = this.#ahead.shift() ?? this.#strangers.shift()
      if (next) next()
      else this.#running--
    }
  }

  #turn(isStranger: boolean): Promise<void> {
    const waiting = isStranger ? this.#strangers : this.#ahead
    if (isStranger && waiting.length >= this.#longest) throw new Failure('unavailable')
    return new Promise((resolve) => waiting.push(resolve))
  }
}
