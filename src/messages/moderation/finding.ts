import type { SiteId } from '../../kernel/sites.ts'
import type { TextSpan } from './reading/view.ts'
import type { ModerationReason, Writer } from './reason.ts'
import type { Terms } from './terms/terms.ts'

/** What of a message's surroundings decides with its text. */
export interface ModerationContext {
  siteId: SiteId
  writer: Writer
  /** The operator's words and domains. */
  terms: Terms
  /** The seller has asked for invoicing data: what the buyer tells of that is no offence. */
  billingAsked: boolean
}

/** Why a text is refused, and where in what it folds to. */
export interface ModerationMatch extends TextSpan {
  reason: ModerationReason
  rule: string
}

/** Why a text is refused, and where in it. Kept for the operator, never sent to the other side. */
export interface Finding {
  reason: ModerationReason
  /** Stable: `network.invite`, or `operator:` and the id of a term. */
  rule: string
  /** The span of the original text, in UTF-16 offsets. */
  from: number
  to: number
}
