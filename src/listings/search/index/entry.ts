import { type Catalog, siteOf } from '../../../catalog/catalog.ts'
import type { Amount } from '../../../kernel/money.ts'
import { amount } from '../../../kernel/money.ts'
import type { SearchFactors } from '../../../kernel/search-factors.ts'
import { type SiteId, sites } from '../../../kernel/sites.ts'
import { isClassified, isSellerSku, type Listing } from '../../listing.ts'
import {
  attributeMark,
  attributeWords,
  isSmallStem,
  splitEnding,
  titleSequence,
  titleWords,
} from '../words/words.ts'
import { type ListingFacets, noPriceBucket, packFacets, priceBucketOf, traitsOf } from './facets.ts'
import { resultBodyOf } from './result-body.ts'
import { scoreOf, type TierThresholds, tierOf } from './score.ts'
import { attributeValueHash, type Tier, tokens, tokensOf, tsvectorOf } from './tokens.ts'

/**
 * Version of the rows of the index. Raise it with every change of how a listing is found or shown: the walk then
 * rebuilds all rows of earlier versions (docs/decisions/0031-versions-of-derived-data.md). Less than 1,000.
 */
export const indexVersion = 2

/** What an index row needs besides the listing. */
export interface IndexEntryContext {
  dateCreated: Date
  sold: number
  left: number
  /** Exchange rate from its currency to that of the site; undefined when there is none. */
  ratio: Amount | undefined
  /** The reputation of its seller (`reputationShare`). */
  reputation: number
  catalog: Catalog
  factors: SearchFactors
}

/** A row of the index. */
export interface IndexEntry {
  siteId: SiteId
  item: number
  sellerId: number
  price: string | null
  /** Packed facets (`packFacets`). */
  kind: number
  category: number
  /** Order of the results: the highest first. */
  score: number
  /** The reputation of its seller in the score. */
  reputation: number
  /** Rank of the score within its category. */
  tier: Tier
  /** Price bucket (`priceBucketOf`). */
  band: number
  form: number
  version: number
  values: readonly IndexedAttributeValue[]
  /** The distinct words by which it is found. */
  words: readonly string[]
  /** Words in order, by which it is ranked (`sequenceOf`). */
  sequence: string
  tokens: string
  body: string
}

/** An attribute value of a listing. `number` is its hash. */
export interface IndexedAttributeValue {
  number: string
  attributeId: string
  valueId: string
  name: string
}

/** PostgreSQL stores a value out of line only in rows of more than about 2,000 bytes, so bodies are padded to that. */
const minBodyLength = 2_000

/** Attribute values of a listing that are indexed. */
const maxValues = 40

/** Splits an item id into site and number. */
export function itemKeyOf(id: string): { siteId: SiteId; item: number } {
  const siteId = siteOf(id)
  if (!siteId) throw new Error(`${id} is of no site`)
  return { siteId, item: Number(id.slice(siteId.length)) }
}

/** Returns the number in a category id, or 0 when the id is of another site or form. */
export function categoryDigits(categoryId: string, siteId: SiteId): number {
  const digits = categoryId.startsWith(siteId) ? categoryId.slice(siteId.length) : ''
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : 0
}

/** Returns the numbers of the category and its ancestors; empty when the catalog does not have it. */
export function categoryPathNumbers(
  { categoryId, siteId }: Pick<Listing, 'categoryId' | 'siteId'>,
  catalog: Catalog,
): number[] {
  const path = catalog.tree(siteId).byId.get(categoryId)?.path ?? []
  return path.map(({ id }) => categoryDigits(id, siteId))
}

/** Returns a hash of the version and of the path of the category, which determine a row besides the listing. The walk
 * rebuilds rows with another hash. */
export function indexFormHash(path: readonly number[]): number {
  return path.reduce((form, digits) => Math.imul(form ^ digits, 0x01000193), indexVersion)
}

