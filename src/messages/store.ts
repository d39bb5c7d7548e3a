import { timestamp } from '../kernel/clock.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { OwnerTable } from '../platform/database/owners.ts'
import { sql } from '../platform/database/sql.ts'
import type { ConversationRecord } from './conversation.ts'
import type { AttachmentElement, Message, Moderation } from './message.ts'
import { messageView } from './view.ts'

/** Identifies a conversation: a pack and one of its sellers. */
export interface ConversationKey {
  sellerId: number
  packId: number
}

/** Owner table: the conversation of each message id. */
export const messageOwners = new OwnerTable<string, ConversationKey>({
  table: 'message_owner',
  id: 'message_id',
  idType: 'text',
  owner: { sellerId: 'seller_id', packId: 'pack_id' },
})

type ConversationRow = Omit<ConversationRecord, 'spent'> & { spent: string }

/** Creates the conversation if it does not exist, and locks it until the transaction ends. */
export async function lockConversation(
  tx: Tx,
  { sellerId, packId, buyerId }: ConversationKey & { buyerId: number },
): Promise<ConversationRecord> {
  const rows = await tx.rows<ConversationRow>(sql`
    insert into conversations (seller_id, pack_id, buyer_id)
    values (${sellerId}, ${packId}, ${buyerId})
    on conflict (seller_id, pack_id) do update set buyer_id = excluded.buyer_id
    returning last_message_at as "lastMessageAt", buyer_wrote_at as "buyerWroteAt", block,
      blocked_at as "blockedAt", spent`)
  return conversationOf(rows[0] as ConversationRow)
}

/** Locks an existing conversation without waiting. Throws SQLSTATE 55P03 when another transaction holds the lock.
 * Returns undefined when the conversation does not exist. */
export async function tryLockConversation(
  tx: Tx,
  { sellerId, packId }: ConversationKey,
): Promise<ConversationRecord | undefined> {
  const row = await tx.row<ConversationRow>(sql`
    select last_message_at as "lastMessageAt", buyer_wrote_at as "buyerWroteAt", block,
      blocked_at as "blockedAt", spent
    from conversations where seller_id = ${sellerId} and pack_id = ${packId} for update nowait`)
  return row && conversationOf(row)
}

/** Creates the conversation if it does not exist. */
export async function createConversation(
  db: Db,
  { sellerId, packId, buyerId }: ConversationKey & { buyerId: number },
): Promise<void> {
  await db.rows(sql`
    insert into conversations (seller_id, pack_id, buyer_id)
    values (${sellerId}, ${packId}, ${buyerId}) on conflict (seller_id, pack_id) do nothing`)
}

/** Loads the stored state of a conversation. Undefined before its first message. */
export async function readConversation(
  db: Db,
  { sellerId, packId }: ConversationKey,
): Promise<ConversationRecord | undefined> {
  const row = await db.row<ConversationRow>(sql`
    select last_message_at as "lastMessageAt", buyer_wrote_at as "buyerWroteAt", block,
      blocked_at as "blockedAt", spent
    from conversations where seller_id = ${sellerId} and pack_id = ${packId}`)
  return row && conversationOf(row)
}

function conversationOf(row: ConversationRow): ConversationRecord {
  return { ...row, spent: JSON.parse(row.spent) }
}

/** Sets or lifts the operator's block of a conversation. */
export function saveBlock(
  tx: Tx,
  { sellerId, packId }: ConversationKey,
  { block, blockedAt }: Pick<ConversationRecord, 'block' | 'blockedAt'>,
): void {
  tx.write(sql`
    update conversations set block = ${block}, blocked_at = ${blockedAt}
    where seller_id = ${sellerId} and pack_id = ${packId}`)
}

/** Adds a message to a locked conversation and, when it is available, to the unread count of its receiver. */
export function insertMessage(tx: Tx, message: Message, thread: ConversationRecord): void {
  const row = messageRow(message)
  const { seller, buyer } = viewerCounts(message)
  tx.write(sql`
    insert into messages (seller_id, pack_id, id, buyer_id, from_id, to_id, text, status,
      date_created, date_available, date_notified, date_read, details, body)
    values (${row.seller_id}, ${row.pack_id}, ${row.id}, ${row.buyer_id}, ${row.from_id},
      ${row.to_id}, ${row.text}, ${row.status}, ${row.date_created}, ${row.date_available},
      ${row.date_notified}, ${row.date_read}, ${row.details}, ${row.body})`)
  messageOwners.insert(tx, message)
  tx.write(sql`
    update conversations set seen_by_seller = seen_by_seller + ${seller},
      seen_by_buyer = seen_by_buyer + ${buyer}, last_message_at = ${thread.lastMessageAt},
      buyer_wrote_at = ${thread.buyerWroteAt}, spent = ${JSON.stringify(thread.spent)}
    where seller_id = ${row.seller_id} and pack_id = ${row.pack_id}`)
  if (message.status === 'available') addUnread(tx, message)
}

