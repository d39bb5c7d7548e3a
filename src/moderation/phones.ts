import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { type SiteId, sites } from '../kernel/sites.ts'
import type { TextNumber } from './text-numbers.ts'

/** Local forms without an area code, which libphonenumber does not accept. */
const localForms: Partial<Record<SiteId, RegExp>> = {
  MLA: /^15[2-9]\d{7}$/,
}

/** Digits of a telephone number. */
const minLength = 8
const maxLength = 15

/** Returns whether this is a telephone number of the country of the site, or of any country when it begins with +. */
export function isPhone(number: TextNumber, siteId: SiteId, text: string): boolean {
  const { digits } = number
  if (digits.length < minLength || digits.length > maxLength) return false
  const { country } = sites[siteId]
  const plus = text[number.from] === '+' ? '+' : ''
  if (parsePhoneNumberFromString(plus + digits, country)?.isValid()) return true
  if (localForms[siteId]?.test(digits) && number.partLengths.length > 1) return true
  // International format without the plus: 54 9 11 5555 1234.
  const international = digits.length > 10 ? parsePhoneNumberFromString(`+${digits}`) : undefined
  return international?.country === country && international.isValid()
}

/** Returns whether the separators are those of telephone numbers and of nothing else. */
export function isWrittenAsPhone(
  { partLengths, separators, spelledParts }: TextNumber,
  first: string,
): boolean {
  if (first === '+' || spelledParts > 0) return true
  if (/[()]/.test(separators)) return partLengths.length > 1
  return partLengths.length > 1 && partLengths.length < 6 && /^[ -]+$/.test(separators)
}
