import { Failure } from '../kernel/failure.ts'
import type { Context } from '../platform/context.ts'
import { untilVisible } from '../platform/database/visible.ts'
import { statusOf, untouched } from './conversation.ts'
import { hasOptionsLeft } from './guide/options.ts'
import { isSeenBy, type Message } from './message.ts'
import { isParty, viewpointOf } from './sale.ts'
import { longest } from './send/text.ts'
import { messageOwners, readMessage } from './store.ts'
import { markRead, readPage } from './store-read.ts'
import { type ConversationStateInput, readConversationState } from './store-state.ts'
import { statusView } from './view.ts'

export interface ConversationPageInput extends ConversationStateInput {
  /** Whether what the caller had not read is read now. */
  marks: boolean
}

/**
 * A page of a conversation as one of its parties sees it, as JSON text (contract 4.2): one round trip,
 * and a transaction besides when the caller had something to read. Throws `conversation_denied`.
 */
export async function conversationFor(ctx: Context, asked: ConversationPageInput): Promise<string> {
  const { reads, now, config } = ctx
  const { packId, userId, limit, offset } = asked
  const scene = await readConversationState(reads, asked)
  if (!scene || !isParty(scene.sale, userId)) {
    throw new Failure('conversation_denied', String(packId))
  }
  const { sale, thread = untouched, total } = scene
  const page = asked.marks && scene.hasUnread ? await readAndMark(ctx, asked) : scene.page
  const hasOptions = hasOptionsLeft(sale, thread.spent, config.messages.guideCaps)
  const viewpoint = viewpointOf(sale, userId)
  const status = statusOf({ sale, thread, viewpoint, hasOptions, now: now() })
  return (
    `{"paging":{"total":${total},"offset":${offset},"limit":${limit}},` +
    `"conversation_status":${JSON.stringify(statusView(status, asked))},"messages":[${page}],` +
    `"seller_max_message_length":${longest.seller},"buyer_max_message_length":${longest.buyer}}`
  )
}

/** Everything that this user had not read is read now, and the page shows it. */
async function readAndMark({ db, now }: Context, asked: ConversationPageInput): Promise<string> {
  return db.transaction(async (tx) => {
    await markRead(tx, { ...asked, now: now() })
    return readPage(tx, asked)
  })
}

/** A message that this user may read. Throws the refusals of contract 7.2. */
export async function messageFor(
  { reads }: Pick<Context, 'reads'>,
  { userId, id }: { userId: number; id: string },
): Promise<Message> {
  const owner = /^[0-9a-f]{32}$/.test(id) ? await messageOwners.find(reads, id) : undefined
  if (!owner) throw new Failure('unknown_message')
  const message = await untilVisible(() => readMessage(reads, { ...owner, id }))
  if (!message) throw new Failure('message_not_retrieved', id)
  const { sellerId, buyerId } = message
  const isParticipant = userId === sellerId || userId === buyerId
  if (!isParticipant || !isSeenBy(message, userId)) {
    throw new Failure('message_denied', `${userId} to message with id ${id}`)
  }
  return message
}
