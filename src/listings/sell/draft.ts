import { isDeepStrictEqual } from 'node:util'
import { type Catalog, siteOf } from '../../catalog/catalog.ts'
import type { Category } from '../../catalog/tree/tree.ts'
import { expectation, type FieldError, validationFailure } from '../../kernel/failure.ts'
import { amount } from '../../kernel/money.ts'
import type { SiteId } from '../../kernel/sites.ts'
import { contactOf } from '../commands/admin-routes.ts'
import {
  type Listing,
  type ListingShipping,
  type ListingWithSales,
  listingDefaults,
  shippingDefaults,
} from '../listing.ts'
import {
  type CategoryAttributes,
  findDuplicatedAttributes,
  findMissingAttributes,
  mergeById,
  readAttributes,
  skuIn,
} from './attributes.ts'
import type { ItemBody } from './bodies.ts'
import { invalid, missing } from './breach.ts'
import { findDescriptionBreach } from './description-rules.ts'
import { type ListingLimits, listingLimitsOf, unknownCategoryLimits } from './limits.ts'
import { readPictures } from './pictures.ts'
import { publicationOf } from './publication.ts'
import { findRuleBreaches } from './rules.ts'
import { trimmed } from './values.ts'
import { readStock } from './variations.ts'

export interface DraftContext {
  catalog: Catalog
  id: string
  sellerId: number
  /** Site of an existing item, else of the seller. */
  siteId: SiteId
  /** The stored listing; undefined for a new one. */
  before: ListingWithSales | undefined
  /** Ids for new variations, at least one for each variation of the body. */
  variationIds: readonly number[]
  /** Makes the id of a new picture. */
  pictureId: () => string
}

/** Maximum number of breaches in an error: a listing with 250 variations may have thousands. */
const maxBreaches = 100

/** Maximum size of a listing as JSON, in bytes. `GET /items?ids=` returns up to twenty of them. */
const maxBytes = 131_072
const bytesOf = (listing: Listing) => Buffer.byteLength(JSON.stringify(listing))

/**
 * Returns the listing that a seller's body describes, based on the stored one if there is one: missing fields stay.
 * Throws a `validation_error` with up to 100 breaches of the category's rules.
 */
export function buildListing(body: ItemBody, facts: DraftContext): Listing {
  const { before, siteId } = facts
  const categoryId = body.category_id ?? before?.categoryId ?? ''
  const isMoved = before !== undefined && categoryId !== before.categoryId
  const category = facts.catalog.category(categoryId)
  const limits = category
    ? listingLimitsOf(facts.catalog.settings(category))
    : unknownCategoryLimits
  const categoryAttributes: CategoryAttributes = {
    categoryId,
    attributes: category ? facts.catalog.attributes(category) : [],
  }
  const breaches: FieldError[] = []
  const categoryBreaches =
    !before || isMoved ? findCategoryBreaches(body, { category, limits, siteId }) : []
  breaches.push(...categoryBreaches)
  if ((body.site_id ?? siteId) !== siteId)
    breaches.push(invalid('site_id', `${siteId}, the site of the seller`))

  const attributes = itemAttributes(body, {
    before,
    categoryAttributes,
    isMoved,
    catalog: facts.catalog,
  })
  const price = priceOf(body, before)
  const bodySku = body.seller_sku === undefined ? skuIn(body.attributes) : trimmed(body.seller_sku)
  const sellerSku = bodySku === undefined ? (before?.sellerSku ?? null) : bodySku
  const pictures = readPictures(body, { before: before?.pictures, makeId: facts.pictureId })
  const { stock, breaches: stockBreaches } = readStock(body, {
    categoryAttributes,
    isMoved,
    sellerSku,
    price,
    before: before?.stock ?? [],
    presence: limits.stock,
    variationIds: facts.variationIds,
    pictures,
    maxPictures: limits.maxVariationPictures,
  })
  const vertical = limits.vertical ?? before?.vertical ?? listingDefaults.vertical
  const listing: Listing = {
    ...defaultListing(facts, limits),
    ...before,
    ...definedOnly({
      title: (body.title ?? (before ? undefined : body.family_name))?.trim(),
      subtitle: trimmed(body.subtitle),
      currencyId: body.currency_id,
      status: body.status,
      condition: body.condition,
      listingTypeId: body.listing_type_id,
      warranty: trimmed(body.warranty),
      sellerCustomField: trimmed(body.seller_custom_field),
      manufacturingDays: body.manufacturing_days,
      coverageAreas: body.coverage_areas,
      sellerContact: contactFromBody(body),
    }),
    categoryId,
    price,
    sellerSku,
    stock,
    pictures: pictures.pictures,
    vertical,
    attributes: attributes.attributes,
    shipping: shippingOf(body, { before, limits }),
    publication: publicationOf(body, { before: before?.publication, vertical }),
  }
  // Without a valid category, the other fields cannot be checked.
  if (categoryBreaches.length === 0) {
    const hasSold = before?.stock.some(({ soldQuantity }) => soldQuantity > 0) ?? false
    breaches.push(...findRuleBreaches({ listing, body, before, hasSold, limits, isMoved }))
    breaches.push(...stockBreaches, ...pictures.breaches, ...attributes.breaches)
    breaches.push(...findDescriptionBreaches(body, limits))
  } else if (!before && listing.title === '' && body.title === undefined) {
    breaches.push(missing('title'))
  }
  const hasNewAttributes = !before || isMoved || body.attributes || body.variations
  if (category && categoryBreaches.length === 0 && hasNewAttributes) {
    breaches.push(...findAttributeBreaches(listing, { categoryAttributes, before, isMoved }))
  }
  const bytes = bytesOf(listing)
  if (bytes > maxBytes && bytes > (before ? bytesOf(before) : 0)) {
    breaches.push(invalid('item', `at most ${maxBytes / 1024} KB in all, with its variations`))
  }
  const [first, ...others] = breaches.slice(0, maxBreaches)
  if (first) throw validationFailure([first, ...others])
  return listing
}

