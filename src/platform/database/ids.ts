import { firstId, type IdKind } from '../../kernel/ids.ts'
import type { Db } from './database.ts'
import { sql } from './sql.ts'

const blockSize = 1_000

/**
 * Gives out numbers that no other process gives out. Each process takes them from the database in
 * blocks, so that an id costs no round trip and needs no sequence (which a cluster would draw per
 * node). Numbers are unique, not gapless, and say nothing of the order of commits.
 */
export class Ids {
  readonly #db: Db
  readonly #blocks = new Map<IdKind, { next: number; end: number }>()
  /** Under way, by kind: those who find a block empty together wait for one new block, not for many. */
  readonly #refills = new Map<IdKind, Promise<void>>()

  constructor(db: Db) {
    this.#db = db
  }

  async next(kind: IdKind): Promise<number> {
    const [id] = await this.take(kind, 1)
    return id as number
  }

  async take(kind: IdKind, count: number): Promise<number[]> {
    const taken: number[] = []
    while (taken.length < count) {
      const block = this.#blocks.get(kind)
      if (block && block.next < block.end) taken.push(block.next++)
      else await this.#refillOnce(kind, Math.max(blockSize, count - taken.length))
    }
    return taken
  }

  /** Draws a new block of each kind when one is next needed. */
  forget(): void {
    this.#blocks.clear()
  }

  #refillOnce(kind: IdKind, size: number): Promise<void> {
    const underWay = this.#refills.get(kind)
    if (underWay) return underWay
    const refill = this.#refill(kind, size).finally(() => this.#refills.delete(kind))
    this.#refills.set(kind, refill)
    return refill
  }

  async #refill(kind: IdKind, size: number): Promise<void> {
    const first = firstId[kind]
    const row = await this.#db.row<{ next_id: number }>(sql`
      insert into id_blocks (kind, next_id) values (${kind}, ${first + size})
      on conflict (kind) do update set next_id = id_blocks.next_id + ${size}
      returning next_id`)
    if (!row) throw new Error(`no block of ${kind} ids`)
    this.#blocks.set(kind, { next: row.next_id - size, end: row.next_id })
  }
}

/** A number of ours that an operator has used before us. */
export class OwnIdTaken extends Error {}

/** Draws numbers and works with them, anew while one of ours turns out to be taken. They are drawn
 * outside the transaction: one that holds a connection must not wait for a second. */
export async function untilFree<I, T>(
  draw: () => Promise<I>,
  work: (drawn: I) => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work(await draw())
    } catch (error) {
      if (!(error instanceof OwnIdTaken)) throw error
    }
  }
}
