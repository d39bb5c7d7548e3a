import type { SiteId } from '../../src/kernel/sites.ts'
import type { Listing } from '../../src/listings/listing.ts'
import { type IndexEntry, indexEntryOf, itemKeyOf } from '../../src/listings/search/index/entry.ts'
import { scoreOf, type TierThresholds, tierShares } from '../../src/listings/search/index/score.ts'
import { readConfig } from '../../src/platform/config.ts'
import { openConnection } from '../database.ts'
import { openTableWriter } from '../market/tables.ts'
import type { ListingGenerator } from './listing-generator.ts'

const { factors } = readConfig({}).search

/** Fills an empty, migrated database with listings, with every row that searches read: what the commands,
 * the folding of words and the walk would have left. */
export async function fillListings(
  url: string,
  { world, count, log }: { world: ListingGenerator; count: number; log: (step: string) => void },
): Promise<void> {
  log(`measuring ${count} listings …`)
  const steps = stepsOf(world, count)
  const put = await openTableWriter(url, columns)
  const words = new Map<SiteId, Map<string, number>>()
  const values = new Set<string>()
  log('copying …')
  for (let index = 0; index < count; index++) {
    const { listing, dateCreated, sold } = world.listing(index)
    const left = listing.stock[0]?.availableQuantity ?? 0
    const { siteId } = listing
    const entry = indexEntryOf(
      listing,
      {
        dateCreated,
        sold,
        left,
        ratio: undefined,
        reputation: 0,
        catalog: world.catalog,
        factors,
      },
      (category) => steps.get(`${siteId} ${category}`),
    )
    put.writeRow('listings', listingLine(listing, dateCreated))
    put.writeRow('listing_index', entryLine(entry))
    put.writeRow('listing_stock', line([listing.sellerId, listing.id, 0, left, sold, '[]']))
    const own = words.get(siteId) ?? new Map<string, number>()
    words.set(siteId, own)
    for (const word of entry.words) own.set(word, (own.get(word) ?? 0) + 1)
    for (const { number, attributeId, valueId, name } of entry.values) {
      const key = `${siteId} ${number}`
      if (values.has(key)) continue
      values.add(key)
      put.writeRow('listing_values', line([siteId, number, attributeId, valueId, name]))
    }
    if (put.isFull()) await put.waitForDrain()
  }
  for (const [siteId, own] of words) {
    put.writeRow('listing_folds', line([siteId, 1]))
    for (const [word, n] of own) put.writeRow('listing_words', line([siteId, word, n, 1]))
  }
  for (const [key, own] of steps) {
    put.writeRow('listing_tiers', line([...key.split(' '), `{${own.join()}}`]))
  }
  log('building keys and indexes …')
  await put.close()
  const client = await openConnection(url)
  await client.query('vacuum analyze')
  await client.end()
}

const columns = new Map<string, readonly string[]>([
  [
    'listings',
    [
      'seller_id',
      'id',
      'site_id',
      'title',
      'category_id',
      'vertical',
      'currency_id',
      'price',
      'status',
      'details',
      'date_created',
      'last_updated',
    ],
  ],
  [
    'listing_index',
    [
      'site_id',
      'item',
      'seller_id',
      'price',
      'kind',
      'score',
      'reputation',
      'tier',
      'band',
      'form',
      'version',
      'attributes',
      'words',
      'tokens',
      'body',
    ],
  ],
  [
    'listing_stock',
    ['seller_id', 'item_id', 'variation_id', 'available_quantity', 'sold_quantity', 'attributes'],
  ],
  ['listing_values', ['site_id', 'value', 'attribute_id', 'value_id', 'value_name']],
  ['listing_words', ['site_id', 'word', 'n', 'generation']],
  ['listing_folds', ['site_id', 'generation']],
  ['listing_tiers', ['site_id', 'category', 'steps']],
])

function listingLine(listing: Listing, dateCreated: Date): string {
  const { id, sellerId, siteId, title, categoryId, vertical, currencyId, price, ...more } = listing
  const { status, stock: _, ...details } = more
  const at = dateCreated.toISOString()
  return line([
    sellerId,
    id,
    siteId,
    title,
    categoryId,
    vertical,
    currencyId,
    price,
    status,
    JSON.stringify(details),
    at,
    at,
  ])
}

const line = (cells: readonly (string | number | null)[]) =>
  `${cells.map((cell) => (typeof cell === 'string' ? escaped(cell) : (cell ?? '\\N'))).join('\t')}\n`
const escaped = (text: string) => text.replaceAll('\\', '\\\\')

function entryLine(entry: IndexEntry): string {
  return line([
    entry.siteId,
    entry.item,
    entry.sellerId,
    entry.price,
    entry.kind,
    entry.score,
    entry.reputation,
    entry.tier,
    entry.band,
    entry.form,
    entry.version,
    `{${entry.values.map(({ number }) => number).join()}}`,
    entry.sequence,
    entry.tokens,
    entry.body,
  ])
}

/** What `saveTierThresholds` would find. */
function stepsOf(world: ListingGenerator, count: number): Map<string, TierThresholds> {
  const scores = new Map<string, number[]>()
  for (let index = 0; index < count; index++) {
    const { listing, dateCreated, sold } = world.listing(index)
    const { siteId, categoryId, title } = listing
    const left = listing.stock[0]?.availableQuantity ?? 0
    const { item } = itemKeyOf(listing.id)
    const key = `${siteId} ${categoryId.slice(3)}`
    const own = scores.get(key)
    const hasFreeShipping = listing.shipping.free_shipping
    const score = scoreOf(
      { item, dateCreated, sold, left, title, hasFreeShipping, reputation: 0 },
      factors,
    )
    if (own) own.push(score)
    else scores.set(key, [score])
  }
  const at = (sorted: readonly number[], share: number) =>
    sorted[Math.max(0, Math.ceil(sorted.length * (1 - share)) - 1)] as number
  return new Map(
    [...scores].map(([key, own]) => {
      const sorted = own.sort((a, b) => a - b)
      return [key, tierShares.map((share) => at(sorted, share))]
    }),
  )
}
