import type { BulkTx, Tx } from '../platform/database/database.ts'
import { copyRecords } from '../platform/database/records.ts'
import { joined, sql, unnamed } from '../platform/database/sql.ts'
import type { ConversationRecord } from './conversation.ts'
import type { Message } from './message.ts'
import { type ConversationKey, messageOwners, messageRow, viewerCounts } from './store.ts'

/** Adds many imported messages with their owners, and updates their conversations. No id may be in use. */
export async function copyMessages(tx: BulkTx, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return
  const threads = [...Map.groupBy(messages, conversationKeyText)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  )
  const started = await addToConversations(tx, threads)
  const firsts = await firstMessages(tx, threads, started)
  const rows = messages.map((message) => messageRow({ ...message, isFirst: firsts.has(message) }))
  await messageOwners.copyMany(tx, messages)
  await copyRecords(tx, 'messages', rows)
  await addUnread(tx, messages)
}

/** A conversation key as text, with the new messages of that conversation. */
type ConversationMessages = [key: string, messages: readonly Message[]]

const conversationKeyText = ({ sellerId, packId }: ConversationKey) => `${sellerId} ${packId}`

/** Creates or updates these conversations. Returns the keys of those that had no messages before. All writers sort
 * the keys alike, so that two of them that write the same rows cannot deadlock. */
async function addToConversations(
  tx: Tx,
  threads: readonly ConversationMessages[],
): Promise<Set<string>> {
  const started = new Set<string>()
  for (let from = 0; from < threads.length; from += rowsAtOnce) {
    const batch = threads.slice(from, from + rowsAtOnce)
    const rows = await tx.rows<ConversationKey & { seen: number }>(
      unnamed(sql`
        insert into conversations as c (seller_id, pack_id, buyer_id, seen_by_seller, seen_by_buyer,
          last_message_at, buyer_wrote_at)
        values ${joined(
          batch.map(([, messages]) => conversationValues(messages)),
          ', ',
        )}
        on conflict (seller_id, pack_id) do update set
          seen_by_seller = c.seen_by_seller + excluded.seen_by_seller,
          seen_by_buyer = c.seen_by_buyer + excluded.seen_by_buyer,
          last_message_at = greatest(c.last_message_at, excluded.last_message_at),
          buyer_wrote_at = least(c.buyer_wrote_at, excluded.buyer_wrote_at)
        returning seller_id as "sellerId", pack_id as "packId",
          seen_by_seller + seen_by_buyer as seen`),
    )
    // The sender sees each message, so a conversation whose count equals what was added had no messages before.
    const added = new Map(
      batch.map(([key, messages]) => [
        key,
        countSeen(messages, 'seller') + countSeen(messages, 'buyer'),
      ]),
    )
    for (const row of rows) {
      if (added.get(conversationKeyText(row)) === row.seen) started.add(conversationKeyText(row))
    }
  }
  return started
}

/** Returns the first available message of each conversation, if it is among the new ones. An earlier first message
 * loses its mark when a new one is older. */
async function firstMessages(
  tx: Tx,
  threads: readonly ConversationMessages[],
  started: ReadonlySet<string>,
): Promise<Set<Message>> {
  const storedFirsts = await findFirsts(
    tx,
    threads.filter(([key]) => !started.has(key)),
  )
  const firsts = new Set<Message>()
  for (const [key, messages] of threads) {
    const [first] = messages.filter(isAvailable).toSorted(compareByAvailability)
    const stored = storedFirsts.get(key)
    if (!first || (stored && compareByAvailability(stored, first) < 0)) continue
    if (stored) await unmarkFirst(tx, stored)
    firsts.add(first)
  }
  return firsts
}

const isAvailable = ({ status }: Message) => status === 'available'

type AvailabilityKey = Pick<Message, 'dateAvailable' | 'id'>

const compareByAvailability = (one: AvailabilityKey, other: AvailabilityKey) =>
  Number(one.dateAvailable) - Number(other.dateAvailable) || (one.id < other.id ? -1 : 1)

