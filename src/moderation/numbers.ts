import { isCard, isCbu, isClabe, isCpf, isCuit, isRut } from './check-digits.ts'
import type { ModerationContext, ModerationMatch } from './decision.ts'
import { wordTables } from './lists/word-tables.ts'
import { numberKindOf } from './number-cues.ts'
import { isPhone, isWrittenAsPhone } from './phones.ts'
import type { ModerationReason } from './reason.ts'
import type { NormalizedText } from './text/normalize.ts'
import { findNumbers, type TextNumber } from './text-numbers.ts'

/**
 * Finds accounts, documents and telephone numbers. The nearest word before a number that tells its kind decides.
 * Without such a word, only valid check digits or a telephone number of the country, written as one, count.
 */
export function numbersIn(
  normalized: NormalizedText,
  context: ModerationContext,
  numbers: readonly TextNumber[] = findNumbers(normalized),
): ModerationMatch[] {
  const matches: ModerationMatch[] = []
  const codes =
    numbers.length > 1
      ? numbers.filter((number) => numberKindOf(normalized, number) === 'code')
      : []
  for (const number of numbers) {
    const isCode =
      codes.some((code) => isOfSameSeries(code, number)) && !numberKindOf(normalized, number)
    if (isCode) continue
    const verdict = classifyNumber(normalized, number, context)
    if (verdict) matches.push({ ...verdict, from: number.from, to: number.to })
  }
  return matches
}

type NumberRefusal = { reason: ModerationReason; rule: string } | undefined

const account: NumberRefusal = { reason: 'PLATFORM_LINKS_EXTERNALPAY', rule: 'pay.account' }
const phone: NumberRefusal = { reason: 'PERSONAL_DATA', rule: 'contact.phone' }
const document: NumberRefusal = { reason: 'PERSONAL_DATA', rule: 'contact.document' }

/** Returns what a number in a text is: a bank account, a document, a telephone number, or undefined for one that
 * may be sent. The order of the tests matters: the word before the number decides first. A buyer may send billing
 * data when the seller has asked for it. */
function classifyNumber(
  normalized: NormalizedText,
  number: TextNumber,
  context: ModerationContext,
): NumberRefusal {
  const { digits } = number
  if (isMeasured(normalized.text, number)) return undefined
  const mayHaveBillingData = context.billingAsked && context.writer === 'buyer'
  if (isInsideCode(normalized.text, number)) return undefined
  const lead = numberKindOf(normalized, number)
  if (lead === 'bank') return account
  if (lead === 'document')
    return mayHaveBillingData || isCompany(digits, context) ? undefined : document
  const isPlus = normalized.text[number.from] === '+'
  if (lead === 'code' && !isPlus) return undefined
  if (lead === 'phone' && digits.length < 16) return mayHaveBillingData ? undefined : phone
  // Short numbers with a few words are usually counts, not telephone numbers.
  if (number.spelledParts > 0 && number.spelledParts < 4 && digits.length < 9) return undefined
  if (isCbu(digits) || (context.siteId === 'MLM' && isClabe(digits))) return account
  if (isDocument(normalized.text, number)) return mayHaveBillingData ? undefined : document
  if (isCard(digits) && number.partLengths.length === 4) return account
  if (
    isListed(number) ||
    isAmount(normalized.text, number) ||
    isPartOfCode(normalized.text, number)
  )
    return undefined
  const first = normalized.text[number.from] ?? ''
  const isPhoneFormat = isWrittenAsPhone(number, first)
  if (mayHaveBillingData) return undefined
  if (digits.length === 8 && !isPhoneFormat) return undefined
  if (isPhone(number, context.siteId, normalized.text)) return phone
  return undefined
}

/** Returns whether two numbers are written alike and differ only at their ends: part 8155-5502-33 instead of -38. */
function isOfSameSeries(one: TextNumber, other: TextNumber): boolean {
  const shared = Math.ceil(one.digits.length / 2)
  return (
    one.separators === other.separators &&
    one.partLengths.join() === other.partLengths.join() &&
    one.digits.slice(0, shared) === other.digits.slice(0, shared)
  )
}

