import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Marks up to `limit` uploads of a user as removing, whatever they are attached to. Returns their ids. */
export async function markUploadsRemoving(
  db: Db,
  { userId, limit, now }: { userId: number; limit: number; now: Date },
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    update attachments set state = 'removing', expires_at = ${now}, original_filename = '',
      seller_id = null, buyer_id = null, pack_id = null, message_id = null
    where user_id = ${userId} and id in
      (select id from attachments where user_id = ${userId} order by id limit ${limit})
    returning id`)
  return rows.map(({ id }) => id)
}

/** Lists the ids of the stored uploads of a user, after one. */
export async function listUploadIds(
  db: Db,
  { userId, after, limit }: { userId: number; after: string; limit: number },
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from attachments
    where user_id = ${userId} and id > ${after} and state in ('stored', 'attached')
    order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}
