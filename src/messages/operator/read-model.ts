import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ConversationBlock } from '../conversation.ts'
import type { Message } from '../message.ts'
import { type ConversationKey, type MessageRow, messageOf } from '../store.ts'

/** Conversations as the operator lists them, with the nicknames of the buyers. */

export interface ConversationSummary {
  packId: number
  buyerId: number
  buyerNickname: string | null
  /** Number of messages that both parties see. */
  messages: number
  lastMessageAt: Date | null
  block: ConversationBlock | null
}

/** Lists the conversations of a seller by pack id, highest first; with `before`, only lower pack ids. */
export async function listConversations(
  db: Db,
  { sellerId, before, limit }: { sellerId: number; before: number | null; limit: number },
): Promise<ConversationSummary[]> {
  return db.rows(sql`
    select c.pack_id as "packId", c.buyer_id as "buyerId", u.nickname as "buyerNickname",
      least(c.seen_by_seller, c.seen_by_buyer) as messages, c.last_message_at as "lastMessageAt",
      c.block
    from conversations c left join users u on u.id = c.buyer_id
    where c.seller_id = ${sellerId} and (${before}::bigint is null or c.pack_id < ${before})
    order by c.pack_id desc limit ${limit}`)
}

/** Lists all messages of a conversation before a date and id, held-back ones included, newest first. */
export async function listConversationMessages(
  db: Db,
  {
    sellerId,
    packId,
    before,
    id,
    limit,
  }: ConversationKey & {
    before: Date
    id: string
    limit: number
  },
): Promise<Message[]> {
  const rows = await db.rows<MessageRow>(sql`
    select id, seller_id as "sellerId", buyer_id as "buyerId", pack_id as "packId",
      from_id as "fromId", to_id as "toId", text, status, date_created as "dateCreated",
      date_available as "dateAvailable", date_notified as "dateNotified", date_read as "dateRead",
      details
    from messages
    where seller_id = ${sellerId} and pack_id = ${packId} and (date_created, id) < (${before}, ${id})
    order by date_created desc, id desc limit ${limit}`)
  return rows.map(messageOf)
}
