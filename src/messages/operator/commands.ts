import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { ConversationBlock, ConversationRecord } from '../conversation.ts'
import { readSale } from '../conversation-read-model.ts'
import { type Message, releasedMessage } from '../message.ts'
import { conversationAfter, notifyReceiver } from '../send/write.ts'
import {
  type ConversationKey,
  lockConversation,
  messageOwners,
  readMessage,
  releaseMessage,
  saveBlock,
} from '../store.ts'

/** Sets the operator's block of a conversation, or lifts it with null. Throws `not_found`. */
export async function blockConversation(
  { audit, db, now }: Pick<Context, 'audit' | 'db' | 'now'>,
  key: ConversationKey,
  block: ConversationBlock | null,
): Promise<Pick<ConversationRecord, 'block' | 'blockedAt'>> {
  return db.transaction(async (tx) => {
    const sale = await readSale(tx, key)
    if (!sale) throw new Failure('not_found', `Conversation not found: ${key.packId}`)
    const thread = await lockConversation(tx, sale)
    audit.change({ before: { block: thread.block }, after: { block } })
    if (thread.block === block) return thread
    const decided = { block, blockedAt: block === null ? null : now() }
    saveBlock(tx, key, decided)
    return decided
  })
}

/** Releases a held-back message: it becomes available, and its receiver is notified. Throws `not_found`, and
 * `status_not_reachable` when the message is not held back. */
export async function overruleMessage(
  { audit, db, now }: Pick<Context, 'audit' | 'db' | 'now'>,
  id: string,
): Promise<Message> {
  return db.transaction(async (tx) => {
    const located = await messageOwners.findRow(tx, id, (owner) =>
      readMessage(tx, { ...owner, id }),
    )
    if (!located) throw new Failure('not_found', `Message not found: ${id}`)
    const thread = await lockConversation(tx, located)
    const message = await readMessage(tx, { ...located, id })
    if (message?.status !== 'moderated') {
      throw new Failure('status_not_reachable', 'status: expected a message that is moderated')
    }
    audit.relate('conversation', `${message.packId}/${message.sellerId}`)
    const isFirst = thread.lastMessageAt === null
    const released = releasedMessage(message, { isFirst, now: now() })
    audit.change({ before: { status: message.status }, after: { status: released.status } })
    releaseMessage(tx, released, conversationAfter(thread, released))
    const sale = await readSale(tx, message)
    if (sale) notifyReceiver(tx, sale, released)
    return released
  })
}
