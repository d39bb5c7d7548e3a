import type { SiteId } from '../kernel/sites.ts'
import type { ModerationReason, Writer } from './reason.ts'
import type { ModerationTerms } from './terms.ts'
import type { TextSpan } from './text/span.ts'

/** What moderation needs besides the text. */
export interface ModerationContext {
  siteId: SiteId
  writer: Writer
  /** The operator's words and domains. */
  terms: ModerationTerms
  /** Whether the seller has asked for invoicing data: the buyer may then send it. */
  billingAsked: boolean
}

/** A match of a rule, at a span of the folded text. */
export interface ModerationMatch extends TextSpan {
  reason: ModerationReason
  rule: string
}

/** The decision to hold a text back: why, and where in it. Stored for the operator, never sent to a party. */
export interface ModerationDecision {
  reason: ModerationReason
  /** Stable id, such as `network.invite`, or `operator:` and the id of a term. */
  rule: string
  /** The span of the original text, in UTF-16 offsets. */
  from: number
  to: number
}
