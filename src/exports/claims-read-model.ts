import type { Claim } from '../claims/claim.ts'
import type { Db } from '../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../platform/database/sql.ts'
import type { DateFilter } from './filters.ts'
import type { KeyRange } from './kind.ts'

/** Claims of all sellers by their primary key. */

export type ClaimKey = readonly [sellerId: number, id: number]

export interface ClaimExportFilter {
  sellerId: number | null
  buyerId: number | null
  siteId: string | null
  statuses: readonly string[] | null
  types: readonly string[] | null
  stages: readonly string[] | null
  reasonId: string | null
  created: DateFilter
  updated: DateFilter
}

export async function findClaimWindowEnd(
  db: Db,
  { filter, after, size }: { filter: ClaimExportFilter; after: ClaimKey; size: number },
): Promise<ClaimKey | undefined> {
  const [sellerId, id] = after
  const row = await db.row<{ sellerId: number; id: number }>(
    unnamed(sql`
      select seller_id as "sellerId", id from claims
      where ${ofSeller(filter)} and (seller_id, id) > (${sellerId}, ${id})
      order by seller_id, id offset ${size - 1} limit 1`),
  )
  return row && [row.sellerId, row.id]
}

export type ExportedClaimRow = Pick<
  Claim,
  | 'id'
  | 'sellerId'
  | 'buyerId'
  | 'orderId'
  | 'type'
  | 'stage'
  | 'status'
  | 'dateCreated'
  | 'lastUpdated'
> & {
  /** The other fields, as JSON. */
  details: string
}

export async function readExportedClaims(
  db: Db,
  filter: ClaimExportFilter,
  range: KeyRange<ClaimKey>,
): Promise<ExportedClaimRow[]> {
  return db.rows(
    unnamed(sql`
      select id, seller_id as "sellerId", buyer_id as "buyerId", order_id as "orderId", type, stage,
        status, date_created as "dateCreated", last_updated as "lastUpdated", details
      from claims where ${joined(conditionsOf(filter, range), ' and ')}
      order by seller_id, id limit ${range.limit}`),
  )
}

/** Counts the claims of the seller, or of all. */
export async function countClaims(db: Db, filter: ClaimExportFilter): Promise<number> {
  const row = await db.row<{ count: number }>(
    unnamed(sql`select count(*) as count from claims where ${ofSeller(filter)}`),
  )
  return row?.count ?? 0
}

function ofSeller({ sellerId }: ClaimExportFilter): Template {
  return sellerId === null ? sql`true` : sql`seller_id = ${sellerId}`
}

function conditionsOf(filter: ClaimExportFilter, { after, until }: KeyRange<ClaimKey>): Template[] {
  const { buyerId, siteId, statuses, types, stages, reasonId, created, updated } = filter
  const matches = [ofSeller(filter), sql`(seller_id, id) > (${after[0]}, ${after[1]})`]
  if (until) matches.push(sql`(seller_id, id) <= (${until[0]}, ${until[1]})`)
  if (buyerId !== null) matches.push(sql`buyer_id = ${buyerId}`)
  if (siteId !== null) matches.push(sql`details ->> 'siteId' = ${siteId}`)
  if (statuses !== null) matches.push(sql`status = any(${statuses}::text[])`)
  if (types !== null) matches.push(sql`type = any(${types}::text[])`)
  if (stages !== null) matches.push(sql`stage = any(${stages}::text[])`)
  if (reasonId !== null) matches.push(sql`details ->> 'reasonId' = ${reasonId}`)
  if (created.from) matches.push(sql`date_created >= ${created.from}`)
  if (created.to) matches.push(sql`date_created <= ${created.to}`)
  if (updated.from) matches.push(sql`last_updated >= ${updated.from}`)
  if (updated.to) matches.push(sql`last_updated <= ${updated.to}`)
  return matches
}
