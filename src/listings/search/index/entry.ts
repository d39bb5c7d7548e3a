import { type Catalog, siteOf } from '../../../catalog/catalog.ts'
import type { Amount } from '../../../kernel/money.ts'
import { amount } from '../../../kernel/money.ts'
import { type SiteId, sites } from '../../../kernel/sites.ts'
import { isClassified, isSellersCode, type Listing } from '../../listing.ts'
import { bandOf, type Kind, noBand, packed, traitsOf } from '../kinds.ts'
import { type Tier, tokens, tokensIn, valueNumber, vectorOf } from '../tokens.ts'
import { titleWords } from '../words/words.ts'
import { cardOf } from './card.ts'
import { type Steps, scoreOf, tierOf } from './score.ts'

/**
 * The version by which rows are made: raise it with every change of what a listing is found by, or of how it is shown.
 * The walk then makes every row of an earlier version anew (docs/decisions/0031-versions-of-derived-data.md). Less
 * than 1,000.
 */
export const rules = 1

/** What sales and time made of a listing. */
export interface Circumstances {
  dateCreated: Date
  sold: number
  left: number
  /** What one unit of its currency is in the site's; undefined where nobody says. */
  ratio: Amount | undefined
  catalog: Catalog
}

/** A row of the index. */
export interface Entry {
  siteId: SiteId
  item: number
  sellerId: number
  price: string | null
  kind: number
  category: number
  score: number
  tier: Tier
  band: number
  form: number
  version: number
  values: readonly Value[]
  words: readonly string[]
  tokens: string
  body: string
}

/** A value that a listing has of an attribute. */
export interface Value {
  number: string
  attributeId: string
  valueId: string
  name: string
}

/** PostgreSQL stores things out of line in rows of more than about 2,000 bytes only. */
const leastBody = 2_000

const mostValues = 40

/** The site and the number of an item's id. */
export function keyOf(id: string): { siteId: SiteId; item: number } {
  const siteId = siteOf(id)
  if (!siteId) throw new Error(`${id} is of no site`)
  return { siteId, item: Number(id.slice(siteId.length)) }
}

/** The digits of a category's id; 0 where it is none of the site's. */
export function categoryDigits(categoryId: string, siteId: SiteId): number {
  const digits = categoryId.startsWith(siteId) ? categoryId.slice(siteId.length) : ''
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : 0
}

/** The digits of its category and of all above it; none where that is not in the catalogue. */
export function pathOf(
  { categoryId, siteId }: Pick<Listing, 'categoryId' | 'siteId'>,
  catalog: Catalog,
): number[] {
  const path = catalog.tree(siteId).byId.get(categoryId)?.path ?? []
  return path.map(({ id }) => categoryDigits(id, siteId))
}

/** What a row is made by that is not said by the listing: the rules, and where its category hangs. Rows of
 * another form are made anew by the walk. */
export function formOf(path: readonly number[]): number {
  return path.reduce((form, digits) => Math.imul(form ^ digits, 0x01000193), rules)
}

/** How a listing stands in the index; its category's steps say of which tier it is. */
export function entryOf(
  listing: Listing,
  around: Circumstances,
  stepsOf: (category: number) => Steps | undefined,
): Entry {
  const { siteId, item } = keyOf(listing.id)
  const category = categoryDigits(listing.categoryId, siteId)
  const price = hundredths(listing, around.ratio)
  const band = price === null ? noBand : bandOf(Number(price))
  const kind: Kind = {
    category,
    condition: listing.condition,
    mode: listing.shipping.mode,
    isFree: listing.shipping.free_shipping,
    isPickedUp: listing.shipping.local_pick_up,
    isClassified: isClassified(listing),
  }
  const score = scoreOf({ ...around, item, title: listing.title })
  const tier = tierOf(score, stepsOf(category))
  const values = valuesOf(listing)
  const words = titleWords(listing.title)
  const path = pathOf(listing, around.catalog)
  const parts = [
    tokens.any,
    ...words.map(tokens.word),
    ...path.map(tokens.category),
    ...traitsOf(kind).map(tokens.trait),
    tokens.band(band),
    tokens.seller(listing.sellerId),
    ...values.map(({ number }) => tokens.value(number)),
  ]
  return {
    siteId,
    item,
    sellerId: listing.sellerId,
    price,
    kind: packed(kind),
    category,
    score,
    tier,
    band,
    form: formOf(path),
    version: rules,
    values,
    words,
    tokens: vectorOf(tokensIn(siteId, tier, parts)),
    body: cardOf(listing, around.dateCreated).padEnd(leastBody),
  }
}

/** The price in the site's currency, by which listings in others are compared with the rest. One that
 * nobody can convert is taken as it is written. */
export function hundredths(
  { price, currencyId, siteId }: Pick<Listing, 'price' | 'currencyId' | 'siteId'>,
  ratio: Amount | undefined,
): string | null {
  if (price === null) return null
  const own = amount(price)
  const isForeign = currencyId !== sites[siteId].currency
  const converted = isForeign && ratio ? own.times(ratio) : own
  const most = 9e15
  const cents = converted.times(100).round()
  return (cents.gt(most) ? amount(most) : cents).toFixed(0)
}

/** The values of its attributes and of its variations' that anybody may see, each once. One without an id goes by its name. */
function valuesOf({ attributes, stock }: Listing): Value[] {
  const values = new Map<string, Value>()
  for (const each of [...attributes, ...stock.flatMap((piece) => piece.attributes)]) {
    if (values.size === mostValues) break
    if (isSellersCode(each)) continue
    const valueId = each.value_id ?? each.value_name
    const number = valueNumber(each.id, valueId)
    values.set(number, { number, attributeId: each.id, valueId, name: each.value_name })
  }
  return [...values.values()]
}