/** Returns 1 for each party that sees the message, else 0. */
export function viewerCounts({ status, fromId, sellerId }: Message): {
  seller: number
  buyer: number
} {
  const isAvailable = status === 'available'
  return {
    seller: isAvailable || fromId === sellerId ? 1 : 0,
    buyer: isAvailable || fromId !== sellerId ? 1 : 0,
  }
}

function addUnread(tx: Tx, { toId, sellerId, packId }: Message): void {
  tx.write(sql`
    insert into unread_messages as u (user_id, seller_id, pack_id, n)
    values (${toId}, ${sellerId}, ${packId}, 1)
    on conflict (user_id, seller_id, pack_id) do update set n = u.n + excluded.n`)
}

/** Saves a held-back message that was released, in its locked conversation, and counts it as unread. */
export function releaseMessage(tx: Tx, message: Message, thread: ConversationRecord): void {
  const row = messageRow(message)
  tx.write(sql`
    update messages set status = ${row.status}, date_available = ${row.date_available},
      details = ${row.details}, body = ${row.body}
    where seller_id = ${row.seller_id} and pack_id = ${row.pack_id} and id = ${row.id}`)
  const isFromSeller = message.fromId === message.sellerId
  tx.write(sql`
    update conversations set seen_by_seller = seen_by_seller + ${isFromSeller ? 0 : 1},
      seen_by_buyer = seen_by_buyer + ${isFromSeller ? 1 : 0},
      last_message_at = ${thread.lastMessageAt}, buyer_wrote_at = ${thread.buyerWroteAt},
      spent = ${JSON.stringify(thread.spent)}
    where seller_id = ${row.seller_id} and pack_id = ${row.pack_id}`)
  addUnread(tx, message)
}

interface MessageDetails {
  resource: Message['resource']
  siteId: SiteId
  applicationId: number | null
  subject: string | null
  moderation: Omit<Moderation, 'date' | 'overruledAt'> & {
    date: string | null
    overruledAt: string | null
  }
  attachments: readonly AttachmentElement[]
  isFirst: boolean
  optionId: string | null
}

/** Returns the columns of a message's row. `body` is the message as the HTTP interface shows it. */
export function messageRow(message: Message) {
  const { resource, siteId, applicationId, subject, moderation } = message
  const { attachments, isFirst, optionId } = message
  const context = { resource, siteId, applicationId, subject }
  return {
    seller_id: message.sellerId,
    pack_id: message.packId,
    id: message.id,
    buyer_id: message.buyerId,
    from_id: message.fromId,
    to_id: message.toId,
    text: message.text,
    status: message.status,
    date_created: message.dateCreated,
    date_available: message.dateAvailable,
    date_notified: message.dateNotified,
    date_read: message.dateRead,
    details: JSON.stringify({ ...context, moderation, attachments, isFirst, optionId }),
    body: JSON.stringify(messageView(message)),
  }
}

/** A row of `messages`. */
export type MessageRow = Omit<Message, keyof MessageDetails> & { details: string }

/** Loads a message. Undefined if there is none. */
export async function readMessage(
  db: Db,
  { sellerId, packId, id }: ConversationKey & { id: string },
): Promise<Message | undefined> {
  const row = await db.row<MessageRow>(sql`
    select id, seller_id as "sellerId", buyer_id as "buyerId", pack_id as "packId",
      from_id as "fromId", to_id as "toId", text, status, date_created as "dateCreated",
      date_available as "dateAvailable", date_notified as "dateNotified", date_read as "dateRead",
      details
    from messages where seller_id = ${sellerId} and pack_id = ${packId} and id = ${id}`)
  return row && messageOf(row)
}

/** Lists the held-back messages of all sellers before a date and id, newest first. */
export async function listHeldBack(
  db: Db,
  { siteId, before, id, limit }: { siteId: SiteId | null; before: Date; id: string; limit: number },
): Promise<Message[]> {
  const rows = await db.rows<MessageRow>(sql`
    select id, seller_id as "sellerId", buyer_id as "buyerId", pack_id as "packId",
      from_id as "fromId", to_id as "toId", text, status, date_created as "dateCreated",
      date_available as "dateAvailable", date_notified as "dateNotified", date_read as "dateRead",
      details
    from messages where status = 'moderated' and (date_created, id) < (${before}, ${id})
      and (${siteId}::text is null or details ->> 'siteId' = ${siteId})
    order by date_created desc, id desc limit ${limit}`)
  return rows.map(messageOf)
}

/** Builds a message from its row. */
export function messageOf({ details, ...row }: MessageRow): Message {
  const stored = JSON.parse(details) as MessageDetails
  const { date, overruledAt, ...moderation } = stored.moderation
  const parseDate = (text: string | null) => (text === null ? null : new Date(text))
  return {
    ...row,
    ...stored,
    moderation: { ...moderation, date: parseDate(date), overruledAt: parseDate(overruledAt) },
  }
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

function jsonField(field: string, now: Date): string {
  return `"${field}":"${timestamp(now)}"`
}
