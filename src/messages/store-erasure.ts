import { erasedText } from '../kernel/erased-text.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import type { Message } from './message.ts'
import { type ConversationKey, type MessageRow, messageOf, messageRow } from './store.ts'

/** Locks the messages of one sender in a conversation that still have a text, a subject or attachments. */
export async function lockWrittenMessages(
  tx: Tx,
  { sellerId, packId, fromId, limit }: ConversationKey & { fromId: number; limit: number },
): Promise<Message[]> {
  const rows = await tx.rows<MessageRow>(sql`
    select id, seller_id as "sellerId", buyer_id as "buyerId", pack_id as "packId",
      from_id as "fromId", to_id as "toId", text, status, date_created as "dateCreated",
      date_available as "dateAvailable", date_notified as "dateNotified", date_read as "dateRead",
      details
    from messages where seller_id = ${sellerId} and pack_id = ${packId} and from_id = ${fromId}
      and (text <> ${erasedText} or details ->> 'subject' is not null
        or details #>> '{attachments,0}' is not null)
    order by id limit ${limit} for update`)
  return rows.map(messageOf)
}

/** Saves what a message says. */
export function saveMessageContent(tx: Tx, message: Message): void {
  const row = messageRow(message)
  tx.write(sql`
    update messages set text = ${row.text}, details = ${row.details}, body = ${row.body}
    where seller_id = ${row.seller_id} and pack_id = ${row.pack_id} and id = ${row.id}`)
}

/** Deletes the fingerprints of what a seller wrote lately. */
export function deleteFingerprintsOf(tx: Tx, sellerId: number): void {
  tx.write(sql`delete from message_prints where seller_id = ${sellerId}`)
}

/** Lists the messages of a conversation that a party sees, as JSON, by id after one. */
export async function listMessageBodies(
  db: Db,
  {
    sellerId,
    packId,
    userId,
    after,
    limit,
  }: ConversationKey & {
    userId: number
    after: string
    limit: number
  },
): Promise<{ id: string; body: string }[]> {
  return db.rows(sql`
    select id, body from messages
    where seller_id = ${sellerId} and pack_id = ${packId} and id > ${after}
      and (status = 'available' or from_id = ${userId})
    order by id limit ${limit}`)
}
