import { timestamp } from '../kernel/clock.ts'
import type { Db, Tx } from '../platform/database/database.ts'
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

/**
 * Marks the messages of a conversation that this user has not read as read. Invariant: an available message to the
 * user is either dated as read or counted as unread. The row of the count is the lock: it is deleted first. Whoever
 * sends a message meanwhile has committed before, so that the message is dated here, or waits and counts it
 * afterwards. Without a row there is nothing to lock, so nothing is dated: a message that is counted meanwhile stays
 * unread.
 *
 * `body` is the message as JSON. `"read":null` is the field itself in it: JSON escapes quotation marks in texts.
 */
export async function markRead(
  tx: Tx,
  { sellerId, packId, userId, now }: ConversationKey & { userId: number; now: Date },
): Promise<void> {
  const counted = await tx.rows(sql`
    delete from unread_messages
    where user_id = ${userId} and seller_id = ${sellerId} and pack_id = ${packId} returning n`)
  if (counted.length === 0) return
  tx.write(sql`
    update messages set date_read = ${now}, body = replace(body, '"read":null', ${jsonField('read', now)})
    where seller_id = ${sellerId} and pack_id = ${packId} and to_id = ${userId}
      and date_read is null and status = 'available'`)
}

/** Sets when the receivers of these messages were notified. Messages that have the date keep it. */
export function markNotified(
  tx: Tx,
  { sellerId, ids, now }: { sellerId: number; ids: readonly string[]; now: Date },
): void {
  tx.write(sql`
    update messages set date_notified = ${now},
      body = replace(body, '"notified":null', ${jsonField('notified', now)})
    where seller_id = ${sellerId} and id = any(${ids}::text[]) and date_notified is null`)
}

function jsonField(field: string, now: Date): string {
  return `"${field}":"${timestamp(now)}"`
}
