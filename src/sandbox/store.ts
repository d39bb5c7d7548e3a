import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/** Returns the offset of the sandbox clock from the machine's, in milliseconds. */
export async function readClockOffset(db: Db): Promise<number> {
  const row = await db.row<{ ahead: number }>(sql`select ahead_ms as ahead from sandbox_clock`)
  return row?.ahead ?? 0
}

/** Adds to the offset of the clock. Returns the new offset in milliseconds. */
export async function advanceClockOffset(tx: Tx, byMs: number): Promise<number> {
  const row = await tx.row<{ ahead: number }>(sql`
    insert into sandbox_clock (only_one, ahead_ms) values (true, ${byMs})
    on conflict (only_one) do update set ahead_ms = sandbox_clock.ahead_ms + excluded.ahead_ms
    returning ahead_ms as ahead`)
  return row?.ahead ?? byMs
}

/** Returns the names of the parts of orders that are simulated as missing. */
export async function readOrderFaults(db: Db): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(sql`select name from sandbox_faults order by name`)
  return rows.map(({ name }) => name)
}

/** Makes concurrent changes follow one another until the transaction ends. */
export async function lockOrderFaults(tx: Tx): Promise<void> {
  await tx.rows(sql`lock table sandbox_faults in share row exclusive mode`)
}

/** Replaces the names. */
export async function saveOrderFaults(tx: Tx, names: readonly string[]): Promise<void> {
  await lockOrderFaults(tx)
  await tx.rows(sql`delete from sandbox_faults where name <> all(${names}::text[])`)
  for (const name of names) {
    await tx.rows(sql`
      insert into sandbox_faults (name) values (${name}) on conflict (name) do nothing`)
  }
}

/** Locks the making of demo data until the transaction ends. Returns false if another transaction holds the lock. */
export async function tryLockDemoData(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ held: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('demo world')) as held`)
  return row?.held ?? false
}
