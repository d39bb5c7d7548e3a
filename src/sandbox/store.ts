import type { OrderStatus } from '../orders/status.ts'
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

/** Replaces the names. Locks the table, so that concurrent changes follow one another. */
export async function saveOrderFaults(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.rows(sql`lock table sandbox_faults in share row exclusive mode`)
  await tx.rows(sql`delete from sandbox_faults where name <> all(${names}::text[])`)
  for (const name of names) {
    await tx.rows(sql`
      insert into sandbox_faults (name) values (${name}) on conflict (name) do nothing`)
  }
}

/** Returns whether the database has neither users nor applications. */
export async function isSandboxEmpty(db: Db): Promise<boolean> {
  const row = await db.row<{ empty: boolean }>(sql`
    select not exists (select 1 from users) and not exists (select 1 from applications) as empty`)
  return row?.empty ?? true
}

/** Locks the making of demo data until the transaction ends. Returns false if another transaction holds the lock. */
export async function tryLockDemoData(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ held: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('demo world')) as held`)
  return row?.held ?? false
}

/** Returns the paid order `id` of these two users, or else their newest paid one. `packId` keys its conversation. */
export async function findPaidOrder(
  db: Db,
  { sellerId, buyerId, id }: { sellerId: number; buyerId: number; id: number },
): Promise<{ id: number; packId: number } | undefined> {
  return db.row(sql`
    select id, coalesce(pack_id, id) as "packId" from orders
    where seller_id = ${sellerId} and buyer_id = ${buyerId} and status = ${'paid' satisfies OrderStatus}
    order by id = ${id} desc, date_created desc limit 1`)
}

/** Counts the demo orders. Their ids are consecutive from `first`. */
export async function countDemoOrders(
  db: Db,
  { first, most }: { first: number; most: number },
): Promise<number> {
  const row = await db.row<{ newest: number | null }>(sql`
    select max(order_id) as newest from order_owner
    where order_id >= ${first} and order_id < ${first + most}`)
  return row?.newest ? row.newest - first + 1 : 0
}
