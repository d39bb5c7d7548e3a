import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../../kernel/failure.ts'
import { decimalPlacesOf, fitsCurrency } from '../../kernel/money.ts'
import type { Listing } from '../listing.ts'
import type { ItemBody } from './bodies.ts'
import { invalid, missing, notAllowed, notModifiable } from './breach.ts'
import type { FieldPresence, ListingLimits } from './limits.ts'

/** A listing as it would be saved, and what the rules compare it with. */
export interface RuleInput {
  listing: Listing
  body: ItemBody
  /** Undefined for a new listing. */
  before: Listing | undefined
  hasSold: boolean
  limits: ListingLimits
  /** Whether an existing listing gets another category. */
  isMoved: boolean
}

/** A rule applies to new listings, to those that change their category, and when one of its fields changes. An
 * operator's listing that breaks a rule can thus still get another price. */
interface Rule {
  fields: readonly (keyof Listing)[]
  check(input: RuleInput): FieldError | false | undefined
}

const characterCount = (text: string) => [...text].length

const rules: readonly Rule[] = [
  {
    fields: ['title'],
    check: ({ listing, body, limits, before }) => {
      if (!before && body.title === undefined && listing.title === '') return missing('title')
      if (listing.title === '') return invalid('title', 'a text that is not blank')
      return checkLength('title', listing.title, limits.maxTitleLength)
    },
  },
  {
    fields: ['subtitle'],
    check: ({ listing: { subtitle }, limits }) =>
      subtitle !== null && checkLength('subtitle', subtitle, limits.maxSubtitleLength),
  },
  {
    fields: ['price'],
    check: ({ listing, limits }) =>
      checkPresence('price', {
        is: limits.price,
        has: listing.price !== null,
        in: listing.categoryId,
      }),
  },
  {
    fields: ['price', 'currencyId'],
    check: ({ listing: { price, currencyId }, limits: { minPrice, maxPrice } }) => {
      if (price === null) return
      const value = Number(price)
      if (value === 0) return invalid('price', 'more than 0')
      if (currencyId !== '' && !fitsCurrency(value, currencyId))
        return invalid('price', `at most ${decimalPlacesOf(currencyId)} decimal places`)
      if (minPrice !== null && value < minPrice)
        return invalid('price', `at least ${minPrice} in this category`)
      if (maxPrice !== null && value > maxPrice)
        return invalid('price', `at most ${maxPrice} in this category`)
      return
    },
  },
  {
    fields: ['currencyId'],
    check: ({ listing, limits }) =>
      listing.currencyId === ''
        ? missing('currency_id', oneOf(limits.currencies))
        : checkOneOf('currency_id', listing.currencyId, limits.currencies),
  },
  {
    fields: ['condition'],
    check: ({ listing, limits }) =>
      listing.condition === ''
        ? missing('condition', oneOf(limits.conditions))
        : checkOneOf('condition', listing.condition, limits.conditions),
  },
  {
    fields: ['shipping'],
    check: ({ listing, limits }) =>
      checkOneOf('shipping.mode', listing.shipping.mode, limits.shippingModes),
  },
  {
    fields: ['pictures'],
    check: ({ listing: { pictures }, limits: { maxPictures } }) =>
      pictures.length > maxPictures && {
        code: 'item.pictures.max',
        field: 'pictures',
        expected: `at most ${maxPictures}`,
      },
  },
  {
    fields: ['sellerContact'],
    check: ({ listing: { sellerContact, categoryId }, limits: { sellerContact: is } }) =>
      checkPresence('seller_contact', { is, has: sellerContact !== null, in: categoryId }),
  },
  {
    fields: ['sellerContact'],
    check: ({ listing: { sellerContact: contact } }) =>
      contact !== null &&
      contact.phone === null &&
      contact.email === null && {
        code: 'seller_contact.phone.invalid',
        field: 'seller_contact.phone',
        expected: 'a phone or an email',
      },
  },
  {
    fields: ['coverageAreas'],
    check: ({ listing: { coverageAreas, categoryId }, limits: { coverageAreas: is } }) =>
      checkPresence('coverage_areas', { is, has: coverageAreas.length > 0, in: categoryId }),
  },
  {
    fields: ['status'],
    check: ({ listing, before }) =>
      !before &&
      listing.status === 'closed' &&
      invalid('status', 'active or paused: a new item can not be closed'),
  },
]

/** Fields that cannot change once the item has sold, because orders refer to them. */
const fieldsFixedAfterSale = {
  title: 'title',
  condition: 'condition',
  warranty: 'warranty',
} as const

/** Returns all breaches of the category's rules by the fields of a listing. */
export function findRuleBreaches(candidate: RuleInput): FieldError[] {
  const { listing, before, body, limits, isMoved, hasSold } = candidate
  const changes = (field: keyof Listing) => !isDeepStrictEqual(before?.[field], listing[field])
  const breaches = rules
    .filter(({ fields }) => !before || isMoved || fields.some(changes))
    .map((rule) => rule.check(candidate))
    .filter((breach) => breach !== undefined && breach !== false)
  if (body.buying_mode !== undefined) {
    const breach = checkOneOf('buying_mode', body.buying_mode, limits.buyingModes)
    if (breach) breaches.push(breach)
  }
  if (!before || !hasSold) return breaches
  const soldBreaches = Object.entries(fieldsFixedAfterSale)
    .filter(([field]) => changes(field as keyof typeof fieldsFixedAfterSale))
    .map(([, name]) => notModifiable(name, 'what it was: the item has sold'))
  if (changes('vertical')) {
    const expected = 'a category with the same buying mode: the item has sold'
    soldBreaches.push({ ...notModifiable('buying_mode', expected), field: 'category_id' })
  }
  return [...breaches, ...soldBreaches]
}

function checkLength(field: string, text: string, max: number): FieldError | false {
  const expected = `at most ${max} characters in this category`
  return characterCount(text) > max && { code: `item.${field}.length`, field, expected }
}

function checkOneOf(field: string, value: string, values: readonly string[]): FieldError | false {
  return !values.includes(value) && invalid(field, oneOf(values))
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`
}

function checkPresence(
  field: string,
  { is, has, in: categoryId }: { is: FieldPresence; has: boolean; in: string },
): FieldError | false {
  if (is === 'required' && !has) return missing(field)
  if (is !== 'not_allowed' || !has) return false
  return notAllowed(field, `none in ${categoryId}`)
}