/** Returns a new listing before the fields of the body are applied to it. */
function defaultListing({ id, sellerId, siteId }: DraftContext, limits: ListingLimits): Listing {
  // The default is the only allowed value. With several, the field stays empty, which a rule reports as missing.
  const only = (values: readonly string[]) => (values.length === 1 ? (values[0] as string) : '')
  return {
    ...listingDefaults,
    id,
    sellerId,
    siteId,
    title: '',
    categoryId: '',
    price: null,
    status: 'active',
    currencyId: only(limits.currencies),
    condition: limits.conditions.includes('not_specified')
      ? 'not_specified'
      : only(limits.conditions),
    listingTypeId: 'gold_special',
    warranty: null,
    sellerCustomField: null,
    sellerSku: null,
    manufacturingDays: null,
    stock: [],
  }
}

function findCategoryBreaches(
  body: ItemBody,
  {
    category,
    limits,
    siteId,
  }: { category: Category | undefined; limits: ListingLimits; siteId: SiteId },
): FieldError[] {
  if (body.category_id === undefined) return [missing('category_id')]
  const wrong = (expected: string) => [invalid('category_id', expected)]
  if (!category) return wrong('a category of the catalog')
  if (siteOf(category.id) !== siteId) return wrong(`a category of ${siteId}, the seller's site`)
  if (category.children.length > 0)
    return wrong(`a leaf category: choose one below it, such as ${category.children[0]?.id}`)
  return limits.isOpen ? [] : wrong('a category in which listing is allowed')
}

/** Returns the price of the body, or the one that all its variations have, else the stored price. */
function priceOf(body: ItemBody, before: ListingWithSales | undefined): string | null {
  const storedPrice = before?.price ?? null
  const variationPrices = new Set(body.variations?.map(({ price }) => price))
  const [commonPrice] = variationPrices.size === 1 ? variationPrices : []
  const newPrice = body.price === undefined ? commonPrice : body.price
  if (newPrice === undefined) return storedPrice
  if (newPrice === null) return null
  return storedPrice !== null && amount(storedPrice).eq(newPrice) ? storedPrice : String(newPrice)
}

/** Returns the attributes of an item after a body, and what is wrong with them. When the item moves to another
 * category, all of them are checked again, and those that only the previous category has are dropped. */
