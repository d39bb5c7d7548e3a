import { memoized } from '../kernel/memoized.ts'
import { type Classification, classify } from './classifier/classify.ts'
import { classifierModel } from './classifier/file.ts'
import { classifierRules } from './classifier/rules.ts'
import { findLetterDocuments, handlesIn, mailsIn } from './contacts.ts'
import type { ModerationContext, ModerationDecision, ModerationMatch } from './decision.ts'
import { allowedLinks, isRealHost, type Link, linksOf, refusedLinks } from './links.ts'
import { wordTables } from './lists/word-tables.ts'
import { numbersIn } from './numbers.ts'
import type { Pattern } from './patterns.ts'
import { phraseRules } from './phrase-rules.ts'
import { type ModerationPhraseMatch, PhraseMatcher, patternEnd } from './phrases.ts'
import type { ModerationReason } from './reason.ts'
import { type NormalizedText, normalizeText, originalSpanOf } from './text/normalize.ts'
import type { TextSpan } from './text/span.ts'
import { findNumbers, type TextNumber } from './text-numbers.ts'

const phraseMatcher = memoized(() => new PhraseMatcher(phraseRules()))

/** Reads the word lists before the first text needs them. Throws `ModerationListError` for the first line that is wrong. */
export function loadModerationLists(): void {
  wordTables()
  phraseMatcher()
  classifierModel()
}

/** Below this probability of being clean, a text is held back without a match of a rule. */
const heldBelow = 0.42
/** The reason must be this probable then. */
const likelyFrom = 0.3
/** A match of a rule that is often wrong holds a text back only below this probability. */
const uncertainBelow = 0.55
/** A link to a domain that no list refuses is held back only below this probability. */
const judgedLinkBelow = 0.2
/** A match of any other rule does not hold back what is clean with this probability. */
const passedFrom = 0.9

/** Rules that say more about the subject of a text than about what it does with it: on the training messages, more than
 * one of ten of their matches is in a clean one. */
const uncertainRules: ReadonlySet<string> = new Set([
  'network.invite',
  'pay.wallet',
  'pay.elsewhere',
  'pay.outside',
  'pay.courier',
  'pay.cash',
  'contact.address',
])

/** Reasons that are links. */
const linkReasons: ReadonlySet<ModerationReason> = new Set(['LINK_SHORT_URL', 'LINK_PLATFORMPAY'])

/** Reasons that do not depend on an address, a link or an account. */
const wordReasons: ReadonlySet<ModerationReason> = new Set([
  'OUT_OF_PLACE_LANGUAGE',
  'EVASION_CLAIM_SELLER',
])

/**
 * Returns the decision to hold a text back, or undefined when its receiver may see it. A phrase of the operator decides
 * alone, as do links to refused domains and the most precise rules. For the rest the matches of the rules and the
 * classifier decide together. What the operator allows counts for neither of them.
 */
export function moderate(text: string, context: ModerationContext): ModerationDecision | undefined {
  const normalized = normalizeText(text)
  const { terms, siteId } = context
  const { refusedPhrases, allowedWords } = terms.forSite(siteId)
  const allowed = allowedWords.flatMap((pattern) => spansOf(normalized, pattern))
  const decisionOf = ({ reason, rule, ...span }: ModerationMatch): ModerationDecision => ({
    reason,
    rule,
    ...originalSpanOf(normalized, span),
  })
  const [operatorPhrase] = refusedPhrases.find(normalized.words, context).values()
  if (operatorPhrase) {
    const match = matchOf(normalized, operatorPhrase)
    return isCovered(match, allowed) ? undefined : decisionOf(match)
  }
  const links = linksOf(normalized)
  const numbers = findNumbers(normalized)
  const ignored = [...allowed, ...allowedLinks(links, context)]
  // What a switched-off rule matches tells the classifier nothing, either.
  const isIgnored = ({ rule, ...span }: ModerationMatch) => {
    if (isCovered(span, allowed)) return true
    const isOff = terms.isRuleOff(rule, siteId)
    if (isOff) ignored.push(span)
    return isOff
  }
  const matches: ModerationMatch[] = []
  for (const match of matchesIn(normalized, context, { isIgnored, links, numbers })) {
    if (isIgnored(match)) continue
    if (decidesAlone(match, normalized)) return decisionOf(matches[0] ?? match)
    matches.push(match)
  }
  const rules = evidenceOf(numbers, matches)
  const classification = classify(classifierModel(), normalized, {
    sender: context,
    rules,
    ignored,
  })
  const match = chooseMatch(matches, { normalized, classification })
  if (!match || isIgnored(match)) return undefined
  const isGuess = match.rule.startsWith('classifier.') && !wordReasons.has(match.reason)
  // Beside what is allowed, the rest of a sentence often looks as if it led to an address or an account.
  if (isGuess && ignored.length > 0) return undefined
  // The lists of domains have judged a link that is written as one: it takes more to refuse it.
  const isJudgedLink = isGuess && linkReasons.has(match.reason) && links.some(isWebLink)
  if (isJudgedLink && classification.clean > judgedLinkBelow) return undefined
  return decisionOf(match)
}

