import { classifierRules } from './classifier/rules.ts'
import { linkRules } from './links.ts'
import { phraseRules } from './phrase-rules.ts'
import type { ModerationReason } from './reason.ts'

/** A rule that every Feria has. Stored decisions also name rules of earlier releases and terms of the operator. */
export interface BuiltInRule {
  rule: string
  reason: ModerationReason
}

/** Rules that are code, not phrases. */
const codeRules: readonly BuiltInRule[] = [
  { rule: 'contact.document', reason: 'PERSONAL_DATA' },
  { rule: 'contact.email', reason: 'PERSONAL_DATA' },
  { rule: 'contact.phone', reason: 'PERSONAL_DATA' },
  { rule: 'copies', reason: 'AUTOMATIC_MESSAGE' },
  { rule: 'network.handle', reason: 'SOCIAL_NETWORK_LINK' },
  { rule: 'pay.account', reason: 'PLATFORM_LINKS_EXTERNALPAY' },
]

/** Returns the rules that can be switched off, by id. */
export function builtInRules(): readonly BuiltInRule[] {
  const byClassifier = Object.entries(classifierRules).map(([reason, rule]) => ({
    rule,
    reason: reason as ModerationReason,
  }))
  const byId = new Map(
    [...phraseRules(), ...linkRules, ...codeRules, ...byClassifier].map(({ rule, reason }) => [
      rule,
      { rule, reason },
    ]),
  )
  return [...byId.values()].sort((one, other) => (one.rule < other.rule ? -1 : 1))
}
