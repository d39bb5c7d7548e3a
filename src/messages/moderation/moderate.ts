import type { Finding, ModerationContext, ModerationMatch } from './finding.ts'
import { claims } from './lists/claims.ts'
import { language } from './lists/language.ts'
import { networks } from './lists/networks.ts'
import { payments } from './lists/payments.ts'
import { personal } from './lists/personal.ts'
import { type Pattern, readGroups } from './reading/patterns.ts'
import { endOf, Phrases, type Said } from './reading/phrases.ts'
import { type NormalizedText, readText, spanOf } from './reading/reading.ts'
import type { TextSpan } from './reading/view.ts'
import type { ModerationReason } from './reason.ts'
import { handlesIn, mailsIn, registrationsIn } from './rules/contacts.ts'
import { linksOf, refusedLinks } from './rules/links.ts'
import { numbersIn } from './rules/numbers.ts'

const phrases = new Phrases([
  ...readGroups('OUT_OF_PLACE_LANGUAGE', language),
  ...readGroups('EVASION_CLAIM_SELLER', claims),
  ...readGroups('PLATFORM_LINKS_EXTERNALPAY', payments),
  ...readGroups('PERSONAL_DATA', personal),
  ...readGroups('SOCIAL_NETWORK_LINK', networks),
])

/**
 * Whether a text may be shown to its receiver (contract 2.10): null, or why not and where. Of several
 * offences the surest is told. What the operator has allowed is none, unless it is part of more.
 */
export function moderate(text: string, context: ModerationContext): Finding | null {
  const reading = readText(text)
  const { words, allowedWords } = context.terms.of(context.siteId)
  const allowed = allowedWords.flatMap((pattern) => spansOf(reading, pattern))
  const isLifted = ({ from, to }: TextSpan) =>
    allowed.some((place) => place.from <= from && to <= place.to)
  const [operators] = words.find(reading.words, context).values()
  const found = operators ? [matchOf(reading, operators)] : offencesIn(reading, context, isLifted)
  for (const offence of found) {
    const { reason, rule } = offence
    if (!isLifted(offence)) return { reason, rule, ...spanOf(reading, offence) }
  }
  return null
}

/**
 * Language and claims, then links by what they lead to, then money, then data of persons, and an
 * invitation without an address last.
 */
function* offencesIn(
  reading: NormalizedText,
  context: ModerationContext,
  isLifted: (place: TextSpan) => boolean,
): Generator<ModerationMatch> {
  const found = phrases.find(reading.words, context, (each) => isLifted(spanOfWords(reading, each)))
  const said = (reason: ModerationReason): ModerationMatch[] => {
    const one = found.get(reason)
    return one ? [matchOf(reading, one)] : []
  }
  yield* said('OUT_OF_PLACE_LANGUAGE')
  yield* said('EVASION_CLAIM_SELLER')
  const links = linksOf(reading)
  yield* refusedLinks(links, context)
  yield* said('PLATFORM_LINKS_EXTERNALPAY')
  const tellsBilling = context.billingAsked && context.writer === 'buyer'
  const mails = mailsIn(reading, links, context)
  const data = [...numbersIn(reading, context), ...mails.filter(isAccount)]
  yield* data.filter(isAccount)
  yield* data.filter((each) => !isAccount(each))
  if (!tellsBilling) {
    yield* mails
    yield* registrationsIn(reading)
    yield* said('PERSONAL_DATA')
  }
  yield* handlesIn(reading)
  yield* said('SOCIAL_NETWORK_LINK')
}

function isAccount({ reason }: ModerationMatch): boolean {
  return reason === 'PLATFORM_LINKS_EXTERNALPAY'
}

function matchOf(reading: NormalizedText, said: Said): ModerationMatch {
  return { reason: said.group.reason, rule: said.group.rule, ...spanOfWords(reading, said) }
}

function spanOfWords(
  { words }: NormalizedText,
  { first, end }: { first: number; end: number },
): TextSpan {
  return { from: words[first]?.from ?? 0, to: words[end - 1]?.to ?? 0 }
}

/** Wherever a phrase stands. */
function spansOf(reading: NormalizedText, pattern: Pattern): TextSpan[] {
  const places: TextSpan[] = []
  for (let first = 0; first < reading.words.length; first++) {
    const end = endOf(reading.words, first, pattern)
    if (end >= 0) places.push(spanOfWords(reading, { first, end }))
  }
  return places
}
