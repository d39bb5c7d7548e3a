import type { Db } from '../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../platform/database/sql.ts'
import type { DateFilter } from './filters.ts'
import type { KeyRange } from './kind.ts'

/** Payments of all sellers by their primary key. */

export type PaymentKey = readonly [sellerId: number, orderId: number, id: number]

export interface PaymentExportFilter {
  sellerId: number | null
  siteId: string | null
  statuses: readonly string[] | null
  created: DateFilter
}

export async function findPaymentWindowEnd(
  db: Db,
  { filter, after, size }: { filter: PaymentExportFilter; after: PaymentKey; size: number },
): Promise<PaymentKey | undefined> {
  const [sellerId, orderId, id] = after
  const row = await db.row<{ sellerId: number; orderId: number; id: number }>(
    unnamed(sql`
      select seller_id as "sellerId", order_id as "orderId", id from payments
      where ${ofSeller(filter)} and (seller_id, order_id, id) > (${sellerId}, ${orderId}, ${id})
      order by seller_id, order_id, id offset ${size - 1} limit 1`),
  )
  return row && [row.sellerId, row.orderId, row.id]
}

/** Loads payments of a range as JSON text. */
export async function readExportedPayments(
  db: Db,
  filter: PaymentExportFilter,
  range: KeyRange<PaymentKey>,
): Promise<{ sellerId: number; orderId: number; id: number; payment: string }[]> {
  return db.rows(
    unnamed(sql`
      select seller_id as "sellerId", order_id as "orderId", id, details as payment from payments
      where ${joined(conditionsOf(filter, range), ' and ')}
      order by seller_id, order_id, id limit ${range.limit}`),
  )
}

/** Counts the payments of the seller, or of all. */
export async function countPayments(db: Db, filter: PaymentExportFilter): Promise<number> {
  const row = await db.row<{ count: number }>(
    unnamed(sql`select count(*) as count from payments where ${ofSeller(filter)}`),
  )
  return row?.count ?? 0
}

function ofSeller({ sellerId }: PaymentExportFilter): Template {
  return sellerId === null ? sql`true` : sql`seller_id = ${sellerId}`
}

function conditionsOf(
  filter: PaymentExportFilter,
  { after, until }: KeyRange<PaymentKey>,
): Template[] {
  const { siteId, statuses, created } = filter
  const matches = [
    ofSeller(filter),
    sql`(seller_id, order_id, id) > (${after[0]}, ${after[1]}, ${after[2]})`,
  ]
  if (until) {
    matches.push(sql`(seller_id, order_id, id) <= (${until[0]}, ${until[1]}, ${until[2]})`)
  }
  if (siteId !== null) matches.push(sql`details ->> 'site_id' = ${siteId}`)
  if (statuses !== null) matches.push(sql`status = any(${statuses}::text[])`)
  if (created.from) matches.push(sql`date_created >= ${created.from}`)
  if (created.to) matches.push(sql`date_created <= ${created.to}`)
  return matches
}
