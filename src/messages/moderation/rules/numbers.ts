import type { ModerationContext, ModerationMatch } from '../finding.ts'
import { units } from '../lists/leads.ts'
import type { NormalizedText } from '../reading/reading.ts'
import type { ModerationReason } from '../reason.ts'
import { isCard, isCbu, isClabe, isCpf, isCuit, isRut } from './checks.ts'
import { type Digits, digitsOf } from './digits.ts'
import { leadOf } from './leads.ts'
import { isPhone, isWrittenAsPhone } from './phones.ts'

/**
 * What the numbers of a message are. The nearest word before one that tells what it is decides; without
 * such a word a number is somebody's only if it proves it: by check digits, or by being a telephone
 * number of the country, written as one.
 */
export function numbersIn(reading: NormalizedText, context: ModerationContext): ModerationMatch[] {
  const offences: ModerationMatch[] = []
  for (const found of digitsOf(reading)) {
    const judged = judge(reading, found, context)
    if (judged) offences.push({ ...judged, from: found.from, to: found.to })
  }
  return offences
}

type Judged = { reason: ModerationReason; rule: string } | undefined

const account: Judged = { reason: 'PLATFORM_LINKS_EXTERNALPAY', rule: 'pay.account' }
const phone: Judged = { reason: 'PERSONAL_DATA', rule: 'contact.phone' }
const document: Judged = { reason: 'PERSONAL_DATA', rule: 'contact.document' }

function judge(reading: NormalizedText, found: Digits, context: ModerationContext): Judged {
  const { digits } = found
  if (isMeasured(reading.text, found)) return undefined
  const tellsBilling = context.billingAsked && context.writer === 'buyer'
  const lead = leadOf(reading, found)
  if (lead === 'bank') return account
  if (lead === 'document') return tellsBilling || isCompany(digits, context) ? undefined : document
  const isPlus = reading.text[found.from] === '+'
  if (lead === 'code' && !isPlus) return undefined
  if (lead === 'phone' && digits.length < 16) return phone
  // A count in words is common, a whole telephone number with words in it is not.
  if (found.spoken > 0 && found.spoken < 4 && digits.length < 9) return undefined
  if (isCbu(digits) || (context.siteId === 'MLM' && isClabe(digits))) return account
  if (isDocument(reading.text, found)) return tellsBilling ? undefined : document
  if (isCard(digits) && found.groups.length === 4) return account
  if (isListed(found) || isAmount(reading.text, found) || isGlued(reading.text, found))
    return undefined
  const first = reading.text[found.from] ?? ''
  const asPhone = isWrittenAsPhone(found, first)
  if (tellsBilling && !isPlus && !/[()]/.test(found.between)) return undefined
  if (digits.length === 8 && !asPhone) return undefined
  if (isPhone(found, context.siteId, reading.text)) return phone
  return undefined
}

/** A price or a measure: what stands right beside it says so. */
function isMeasured(text: string, { from, to }: Digits): boolean {
  if (/[$€£#]\s?$/.test(text.slice(Math.max(0, from - 3), from))) return true
  if (/(^|[^a-z])r?\$\s?$/.test(text.slice(Math.max(0, from - 4), from))) return true
  const [, space, after] = /^(\s?)([a-z]+|[%°"])/.exec(text.slice(to, to + 12)) ?? []
  // A letter alone is a unit only where it touches the number: "a" and "u" are words as well.
  if (after && (unitWords.has(after) || !/[a-z]/.test(after)) && (after.length > 1 || !space)) {
    return true
  }
  return false
}

/** An amount, a date, an address of the network: the way it is written says so. */
function isAmount(text: string, { from, to, groups, between, parts }: Digits): boolean {
  if (/^\.+$/.test(between) && groups.slice(1).every((size) => size === 3)) return true
  if (/^[.,]?\d{1,3}([.,]\d{3})*([.,]\d{1,2})?$/.test(text.slice(from, to)) && between !== '') {
    return groups.length > 1 && groups.slice(1).every((size) => size === 3 || size === 2)
  }
  const isDate = /^\/+$/.test(between) && groups.length < 4 && groups.every((size) => size <= 4)
  const isNetwork = between === '...' && parts.every((part) => Number(part) < 256)
  return (isDate && groups.length === 3 && digitsIn(groups) <= 8) || isNetwork
}

function digitsIn(groups: readonly number[]): number {
  return groups.reduce((all, size) => all + size, 0)
}

/** Sizes, colours, model numbers: parts of one length, each higher than the one before. */
function isListed({ parts, groups }: Digits): boolean {
  if (parts.length < 3 || parts.length === digitsIn(groups)) return false
  const sameLength = groups.every((size) => size === groups[0])
  return sameLength && parts.every((part, index) => index === 0 || part > (parts[index - 1] ?? ''))
}

/** Part of a code of letters and digits: AA123456785BR, FE-10234567. */
function isGlued(text: string, { from, to }: Digits): boolean {
  return (
    /[a-z][-_/.]?$/.test(text.slice(Math.max(0, from - 2), from)) ||
    /^[-_/.]?[a-z0-9]/.test(text.slice(to, to + 2))
  )
}

function isDocument(text: string, { digits, between, to, groups }: Digits): boolean {
  if (between === '..-' || between === '--') {
    if (isCpf(digits) || (isCuit(digits) && digits.startsWith('2'))) return true
  }
  if (isCpf(digits) && groups.length === 1) return true
  if (/^\.\.-?$/.test(between)) {
    const check = between === '..-' ? digits.at(-1) : /^-([0-9k])/.exec(text.slice(to))?.[1]
    const number = between === '..-' ? digits.slice(0, -1) : digits
    return check !== undefined && isRut(number, check)
  }
  return false
}

/** A company's number is no person's: it stands on every invoice. */
function isCompany(digits: string, { siteId }: ModerationContext): boolean {
  if (siteId === 'MLB') return digits.length === 14
  if (siteId === 'MLA') return digits.length === 11 && digits.startsWith('3')
  if (siteId === 'MCO') return /^[89]\d{8,9}$/.test(digits)
  if (siteId === 'MPE') return digits.length === 11 && digits.startsWith('20')
  if (siteId === 'MLC') return /^[6-9]\d{7,8}$/.test(digits) && digits.length > 7
  return false
}

const unitWords = new Set(units.trim().split(/\s+/))
