import type { BulkTx, Tx } from '../../platform/database/database.ts'
import { copyRecords } from '../../platform/database/records.ts'
import { joined, sql, unnamed } from '../../platform/database/sql.ts'
import type { Thread } from '../conversation.ts'
import type { Message } from '../message.ts'
import { type ConversationKey, messageOwners, messageRow, seenBy } from '../store.ts'

/** Adds many messages of the past, with the ownership of their ids: all of them must be free. Their
 * conversations go on from there. */
export async function copyMessages(tx: BulkTx, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return
  const threads = [...Map.groupBy(messages, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1))
  const begun = await addToThreads(tx, threads)
  const firsts = await firstMessages(tx, threads, begun)
  const rows = messages.map((each) => messageRow({ ...each, isFirst: firsts.has(each) }))
  await messageOwners.copyMany(tx, messages)
  await copyRecords(tx, 'messages', rows)
  await addUnread(tx, messages)
}

/** The messages of one conversation, by its key. */
type Said = [key: string, messages: readonly Message[]]

const keyOf = ({ sellerId, packId }: ConversationKey) => `${sellerId} ${packId}`

/** Begins these conversations or adds to them; returns the keys of those in which nothing had been
 * said. In one order by everybody: two that write the same rows wait for each other then, once. */
async function addToThreads(tx: Tx, threads: readonly Said[]): Promise<Set<string>> {
  const begun = new Set<string>()
  for (let from = 0; from < threads.length; from += rowsAtOnce) {
    const some = threads.slice(from, from + rowsAtOnce)
    const saved = await tx.rows<ConversationKey & { seen: number }>(
      unnamed(sql`
        insert into conversations as c (seller_id, pack_id, buyer_id, seen_by_seller, seen_by_buyer,
          last_message_at, buyer_wrote_at)
        values ${joined(
          some.map(([, own]) => threadRow(own)),
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
    // Whoever wrote a message sees it: what is all that is seen is all that there is.
    const added = new Map(
      some.map(([key, own]) => [key, sumOf(own, 'seller') + sumOf(own, 'buyer')]),
    )
    for (const place of saved) {
      if (added.get(keyOf(place)) === place.seen) begun.add(keyOf(place))
    }
  }
  return begun
}

/** Those with which their conversations begin: what was held back has begun nothing. Where one is older than what was the first so far, that
 * one is the first no longer. */
async function firstMessages(
  tx: Tx,
  threads: readonly Said[],
  begun: ReadonlySet<string>,
): Promise<Set<Message>> {
  const known = await findFirsts(
    tx,
    threads.filter(([key]) => !begun.has(key)),
  )
  const firsts = new Set<Message>()
  for (const [key, own] of threads) {
    const [first] = own.filter(isAvailable).toSorted(isEarlier)
    const other = known.get(key)
    if (!first || (other && isEarlier(other, first) < 0)) continue
    if (other) await unmarkFirst(tx, other)
    firsts.add(first)
  }
  return firsts
}

const isAvailable = ({ status }: Message) => status === 'available'

type Moment = Pick<Message, 'dateAvailable' | 'id'>

const isEarlier = (one: Moment, other: Moment) =>
  Number(one.dateAvailable) - Number(other.dateAvailable) || (one.id < other.id ? -1 : 1)

/** The first message of each of these conversations so far. */
async function findFirsts(
  tx: Tx,
  threads: readonly Said[],
): Promise<Map<string, ConversationKey & Moment>> {
  if (threads.length === 0) return new Map()
  const places = threads.map(([, [any]]) => any as Message)
  const rows = await tx.rows<ConversationKey & Moment>(
    unnamed(sql`
      select distinct on (m.seller_id, m.pack_id) m.seller_id as "sellerId", m.pack_id as "packId",
        m.id, m.date_available as "dateAvailable"
      from unnest(${places.map(({ sellerId }) => sellerId)}::bigint[],
          ${places.map(({ packId }) => packId)}::bigint[]) as t (seller_id, pack_id)
        join messages m on m.seller_id = t.seller_id and m.pack_id = t.pack_id
          and m.status = 'available'
      order by m.seller_id, m.pack_id, m.date_available, m.id`),
  )
  return new Map(rows.map((row) => [keyOf(row), row]))
}

/** No text of a message can hold what is replaced, since JSON writes a quotation mark in it as \". */
async function unmarkFirst(tx: Tx, { sellerId, packId }: ConversationKey): Promise<void> {
  await tx.rows(sql`
    update messages set
      details = replace(details::text, '"isFirst":true', '"isFirst":false')::json,
      body = replace(body, '"conversation_first_message":true', '"conversation_first_message":false')
    where seller_id = ${sellerId} and pack_id = ${packId} and details ->> 'isFirst' = 'true'`)
}

/** Saves of this seller's conversations what their messages do not tell. */
export async function saveThreads(
  tx: Tx,
  {
    sellerId,
    threads,
  }: { sellerId: number; threads: readonly { packId: number; thread: Thread }[] },
): Promise<void> {
  const packs = threads.map(({ packId }) => packId)
  const spent = threads.map(({ thread }) => JSON.stringify(thread.spent))
  const blocks = threads.map(({ thread }) => thread.block)
  const dates = threads.map(({ thread }) => thread.blockedAt)
  await tx.rows(sql`
    update conversations set spent = known.spent::json, block = known.block,
      blocked_at = known.blocked_at
    from unnest(${packs}::bigint[], ${spent}::text[], ${blocks}::text[], ${dates}::timestamptz[])
      as known (pack_id, spent, block, blocked_at)
    where conversations.seller_id = ${sellerId} and conversations.pack_id = known.pack_id`)
}

const rowsAtOnce = 250

function threadRow(own: readonly Message[]) {
  const [{ sellerId, packId, buyerId }] = own as [Message]
  const [bySeller, byBuyer] = [sumOf(own, 'seller'), sumOf(own, 'buyer')]
  const said = own.filter(isAvailable).toSorted(isEarlier)
  const answer = said.find(({ fromId }) => fromId === buyerId)
  return sql`(${sellerId}, ${packId}, ${buyerId}, ${bySeller}::int, ${byBuyer}::int,
    ${said.at(-1)?.dateAvailable ?? null}::timestamptz, ${answer?.dateAvailable ?? null}::timestamptz)`
}

/** How many of these messages a party sees. */
function sumOf(own: readonly Message[], party: 'seller' | 'buyer'): number {
  return own.reduce((n, each) => n + seenBy(each)[party], 0)
}

async function addUnread(tx: Tx, messages: readonly Message[]): Promise<void> {
  const unread = messages.filter((each) => isAvailable(each) && !each.dateRead)
  const readers = [...Map.groupBy(unread, (each) => `${each.toId} ${keyOf(each)}`)]
  readers.sort(([a], [b]) => (a < b ? -1 : 1))
  for (let from = 0; from < readers.length; from += rowsAtOnce) {
    const rows = readers.slice(from, from + rowsAtOnce).map(([, own]) => {
      const [{ toId, sellerId, packId }] = own as [Message]
      return sql`(${toId}, ${sellerId}, ${packId}, ${own.length}::int)`
    })
    await tx.rows(
      unnamed(sql`
        insert into unread_messages as u (user_id, seller_id, pack_id, n)
        values ${joined(rows, ', ')}
        on conflict (user_id, seller_id, pack_id) do update set n = u.n + excluded.n`),
    )
  }
}
