import type { Tx } from '../../platform/database/database.ts'
import type { Thread } from '../conversation.ts'
import { findCopies } from '../moderation/copies/copies.ts'
import type { Finding } from '../moderation/finding.ts'
import { moderate } from '../moderation/moderate.ts'
import type { Terms } from '../moderation/terms/terms.ts'
import { type Sale, viewpointOf } from '../sale.ts'
import type { Draft } from './input.ts'

/** A message that is about to be sent, and the operator's words, read since it came. */
export interface Judging {
  sale: Sale
  thread: Thread
  draft: Draft
  terms: Terms
}

/** What moderation finds in a message that is about to be sent; null when nothing (contract 3.2). What
 * a seller's application sends is compared with what it sent to others before. */
export async function judge(
  tx: Tx,
  { sale, thread, draft, terms, now }: Judging & { now: Date },
): Promise<Finding | null> {
  const { sellerId, packId, siteId } = sale
  const { text, fromId, applicationId } = draft
  const writer = viewpointOf(sale, fromId)
  const billingAsked = (thread.spent['REQUEST_BILLING_INFO'] ?? 0) > 0
  const copied =
    writer === 'seller' && applicationId !== null
      ? await findCopies(tx, { sellerId, packId, text, at: now })
      : null
  return moderate(text, { siteId, writer, terms, billingAsked }) ?? copied
}
