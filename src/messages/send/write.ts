import { recordChanges } from '../../changes/record.ts'
import { coversClassifieds } from '../../kernel/topics.ts'
import type { ModerationDecision } from '../../moderation/decision.ts'
import { moderate } from '../../moderation/moderate.ts'
import type { ModerationTerms } from '../../moderation/terms.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import { attachmentElement } from '../attachments/attachment.ts'
import { attachFiles } from '../attachments/commands.ts'
import type { ConversationRecord } from '../conversation.ts'
import { type Message, moderatedMessage } from '../message.ts'
import { findCopies } from '../moderation/copies/copies.ts'
import { type ConversationSale, partyOf, resourceKindOf } from '../sale.ts'
import { insertMessage } from '../store.ts'

/** Moderates a message, adds it to a locked conversation, and notifies its receiver unless it was held back.
 * Template texts are not moderated: the marketplace wrote them. Throws `attachment_key_invalid`. */
export async function writeMessage(
  tx: Tx,
  ctx: Pick<Context, 'now' | 'random'>,
  { sale, thread, draft, terms }: ModerationInput,
): Promise<Message> {
  const { sellerId, buyerId, packId, siteId } = sale
  const { fromId, text, option } = draft
  const now = ctx.now()
  const id = ctx.random.hex(16)
  const decision =
    option && !option.isFreeText
      ? undefined
      : await moderateMessage(tx, { sale, thread, draft, terms, now })
  const attachments = await attachFiles(tx, {
    userId: fromId,
    ids: draft.attachmentIds,
    sellerId,
    buyerId,
    packId,
    messageId: id,
    now,
  })
  const pending: Message = {
    id,
    sellerId,
    buyerId,
    packId,
    siteId,
    fromId,
    text,
    toId: fromId === sellerId ? buyerId : sellerId,
    resource: resourceKindOf(sale),
    applicationId: draft.applicationId,
    subject: draft.subject,
    status: 'pending_translation',
    moderation: pendingModeration,
    attachments: attachments.map(attachmentElement),
    isFirst: decision === undefined && thread.lastMessageAt === null,
    optionId: option?.id ?? null,
    dateCreated: now,
    dateAvailable: null,
    dateNotified: null,
    dateRead: null,
  }
  const message = moderatedMessage(pending, decision, now)
  insertMessage(tx, message, conversationAfter(thread, message))
  notifyReceiver(tx, sale, message)
  return message
}

const pendingModeration: Message['moderation'] = {
  status: 'pending',
  reason: null,
  source: null,
  date: null,
  finding: null,
  overruledAt: null,
}

/** Returns the conversation after a message. A held-back message reached nobody, so it changes nothing. */
export function conversationAfter(
  thread: ConversationRecord,
  message: Message,
): ConversationRecord {
  const { fromId, sellerId, optionId, dateAvailable } = message
  if (dateAvailable === null) return thread
  const isFromBuyer = fromId !== sellerId
  const used = optionId === null ? {} : { [optionId]: (thread.spent[optionId] ?? 0) + 1 }
  return {
    ...thread,
    lastMessageAt: dateAvailable,
    buyerWroteAt: thread.buyerWroteAt ?? (isFromBuyer ? dateAvailable : null),
    spent: { ...thread.spent, ...used },
  }
}

/** Records the change that notifies the receiver of an available message, unless the topic leaves out classifieds
 * and the sale has nothing else. */
export function notifyReceiver(
  tx: Tx,
  sale: Pick<ConversationSale, 'orders'>,
  message: Message,
): void {
  const { id, toId, sellerId, status, dateAvailable } = message
  if (status !== 'available' || !dateAvailable) return
  const change = { topic: 'messages', resource: id, userIds: [toId], sellerId } as const
  const isClassified = sale.orders.every((order) => order.isClassified)
  if (isClassified && !coversClassifieds(change.topic)) return
  recordChanges(tx, [{ ...change, at: dateAvailable }])
}

/** A message to moderate, and the moderation terms that were in force when it arrived. */
export interface ModerationInput {
  sale: ConversationSale
  thread: ConversationRecord
  draft: MessageDraft
  terms: ModerationTerms
}

/** Returns the decision to hold a message back, or undefined. A text that a seller's application sends is also compared
 * with what that seller sent to other packs before. */
async function moderateMessage(
  tx: Tx,
  { sale, thread, draft, terms, now }: ModerationInput & { now: Date },
): Promise<ModerationDecision | undefined> {
  const { sellerId, packId, siteId } = sale
  const { text, fromId, applicationId } = draft
  const writer = partyOf(sale, fromId)
  const billingAsked = (thread.spent['REQUEST_BILLING_INFO'] ?? 0) > 0
  const copyDecision =
    writer === 'seller' && applicationId !== null
      ? await findCopies(tx, { sellerId, packId, text, at: now })
      : undefined
  const decision = moderate(text, { siteId, writer, terms, billingAsked })
  if (decision || !copyDecision || terms.isRuleOff(copyDecision.rule, siteId)) return decision
  return copyDecision
}

/** A message that has passed the checks and is written next. */
interface MessageDraft {
  fromId: number
  text: string
  subject: string | null
  applicationId: number | null
  attachmentIds: readonly string[]
  /** The option of the action guide that is used; `isFreeText` when the seller wrote the text. */
  option?: { id: string; isFreeText: boolean }
}
