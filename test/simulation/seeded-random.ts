import type { Random } from '../../src/platform/random.ts'

/** Chance that a seed decides: the same seed gives the same sequence. */
export class SimulationRandom implements Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, but not including, 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  hex(bytes: number): string {
    let text = ''
    while (text.length < 2 * bytes)
      text += this.below(2 ** 32)
        .toString(16)
        .padStart(8, '0')
    return text.slice(0, 2 * bytes)
  }

  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit)
  }

  between(least: number, most: number): number {
    return least + this.fraction() * (most - least)
  }

  isTrue(share: number): boolean {
    return this.fraction() < share
  }

  pick<Each>(all: readonly Each[]): Each {
    const picked = all[this.below(all.length)]
    if (picked === undefined) throw new Error('nothing to pick from')
    return picked
  }

  /** Another sequence, which what is drawn from this one later does not change. */
  fork(): SimulationRandom {
    return new SimulationRandom(this.below(2 ** 32))
  }
}
