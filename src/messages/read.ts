import { Failure } from '../kernel/failure.ts'
import type { Context } from '../platform/context.ts'
import { untilVisible } from '../platform/database/visible.ts'
import { conversationStatusOf, emptyConversation } from './conversation.ts'
import { type ConversationStateInput, readConversationState } from './conversation-read-model.ts'
import { isVisibleTo, type Message } from './message.ts'
import { hasOptionsLeft } from './option-rules.ts'
import { isParty, partyOf } from './sale.ts'
import { markRead, messageOwners, readMessage } from './store.ts'
import { readMessagePage } from './store-read.ts'
import { maxMessageLengths } from './text.ts'
import { conversationStatusView } from './view.ts'

export interface ConversationPageInput extends ConversationStateInput {
  /** Whether to mark the messages that the caller received as read. */
  marksAsRead: boolean
}

/**
 * Returns a page of a conversation for one of its parties, as JSON text. Takes one round trip, and a transaction when
 * there are messages to mark as read. Throws `conversation_denied`.
 */
export async function readConversationPage(
  ctx: Context,
  input: ConversationPageInput,
): Promise<string> {
  const { reads, now, config } = ctx
  const { packId, userId, limit, offset } = input
  const state = await readConversationState(reads, input)
  if (!state || !isParty(state.sale, userId)) {
    throw new Failure('conversation_denied', String(packId))
  }
  const { sale, thread = emptyConversation, total } = state
  const page = input.marksAsRead && state.hasUnread ? await markAndReadPage(ctx, input) : state.page
  const hasOptions = hasOptionsLeft(sale, thread.spent, config.messages.guideCaps)
  const viewpoint = partyOf(sale, userId)
  const status = conversationStatusOf({ sale, thread, viewpoint, hasOptions, now: now() })
  return (
    `{"paging":{"total":${total},"offset":${offset},"limit":${limit}},` +
    `"conversation_status":${JSON.stringify(conversationStatusView(status, input))},"messages":[${page}],` +
    `"seller_max_message_length":${maxMessageLengths.seller},"buyer_max_message_length":${maxMessageLengths.buyer}}`
  )
}

/** Marks the messages to this user as read, and returns the page with the new dates. */
async function markAndReadPage(
  { db, now }: Context,
  input: ConversationPageInput,
): Promise<string> {
  return db.transaction(async (tx) => {
    await markRead(tx, { ...input, now: now() })
    return readMessagePage(tx, input)
  })
}

/** Returns a message that this user may read. Throws `unknown_message`, `message_not_retrieved` or `message_denied`. */
export async function readVisibleMessage(
  { reads }: Pick<Context, 'reads'>,
  { userId, id }: { userId: number; id: string },
): Promise<Message> {
  const owner = /^[0-9a-f]{32}$/.test(id) ? await messageOwners.find(reads, id) : undefined
  if (!owner) throw new Failure('unknown_message')
  const message = await untilVisible(() => readMessage(reads, { ...owner, id }))
  if (!message) throw new Failure('message_not_retrieved', id)
  const { sellerId, buyerId } = message
  const isParticipant = userId === sellerId || userId === buyerId
  if (!isParticipant || !isVisibleTo(message, userId)) {
    throw new Failure('message_denied', `${userId} to message with id ${id}`)
  }
  return message
}
