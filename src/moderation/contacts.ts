import type { ModerationContext, ModerationMatch } from './decision.ts'
import { domainKindOf, isRealHost, type Link } from './links.ts'
import { wordTables } from './lists/word-tables.ts'
import { numberKindOf } from './number-cues.ts'
import type { NormalizedText } from './text/normalize.ts'
import type { TextSpan } from './text/span.ts'

/** Finds e-mail addresses, except allowed domains. An address that the text calls a payment account counts as one, unless
 * that rule is switched off. */
export function mailsIn(
  normalized: NormalizedText,
  links: readonly Link[],
  { terms, siteId }: ModerationContext,
): ModerationMatch[] {
  const siteTerms = terms.forSite(siteId)
  const mayBeAccount = !terms.isRuleOff('pay.account', siteId)
  const mails = links.filter(
    ({ isEmail, host }) =>
      isEmail && isRealHost(host) && domainKindOf(host, siteTerms) !== 'allowed',
  )
  return [...mails, ...unfinishedMails(normalized)].map(({ from, to }) =>
    mayBeAccount && numberKindOf(normalized, { from, to }) === 'bank'
      ? { reason: 'PLATFORM_LINKS_EXTERNALPAY', rule: 'pay.account', from, to }
      : { reason: 'PERSONAL_DATA', rule: 'contact.email', from, to },
  )
}

const unfinished = /(?<![a-z0-9._-])[a-z0-9][a-z0-9._-]{2,40}@[a-z][a-z0-9-]{2,40}(?!\.?[a-z0-9-])/g

/** Finds addresses without a top-level domain: ventas@tienda. */
function unfinishedMails({ text }: NormalizedText): TextSpan[] {
  if (!text.includes('@')) return []
  return [...text.matchAll(unfinished)].map((match) => spanOfMatch(match))
}

function spanOfMatch({ index, 0: matched }: RegExpExecArray): TextSpan {
  return { from: index, to: index + matched.length }
}

/** Mexican RFC or CURP of a person: four letters first, where a company has three. XAXX and XEXX are the generic RFCs
 * of people who have none. */
const mexican = /^(?!xaxx|xexx)[a-zñ]{4}\d{6}([a-z0-9]{3}|[hmx][a-z]{5}[a-z0-9]\d)$/

/** Finds document numbers that begin with letters. */
export function findLetterDocuments({
  digitCount,
  words,
  text,
}: NormalizedText): ModerationMatch[] {
  if (digitCount < 7) return []
  return words
    .filter(({ from, to }) => [13, 18].includes(to - from) && mexican.test(text.slice(from, to)))
    .map(({ from, to }) => ({ reason: 'PERSONAL_DATA', rule: 'contact.document', from, to }))
}

const handle = /(?<![a-z0-9ñ._@/-])@([a-z][a-z0-9_.]{1,28}[a-z0-9_])(?![a-z0-9@])/g
/** A handle after the name of a network and a colon or equals sign. */
const assigned = /^\s?[:=]\s?@?[a-z0-9_.]{4,30}(?=\s*(?:[,;)!?\n]|\.?\s*$))/
const adjacent = /^\s(?:es|e)?\s?@?[a-z0-9]+[_.][a-z0-9_.]{2,30}/

/** Finds handles in social networks, and names of networks that are disguised. */
export function handlesIn(normalized: NormalizedText): ModerationMatch[] {
  const spans = [
    ...bareHandles(normalized),
    ...namedHandles(normalized),
    ...concealedIn(normalized),
  ]
  return spans.map(({ from, to }) => ({
    reason: 'SOCIAL_NETWORK_LINK',
    rule: 'network.handle',
    from,
    to,
  }))
}

/** A short word after @ may be a brand or a feature (@home), so it counts only where the text names a network. */
function bareHandles({ text, words }: NormalizedText): TextSpan[] {
  if (!text.includes('@')) return []
  const { handleNetworks } = wordTables()
  const namesNetwork = words.some(({ form }) => handleNetworks.has(form))
  return [...text.matchAll(handle)]
    .filter(([, name = '']) => /[_.0-9]/.test(name) || name.length > 5 || namesNetwork)
    .map((match) => spanOfMatch(match))
}

/** Returns where a social network is named with a handle right after it. */
function namedHandles({ text, words }: NormalizedText): TextSpan[] {
  const spans: TextSpan[] = []
  const { handleNetworks } = wordTables()
  for (const { form, from, to, isSpecial } of words) {
    if (!isSpecial || !handleNetworks.has(form)) continue
    const rest = text.slice(to, to + 40)
    const match = assigned.exec(rest) ?? adjacent.exec(rest)
    if (match) spans.push({ from, to: to + match[0].length })
  }
  return spans
}

function concealedIn({ words }: NormalizedText): TextSpan[] {
  const { disguisedNames } = wordTables()
  return words.filter(({ isDisguised, form }) => isDisguised && disguisedNames.has(form))
}
