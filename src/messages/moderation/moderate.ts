import { findLetterDocuments, handlesIn, mailsIn } from './contacts.ts'
import type { ModerationContext, ModerationFinding, ModerationMatch } from './finding.ts'
import { linksOf, refusedLinks } from './links.ts'
import { claimPhrases } from './lists/claims.ts'
import { networkPhrases } from './lists/networks.ts'
import { offensivePhrases } from './lists/offensive-language.ts'
import { paymentPhrases } from './lists/payments.ts'
import { personalDataPhrases } from './lists/personal-data.ts'
import { numbersIn } from './numbers.ts'
import { type Pattern, type PhraseRule, parsePhraseRules } from './patterns.ts'
import { type ModerationPhraseMatch, PhraseMatcher, patternEnd } from './phrases.ts'
import type { ModerationReason } from './reason.ts'
import { type NormalizedText, normalizeText, originalSpanOf } from './text/normalize.ts'
import type { TextSpan } from './text/span.ts'

/** The built-in phrases. */
export const phraseRules: readonly PhraseRule[] = [
  ...parsePhraseRules('OUT_OF_PLACE_LANGUAGE', offensivePhrases),
  ...parsePhraseRules('EVASION_CLAIM_SELLER', claimPhrases),
  ...parsePhraseRules('PLATFORM_LINKS_EXTERNALPAY', paymentPhrases),
  ...parsePhraseRules('PERSONAL_DATA', personalDataPhrases),
  ...parsePhraseRules('SOCIAL_NETWORK_LINK', networkPhrases),
]
const phrases = new PhraseMatcher(phraseRules)

/**
 * Returns why a text may not be shown to its receiver and where, or null when it may. Of several matches, the first in
 * the order of `matchesIn` counts. A match that lies within a word allowed by the operator does not, nor does one of a
 * rule that is switched off.
 */
export function moderate(text: string, context: ModerationContext): ModerationFinding | null {
  const normalized = normalizeText(text)
  const { refusedPhrases, allowedWords } = context.terms.forSite(context.siteId)
  const allowed = allowedWords.flatMap((pattern) => spansOf(normalized, pattern))
  const isAllowed = ({ from, to }: TextSpan) =>
    allowed.some((span) => span.from <= from && to <= span.to)
  const [operatorPhrase] = refusedPhrases.find(normalized.words, context).values()
  const matches = operatorPhrase
    ? [matchOf(normalized, operatorPhrase)]
    : matchesIn(normalized, context, isAllowed)
  for (const match of matches) {
    const { reason, rule } = match
    const isOff = context.terms.isRuleOff(rule, context.siteId)
    if (!isOff && !isAllowed(match)) return { reason, rule, ...originalSpanOf(normalized, match) }
  }
  return null
}

/**
 * Yields the matches of all rules, the most certain first: language and claims, links, payments, personal data, and
 * invitations without an address.
 */
function* matchesIn(
  normalized: NormalizedText,
  context: ModerationContext,
  isAllowed: (span: TextSpan) => boolean,
): Generator<ModerationMatch> {
  const { terms, siteId } = context
  const phraseByReason = phrases.find(
    normalized.words,
    context,
    (phrase) =>
      terms.isRuleOff(phrase.group.rule, siteId) || isAllowed(spanOfWords(normalized, phrase)),
  )
  const phrasesOf = (reason: ModerationReason): ModerationMatch[] => {
    const phrase = phraseByReason.get(reason)
    return phrase ? [matchOf(normalized, phrase)] : []
  }
  yield* phrasesOf('OUT_OF_PLACE_LANGUAGE')
  yield* phrasesOf('EVASION_CLAIM_SELLER')
  const links = linksOf(normalized)
  yield* refusedLinks(links, context)
  yield* phrasesOf('PLATFORM_LINKS_EXTERNALPAY')
  const mayHaveBillingData = context.billingAsked && context.writer === 'buyer'
  const mails = mailsIn(normalized, links, context)
  const numbers = [...numbersIn(normalized, context), ...mails.filter(isAccount)]
  yield* numbers.filter(isAccount)
  yield* numbers.filter((match) => !isAccount(match))
  if (!mayHaveBillingData) {
    yield* mails
    yield* findLetterDocuments(normalized)
    yield* phrasesOf('PERSONAL_DATA')
  }
  yield* handlesIn(normalized)
  yield* phrasesOf('SOCIAL_NETWORK_LINK')
}

function isAccount({ reason }: ModerationMatch): boolean {
  return reason === 'PLATFORM_LINKS_EXTERNALPAY'
}

function matchOf(normalized: NormalizedText, phrase: ModerationPhraseMatch): ModerationMatch {
  const { reason, rule } = phrase.group
  return { reason, rule, ...spanOfWords(normalized, phrase) }
}

function spanOfWords(
  { words }: NormalizedText,
  { first, end }: { first: number; end: number },
): TextSpan {
  return { from: words[first]?.from ?? 0, to: words[end - 1]?.to ?? 0 }
}

/** Returns every span that a pattern matches. */
function spansOf(normalized: NormalizedText, pattern: Pattern): TextSpan[] {
  const spans: TextSpan[] = []
  for (let first = 0; first < normalized.words.length; first++) {
    const end = patternEnd(normalized.words, first, pattern)
    if (end >= 0) spans.push(spanOfWords(normalized, { first, end }))
  }
  return spans
}
