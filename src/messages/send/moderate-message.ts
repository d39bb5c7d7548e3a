import type { Tx } from '../../platform/database/database.ts'
import type { ConversationRecord } from '../conversation.ts'
import { findCopies } from '../moderation/copies/copies.ts'
import type { ModerationFinding } from '../moderation/finding.ts'
import { moderate } from '../moderation/moderate.ts'
import type { ModerationTerms } from '../moderation/terms.ts'
import { type ConversationSale, partyOf } from '../sale.ts'
import type { MessageDraft } from './input.ts'

/** A message to moderate, and the moderation terms that were in force when it arrived. */
export interface ModerationInput {
  sale: ConversationSale
  thread: ConversationRecord
  draft: MessageDraft
  terms: ModerationTerms
}

/** Returns what moderation finds in a message, or null. A text that a seller's application sends is also compared
 * with what that seller sent to other packs before. */
export async function moderateMessage(
  tx: Tx,
  { sale, thread, draft, terms, now }: ModerationInput & { now: Date },
): Promise<ModerationFinding | null> {
  const { sellerId, packId, siteId } = sale
  const { text, fromId, applicationId } = draft
  const writer = partyOf(sale, fromId)
  const billingAsked = (thread.spent['REQUEST_BILLING_INFO'] ?? 0) > 0
  const copyFinding =
    writer === 'seller' && applicationId !== null
      ? await findCopies(tx, { sellerId, packId, text, at: now })
      : null
  return moderate(text, { siteId, writer, terms, billingAsked }) ?? copyFinding
}
