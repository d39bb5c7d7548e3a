import { Failure } from '../../kernel/failure.ts'

/**
 * Runs at most `concurrency` hashes at once in this process. At most `longest` attempts of strangers wait, and all
 * other hashes go first. A flood of guesses must delay neither users on known devices nor the operator.
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

  /** Runs `work` when a slot is free. Throws `unavailable` for a stranger when too many wait already. */
  async run<T>(work: () => Promise<T>, { isStranger }: { isStranger: boolean }): Promise<T> {
    if (this.#running < this.#concurrency) this.#running++
    else await this.#waitForSlot(isStranger)
    try {
      return await work()
    } finally {
      // The next waiting hash takes over the slot, so `#running` stays the same.
      const next = this.#ahead.shift() ?? this.#strangers.shift()
      if (next) next()
      else this.#running--
    }
  }

  #waitForSlot(isStranger: boolean): Promise<void> {
    const waiting = isStranger ? this.#strangers : this.#ahead
    if (isStranger && waiting.length >= this.#longest) throw new Failure('unavailable')
    return new Promise((resolve) => waiting.push(resolve))
  }
}