function itemAttributes(
  { attributes: bodies }: ItemBody,
  {
    before,
    categoryAttributes,
    isMoved,
    catalog,
  }: {
    before: ListingWithSales | undefined
    categoryAttributes: CategoryAttributes
    isMoved: boolean
    catalog: Catalog
  },
) {
  const stored = before?.attributes ?? []
  const options = {
    field: 'attributes',
    categoryAttributes,
    storedAttributes: isMoved ? [] : stored,
    takesOthers: true,
  }
  const newAttributes = readAttributes(bodies ?? [], options)
  if (!isMoved) {
    return {
      attributes: mergeById(stored, bodies ?? [], newAttributes.attributes),
      breaches: newAttributes.breaches,
    }
  }
  // Attributes that only the previous category has are dropped. The others are checked again.
  const categoryIds = new Set(categoryAttributes.attributes.map(({ id }) => id))
  const previousCategory = catalog.category(before?.categoryId ?? '')
  const previousIds = new Set(
    previousCategory ? catalog.attributes(previousCategory).map(({ id }) => id) : [],
  )
  const bodyIds = new Set(bodies?.map(({ id }) => id))
  const remaining = stored.filter(
    ({ id }) => (categoryIds.has(id) || !previousIds.has(id)) && !bodyIds.has(id),
  )
  const keptAttributes = readAttributes(remaining, options)
  return {
    attributes: [...keptAttributes.attributes, ...newAttributes.attributes],
    breaches: [...newAttributes.breaches, ...keptAttributes.breaches.map(asAttributesBreach)],
  }
}

/** A breach of an attribute that the body does not contain names the whole list. */
const asAttributesBreach = ({ code, expected }: FieldError): FieldError => ({
  code,
  field: 'attributes',
  expected,
})

/** Returns attributes that are missing, or that both the item and its variations have. Breaches that the stored listing
 * already had do not count. */
function findAttributeBreaches(
  listing: Listing,
  {
    categoryAttributes,
    before,
    isMoved,
  }: {
    categoryAttributes: CategoryAttributes
    before: ListingWithSales | undefined
    isMoved: boolean
  },
): FieldError[] {
  const breachesOfAttributes = ({ attributes, stock }: Pick<Listing, 'attributes' | 'stock'>) => {
    const combinations = stock.map((variation) => variation.attributes)
    const variationAttributes = stock.map((variation) => [
      ...variation.attributes,
      ...(variation.details?.attributes ?? []),
    ])
    return [
      ...findMissingAttributes(
        { attributes, combinations: variationAttributes },
        categoryAttributes,
      ),
      ...findDuplicatedAttributes({ attributes, combinations }),
    ]
  }
  const previous = before && !isMoved ? breachesOfAttributes(before).map(expectation) : []
  return breachesOfAttributes(listing).filter((breach) => !previous.includes(expectation(breach)))
}

/** Returns the shipping of an item after a body. A field that the body leaves out keeps its value. Fields with
 * their default value are not stored. */
function shippingOf(
  { shipping: body }: ItemBody,
  { before, limits }: { before: ListingWithSales | undefined; limits: ListingLimits },
): ListingShipping {
  const { mode, dimensions, logistic_type } = body ?? {}
  const defaults = listingDefaults.shipping
  const initial = limits.shippingModes.includes(defaults.mode)
    ? defaults
    : { ...defaults, mode: (limits.shippingModes[0] ?? defaults.mode) as ListingShipping['mode'] }
  const shipping = {
    ...(before?.shipping ?? initial),
    ...definedOnly({
      mode: mode as ListingShipping['mode'],
      free_shipping: body?.free_shipping,
      local_pick_up: body?.local_pick_up,
      store_pick_up: body?.store_pick_up,
      methods: body?.methods,
      free_methods: body?.free_methods,
      tags: body?.tags,
      dimensions: trimmed(dimensions),
      logistic_type: trimmed(logistic_type),
    }),
  }
  const defaultValues: Readonly<Record<string, unknown>> = shippingDefaults
  const storedFields = Object.entries(shipping).filter(
    ([field, value]) =>
      !(field in defaultValues) ||
      !isDeepStrictEqual(value ?? defaultValues[field], defaultValues[field]),
  )
  return Object.fromEntries(storedFields) as unknown as ListingShipping
}

function contactFromBody({ seller_contact: contact }: ItemBody) {
  if (!contact) return contact
  const parts = Object.entries(contact).map(([field, text]) => [field, trimmed(text)])
  return contactOf(Object.fromEntries(parts))
}

/** Returns the text of a description, which is sent as a string or an object; undefined when it is blank or missing. */
export function descriptionIn({ description }: ItemBody): string | undefined {
  const text = typeof description === 'string' ? description : description?.plain_text
  return text === undefined || text.trim() === '' ? undefined : text
}

function findDescriptionBreaches(body: ItemBody, limits: ListingLimits): FieldError[] {
  const text = descriptionIn(body)
  if (text === undefined) return []
  const breach = findDescriptionBreach(text, { limits, isFirst: false, isThere: false })
  return breach ? [{ ...breach, field: 'description' }] : []
}

function definedOnly<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
