import type { Db, Tx } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** The primary key of a row. */
export type RowKey = readonly (number | string)[]

export interface WalkState {
  version: number
  /** The key of the last passed row. Null at the beginning of a round. */
  after: RowKey | null
  /** Rows passed in this round. */
  passed: number
  /** Completed rounds. */
  rounds: number
  endedAt: Date | null
}

type WalkRow = Omit<WalkState, 'after'> & { after: string | null }

const columns = sql`version, passed_key as after, passed, rounds, ended_at as "endedAt"`

const stateOf = (row: WalkRow | undefined): WalkState | undefined =>
  row && { ...row, after: row.after === null ? null : JSON.parse(row.after) }

/** Locks a walk and returns its state. Undefined if another process has locked it. */
export async function takeRowWalk(
  tx: Tx,
  { name, version }: { name: string; version: number },
): Promise<WalkState | undefined> {
  await tx.rows(sql`
    insert into row_walks (name, version, passed, rounds) values (${name}, ${version}, 0, 0)
    on conflict (name) do nothing`)
  return stateOf(
    await tx.row<WalkRow>(sql`
      select ${columns} from row_walks where name = ${name} for update skip locked`),
  )
}

export function saveRowWalk(tx: Tx, name: string, state: WalkState): void {
  const after = state.after && JSON.stringify(state.after)
  tx.write(sql`
    update row_walks set version = ${state.version}, passed_key = ${after}, passed = ${state.passed},
      rounds = ${state.rounds}, ended_at = ${state.endedAt}
    where name = ${name}`)
}

/** Returns an estimate of the rows that a walk has not passed yet, or 0 after its first round. */
export async function countNotPassed(
  db: Db,
  { name, version }: { name: string; version: number },
  table: string,
): Promise<number> {
  const row = await db.row<{ n: number }>(sql`
    select case when w.version > ${version} or (w.version = ${version} and w.rounds > 0) then 0
      else greatest(1, c.reltuples
        - case when w.version = ${version} then w.passed else 0 end) end::bigint as n
    from pg_class c left join row_walks w on w.name = ${name}
    where c.oid = to_regclass(${table})`)
  return row?.n ?? 0
}
