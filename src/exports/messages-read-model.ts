import type { Db } from '../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../platform/database/sql.ts'
import type { DateFilter } from './filters.ts'
import type { KeyRange } from './kind.ts'

/** Messages of all conversations by their primary key. */

export type MessageKey = readonly [sellerId: number, packId: number, id: string]

export interface MessageExportFilter {
  sellerId: number | null
  buyerId: number | null
  siteId: string | null
  statuses: readonly string[] | null
  created: DateFilter
}

export async function findMessageWindowEnd(
  db: Db,
  { filter, after, size }: { filter: MessageExportFilter; after: MessageKey; size: number },
): Promise<MessageKey | undefined> {
  const [sellerId, packId, id] = after
  const row = await db.row<{ sellerId: number; packId: number; id: string }>(
    unnamed(sql`
      select seller_id as "sellerId", pack_id as "packId", id from messages
      where ${ofSeller(filter)} and (seller_id, pack_id, id) > (${sellerId}, ${packId}, ${id})
      order by seller_id, pack_id, id offset ${size - 1} limit 1`),
  )
  return row && [row.sellerId, row.packId, row.id]
}

/** Loads messages of a range as JSON text. */
export async function readExportedMessages(
  db: Db,
  filter: MessageExportFilter,
  range: KeyRange<MessageKey>,
): Promise<{ sellerId: number; packId: number; id: string; body: string }[]> {
  return db.rows(
    unnamed(sql`
      select seller_id as "sellerId", pack_id as "packId", id, body from messages
      where ${joined(conditionsOf(filter, range), ' and ')}
      order by seller_id, pack_id, id limit ${range.limit}`),
  )
}

/** Counts the messages of the seller, or of all. */
export async function countMessages(db: Db, filter: MessageExportFilter): Promise<number> {
  const row = await db.row<{ count: number }>(
    unnamed(sql`select count(*) as count from messages where ${ofSeller(filter)}`),
  )
  return row?.count ?? 0
}

function ofSeller({ sellerId }: MessageExportFilter): Template {
  return sellerId === null ? sql`true` : sql`seller_id = ${sellerId}`
}

function conditionsOf(
  filter: MessageExportFilter,
  { after, until }: KeyRange<MessageKey>,
): Template[] {
  const { buyerId, siteId, statuses, created } = filter
  const matches = [
    ofSeller(filter),
    sql`(seller_id, pack_id, id) > (${after[0]}, ${after[1]}, ${after[2]})`,
  ]
  if (until) {
    matches.push(sql`(seller_id, pack_id, id) <= (${until[0]}, ${until[1]}, ${until[2]})`)
  }
  if (buyerId !== null) matches.push(sql`buyer_id = ${buyerId}`)
  if (siteId !== null) matches.push(sql`details ->> 'siteId' = ${siteId}`)
  if (statuses !== null) matches.push(sql`status = any(${statuses}::text[])`)
  if (created.from) matches.push(sql`date_created >= ${created.from}`)
  if (created.to) matches.push(sql`date_created <= ${created.to}`)
  return matches
}
