import { timestamp } from '../kernel/clock.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import type { Message } from './message.ts'

/** Whose conversation a message is part of. */
export interface MessageOwner {
  sellerId: number
  packId: number
}

/** The conversations of these messages; messages that are not there are missing from the answer. */
export async function findMessageOwners(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, MessageOwner>> {
  const rows = await db.rows<MessageOwner & { id: string }>(sql`
    select message_id as id, seller_id as "sellerId", pack_id as "packId" from message_owner
    where message_id = any(${ids}::text[])`)
  return new Map(rows.map(({ id, ...owner }) => [id, owner]))
}

/** Adds many messages, with the ownership of their ids: all of them must be free. */
export async function copyMessages(tx: Tx, messages: readonly Message[]): Promise<void> {
  const rows = messages.map(rowOf)
  const [first] = rows
  if (!first) return
  await tx.copy(
    { table: 'message_owner', columns: ['message_id', 'seller_id', 'pack_id'] },
    messages.map(({ id, sellerId, packId }) => [id, sellerId, packId]),
  )
  await tx.copy({ table: 'messages', columns: Object.keys(first) }, rows.map(Object.values))
}

function rowOf(message: Message) {
  return {
    seller_id: message.sellerId,
    pack_id: message.packId,
    id: message.id,
    buyer_id: message.buyerId,
    from_id: message.fromId,
    to_id: message.toId,
    text: message.text,
    status: message.status,
    details: JSON.stringify({ dateRead: timestamp(message.dateRead) }),
    date_created: message.dateCreated,
  }
}
