import type { Database } from '../../platform/database/database.ts'
import { type BatchOutcomes, type RetryDue, recordOutcomes } from './store-outcomes.ts'

interface PendingWork {
  work: BatchOutcomes
  resolve(retryDue: RetryDue): void
  reject(error: unknown): void
}

/** Records the outcomes of all queues. While one commit runs, others wait and then share the next (group commit). */
export class OutcomeWriter {
  readonly #db: Database
  #pending: PendingWork[] = []
  #isBusy = false

  constructor(db: Database) {
    this.#db = db
  }

  /** Records a batch. Resolves with the next retry of its queue, or undefined when its lease was lost. */
  record(work: BatchOutcomes): Promise<RetryDue> {
    const retryDue = new Promise<RetryDue>((resolve, reject) => {
      this.#pending.push({ work, resolve, reject })
    })
    if (!this.#isBusy) void this.#run()
    return retryDue
  }

  /** Records what is pending, group by group, until nothing is left. A failed group is recorded batch by batch. */
  async #run(): Promise<void> {
    this.#isBusy = true
    while (this.#pending.length > 0) {
      const group = this.#pending.splice(0)
      try {
        const retryDues = await recordOutcomes(
          this.#db,
          group.map(({ work }) => work),
        )
        for (const [index, { resolve }] of group.entries()) resolve(retryDues[index])
      } catch (error) {
        if (group.length === 1) group[0]?.reject(error)
        else await this.#recordOneByOne(group)
      }
    }
    this.#isBusy = false
  }

  /** Records each batch of a group whose commit failed by itself, so that only the batch at fault is rejected. The
   * failed commit wrote nothing, because it is one transaction. */
  async #recordOneByOne(group: readonly PendingWork[]): Promise<void> {
    for (const { work, resolve, reject } of group) {
      try {
        const [retryDue] = await recordOutcomes(this.#db, [work])
        resolve(retryDue)
      } catch (error) {
        reject(error)
      }
    }
  }
}
