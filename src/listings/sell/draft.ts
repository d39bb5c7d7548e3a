import { isDeepStrictEqual } from 'node:util'
import { type Catalog, siteOf } from '../../catalog/catalog.ts'
import type { Category } from '../../catalog/tree/tree.ts'
import { allWrong, type Breach, expectation } from '../../kernel/failure.ts'
import { amount } from '../../kernel/money.ts'
import type { SiteId } from '../../kernel/sites.ts'
import { contactOf } from '../admin-routes.ts'
import { wrongText } from '../descriptions/text.ts'
import {
  type Listing,
  type ListingShipping,
  plainListing,
  plainSending,
  type SoldListing,
} from '../listing.ts'
import {
  type AttributesInput,
  missingAttributes,
  readAttributes,
  saidTwice,
  skuIn,
  withSaid,
} from './attributes.ts'
import type { ItemBody } from './bodies.ts'
import { invalid, missing } from './breach.ts'
import { type Limits, limitsOf, noLimits } from './limits.ts'
import { readPictures } from './pictures.ts'
import { publicationOf } from './publication.ts'
import { breachesOf } from './rules.ts'
import { trimmed } from './values.ts'
import { readStock } from './variations.ts'

export interface Facts {
  catalog: Catalog
  id: string
  sellerId: number
  /** Where the seller is registered, or the item is. */
  siteId: SiteId
  /** As it stands; undefined of a new one. */
  before: SoldListing | undefined
  /** Numbers for new variations, as many as are said at least. */
  variationIds: readonly number[]
  /** Makes the id of a picture. */
  pictureId: () => string
}

/** How many breaches one refusal names: a listing of 250 variations may be wrong in thousands of places. */
const mostBreaches = 100

/** Whoever asks for twenty items at once is answered twenty times this. */
const mostBytes = 131_072
const bytesOf = (listing: Listing) => Buffer.byteLength(JSON.stringify(listing))

/**
 * The listing that a seller's words make, of none or of one that is there: what is not said stays as it
 * is. Throws a `validation_error` with all that its category does not take (contract 2.13, 2.14), up
 * to a hundred breaches.
 */
export function drafted(body: ItemBody, facts: Facts): Listing {
  const { before, siteId } = facts
  const categoryId = body.category_id ?? before?.categoryId ?? ''
  const isMoved = before !== undefined && categoryId !== before.categoryId
  const category = facts.catalog.category(categoryId)
  const limits = category ? limitsOf(facts.catalog.settings(category)) : noLimits
  const asked: AttributesInput = {
    categoryId,
    attributes: category ? facts.catalog.attributes(category) : [],
  }
  const breaches: Breach[] = []
  const misplaced = !before || isMoved ? wrongCategory(body, { category, limits, siteId }) : []
  breaches.push(...misplaced)
  if ((body.site_id ?? siteId) !== siteId)
    breaches.push(invalid('site_id', `${siteId}, the site of the seller`))

  const said = itemAttributes(body, { before, asked, isMoved, catalog: facts.catalog })
  const price = priceOf(body, before)
  const saidSku = body.seller_sku === undefined ? skuIn(body.attributes) : trimmed(body.seller_sku)
  const sellerSku = saidSku === undefined ? (before?.sellerSku ?? null) : saidSku
  const pictures = readPictures(body, { had: before?.pictures, makeId: facts.pictureId })
  const { stock, breaches: ofStock } = readStock(body, {
    asked,
    isMoved,
    sellerSku,
    price,
    before: before?.stock ?? [],
    presence: limits.stock,
    variationIds: facts.variationIds,
    pictures,
    mostPictures: limits.mostPicturesOfVariation,
  })
  const vertical = limits.vertical ?? before?.vertical ?? plainListing.vertical
  const listing: Listing = {
    ...plain(facts, limits),
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
      sellerContact: contactSaid(body),
    }),
    categoryId,
    price,
    sellerSku,
    stock,
    pictures: pictures.pictures,
    vertical,
    attributes: said.attributes,
    shipping: shippingOf(body, { before, limits }),
    publication: publicationOf(body, { before: before?.publication, vertical }),
  }
  // Of a category where nothing is listed, what else is wrong cannot be told.
  if (misplaced.length === 0) {
    const hasSold = before?.stock.some(({ soldQuantity }) => soldQuantity > 0) ?? false
    breaches.push(...breachesOf({ listing, body, before, hasSold, limits, isMoved }))
    breaches.push(...ofStock, ...pictures.breaches, ...said.breaches)
    breaches.push(...wrongDescription(body, limits))
  } else if (!before && listing.title === '' && body.title === undefined) {
    breaches.push(missing('title'))
  }
  const isSaid = !before || isMoved || body.attributes || body.variations
  if (category && misplaced.length === 0 && isSaid) {
    breaches.push(...wrongAttributes(listing, { asked, before, isMoved }))
  }
  const bytes = bytesOf(listing)
  if (bytes > mostBytes && bytes > (before ? bytesOf(before) : 0)) {
    breaches.push(invalid('item', `at most ${mostBytes / 1024} KB in all, with its variations`))
  }
  const [first, ...others] = breaches.slice(0, mostBreaches)
  if (first) throw allWrong([first, ...others])
  return listing
}

