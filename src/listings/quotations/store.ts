import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Quotation } from './quotation.ts'

/** A quotation with its moments. */
export interface SavedQuotation extends Quotation {
  dateCreated: Date
  lastUpdated: Date
}

/** Makes the quotation this seller's, and locks it until the transaction ends; returns whose it is,
 * which may be somebody else's already. */
export async function claimQuotation(
  tx: Tx,
  { id, sellerId }: Pick<Quotation, 'id' | 'sellerId'>,
): Promise<number> {
  const row = await tx.row<{ sellerId: number }>(sql`
    insert into quotation_owner (quotation_id, seller_id) values (${id}, ${sellerId})
    on conflict (quotation_id) do update set seller_id = quotation_owner.seller_id
    returning seller_id as "sellerId"`)
  return row?.sellerId ?? sellerId
}

export async function findQuotationOwner(db: Db, id: number): Promise<number | undefined> {
  const row = await db.row<{ sellerId: number }>(sql`
    select seller_id as "sellerId" from quotation_owner where quotation_id = ${id}`)
  return row?.sellerId
}

/** A quotation on a listing of this seller's. */
export async function findQuotation(
  db: Db,
  { sellerId, id }: Pick<Quotation, 'id' | 'sellerId'>,
): Promise<SavedQuotation | undefined> {
  const row = await db.row<SavedQuotation & { details: string }>(sql`
    select id, seller_id as "sellerId", item_id as "itemId", user_id as "userId", status, details,
      date_created as "dateCreated", last_updated as "lastUpdated"
    from quotations where seller_id = ${sellerId} and id = ${id}`)
  if (!row) return undefined
  const { details, ...columns } = row
  return { ...columns, ...JSON.parse(details) }
}

/** Writes a quotation whole. Its id was claimed before. */
export function saveQuotation(tx: Tx, quotation: Quotation, now: Date): void {
  const { id, sellerId, itemId, userId, status, ...details } = quotation
  tx.write(sql`
    insert into quotations (seller_id, id, item_id, user_id, status, details, date_created,
      last_updated)
    values (${sellerId}, ${id}, ${itemId}, ${userId}, ${status}, ${JSON.stringify(details)}, ${now},
      ${now})
    on conflict (seller_id, id) do update set item_id = excluded.item_id,
      user_id = excluded.user_id, status = excluded.status, details = excluded.details,
      last_updated = excluded.last_updated`)
}
