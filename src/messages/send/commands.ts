import type { Caller } from '../../http/caller.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { type Facts, type Substatus, statusOf } from '../conversation.ts'
import { hasOptionsLeft } from '../guide/options.ts'
import type { Message } from '../message.ts'
import { currentTerms } from '../moderation/terms/current.ts'
import { isParty, viewpointOf } from '../sale.ts'
import { type ConversationKey, lockThread } from '../store.ts'
import { readConversationState } from '../store-state.ts'
import type { MessageInput } from './input.ts'
import { messageText } from './text.ts'
import { writeMessage } from './write.ts'

const mostAttachments = 25

/** A party writes to the other (contract 4.2). Throws the first refusal of 7.3 that fits, in the order
 * of wire 1. */
export async function sendMessage(
  ctx: Context,
  {
    place,
    asked,
    caller,
    subject = null,
  }: {
    place: ConversationKey
    asked: MessageInput
    caller: Caller
    subject?: string | null
  },
): Promise<Message> {
  const { fromId } = asked
  const about = { ...place, userId: fromId, limit: 0, offset: 0 }
  const [scene, terms] = await Promise.all([
    readConversationState(ctx.reads, about),
    currentTerms(ctx.reads),
  ])
  const sale = scene?.sale
  if (fromId !== caller.userId || !isParty(sale, fromId)) {
    throw new Failure('sender_denied', `${fromId} to order ${place.packId}`)
  }
  const other = fromId === sale.sellerId ? sale.buyerId : sale.sellerId
  if (asked.toId !== null && asked.toId !== other) {
    throw new Failure('receiver_denied', String(place.packId))
  }
  return ctx.db.transaction(async (tx) => {
    // The sale is not read again: it is nobody's to lock here, and may change after any look at it.
    const thread = await lockThread(tx, sale)
    const viewpoint = viewpointOf(sale, fromId)
    const hasOptions = hasOptionsLeft(sale, thread.spent, ctx.config.messages.guideCaps)
    refuseBlocked({ sale, thread, viewpoint, hasOptions, now: ctx.now() })
    if (asked.text.trim() === '') throw new Failure('text_required')
    const text = messageText(asked.text, viewpoint)
    if (asked.attachmentIds.length > mostAttachments) throw new Failure('too_many_attachments')
    const { applicationId } = caller
    const draft = { fromId, text, subject, applicationId, attachmentIds: asked.attachmentIds }
    return writeMessage(tx, ctx, { sale, thread, draft, terms })
  })
}

const refusals: Partial<Record<Substatus, Failure['code']>> = {
  blocked_by_mediation: 'mediation_in_process',
  blocked_by_fulfillment: 'not_yet_delivered',
  blocked_by_conversation_initiated_by_seller: 'guide_required',
  blocked_by_conversation_initiated_by_seller_limited: 'guide_required',
}

function refuseBlocked(facts: Facts): void {
  const { substatus } = statusOf(facts)
  if (substatus) throw new Failure(refusals[substatus] ?? 'conversation_blocked')
}
