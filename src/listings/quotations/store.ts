import type { Db, Tx } from '../../platform/database/database.ts'
import { OwnerTable } from '../../platform/database/owners.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Quotation } from './quotation.ts'

/** A stored quotation with its dates. */
export interface SavedQuotation extends Quotation {
  dateCreated: Date
  lastUpdated: Date
}

/** Owner table: the seller of each quotation. */
export const quotationOwners = new OwnerTable<number, Pick<Quotation, 'sellerId'>>({
  table: 'quotation_owner',
  id: 'quotation_id',
  idType: 'bigint',
  owner: { sellerId: 'seller_id' },
})

/** Fields of a quotation that have a column. `details` holds the others as JSON. */
type QuotationRow = Pick<
  SavedQuotation,
  'id' | 'sellerId' | 'itemId' | 'userId' | 'status' | 'dateCreated' | 'lastUpdated'
> & { details: string }

/** Loads a quotation on a listing of this seller. */
export async function findQuotation(
  db: Db,
  { sellerId, id }: Pick<Quotation, 'id' | 'sellerId'>,
): Promise<SavedQuotation | undefined> {
  const row = await db.row<QuotationRow>(sql`
    select id, seller_id as "sellerId", item_id as "itemId", user_id as "userId", status, details,
      date_created as "dateCreated", last_updated as "lastUpdated"
    from quotations where seller_id = ${sellerId} and id = ${id}`)
  if (!row) return undefined
  const { details, ...columns } = row
  return { ...columns, ...JSON.parse(details) }
}

/** Saves all fields of a quotation. Its owner must exist. */
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
