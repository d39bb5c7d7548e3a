import { firstId, type IdKind } from '../../kernel/ids.ts'
import type { Db, Tx } from './database.ts'
import { sql } from './sql.ts'

/** Ids that a process reserves at once. */
const blockSize = 1_000

/**
 * Generates ids that are unique across processes. Each process reserves blocks of 1,000 in the database, so that an id
 * costs no round trip. Sequences do not work on a cluster, where each node has its own. Ids have gaps and do not follow
 * the order of commits.
 */
export class Ids {
  readonly #db: Db
  readonly #blocks = new Map<IdKind, { next: number; end: number }>()
  /** Running refills by kind. Concurrent callers share one refill. */
  readonly #refills = new Map<IdKind, Promise<void>>()

  constructor(db: Db) {
    this.#db = db
  }

  /** Returns a new id. */
  async next(kind: IdKind): Promise<number> {
    const [id] = await this.nextMany(kind, 1)
    return id as number
  }

  /** Returns `count` new ids. */
  async nextMany(kind: IdKind, count: number): Promise<number[]> {
    const ids: number[] = []
    while (ids.length < count) {
      const block = this.#blocks.get(kind)
      if (block && block.next < block.end) ids.push(block.next++)
      else await this.#refillOnce(kind, Math.max(blockSize, count - ids.length))
    }
    return ids
  }

  /** Drops the reserved blocks. The next id comes from a new block. */
  forget(): void {
    this.#blocks.clear()
  }

  #refillOnce(kind: IdKind, size: number): Promise<void> {
    const running = this.#refills.get(kind)
    if (running) return running
    const refill = this.#refill(kind, size).finally(() => this.#refills.delete(kind))
    this.#refills.set(kind, refill)
    return refill
  }

  /** Reserves a block of ids for this process. Ids that it does not use are lost. */
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

/** The first id of the next block of a kind. */
interface NextId {
  kind: string
  nextId: number
}

/** Returns the next ids of these kinds. A kind without ids so far is left out. */
export async function readNextIds(db: Db, kinds: readonly IdKind[]): Promise<NextId[]> {
  return db.rows(sql`
    select kind, next_id as "nextId" from id_blocks where kind = any(${kinds}::text[])`)
}

/** Makes sure that no id before these is generated again. */
export async function raiseNextIds(tx: Tx, nextIds: readonly NextId[]): Promise<void> {
  for (const { kind, nextId } of nextIds) {
    await tx.rows(sql`
      insert into id_blocks (kind, next_id) values (${kind}, ${nextId})
      on conflict (kind) do update set next_id = greatest(id_blocks.next_id, excluded.next_id)
      returning kind`)
  }
}

/** A generated id was already used by an operator. */
export class GeneratedIdTaken extends Error {}

/** Runs `work` with generated ids, again with new ones whenever it throws `GeneratedIdTaken`. `generate` runs outside the
 * transaction of `work`: a caller that holds a connection must not wait for another. */
export async function withFreeIds<I, T>(
  generate: () => Promise<I>,
  work: (ids: I) => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work(await generate())
    } catch (error) {
      if (!(error instanceof GeneratedIdTaken)) throw error
    }
  }
}
