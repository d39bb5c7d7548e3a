import { type Catalog, siteOf } from '../../catalog/catalog.ts'
import type { Category } from '../../catalog/tree/tree.ts'
import { allWrong, type Breach, expectation } from '../../kernel/failure.ts'
import { amount } from '../../kernel/money.ts'
import type { SiteId } from '../../kernel/sites.ts'
import { contactOf } from '../intake.ts'
import {
  type Listing,
  type ListingShipping,
  type Picture,
  plainListing,
  type SoldListing,
} from '../listing.ts'
import { type Asked, missingAttributes, readAttributes, saidTwice, withSaid } from './attributes.ts'
import type { ItemBody, SaidPicture } from './bodies.ts'
import { invalid, missing } from './breach.ts'
import { type Limits, limitsOf, noLimits } from './limits.ts'
import { breachesOf } from './rules.ts'
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
  const asked: Asked = {
    categoryId,
    attributes: category ? facts.catalog.attributes(category) : [],
  }
  const breaches: Breach[] = []
  const misplaced = !before || isMoved ? wrongCategory(body, { category, limits, siteId }) : []
  breaches.push(...misplaced)
  if ((body.site_id ?? siteId) !== siteId)
    breaches.push(invalid('site_id', `${siteId}, the site of the seller`))

  const said = itemAttributes(body, { before, asked, isMoved })
  const price = priceOf(body, before)
  const sellerSku = body.seller_sku === undefined ? (before?.sellerSku ?? null) : body.seller_sku
  const { stock, breaches: ofStock } = readStock(body, {
    ...{ asked, isMoved, sellerSku, price, before: before?.stock ?? [] },
    ...{ presence: limits.stock, variationIds: facts.variationIds },
  })
  const pictures = picturesOf(body.pictures, { had: before?.pictures, makeId: facts.pictureId })
  const listing: Listing = {
    ...plain(facts, limits),
    ...before,
    ...definedOnly({
      title: body.title?.trim(),
      subtitle: trimmed(body.subtitle),
      currencyId: body.currency_id,
      status: body.status,
      condition: body.condition,
      listingTypeId: body.listing_type_id,
      warranty: body.warranty,
      sellerCustomField: body.seller_custom_field,
      manufacturingDays: body.manufacturing_days,
      coverageAreas: body.coverage_areas,
      sellerContact: body.seller_contact === undefined ? undefined : contactOf(body.seller_contact),
    }),
    ...{ categoryId, price, sellerSku, stock, pictures: pictures.pictures },
    vertical: limits.vertical ?? before?.vertical ?? plainListing.vertical,
    attributes: said.attributes,
    shipping: shippingOf(body, { before, limits }),
  }
  // Of a category where nothing is listed, what else is wrong cannot be told.
  if (misplaced.length === 0) {
    const hasSold = before?.stock.some(({ soldQuantity }) => soldQuantity > 0) ?? false
    breaches.push(...breachesOf({ listing, body, before, hasSold, limits, isMoved }))
    breaches.push(...ofStock, ...pictures.breaches, ...said.breaches)
  } else if (!before && body.title === undefined) {
    breaches.push(missing('title'))
  }
  const isSaid = !before || isMoved || body.attributes || body.variations
  if (category && misplaced.length === 0 && isSaid) {
    breaches.push(...wrongAttributes(listing, { asked, before, isMoved }))
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
    ...{ id, sellerId, siteId, title: '', categoryId: '', price: null, status: 'active' },
    currencyId: only(limits.currencies),
    condition: limits.conditions.includes('not_specified')
      ? 'not_specified'
      : only(limits.conditions),
    listingTypeId: 'gold_special',
    ...{ warranty: null, sellerCustomField: null, sellerSku: null, manufacturingDays: null },
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
  { before, asked, isMoved }: { before: SoldListing | undefined; asked: Asked; isMoved: boolean },
) {
  const had = before?.attributes ?? []
  const options = { field: 'attributes', asked, known: isMoved ? [] : had }
  const read = readAttributes(said ?? [], options)
  if (!isMoved) {
    return { attributes: withSaid(had, said ?? [], read.attributes), breaches: read.breaches }
  }
  // What the other category does not ask for told of the one before; the rest is looked at anew.
  const ids = new Set(asked.attributes.map(({ id }) => id))
  const saidIds = new Set(said?.map(({ id }) => id))
  const stays = had.filter(({ id }) => ids.has(id) && !saidIds.has(id))
  const again = readAttributes(stays, options)
  return {
    attributes: [...again.attributes, ...read.attributes],
    breaches: [...read.breaches, ...again.breaches.map(byAttributes)],
  }
}

/** Of what was not said there is no place to name but the whole. */
const byAttributes = ({ code, expected }: Breach): Breach => ({
  ...{ code, field: 'attributes', expected },
})

/** What is said twice, of the item and of its variations, or lacks. What an operator has registered so is
 * not made worse by saying something else. */
function wrongAttributes(
  listing: Listing,
  { asked, before, isMoved }: { asked: Asked; before: SoldListing | undefined; isMoved: boolean },
): Breach[] {
  const wrong = ({ attributes, stock }: Pick<Listing, 'attributes' | 'stock'>) => {
    const combinations = stock.map((each) => each.attributes)
    return [
      ...missingAttributes({ attributes, combinations }, asked),
      ...saidTwice({ attributes, combinations }),
    ]
  }
  const known = before && !isMoved ? wrong(before).map(expectation) : []
  return wrong(listing).filter((breach) => !known.includes(expectation(breach)))
}

function picturesOf(
  said: readonly SaidPicture[] | undefined,
  { had = [], makeId }: { had: readonly Picture[] | undefined; makeId: () => string },
): { pictures: readonly Picture[]; breaches: Breach[] } {
  if (!said) return { pictures: had, breaches: [] }
  const breaches: Breach[] = []
  const pictures = said.map(({ id, url, source }, index): Picture => {
    const address = source ?? url
    const known = had.find((one) => one.id === id) ?? had.find((one) => one.url === address)
    if (known && (address ?? known.url) === known.url) return known
    if (address === undefined) {
      breaches.push(missing(`pictures[${index}].source`, 'an address'))
    }
    return { id: makeId(), url: address ?? '' }
  })
  const twin = pictures.findIndex(
    ({ url }, index) => pictures.findIndex((p) => p.url === url) < index,
  )
  if (breaches.length === 0 && twin >= 0) {
    breaches.push(invalid(`pictures[${twin}]`, 'a picture that is not there before'))
  }
  return { pictures, breaches }
}

function shippingOf(
  { shipping: said }: ItemBody,
  { before, limits }: { before: SoldListing | undefined; limits: Limits },
): ListingShipping {
  const { mode, free_shipping, local_pick_up } = said ?? {}
  const usual = plainListing.shipping
  const first = limits.shippingModes.includes(usual.mode)
    ? usual
    : { ...usual, mode: (limits.shippingModes[0] ?? usual.mode) as ListingShipping['mode'] }
  return {
    ...(before?.shipping ?? first),
    ...definedOnly({ mode: mode as ListingShipping['mode'], free_shipping, local_pick_up }),
  }
}

function trimmed(text: string | null | undefined): string | null | undefined {
  return typeof text === 'string' ? text.trim() || null : text
}

function definedOnly<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
