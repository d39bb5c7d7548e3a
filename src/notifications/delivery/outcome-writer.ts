import type { Database } from '../../platform/database/database.ts'
import { type RetryDue, recordOutcomes, type Work } from './store-outcomes.ts'

interface Waiting {
  work: Work
  resolve(standing: RetryDue): void
  reject(error: unknown): void
}

/**
 * Settles what lanes have sent, with one commit for all that are ready when the one before is done:
 * the busier it is, the more share one.
 */
export class OutcomeWriter {
  readonly #db: Database
  #waiting: Waiting[] = []
  #isBusy = false

  constructor(db: Database) {
    this.#db = db
  }

  settle(work: Work): Promise<RetryDue> {
    const settled = new Promise<RetryDue>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject })
    })
    if (!this.#isBusy) void this.#run()
    return settled
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      const together = this.#waiting.splice(0)
      try {
        const standing = await recordOutcomes(
          this.#db,
          together.map(({ work }) => work),
        )
        for (const [index, { resolve }] of together.entries()) resolve(standing[index])
      } catch (error) {
        if (together.length === 1) together[0]?.reject(error)
        else await this.#oneByOne(together)
      }
    }
    this.#isBusy = false
  }

  /** What cannot be settled with the others takes only itself down. */
  async #oneByOne(together: readonly Waiting[]): Promise<void> {
    for (const { work, resolve, reject } of together) {
      try {
        const [standing] = await recordOutcomes(this.#db, [work])
        resolve(standing)
      } catch (error) {
        reject(error)
      }
    }
  }
}
