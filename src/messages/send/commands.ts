import type { Caller } from '../../http/caller.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { type ConversationFacts, conversationStatusOf, type Substatus } from '../conversation.ts'
import { readConversationState } from '../conversation-read-model.ts'
import type { Message } from '../message.ts'
import { currentTerms } from '../moderation/terms/current.ts'
import { hasOptionsLeft } from '../option-rules.ts'
import { isParty, partyOf } from '../sale.ts'
import { type ConversationKey, lockConversation } from '../store.ts'
import { normalizeMessageText } from '../text.ts'
import type { MessageInput } from './input.ts'
import { writeMessage } from './write.ts'

const maxAttachments = 25

/** Sends a message to the other party and returns it, held back or not. Throws the first error that applies, in the
 * order of the checks below. */
export async function sendMessage(
  ctx: Context,
  {
    key,
    input,
    caller,
    subject = null,
  }: {
    key: ConversationKey
    input: MessageInput
    caller: Caller
    subject?: string | null
  },
): Promise<Message> {
  const { fromId } = input
  const stateInput = { ...key, userId: fromId, limit: 0, offset: 0 }
  const [state, terms] = await Promise.all([
    readConversationState(ctx.reads, stateInput),
    currentTerms(ctx.reads),
  ])
  const sale = state?.sale
  if (fromId !== caller.userId || !isParty(sale, fromId)) {
    throw new Failure('sender_denied', `${fromId} to order ${key.packId}`)
  }
  const receiverId = fromId === sale.sellerId ? sale.buyerId : sale.sellerId
  if (input.toId !== null && input.toId !== receiverId) {
    throw new Failure('receiver_denied', String(key.packId))
  }
  return ctx.db.transaction(async (tx) => {
    // The sale is not read again: this transaction does not lock its orders, which may change at any time.
    const thread = await lockConversation(tx, sale)
    const viewpoint = partyOf(sale, fromId)
    const hasOptions = hasOptionsLeft(sale, thread.spent, ctx.config.messages.guideCaps)
    refuseBlocked({ sale, thread, viewpoint, hasOptions, now: ctx.now() })
    if (input.text.trim() === '') throw new Failure('text_required')
    const text = normalizeMessageText(input.text, viewpoint)
    if (input.attachmentIds.length > maxAttachments) throw new Failure('too_many_attachments')
    const { applicationId } = caller
    const draft = { fromId, text, subject, applicationId, attachmentIds: input.attachmentIds }
    return writeMessage(tx, ctx, { sale, thread, draft, terms })
  })
}

const refusals: Partial<Record<Substatus, Failure['code']>> = {
  blocked_by_mediation: 'mediation_in_process',
  blocked_by_fulfillment: 'not_yet_delivered',
  blocked_by_conversation_initiated_by_seller: 'guide_required',
  blocked_by_conversation_initiated_by_seller_limited: 'guide_required',
}

function refuseBlocked(facts: ConversationFacts): void {
  const { substatus } = conversationStatusOf(facts)
  if (substatus) throw new Failure(refusals[substatus] ?? 'conversation_blocked')
}
