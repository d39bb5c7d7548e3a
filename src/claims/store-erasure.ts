import { erasedText } from '../kernel/erased-text.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/** Replaces the texts of the resolutions of claims on an order. The transaction has locked the order. Returns the number
 * of changed claims. */
export async function eraseClaims(
  tx: Tx,
  { sellerId, orderId }: { sellerId: number; orderId: number },
): Promise<number> {
  const rows = await tx.rows(sql`
    update claims set details =
      jsonb_set(details::jsonb, '{resolution,reason}', to_jsonb(${erasedText}::text))::json
    where seller_id = ${sellerId} and order_id = ${orderId}
      and details #>> '{resolution,reason}' <> ${erasedText}
    returning id`)
  return rows.length
}

/** Lists the ids of the claims on an order. */
export async function listClaimIds(
  db: Db,
  { sellerId, orderId }: { sellerId: number; orderId: number },
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from claims where seller_id = ${sellerId} and order_id = ${orderId} order by id`)
  return rows.map(({ id }) => id)
}