/** Returns whether a currency sign or a unit next to the number makes it a price or a measure. */
function isMeasured(text: string, { from, to }: TextNumber): boolean {
  if (/[$€£#]\s?$/.test(text.slice(Math.max(0, from - 3), from))) return true
  if (/(^|[^a-z])r?\$\s?$/.test(text.slice(Math.max(0, from - 4), from))) return true
  const [, space, after] = /^(\s?)([a-z]+|[%°"])/.exec(text.slice(to, to + 12)) ?? []
  // A single letter is a unit only without a space before it: "a" and "u" are also words.
  if (
    after &&
    (wordTables().units.has(after) || !/[a-z]/.test(after)) &&
    (after.length > 1 || !space)
  ) {
    return true
  }
  return false
}

/** Returns whether the format is that of an amount, a date or an IP address. */
function isAmount(text: string, { from, to, partLengths, separators, parts }: TextNumber): boolean {
  if (/^\.+$/.test(separators) && partLengths.slice(1).every((size) => size === 3)) return true
  if (/^[.,]?\d{1,3}([.,]\d{3})*([.,]\d{1,2})?$/.test(text.slice(from, to)) && separators !== '') {
    return partLengths.length > 1 && partLengths.slice(1).every((size) => size === 3 || size === 2)
  }
  const isDate =
    /^\/+$/.test(separators) && partLengths.length < 4 && partLengths.every((size) => size <= 4)
  const isNetwork = separators === '...' && parts.every((part) => Number(part) < 256)
  return (isDate && partLengths.length === 3 && digitsIn(partLengths) <= 8) || isNetwork
}

function digitsIn(groups: readonly number[]): number {
  return groups.reduce((sum, size) => sum + size, 0)
}

/** Returns whether the parts are a list, such as sizes or models: equal lengths, each higher than the one before. */
function isListed({ parts, partLengths }: TextNumber): boolean {
  if (parts.length < 3 || parts.length === digitsIn(partLengths)) return false
  const sameLength = partLengths.every((size) => size === partLengths[0])
  return sameLength && parts.every((part, index) => index === 0 || part > (parts[index - 1] ?? ''))
}

/** Returns whether letters stand right before and after a number, as in the code of a parcel: PY004471829CR. */
function isInsideCode(text: string, { from, to }: TextNumber): boolean {
  return /[a-z]/.test(text[from - 1] ?? '') && /[a-z]/.test(text[to] ?? '')
}

/** Returns whether the number is part of a code with letters: AA123456785BR, FE-10234567. */
function isPartOfCode(text: string, { from, to }: TextNumber): boolean {
  return (
    /[a-z][-_/.]?$/.test(text.slice(Math.max(0, from - 2), from)) ||
    /^[-_/.]?[a-z0-9]/.test(text.slice(to, to + 2))
  )
}

/** Returns whether a number is an identity document, by its check digit and how it is written: a CPF of Brazil, the
 * CUIT of a person in Argentina, or a RUT of Chile. */
function isDocument(text: string, { digits, separators, to, partLengths }: TextNumber): boolean {
  if (separators === '..-' || separators === '--') {
    if (isCpf(digits) || (isCuit(digits) && digits.startsWith('2'))) return true
  }
  if (isCpf(digits) && partLengths.length === 1) return true
  if (/^\.\.-?$/.test(separators)) {
    const check = separators === '..-' ? digits.at(-1) : /^-([0-9k])/.exec(text.slice(to))?.[1]
    const number = separators === '..-' ? digits.slice(0, -1) : digits
    return check !== undefined && isRut(number, check)
  }
  return false
}

/** Returns whether the number is that of a company: it is on every invoice, so it is no personal data. */
function isCompany(digits: string, { siteId }: ModerationContext): boolean {
  if (siteId === 'MLB') return digits.length === 14
  if (siteId === 'MLA') return digits.length === 11 && digits.startsWith('3')
  if (siteId === 'MCO') return /^[89]\d{8,9}$/.test(digits)
  if (siteId === 'MPE') return digits.length === 11 && digits.startsWith('20')
  if (siteId === 'MLC') return /^[6-9]\d{7,8}$/.test(digits) && digits.length > 7
  return false
}