/** Finds the stored first message of each of these conversations. */
async function findFirsts(
  tx: Tx,
  threads: readonly ConversationMessages[],
): Promise<Map<string, ConversationKey & AvailabilityKey>> {
  if (threads.length === 0) return new Map()
  const keys = threads.map(([, [message]]) => message as Message)
  const rows = await tx.rows<ConversationKey & AvailabilityKey>(
    unnamed(sql`
      select distinct on (m.seller_id, m.pack_id) m.seller_id as "sellerId", m.pack_id as "packId",
        m.id, m.date_available as "dateAvailable"
      from unnest(${keys.map(({ sellerId }) => sellerId)}::bigint[],
          ${keys.map(({ packId }) => packId)}::bigint[]) as t (seller_id, pack_id)
        join messages m on m.seller_id = t.seller_id and m.pack_id = t.pack_id
          and m.status = 'available'
      order by m.seller_id, m.pack_id, m.date_available, m.id`),
  )
  return new Map(rows.map((row) => [conversationKeyText(row), row]))
}

/** Replaces text in the JSON: no message text can contain it, because JSON escapes its quotation marks. */
async function unmarkFirst(tx: Tx, { sellerId, packId }: ConversationKey): Promise<void> {
  await tx.rows(sql`
    update messages set
      details = replace(details::text, '"isFirst":true', '"isFirst":false')::json,
      body = replace(body, '"conversation_first_message":true', '"conversation_first_message":false')
    where seller_id = ${sellerId} and pack_id = ${packId} and details ->> 'isFirst' = 'true'`)
}

/** Saves what does not follow from the messages of these conversations: used options and blocks. */
export async function saveConversations(
  tx: Tx,
  {
    sellerId,
    threads,
  }: { sellerId: number; threads: readonly { packId: number; thread: ConversationRecord }[] },
): Promise<void> {
  const packs = threads.map(({ packId }) => packId)
  const spent = threads.map(({ thread }) => JSON.stringify(thread.spent))
  const blocks = threads.map(({ thread }) => thread.block)
  const dates = threads.map(({ thread }) => thread.blockedAt)
  await tx.rows(sql`
    update conversations set spent = saved.spent::json, block = saved.block,
      blocked_at = saved.blocked_at
    from unnest(${packs}::bigint[], ${spent}::text[], ${blocks}::text[], ${dates}::timestamptz[])
      as saved (pack_id, spent, block, blocked_at)
    where conversations.seller_id = ${sellerId} and conversations.pack_id = saved.pack_id`)
}

/** Rows that one statement writes. */
const rowsAtOnce = 250

function conversationValues(messages: readonly Message[]) {
  const [{ sellerId, packId, buyerId }] = messages as [Message]
  const [bySeller, byBuyer] = [countSeen(messages, 'seller'), countSeen(messages, 'buyer')]
  const available = messages.filter(isAvailable).toSorted(compareByAvailability)
  const firstOfBuyer = available.find(({ fromId }) => fromId === buyerId)
  return sql`(${sellerId}, ${packId}, ${buyerId}, ${bySeller}::int, ${byBuyer}::int,
    ${available.at(-1)?.dateAvailable ?? null}::timestamptz, ${firstOfBuyer?.dateAvailable ?? null}::timestamptz)`
}

/** Counts the messages that a party sees. */
function countSeen(messages: readonly Message[], party: 'seller' | 'buyer'): number {
  return messages.reduce((count, message) => count + viewerCounts(message)[party], 0)
}

/** Adds the unread ones of copied messages to the unread counts of their recipients. Held back messages do not count. The
 * counts grow, so copying a message twice would count it twice. Rows are written in the order of their keys as text, as
 * all copies do, so that concurrent ones do not deadlock. */
async function addUnread(tx: Tx, messages: readonly Message[]): Promise<void> {
  const unread = messages.filter((message) => isAvailable(message) && !message.dateRead)
  const groups = [
    ...Map.groupBy(unread, (message) => `${message.toId} ${conversationKeyText(message)}`),
  ]
  groups.sort(([a], [b]) => (a < b ? -1 : 1))
  for (let from = 0; from < groups.length; from += rowsAtOnce) {
    const rows = groups.slice(from, from + rowsAtOnce).map(([, unreadMessages]) => {
      const [{ toId, sellerId, packId }] = unreadMessages as [Message]
      return sql`(${toId}, ${sellerId}, ${packId}, ${unreadMessages.length}::int)`
    })
    await tx.rows(
      unnamed(sql`
        insert into unread_messages as u (user_id, seller_id, pack_id, n)
        values ${joined(rows, ', ')}
        on conflict (user_id, seller_id, pack_id) do update set n = u.n + excluded.n`),
    )
  }
}
