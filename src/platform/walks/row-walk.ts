import { hourMs } from '../../kernel/clock.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../database/database.ts'
import { countNotPassed, type RowKey, saveRowWalk, takeRowWalk } from './store.ts'

/** What is derived in the rows of one table and carries its version beside it. */
export interface DerivedRows {
  /** As the walk and metrics are named. */
  name: string
  table: string
  /** The version of this release. Rows of version 1 are the oldest that there are. */
  version: number
  /** Lists rows behind a key, in the order of their primary key. */
  list(
    db: Db,
    page: { after: RowKey | null; limit: number },
  ): Promise<{ key: RowKey; version: number }[]>
  /** Locks these rows and derives them anew. */
  renew(tx: Tx, keys: readonly RowKey[]): Promise<void>
  /** When the walk ends: after so many rounds, none of them but the first with a find. 2 unless it says. */
  rounds?: number
  /** Between two rounds; an hour unless it says. */
  restMs?: number
}

/** Rows that one turn passes, in one transaction. */
const usualBatchSize = 500
/** The second round is for what a process of the release before wrote behind the first, and is repeated while there is. */
const usualRounds = 2
const usualRestMs = hourMs
const oldestVersion = 1

type Tools = Pick<Context, 'db' | 'now'>

/**
 * One turn of a walk through a table, which makes rows of earlier versions anew: one process at a time, whoever holds
 * the row of the walk. Returns whether there may be more at once.
 */
export async function walkRows(
  { db, now }: Tools,
  rows: DerivedRows,
  { oldest = oldestVersion, batchSize = usualBatchSize } = {},
): Promise<boolean> {
  if (rows.version <= oldest) return false
  return db.transaction(async (tx) => {
    const { name, version, rounds = usualRounds, restMs = usualRestMs } = rows
    const stored = await takeRowWalk(tx, { name, version })
    if (!stored || stored.version > version) return false
    const isNew = stored.version < version
    const state = isNew ? { version, after: null, passed: 0, rounds: 0, endedAt: null } : stored
    const restsUntil = state.after === null && state.endedAt ? state.endedAt.getTime() + restMs : 0
    if (state.rounds >= rounds || now().getTime() < restsUntil) return false
    const page = await rows.list(tx, { after: state.after, limit: batchSize })
    const outdated = page.filter((row) => row.version < version).map(({ key }) => key)
    if (outdated.length > 0) await rows.renew(tx, outdated)
    const last = page.at(-1)
    // A find counts as of the first round: others of its kind may follow.
    const cleanRounds = outdated.length > 0 ? 0 : state.rounds
    const hasMore = page.length === batchSize && last !== undefined
    saveRowWalk(tx, name, {
      version,
      after: hasMore ? last.key : null,
      passed: hasMore ? state.passed + page.length : 0,
      rounds: cleanRounds + (hasMore ? 0 : 1),
      endedAt: hasMore ? state.endedAt : now(),
    })
    return hasMore
  })
}

/** About how many rows earlier versions may have left. */
export async function countOutdatedRows(db: Db, rows: DerivedRows): Promise<number> {
  return rows.version <= oldestVersion ? 0 : countNotPassed(db, rows, rows.table)
}
