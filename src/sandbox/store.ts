import type { OrderStatus } from '../orders/status.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/** How far the sandbox's clock is ahead of the machine's, in milliseconds. */
export async function readClock(db: Db): Promise<number> {
  const row = await db.row<{ ahead: number }>(sql`select ahead_ms as ahead from sandbox_clock`)
  return row?.ahead ?? 0
}

/** Adds to it, and returns what it is then. */
export async function advanceClock(tx: Tx, byMs: number): Promise<number> {
  const row = await tx.row<{ ahead: number }>(sql`
    insert into sandbox_clock (only_one, ahead_ms) values (true, ${byMs})
    on conflict (only_one) do update set ahead_ms = sandbox_clock.ahead_ms + excluded.ahead_ms
    returning ahead_ms as ahead`)
  return row?.ahead ?? byMs
}

/** Names of what is to look out of reach. */
export async function readFaults(db: Db): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(sql`select name from sandbox_faults order by name`)
  return rows.map(({ name }) => name)
}

/** These and no others; of two at once, one and then the other. */
export async function saveFaults(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.rows(sql`lock table sandbox_faults in share row exclusive mode`)
  await tx.rows(sql`delete from sandbox_faults where name <> all(${names}::text[])`)
  for (const name of names) {
    await tx.rows(sql`
      insert into sandbox_faults (name) values (${name}) on conflict (name) do nothing`)
  }
}

/** Whether nobody has put anything into this database yet. */
export async function isEmptyWorld(db: Db): Promise<boolean> {
  const row = await db.row<{ empty: boolean }>(sql`
    select not exists (select 1 from users) and not exists (select 1 from applications) as empty`)
  return row?.empty ?? true
}

/** Returns whether this transaction is the only one that makes the demo world now. */
export async function tryLockWorld(tx: Tx): Promise<boolean> {
  const row = await tx.row<{ held: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('demo world')) as held`)
  return row?.held ?? false
}

/** An order between these two whose parties may see each other: this one, or else the newest. With
 * the number under which they talk of it. */
export async function findPaidOrder(
  db: Db,
  { sellerId, buyerId, id }: { sellerId: number; buyerId: number; id: number },
): Promise<{ id: number; packId: number } | undefined> {
  return db.row(sql`
    select id, coalesce(pack_id, id) as "packId" from orders
    where seller_id = ${sellerId} and buyer_id = ${buyerId} and status = ${'paid' satisfies OrderStatus}
    order by id = ${id} desc, date_created desc limit 1`)
}

/** How many demo orders there are: their ids follow one another from `first`. */
export async function countDemoOrders(
  db: Db,
  { first, most }: { first: number; most: number },
): Promise<number> {
  const row = await db.row<{ newest: number | null }>(sql`
    select max(order_id) as newest from order_owner
    where order_id >= ${first} and order_id < ${first + most}`)
  return row?.newest ? row.newest - first + 1 : 0
}
