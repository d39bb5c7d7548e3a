import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Block, Thread } from '../conversation.ts'
import { type Message, overruled } from '../message.ts'
import { followed, notifyReceiver } from '../send/write.ts'
import {
  type ConversationKey,
  lockThread,
  messageOwners,
  readMessage,
  releaseMessage,
  saveBlock,
} from '../store.ts'
import { readSale } from '../store-state.ts'

/** The operator ends a conversation, or lets it go on. Throws `not_found`. */
export async function blockConversation(
  { db, now }: Pick<Context, 'db' | 'now'>,
  place: ConversationKey,
  block: Block | null,
): Promise<Pick<Thread, 'block' | 'blockedAt'>> {
  return db.transaction(async (tx) => {
    const sale = await readSale(tx, place)
    if (!sale) throw new Failure('not_found', `Conversation not found: ${place.packId}`)
    const thread = await lockThread(tx, sale)
    if (thread.block === block) return thread
    const decided = { block, blockedAt: block === null ? null : now() }
    saveBlock(tx, place, decided)
    return decided
  })
}

/** The operator lets a held back message pass: it becomes available, and its receiver is told. Throws
 * `not_found`, and `status_not_reachable` for one that was not held back. */
export async function overruleMessage(
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: string,
): Promise<Message> {
  return db.transaction(async (tx) => {
    const found = await messageOwners.findRow(tx, id, (owner) => readMessage(tx, { ...owner, id }))
    if (!found) throw new Failure('not_found', `Message not found: ${id}`)
    const thread = await lockThread(tx, found)
    const message = await readMessage(tx, { ...found, id })
    if (message?.status !== 'moderated') {
      throw new Failure('status_not_reachable', 'status: expected a message that is moderated')
    }
    const isFirst = thread.lastMessageAt === null
    const passed = overruled(message, { isFirst, now: now() })
    releaseMessage(tx, passed, followed(thread, passed))
    const sale = await readSale(tx, message)
    if (sale) notifyReceiver(tx, sale, passed)
    return passed
  })
}
