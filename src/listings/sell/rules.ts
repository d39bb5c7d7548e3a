import { isDeepStrictEqual } from 'node:util'
import type { Breach } from '../../kernel/failure.ts'
import { fitsCurrency, placesOf } from '../../kernel/money.ts'
import type { Listing } from '../listing.ts'
import type { ItemBody } from './bodies.ts'
import { invalid, missing, notAllowed, notModifiable } from './breach.ts'
import type { Limits, Presence } from './limits.ts'

/** A listing as it would be saved, and what the rules compare it with. */
export interface Seen {
  listing: Listing
  body: ItemBody
  /** Undefined for a new listing. */
  before: Listing | undefined
  hasSold: boolean
  limits: Limits
  /** Whether an existing listing gets another category. */
  isMoved: boolean
}

/** A rule applies to new listings, to those that change their category, and when one of its fields changes. An
 * operator's listing that breaks a rule can thus still get another price. */
interface Rule {
  about: readonly (keyof Listing)[]
  breaches(seen: Seen): Breach | false | undefined
}

const length = (text: string) => [...text].length

const rules: readonly Rule[] = [
  {
    about: ['title'],
    breaches: ({ listing, body, limits, before }) => {
      if (!before && body.title === undefined && listing.title === '') return missing('title')
      if (listing.title === '') return invalid('title', 'a text that is not blank')
      return tooLong('title', listing.title, limits.longestTitle)
    },
  },
  {
    about: ['subtitle'],
    breaches: ({ listing: { subtitle }, limits }) =>
      subtitle !== null && tooLong('subtitle', subtitle, limits.longestSubtitle),
  },
  {
    about: ['price'],
    breaches: ({ listing, limits }) =>
      presence('price', { is: limits.price, has: listing.price !== null, in: listing.categoryId }),
  },
  {
    about: ['price', 'currencyId'],
    breaches: ({ listing: { price, currencyId }, limits: { leastPrice, greatestPrice } }) => {
      if (price === null) return
      const value = Number(price)
      if (value === 0) return invalid('price', 'more than 0')
      if (currencyId !== '' && !fitsCurrency(value, currencyId))
        return invalid('price', `at most ${placesOf(currencyId)} decimal places`)
      if (leastPrice !== null && value < leastPrice)
        return invalid('price', `at least ${leastPrice} in this category`)
      if (greatestPrice !== null && value > greatestPrice)
        return invalid('price', `at most ${greatestPrice} in this category`)
      return
    },
  },
  {
    about: ['currencyId'],
    breaches: ({ listing, limits }) =>
      listing.currencyId === ''
        ? missing('currency_id', oneOf(limits.currencies))
        : oneOfThese('currency_id', listing.currencyId, limits.currencies),
  },
  {
    about: ['condition'],
    breaches: ({ listing, limits }) =>
      listing.condition === ''
        ? missing('condition', oneOf(limits.conditions))
        : oneOfThese('condition', listing.condition, limits.conditions),
  },
  {
    about: ['shipping'],
    breaches: ({ listing, limits }) =>
      oneOfThese('shipping.mode', listing.shipping.mode, limits.shippingModes),
  },
  {
    about: ['pictures'],
    breaches: ({ listing: { pictures }, limits: { mostPictures } }) =>
      pictures.length > mostPictures && {
        code: 'item.pictures.max',
        field: 'pictures',
        expected: `at most ${mostPictures}`,
      },
  },
  {
    about: ['sellerContact'],
    breaches: ({ listing: { sellerContact, categoryId }, limits: { sellerContact: is } }) =>
      presence('seller_contact', { is, has: sellerContact !== null, in: categoryId }),
  },
  {
    about: ['sellerContact'],
    breaches: ({ listing: { sellerContact: contact } }) =>
      contact !== null &&
      contact.phone === null &&
      contact.email === null && {
        code: 'seller_contact.phone.invalid',
        field: 'seller_contact.phone',
        expected: 'a phone or an email',
      },
  },
  {
    about: ['coverageAreas'],
    breaches: ({ listing: { coverageAreas, categoryId }, limits: { coverageAreas: is } }) =>
      presence('coverage_areas', { is, has: coverageAreas.length > 0, in: categoryId }),
  },
  {
    about: ['status'],
    breaches: ({ listing, before }) =>
      !before &&
      listing.status === 'closed' &&
      invalid('status', 'active or paused: a new item can not be closed'),
  },
]

/** Fields that cannot change once the item has sold, because orders refer to them. */
const fixed = { title: 'title', condition: 'condition', warranty: 'warranty' } as const

/** Returns all breaches of the category's rules by the fields of a listing. */
export function breachesOf(candidate: Seen): Breach[] {
  const { listing, before, body, limits, isMoved, hasSold } = candidate
  const changes = (field: keyof Listing) => !isDeepStrictEqual(before?.[field], listing[field])
  const breaches = rules
    .filter(({ about }) => !before || isMoved || about.some(changes))
    .map((rule) => rule.breaches(candidate))
    .filter((breach) => breach !== undefined && breach !== false)
  if (body.buying_mode !== undefined) {
    const breach = oneOfThese('buying_mode', body.buying_mode, limits.buyingModes)
    if (breach) breaches.push(breach)
  }
  if (!before || !hasSold) return breaches
  const soldBreaches = Object.entries(fixed)
    .filter(([field]) => changes(field as keyof typeof fixed))
    .map(([, name]) => notModifiable(name, 'what it was: the item has sold'))
  if (changes('vertical')) {
    const expected = 'a category with the same buying mode: the item has sold'
    soldBreaches.push({ ...notModifiable('buying_mode', expected), field: 'category_id' })
  }
  return [...breaches, ...soldBreaches]
}

function tooLong(field: string, text: string, max: number): Breach | false {
  const expected = `at most ${max} characters in this category`
  return length(text) > max && { code: `item.${field}.length`, field, expected }
}

function oneOfThese(field: string, value: string, values: readonly string[]): Breach | false {
  return !values.includes(value) && invalid(field, oneOf(values))
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`
}

function presence(
  field: string,
  { is, has, in: categoryId }: { is: Presence; has: boolean; in: string },
): Breach | false {
  if (is === 'required' && !has) return missing(field)
  if (is !== 'not_allowed' || !has) return false
  return notAllowed(field, `none in ${categoryId}`)
}