/** Rules that decide alone: on the training messages, at least 96 of 100 of their matches are right. */
const decisiveRules = /^(link\.|operator:|language\.|claim\.open$)/

function decidesAlone(match: ModerationMatch, normalized: NormalizedText): boolean {
  return decisiveRules.test(match.rule) && !isUncertain(match, normalized)
}

/** Whoever warns of a link often names its domain alone, without a path. */
function isUncertain({ rule, from, to }: ModerationMatch, { text }: NormalizedText): boolean {
  if (rule.startsWith('link.')) return !text.slice(from, to + 1).includes('/')
  return uncertainRules.has(rule)
}

/** Returns the match that holds a text back: of a rule, or the part of the text for which the classifier does. */
function chooseMatch(
  matches: readonly ModerationMatch[],
  { normalized, classification }: { normalized: NormalizedText; classification: Classification },
): ModerationMatch | undefined {
  const { clean, reason } = classification
  const certain = matches.find((match) => !isUncertain(match, normalized))
  if (certain && classification.probabilityOf('clean') < passedFrom) {
    const isOther =
      classification.probabilityOf(reason) > 0.5 &&
      classification.probabilityOf(certain.reason) < 0.3
    if (isOther) return matchFor(matches, classification)
    return matches.find((match) => match.reason === certain.reason)
  }
  const isHeld = clean < heldBelow && classification.probabilityOf(reason) > likelyFrom
  if (isHeld) return matchFor(matches, classification)
  return clean < uncertainBelow ? matches[0] : undefined
}

/** Returns the match for the reason of the classifier: that of a rule if there is one. */
function matchFor(
  matches: readonly ModerationMatch[],
  { reason, explain }: Classification,
): ModerationMatch {
  const ofRule = matches.find((match) => match.reason === reason)
  return ofRule ?? { reason, rule: classifierRules[reason], ...explain() }
}

/** What the rules tell the classifier: their ids and reasons, and whether there is a long number that none of them
 * refuses. */
function evidenceOf(
  numbers: readonly TextSpan[],
  matches: readonly ModerationMatch[],
): Set<string> {
  const evidence = new Set<string>()
  for (const { reason, rule } of matches) evidence.add(reason).add(rule)
  const hasOtherNumber = numbers.some((number) => !isCovered(number, matches))
  if (hasOtherNumber) evidence.add('other number')
  return evidence
}

function isCovered({ from, to }: TextSpan, spans: readonly TextSpan[]): boolean {
  return spans.some((span) => span.from <= from && to <= span.to)
}

/** Returns what the classifier learns from a message: the normalized text, and the reasons and rules that match. */
export function matchRules(
  text: string,
  context: ModerationContext,
): { normalized: NormalizedText; rules: Set<string> } {
  const normalized = normalizeText(text)
  const parts = { links: linksOf(normalized), numbers: findNumbers(normalized) }
  const matches = [...matchesIn(normalized, context, { isIgnored: () => false, ...parts })]
  return { normalized, rules: evidenceOf(parts.numbers, matches) }
}

/**
 * Yields the matches of all rules, the most certain first: language and claims, links, payments, personal data, and
 * invitations without an address.
 */
function* matchesIn(
  normalized: NormalizedText,
  context: ModerationContext,
  {
    isIgnored,
    links,
    numbers: written,
  }: {
    isIgnored: (match: ModerationMatch) => boolean
    links: readonly Link[]
    numbers: readonly TextNumber[]
  },
): Generator<ModerationMatch> {
  const phraseByReason = phraseMatcher().find(normalized.words, context, (phrase) =>
    isIgnored(matchOf(normalized, phrase)),
  )
  const phrasesOf = (reason: ModerationReason): ModerationMatch[] => {
    const phrase = phraseByReason.get(reason)
    return phrase ? [matchOf(normalized, phrase)] : []
  }
  yield* phrasesOf('OUT_OF_PLACE_LANGUAGE')
  yield* phrasesOf('EVASION_CLAIM_SELLER')
  yield* refusedLinks(links, context)
  yield* phrasesOf('PLATFORM_LINKS_EXTERNALPAY')
  const mayHaveBillingData = context.billingAsked && context.writer === 'buyer'
  const mails = mailsIn(normalized, links, context)
  const numbers = [...numbersIn(normalized, context, written), ...mails.filter(isAccount)]
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

function isWebLink({ isEmail, host }: Link): boolean {
  return !isEmail && isRealHost(host)
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