function plain({ id, sellerId, siteId }: Facts, limits: Limits): Listing {
  // What nobody says is what leaves it open, or the one thing that there is; else it has to be said.
  const only = (all: readonly string[]) => (all.length === 1 ? (all[0] as string) : '')
  return {
    ...plainListing,
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

function wrongCategory(
  body: ItemBody,
  { category, limits, siteId }: { category: Category | undefined; limits: Limits; siteId: SiteId },
): Breach[] {
  if (body.category_id === undefined) return [missing('category_id')]
  const wrong = (expected: string) => [invalid('category_id', expected)]
  if (!category) return wrong('a category of the catalogue')
  if (siteOf(category.id) !== siteId) return wrong(`a category of ${siteId}, the seller's site`)
  if (category.children.length > 0)
    return wrong(`a category that no others hang below, as ${category.children[0]?.id} does here`)
  return limits.isOpen ? [] : wrong('a category in which listing is allowed')
}

/** The price of the item, or the one on which all its variations agree. */
function priceOf(body: ItemBody, before: SoldListing | undefined): string | null {
  const had = before?.price ?? null
  const ofVariations = new Set(body.variations?.map(({ price }) => price))
  const [only] = ofVariations.size === 1 ? ofVariations : []
  const said = body.price === undefined ? only : body.price
  if (said === undefined) return had
  if (said === null) return null
  return had !== null && amount(had).eq(said) ? had : String(said)
}

function itemAttributes(
  { attributes: said }: ItemBody,
  {
    before,
    asked,
    isMoved,
    catalog,
  }: {
    before: SoldListing | undefined
    asked: AttributesInput
    isMoved: boolean
    catalog: Catalog
  },
) {
  const had = before?.attributes ?? []
  const options = { field: 'attributes', asked, known: isMoved ? [] : had, takesOthers: true }
  const read = readAttributes(said ?? [], options)
  if (!isMoved) {
    return { attributes: withSaid(had, said ?? [], read.attributes), breaches: read.breaches }
  }
  // What the category before asked for and this one does not told of that one; the rest is looked at anew.
  const ids = new Set(asked.attributes.map(({ id }) => id))
  const earlier = catalog.category(before?.categoryId ?? '')
  const left = new Set(earlier ? catalog.attributes(earlier).map(({ id }) => id) : [])
  const saidIds = new Set(said?.map(({ id }) => id))
  const stays = had.filter(({ id }) => (ids.has(id) || !left.has(id)) && !saidIds.has(id))
  const again = readAttributes(stays, options)
  return {
    attributes: [...again.attributes, ...read.attributes],
    breaches: [...read.breaches, ...again.breaches.map(byAttributes)],
  }
}

/** Of what was not said there is no place to name but the whole. */
const byAttributes = ({ code, expected }: Breach): Breach => ({
  code,
  field: 'attributes',
  expected,
})

/** What is said twice, of the item and of its variations, or lacks. What an operator has registered so is
 * not made worse by saying something else. */
function wrongAttributes(
  listing: Listing,
  {
    asked,
    before,
    isMoved,
  }: { asked: AttributesInput; before: SoldListing | undefined; isMoved: boolean },
): Breach[] {
  const wrong = ({ attributes, stock }: Pick<Listing, 'attributes' | 'stock'>) => {
    const combinations = stock.map((each) => each.attributes)
    const ofVariations = stock.map((each) => [
      ...each.attributes,
      ...(each.details?.attributes ?? []),
    ])
    return [
      ...missingAttributes({ attributes, combinations: ofVariations }, asked),
      ...saidTwice({ attributes, combinations }),
    ]
  }
  const known = before && !isMoved ? wrong(before).map(expectation) : []
  return wrong(listing).filter((breach) => !known.includes(expectation(breach)))
}

function shippingOf(
  { shipping: said }: ItemBody,
  { before, limits }: { before: SoldListing | undefined; limits: Limits },
): ListingShipping {
  const { mode, dimensions, logistic_type } = said ?? {}
  const usual = plainListing.shipping
  const first = limits.shippingModes.includes(usual.mode)
    ? usual
    : { ...usual, mode: (limits.shippingModes[0] ?? usual.mode) as ListingShipping['mode'] }
  const shipping = {
    ...(before?.shipping ?? first),
    ...definedOnly({
      mode: mode as ListingShipping['mode'],
      free_shipping: said?.free_shipping,
      local_pick_up: said?.local_pick_up,
      store_pick_up: said?.store_pick_up,
      methods: said?.methods,
      free_methods: said?.free_methods,
      tags: said?.tags,
      dimensions: trimmed(dimensions),
      logistic_type: trimmed(logistic_type),
    }),
  }
  const unsaid: Readonly<Record<string, unknown>> = plainSending
  const kept = Object.entries(shipping).filter(
    ([part, value]) => !(part in unsaid) || !isDeepStrictEqual(value ?? unsaid[part], unsaid[part]),
  )
  return Object.fromEntries(kept) as unknown as ListingShipping
}

function contactSaid({ seller_contact: said }: ItemBody) {
  if (!said) return said
  const parts = Object.entries(said).map(([part, text]) => [part, trimmed(text)])
  return contactOf(Object.fromEntries(parts))
}

/** The words of a description, however they are said; undefined where there are none. */
export function descriptionIn({ description: said }: ItemBody): string | undefined {
  const text = typeof said === 'string' ? said : said?.plain_text
  return text === undefined || text.trim() === '' ? undefined : text
}

function wrongDescription(body: ItemBody, limits: Limits): Breach[] {
  const text = descriptionIn(body)
  if (text === undefined) return []
  const wrong = wrongText(text, { limits, isFirst: false, isThere: false })
  return wrong ? [{ ...wrong, field: 'description' }] : []
}

function definedOnly<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
