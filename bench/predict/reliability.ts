import type { Figure } from '../run.ts'

/** Bands of the table, each a tenth wide. */
const bands = 10

/** Compares the probabilities of proposals with how often they were right. */
export class Reliability {
  readonly #bands = Array.from({ length: bands }, () => ({ count: 0, expected: 0, right: 0 }))

  add(probability: number, isRight: boolean): void {
    const at = Math.min(bands - 1, Math.floor(probability * bands))
    const band = this.#bands[at] as { count: number; expected: number; right: number }
    band.count++
    band.expected += probability
    if (isRight) band.right++
  }

  /** The expected calibration error: how far the probability is from the share of right proposals, from 0 to 1. */
  get error(): number {
    let [count, distance] = [0, 0]
    for (const band of this.#bands) {
      count += band.count
      distance += Math.abs(band.expected - band.right)
    }
    return count === 0 ? 0 : distance / count
  }

  /** Returns the error as a figure, and prints the table. */
  report(name: string): Figure {
    process.stdout.write(`${name}: proposals, mean probability and right ones by probability\n`)
    for (const [at, { count, expected, right }] of this.#bands.entries()) {
      if (count === 0) continue
      const share = (of: number) => `${((100 * of) / count).toFixed(1).padStart(5)} %`
      const band = `${at / bands} to ${(at + 1) / bands}`
      process.stdout.write(`${band.padEnd(10)} ${String(count).padStart(6)}`)
      process.stdout.write(`  ${share(expected)}  ${share(right)}\n`)
    }
    return { name, value: this.error, unit: '0 is best' }
  }
}
