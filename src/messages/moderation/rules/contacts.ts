import type { ModerationContext, ModerationMatch } from '../finding.ts'
import { hiddenNames, networkNames } from '../lists/networks.ts'
import type { NormalizedText } from '../reading/reading.ts'
import type { TextSpan } from '../reading/view.ts'
import { leadOf } from './leads.ts'
import { isRealHost, kindOfHost, type Link } from './links.ts'

/** E-mail addresses, except the platform's own; those that money is sent to are accounts. */
export function mailsIn(
  reading: NormalizedText,
  links: readonly Link[],
  { terms, siteId }: ModerationContext,
): ModerationMatch[] {
  const own = terms.of(siteId)
  const mails = links.filter(
    ({ mail, host }) => mail && isRealHost(host) && kindOfHost(host, own) !== 'allowed',
  )
  return [...mails, ...unfinishedMails(reading)].map(({ from, to }) =>
    leadOf(reading, { from, to }) === 'bank'
      ? { reason: 'PLATFORM_LINKS_EXTERNALPAY', rule: 'pay.account', from, to }
      : { reason: 'PERSONAL_DATA', rule: 'contact.email', from, to },
  )
}

const unfinished = /(?<![a-z0-9._-])[a-z0-9][a-z0-9._-]{2,40}@[a-z][a-z0-9-]{2,40}(?!\.?[a-z0-9-])/g

/** Addresses whose ending is left to the reader: ventas@tienda. */
function unfinishedMails({ text }: NormalizedText): TextSpan[] {
  if (!text.includes('@')) return []
  return [...text.matchAll(unfinished)].map((found) => spanOfMatch(found))
}

function spanOfMatch({ index, 0: whole }: RegExpExecArray): TextSpan {
  return { from: index, to: index + whole.length }
}

/** Mexico: a person's registration begins with four letters, a company's with three; the third is
 * what everybody writes who has none. */
const mexican = /^(?!xaxx|xexx)[a-zñ]{4}\d{6}([a-z0-9]{3}|[hmx][a-z]{5}[a-z0-9]\d)$/

/** Numbers of persons that begin with letters. */
export function registrationsIn({ digits, words, text }: NormalizedText): ModerationMatch[] {
  if (digits < 7) return []
  return words
    .filter(({ from, to }) => [13, 18].includes(to - from) && mexican.test(text.slice(from, to)))
    .map(({ from, to }) => ({ reason: 'PERSONAL_DATA', rule: 'contact.document', from, to }))
}

const handle = /(?<![a-z0-9ñ._@/-])@([a-z][a-z0-9_.]{1,28}[a-z0-9_])(?![a-z0-9@])/g
/** A name that is told after that of a network, which may be spelled letter by letter. */
const told = /^\s?[:=]\s?@?[a-z0-9_.]{4,30}(?=\s*(?:[,;)!?\n]|\.?\s*$))/
const named = /^\s(?:es|e)?\s?@?[a-z0-9]+[_.][a-z0-9_.]{2,30}/
const networks = new Set(networkNames.trim().split(/\s+/))
const concealed = new Set(hiddenNames.trim().split(/\s+/))

/** The names under which somebody is found in a network, and networks that are spelled out so that
 * nobody finds them. */
export function handlesIn(reading: NormalizedText): ModerationMatch[] {
  const places = [...bareHandles(reading), ...namedHandles(reading), ...concealedIn(reading)]
  return places.map((place) => ({
    reason: 'SOCIAL_NETWORK_LINK',
    rule: 'network.handle',
    ...place,
  }))
}

/** A short word after the sign alone may be a brand's or a feature's name: @home. */
function bareHandles({ text, words }: NormalizedText): TextSpan[] {
  if (!text.includes('@')) return []
  const tellsNetwork = words.some(({ form }) => networks.has(form))
  return [...text.matchAll(handle)]
    .filter(([, name = '']) => /[_.0-9]/.test(name) || name.length > 5 || tellsNetwork)
    .map((found) => spanOfMatch(found))
}

function namedHandles({ text, words }: NormalizedText): TextSpan[] {
  const places: TextSpan[] = []
  for (const { form, from, to } of words) {
    if (!networks.has(form)) continue
    const rest = text.slice(to, to + 40)
    const found = told.exec(rest) ?? named.exec(rest)
    if (found) places.push({ from, to: to + found[0].length })
  }
  return places
}

function concealedIn({ words }: NormalizedText): TextSpan[] {
  return words
    .filter(({ hidden, form }) => hidden && concealed.has(form))
    .map(({ from, to }) => ({ from, to }))
}
