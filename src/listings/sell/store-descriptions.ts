import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface Description {
  plainText: string
  dateCreated: Date
  lastUpdated: Date
}

interface DescriptionKey {
  sellerId: number
  itemId: string
}

export async function findDescription(
  db: Db,
  { sellerId, itemId }: DescriptionKey,
): Promise<Description | undefined> {
  return db.row(sql`
    select plain_text as "plainText", date_created as "dateCreated", last_updated as "lastUpdated"
    from listing_descriptions where seller_id = ${sellerId} and item_id = ${itemId}`)
}

export function saveDescription(
  tx: Tx,
  { sellerId, itemId, plainText, dateCreated, lastUpdated }: Description & DescriptionKey,
): void {
  tx.write(sql`
    insert into listing_descriptions (seller_id, item_id, plain_text, date_created, last_updated)
    values (${sellerId}, ${itemId}, ${plainText}, ${dateCreated}, ${lastUpdated})
    on conflict (seller_id, item_id) do update set plain_text = excluded.plain_text,
      last_updated = excluded.last_updated`)
}
