import { hourMs } from '../../kernel/clock.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../database/database.ts'
import { countNotPassed, type RowKey, saveRowWalk, takeRowWalk } from './store.ts'

/** Derived data in the rows of one table, each with its version. */
export interface DerivedRows {
  /** The name of the walk and of its metric. */
  name: string
  table: string
  /** The version of this release. The oldest rows have version 1. */
  version: number
  /** Lists the rows after a key, in the order of the primary key. */
  list(
    db: Db,
    page: { after: RowKey | null; limit: number },
  ): Promise<{ key: RowKey; version: number }[]>
  /** Locks these rows and derives them again. */
  renew(tx: Tx, keys: readonly RowKey[]): Promise<void>
  /** Number of rounds until the walk ends, counted from the last one that found an outdated row. Default: 2. */
  rounds?: number
  /** Pause between two rounds. Default: an hour. */
  restMs?: number
}

/** Rows per turn, in one transaction. */
const usualBatchSize = 500
/** A second round finds rows that a process of the previous release wrote behind the first. */
const usualRounds = 2
const usualRestMs = hourMs
const oldestVersion = 1

type WalkContext = Pick<Context, 'db' | 'now'>

/**
 * Runs one turn of a walk that renews rows of earlier versions. Only the process that locks the row of the walk works.
 * Returns whether there may be more at once.
 */
export async function walkRows(
  { db, now }: WalkContext,
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
    // An outdated row restarts the count of rounds, because a process of the previous release may still write.
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

/** Returns an estimate of the rows with an earlier version. */
export async function countOutdatedRows(db: Db, rows: DerivedRows): Promise<number> {
  return rows.version <= oldestVersion ? 0 : countNotPassed(db, rows, rows.table)
}
