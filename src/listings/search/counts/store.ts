import type { SiteId } from '../../../kernel/sites.ts'
import type { Db } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { PriceRange } from '../index/facets.ts'
import type { PairCounts, SearchCounts } from './joint-counts.ts'

/** Selects the listings of a site that a `tsquery` matches, in a price range. */
export interface ListingSelection {
  siteId: SiteId
  query: string
  price: PriceRange
}

/**
 * Counts by category, traits and price bucket in one pass. These are at most a few thousand numbers, whereas
 * combinations of all three would be nearly as many as listings. The numbers come as text, which is several times as
 * fast as rows.
 */
export async function countByDimension(db: Db, selection: ListingSelection): Promise<SearchCounts> {
  const rows = await db.rows<{ side: number; numbers: string }>(sql`
    select side, string_agg(value || ' ' || n, ' ') as numbers
    from (select grouping(kind >> 8, kind & 255, band) as side,
        coalesce(kind >> 8, kind & 255, band) as value, count(*) as n
      from listing_index where ${selectionCondition(selection)}
      group by grouping sets ((kind >> 8), (kind & 255), (band))) counted
    group by side`)
  // `grouping` sets the bit of each column that a row is not grouped by.
  const side = (bits: number) => {
    const numbers = numbersIn(rows.find((row) => row.side === bits)?.numbers)
    const counts = new Map<number, number>()
    for (let at = 0; at < numbers.length; at += 2) {
      counts.set(numbers[at] as number, numbers[at + 1] as number)
    }
    return counts
  }
  const traits = side(0b101)
  const total = [...traits.values()].reduce((sum, n) => sum + n, 0)
  return { total, categories: side(0b011), traits, priceBuckets: side(0b110) }
}

/** Counts by each pair of category, traits and price bucket. */
export async function countByPair(db: Db, selection: ListingSelection): Promise<PairCounts> {
  const rows = await db.rows<{ side: number; numbers: string }>(sql`
    select side, string_agg(one || ' ' || other || ' ' || n, ' ') as numbers
    from (select grouping(kind >> 8, kind & 255, band) as side,
        coalesce(kind >> 8, kind & 255) as one,
        case when grouping(band) = 1 then kind & 255 else band end as other, count(*) as n
      from listing_index where ${selectionCondition(selection)}
      group by grouping sets ((kind >> 8, kind & 255), (kind >> 8, band), (kind & 255, band))) counted
    group by side`)
  const side = (bits: number) => numbersIn(rows.find((row) => row.side === bits)?.numbers)
  return {
    categoryTraits: side(0b001),
    categoryPriceBuckets: side(0b010),
    traitPriceBuckets: side(0b100),
  }
}

function numbersIn(text: string | undefined): Int32Array {
  return text === undefined ? new Int32Array() : Int32Array.from(text.split(' '), Number)
}

/** Number of listings that have an attribute value, which is named by its hash. */
export interface ValueCount {
  value: string
  n: number
}

/** Less frequent values would not be shown. */
const maxValues = 300

/** Counts the attribute values of the selected listings, the most frequent first. */
export async function countAttributeValues(
  db: Db,
  selection: ListingSelection,
): Promise<ValueCount[]> {
  return db.rows(sql`
    select value::text as value, count(*)::int as n
    from listing_index, unnest(attributes) value where ${selectionCondition(selection)}
    group by listing_index.site_id, value order by n desc, value limit ${maxValues}`)
}

/** Counts the selected listings up to a limit. */
export async function countUpTo(
  db: Db,
  selection: ListingSelection,
  limit: number,
): Promise<number> {
  const rows = await db.rows(
    sql`select 1 from listing_index where ${selectionCondition(selection)} limit ${limit}`,
  )
  return rows.length
}

/** Returns the SQL condition of a selection. The index finds rows by tokens; prices are compared in the rows. */
export function selectionCondition({ siteId, query, price }: ListingSelection) {
  const parts = [
    sql`site_id = ${siteId} and tokens @@ ${query}::tsquery`,
    price.from === null ? sql`` : sql` and price >= ${price.from}`,
    price.to === null ? sql`` : sql` and price <= ${price.to}`,
  ] as const
  return sql`${parts[0]}${parts[1]}${parts[2]}`
}

/** Loads the names of attribute values, in no order. `values` holds their hashes, which are 64-bit numbers as text,
 * because a number would lose digits. Hashes without a row are left out, so match the results by `value`. */
export async function findAttributeValues(
  db: Db,
  { siteId, values }: { siteId: SiteId; values: readonly string[] },
): Promise<{ value: string; attributeId: string; valueId: string; name: string }[]> {
  return db.rows(sql`
    select value::text as value, attribute_id as "attributeId", value_id as "valueId",
      value_name as name
    from listing_values where site_id = ${siteId} and value = any(${values}::bigint[])`)
}
