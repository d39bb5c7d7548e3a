import { randomUUID } from 'node:crypto'
import type { SiteId } from '../../../kernel/sites.ts'
import type { BulkTx, Db, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { IndexEntry, IndexedAttributeValue } from './entry.ts'
import type { TierThresholds } from './score.ts'
import { wordsOfTokens } from './tokens.ts'

/** Reads the date of creation and the sold and available quantities of a listing. */
export async function findListingRank(
  tx: Tx,
  { sellerId, id }: { sellerId: number; id: string },
): Promise<{ dateCreated: Date; sold: number; left: number }> {
  const [listing, stock] = await Promise.all([
    tx.row<{ dateCreated: Date }>(sql`
      select date_created as "dateCreated" from listings
      where seller_id = ${sellerId} and id = ${id}`),
    tx.row<{ sold: number; left: number }>(sql`
      select coalesce(sum(sold_quantity), 0)::bigint as sold,
        coalesce(sum(available_quantity), 0)::bigint as left
      from listing_stock where seller_id = ${sellerId} and item_id = ${id}`),
  ])
  if (!listing || !stock) throw new Error(`${id} is not listed`)
  return { ...listing, ...stock }
}

/** Reads the scores at which the tiers of these categories begin. New categories are left out. */
export async function findTierThresholds(
  db: Db,
  { siteId, categories }: { siteId: SiteId; categories: readonly number[] },
): Promise<Map<number, TierThresholds>> {
  const rows = await db.rows<{ category: number; steps: number[] }>(sql`
    select category, steps from listing_tiers
    where site_id = ${siteId} and category = any(${categories}::int[])`)
  return new Map(rows.map(({ category, steps }) => [category, steps]))
}

/**
 * Reads the words and the reputation of an item in the index, or undefined when it has no row. The caller holds the lock
 * of the listing.
 */
export async function findIndexedListing(
  tx: Tx,
  { siteId, item }: { siteId: SiteId; item: number },
): Promise<{ words: string[]; reputation: number } | undefined> {
  const row = await tx.row<{ tokens: string[]; reputation: number }>(sql`
    select tsvector_to_array(tokens) as tokens, reputation from listing_index
    where site_id = ${siteId} and item = ${item}`)
  return row && { words: wordsOfTokens(siteId, row.tokens), reputation: row.reputation }
}

export function deleteIndexEntry(tx: Tx, { siteId, item }: { siteId: SiteId; item: number }): void {
  tx.write(sql`delete from listing_index where site_id = ${siteId} and item = ${item}`)
}

/** The columns of `copyIndexEntries`, in the order of its values. `IndexEntry` describes them. */
const columns = [
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
]

const numbersOf = (values: readonly IndexedAttributeValue[]) =>
  `{${values.map(({ number }) => number).join()}}`

/** Inserts or replaces a row. */
export function saveIndexEntry(tx: Tx, entry: IndexEntry): void {
  tx.write(sql`
    insert into listing_index (site_id, item, seller_id, price, kind, score, reputation, tier, band, form,
      version, attributes, words, tokens, body)
    values (${entry.siteId}, ${entry.item}, ${entry.sellerId}, ${entry.price}, ${entry.kind},
      ${entry.score}, ${entry.reputation}, ${entry.tier}, ${entry.band}, ${entry.form}, ${entry.version},
      ${numbersOf(entry.values)}, ${entry.sequence}, ${entry.tokens}, ${entry.body})
    on conflict (site_id, item) do update set seller_id = excluded.seller_id,
      price = excluded.price, kind = excluded.kind, score = excluded.score, reputation = excluded.reputation, tier = excluded.tier,
      band = excluded.band, form = excluded.form, version = excluded.version, attributes = excluded.attributes,
      words = excluded.words, tokens = excluded.tokens, body = excluded.body`)
}

/** Bulk-inserts index rows of items that have none yet: unlike `saveIndexEntry`, a copy cannot replace a row and fails
 * with a unique violation. */
export async function copyIndexEntries(tx: BulkTx, entries: readonly IndexEntry[]): Promise<void> {
  await tx.copy(
    { table: 'listing_index', columns },
    entries.map((entry) => [
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
      numbersOf(entry.values),
      entry.sequence,
      entry.tokens,
      entry.body,
    ]),
  )
}

/** Saves the names of attribute values. The first name of a value stays. */
export function saveValueNames(
  tx: Tx,
  siteId: SiteId,
  values: readonly IndexedAttributeValue[],
): void {
  if (values.length === 0) return
  // Sorted, so that two transactions that write the same values cannot deadlock.
  const sorted = [...values].sort((a, b) => (a.number < b.number ? -1 : 1))
  tx.write(sql`
    insert into listing_values (site_id, value, attribute_id, value_id, value_name)
    select ${siteId}, v.value, v.attribute_id, v.value_id, v.value_name
    from unnest(${sorted.map(({ number }) => number)}::bigint[],
      ${sorted.map(({ attributeId }) => attributeId)}::text[],
      ${sorted.map(({ valueId }) => valueId)}::text[],
      ${sorted.map(({ name }) => name)}::text[])
      as v (value, attribute_id, value_id, value_name)
    on conflict (site_id, value) do nothing`)
}

/** Notes by how much the number of listings with each word changes. `aggregateWordCounts` adds the notes up. */
export function addWordNotes(
  tx: Tx,
  { siteId, words }: { siteId: SiteId; words: ReadonlyMap<string, number> },
): void {
  const changed = [...words].filter(([, n]) => n !== 0)
  if (changed.length === 0) return
  tx.hint(wordsNoted)
  tx.write(sql`
    insert into listing_word_notes (site_id, id, words, n)
    values (${siteId}, ${randomUUID()}, ${changed.map(([word]) => word)}, ${changed.map(([, n]) => n)})`)
}

/** Database channel that announces new word notes. */
const wordsNoted = 'listing_words'
