import type { Tx } from '../../platform/database/database.ts'
import type { Thread } from '../conversation.ts'
import { findCopies } from '../moderation/copies/copies.ts'
import type { Finding } from '../moderation/finding.ts'
import { moderate } from '../moderation/moderate.ts'
import type { Terms } from '../moderation/terms/terms.ts'
import { type Sale, viewpointOf } from '../sale.ts'
import type { Draft } from './input.ts'

/** A message to moderate, and the moderation terms that were in force when it arrived. */
export interface Judging {
  sale: Sale
  thread: Thread
  draft: Draft
  terms: Terms
}

/** Returns what moderation finds in a message, or null. A text that a seller's application sends is also compared
 * with what that seller sent to other packs before. */
export async function judge(
  tx: Tx,
  { sale, thread, draft, terms, now }: Judging & { now: Date },
): Promise<Finding | null> {
  const { sellerId, packId, siteId } = sale
  const { text, fromId, applicationId } = draft
  const writer = viewpointOf(sale, fromId)
  const billingAsked = (thread.spent['REQUEST_BILLING_INFO'] ?? 0) > 0
  const copyFinding =
    writer === 'seller' && applicationId !== null
      ? await findCopies(tx, { sellerId, packId, text, at: now })
      : null
  return moderate(text, { siteId, writer, terms, billingAsked }) ?? copyFinding
}
