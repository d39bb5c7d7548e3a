import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/** Lists the items of a seller by id, after one. */
export async function listItemIds(
  db: Db,
  { sellerId, after, limit }: { sellerId: number; after: string; limit: number },
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from listings where seller_id = ${sellerId} and id > ${after}
    order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Deletes the description of an item. Returns whether there was one. */
export async function deleteDescription(
  tx: Tx,
  { sellerId, itemId }: { sellerId: number; itemId: string },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    delete from listing_descriptions where seller_id = ${sellerId} and item_id = ${itemId}
    returning item_id`)
  return rows.length > 0
}

/** Deletes the errors of a seller's pictures. Returns their number. */
export async function deletePictureErrors(tx: Tx, sellerId: number): Promise<number> {
  const rows = await tx.rows(sql`
    delete from picture_errors where seller_id = ${sellerId} returning picture_id`)
  return rows.length
}

/** Removes the contact and the comments of the quotations that a user asked for. Returns how many had any. */
export async function eraseQuotations(
  tx: Tx,
  { userId, now }: { userId: number; now: Date },
): Promise<number> {
  const nobody = JSON.stringify({
    contact: { name: null, email: null, phone: null },
    comments: null,
  })
  const rows = await tx.rows(sql`
    update quotations set details = (details::jsonb || ${nobody}::jsonb)::json, last_updated = ${now}
    where user_id = ${userId} and not details::jsonb @> ${nobody}::jsonb returning id`)
  return rows.length
}

/** Notes listings of a seller whose training examples are still stored, so that they are removed. Returns how many
 * there are, notes included that wait already. */
export async function noteStoredExamples(
  tx: Tx,
  { sellerId, limit, now }: { sellerId: number; limit: number; now: Date },
): Promise<number> {
  const [notes, examples] = await Promise.all([
    tx.rows<{ itemId: string }>(sql`
      select item_id as "itemId" from lesson_notes where seller_id = ${sellerId} limit ${limit}`),
    tx.rows<{ itemId: string }>(sql`
      select item_id as "itemId" from taught_listings where seller_id = ${sellerId}
      order by item_id limit ${limit}`),
  ])
  if (notes.length > 0) return notes.length
  for (const { itemId } of examples) {
    tx.write(sql`
      insert into lesson_notes (seller_id, id, item_id, noted_by, noted_at)
      values (${sellerId}, ${randomUUID()}, ${itemId}, 'operator', ${now})`)
  }
  return examples.length
}

/** Lists the quotations that a user asked for by ascending id, after one. */
export async function listQuotationsOf(
  db: Db,
  { userId, after, limit }: { userId: number; after: number; limit: number },
): Promise<{ id: number; sellerId: number }[]> {
  return db.rows(sql`
    select id, seller_id as "sellerId" from quotations where user_id = ${userId} and id > ${after}
    order by id limit ${limit}`)
}

/** Lists the pictures of a seller that could not be shown. */
export async function listPictureErrors(
  db: Db,
  { sellerId, after, limit }: { sellerId: number; after: string; limit: number },
): Promise<{ pictureId: string; itemId: string; source: string; message: string }[]> {
  return db.rows(sql`
    select picture_id as "pictureId", item_id as "itemId", source, message from picture_errors
    where seller_id = ${sellerId} and picture_id > ${after} order by picture_id limit ${limit}`)
}
