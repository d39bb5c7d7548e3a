import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface Snapshot {
  name: string
  place: string
  /** The schema step at which it was saved. */
  step: number
  /** The time of the sandbox when it was saved. */
  worldTime: Date
  /** The tables that had rows. */
  tables: readonly string[]
  rows: number
  bytes: number
  files: number
  ms: number
  dateCreated: Date
}

const columns = sql`name, place, step, world_time as "worldTime", tables, n_rows as rows,
  n_bytes as bytes, n_files as files, ms, date_created as "dateCreated"`

/** Lists snapshots by name. */
export async function listSnapshots(db: Db): Promise<Snapshot[]> {
  return db.rows(sql`select ${columns} from sandbox_snapshots order by name`)
}

export async function findSnapshot(db: Db, name: string): Promise<Snapshot | undefined> {
  return db.row(sql`select ${columns} from sandbox_snapshots where name = ${name}`)
}

/** Saves a snapshot, replacing the one of the same name. */
export async function insertSnapshot(tx: Tx, snapshot: Snapshot): Promise<void> {
  const { name, place, step, worldTime, tables, rows, bytes, files, ms, dateCreated } = snapshot
  await tx.rows(sql`
    insert into sandbox_snapshots (name, place, step, world_time, tables, n_rows, n_bytes, n_files,
      ms, date_created)
    values (${name}, ${place}, ${step}, ${worldTime}, ${tables}, ${rows}, ${bytes}, ${files}, ${ms},
      ${dateCreated})
    on conflict (name) do update set step = excluded.step, world_time = excluded.world_time,
      tables = excluded.tables, n_rows = excluded.n_rows, n_bytes = excluded.n_bytes,
      n_files = excluded.n_files, ms = excluded.ms, date_created = excluded.date_created`)
}

export async function deleteSnapshot(tx: Tx, name: string): Promise<void> {
  await tx.rows(sql`delete from sandbox_snapshots where name = ${name}`)
}

/**
 * Blocks other saves and loads until the transaction ends. `lock table` takes no view of the data, unlike a `select`. So a
 * repeatable read that waited here sees what the transaction before it committed. An earlier view would find empty
 * tables after a load, because `truncate` removes rows from every view.
 */
export async function lockSnapshots(tx: Tx): Promise<void> {
  await tx.rows({
    text: 'lock table sandbox_snapshots in share row exclusive mode',
    name: undefined,
    values: [],
  })
}

/** Raises the number of loads, by which a process notices a load whose signal it missed. */
export async function incrementLoadCount(tx: Tx): Promise<void> {
  await tx.rows(sql`
    insert into sandbox_world (only_one, number) values (true, 1)
    on conflict (only_one) do update set number = sandbox_world.number + 1`)
}

export async function readLoadCount(db: Db): Promise<number> {
  const row = await db.row<{ number: number }>(sql`select number from sandbox_world`)
  return row?.number ?? 0
}

/** Sets the offset of the sandbox clock in milliseconds; negative is behind. */
export async function setClockOffset(tx: Tx, aheadMs: number): Promise<void> {
  await tx.rows(sql`
    insert into sandbox_clock (only_one, ahead_ms) values (true, ${aheadMs})
    on conflict (only_one) do update set ahead_ms = excluded.ahead_ms`)
}
