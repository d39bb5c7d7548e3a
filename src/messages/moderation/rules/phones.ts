import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { type SiteId, sites } from '../../../kernel/sites.ts'
import type { Digits } from './digits.ts'

/** How numbers are told to a neighbour, without the area; libphonenumber knows whole ones only. */
const localForms: Partial<Record<SiteId, RegExp>> = {
  MLA: /^15[2-9]\d{7}$/,
}

const shortest = 8
const longest = 15

/** Whether this is a telephone number of the site's country, or of any where it begins with a plus. */
export function isPhone(found: Digits, siteId: SiteId, text: string): boolean {
  const { digits } = found
  if (digits.length < shortest || digits.length > longest) return false
  const { country } = sites[siteId]
  const plus = text[found.from] === '+' ? '+' : ''
  if (parsePhoneNumberFromString(plus + digits, country)?.isValid()) return true
  if (localForms[siteId]?.test(digits) && found.groups.length > 1) return true
  // Written in full, but without its plus: 54 9 11 5555 1234.
  const whole = digits.length > 10 ? parsePhoneNumberFromString(`+${digits}`) : undefined
  return whole?.country === country && whole.isValid()
}

/** Whether it is written the way that telephone numbers are, and nothing else is. */
export function isWrittenAsPhone({ groups, between, spoken }: Digits, first: string): boolean {
  if (first === '+' || spoken > 0) return true
  if (/[()]/.test(between)) return groups.length > 1
  return groups.length > 1 && groups.length < 6 && /^[ -]+$/.test(between)
}
