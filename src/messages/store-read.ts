import type { Db } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import type { ConversationStateInput } from './conversation-read-model.ts'
import type { ConversationKey } from './store.ts'

/** Counts the unread messages of a user in a conversation. Returns undefined when there are none. */
export async function countUnread(
  db: Db,
  { sellerId, packId, userId }: ConversationKey & { userId: number },
): Promise<number | undefined> {
  const row = await db.row<{ n: number }>(sql`
    select n from unread_messages
    where user_id = ${userId} and seller_id = ${sellerId} and pack_id = ${packId}`)
  return row?.n
}

/** Counts the unread messages of a user in each conversation of one role. Conversations without any are left out. */
export async function listUnread(
  db: Db,
  { userId, role }: { userId: number; role: 'seller' | 'buyer' },
): Promise<(ConversationKey & { n: number })[]> {
  const isSeller = role === 'seller'
  return db.rows(sql`
    select seller_id as "sellerId", pack_id as "packId", n from unread_messages
    where user_id = ${userId} and (seller_id = ${userId}) = ${isSeller}
    order by pack_id, seller_id`)
}

/** Returns the `page` of `readConversationState` alone. */
export async function readMessagePage(
  db: Db,
  { sellerId, packId, userId, limit, offset }: ConversationStateInput,
): Promise<string> {
  const rows = await db.rows<{ body: string }>(sql`
    select body from messages
    where seller_id = ${sellerId} and pack_id = ${packId}
      and (status = 'available' or from_id = ${userId})
    order by date_created desc, id desc limit ${limit} offset ${offset}`)
  return rows.map(({ body }) => body).join()
}