/** Returns the index row of a listing. `stepsOf` returns the scores at which the tiers of a category begin. */
export function indexEntryOf(
  listing: Listing,
  circumstances: IndexEntryContext,
  stepsOf: (category: number) => TierThresholds | undefined,
): IndexEntry {
  const { siteId, item } = itemKeyOf(listing.id)
  const category = categoryDigits(listing.categoryId, siteId)
  const price = priceInCents(listing, circumstances.ratio)
  const priceBucket = price === null ? noPriceBucket : priceBucketOf(Number(price))
  const facets: ListingFacets = {
    category,
    condition: listing.condition,
    shippingMode: listing.shipping.mode,
    hasFreeShipping: listing.shipping.free_shipping,
    hasLocalPickUp: listing.shipping.local_pick_up,
    isClassified: isClassified(listing),
  }
  const { hasFreeShipping } = facets
  const scoreInput = { ...circumstances, item, title: listing.title, hasFreeShipping }
  const score = scoreOf(scoreInput, circumstances.factors)
  const tier = tierOf(score, stepsOf(category))
  const values = valuesOf(listing)
  const { language } = sites[siteId]
  const inTitle = titleWords(listing.title, language)
  const inAttributes = attributeWords(
    values.map(({ name }) => name),
    language,
  )
  const words = [...new Set([...inTitle, ...inAttributes])]
  const path = categoryPathNumbers(listing, circumstances.catalog)
  const parts = [
    tokens.any,
    ...words.map(tokens.word),
    ...path.map(tokens.category),
    ...traitsOf(facets).map(tokens.trait),
    tokens.band(priceBucket),
    tokens.seller(listing.sellerId),
    ...values.map(({ number }) => tokens.value(number)),
  ]
  return {
    siteId,
    item,
    sellerId: listing.sellerId,
    price,
    kind: packFacets(facets),
    category,
    score,
    reputation: circumstances.reputation,
    tier,
    band: priceBucket,
    form: indexFormHash(path),
    version: indexVersion,
    values,
    words,
    sequence: sequenceOf(titleSequence(listing.title, language), words),
    tokens: tsvectorOf(tokensOf(siteId, tier, parts)),
    body: resultBodyOf(listing, circumstances.dateCreated).padEnd(minBodyLength),
  }
}

/** Words that are not in the order of the title but are kept for the ranking. */
const maxUnorderedWords = 20

/** Returns the words of a title in order, then `attributeMark` and the other words by which the listing is found: those of
 * attributes, and compounds. */
function sequenceOf(inTitle: readonly string[], words: readonly string[]): string {
  const ordered = new Set(inTitle.map((entry) => splitEnding(entry)[0]))
  const others = words.filter(
    (word) => !ordered.has(word) && !isSmallStem(word) && !/^[\d.]+$/.test(word),
  )
  const kept = others.slice(-maxUnorderedWords)
  return [...inTitle, ...(kept.length > 0 ? [attributeMark, ...kept] : [])].join(' ')
}

/** Returns the price in hundredths of the site's currency. A price without an exchange rate is not converted. */
export function priceInCents(
  { price, currencyId, siteId }: Pick<Listing, 'price' | 'currencyId' | 'siteId'>,
  ratio: Amount | undefined,
): string | null {
  if (price === null) return null
  const originalPrice = amount(price)
  const isForeign = currencyId !== sites[siteId].currency
  const converted = isForeign && ratio ? originalPrice.times(ratio) : originalPrice
  const max = 9e15
  const cents = converted.times(100).round()
  return (cents.gt(max) ? amount(max) : cents).toFixed(0)
}

/** Returns the distinct public attribute values of a listing and its variations. A value without an id is identified by
 * its name. */
function valuesOf({ attributes, stock }: Listing): IndexedAttributeValue[] {
  const values = new Map<string, IndexedAttributeValue>()
  for (const attribute of [...attributes, ...stock.flatMap((variation) => variation.attributes)]) {
    if (values.size === maxValues) break
    if (isSellerSku(attribute)) continue
    const valueId = attribute.value_id ?? attribute.value_name
    const number = attributeValueHash(attribute.id, valueId)
    values.set(number, { number, attributeId: attribute.id, valueId, name: attribute.value_name })
  }
  return [...values.values()]
}
