import type { Db, Tx } from '../../platform/database/database.ts'
import { OwnerTable } from '../../platform/database/owners.ts'
import { sql } from '../../platform/database/sql.ts'

/** The error of a picture that could not be shown or downloaded. */
export interface PictureError {
  pictureId: string
  sellerId: number
  itemId: string
  /** Address of the picture. */
  source: string
  message: string
}

/** Owner table: the seller of each picture with an error. */
export const pictureOwners = new OwnerTable<string, Pick<PictureError, 'sellerId'>>({
  table: 'picture_owner',
  id: 'picture_id',
  idType: 'text',
  owner: { sellerId: 'seller_id' },
})

/** Returns the error of a picture of this seller, or undefined. Rows are sharded by seller: `pictureOwners` finds the
 * seller of a picture id. */
export async function findPictureError(
  db: Db,
  { sellerId, pictureId }: Pick<PictureError, 'pictureId' | 'sellerId'>,
): Promise<PictureError | undefined> {
  return db.row(sql`
    select picture_id as "pictureId", seller_id as "sellerId", item_id as "itemId", source, message
    from picture_errors where seller_id = ${sellerId} and picture_id = ${pictureId}`)
}

export function savePictureError(tx: Tx, error: PictureError, now: Date): void {
  tx.write(sql`
    insert into picture_errors (seller_id, picture_id, item_id, source, message, date_created,
      last_updated)
    values (${error.sellerId}, ${error.pictureId}, ${error.itemId}, ${error.source},
      ${error.message}, ${now}, ${now})
    on conflict (seller_id, picture_id) do update set item_id = excluded.item_id,
      source = excluded.source, message = excluded.message, last_updated = excluded.last_updated`)
}

/** Deletes the error of a picture. Returns false when there was none. */
export async function deletePictureError(
  db: Db,
  { sellerId, pictureId }: Pick<PictureError, 'pictureId' | 'sellerId'>,
): Promise<boolean> {
  const deleted = await db.rows(sql`
    delete from picture_errors where seller_id = ${sellerId} and picture_id = ${pictureId}
    returning picture_id`)
  return deleted.length > 0
}
