import { LRUCache } from 'lru-cache'
import { type SiteId, sites } from '../../kernel/sites.ts'
import type { Context } from '../../platform/context.ts'
import type { AttributeValueCount } from './available-filters.ts'
import { findAttributeValues, type ValueCount } from './counts/store.ts'
import { attributeValueHash } from './index/tokens.ts'
import type { AttributeFilter } from './parameters.ts'

/** An attribute value without its count. What a number stands for never changes, so it can be cached. */
type CachedValue = Omit<AttributeValueCount, 'n'>

/** The attribute values by site and hash. */
export type ValueCache = LRUCache<string, CachedValue>

/** Makes a cache of the names of 50,000 attribute values. */
export function makeValueCache(): ValueCache {
  // `max` would allocate 1 MB at once.
  return new LRUCache({ maxSize: 50_000, sizeCalculation: () => 1 })
}

/** Less frequent values would not be shown. */
const maxCachedValues = 300

/** Returns the most frequent of these values with their names and counts. */
export async function describeValues(
  { db, searchCaches: { values: cache } }: Pick<Context, 'db' | 'searchCaches'>,
  siteId: SiteId,
  counts: readonly ValueCount[],
): Promise<AttributeValueCount[]> {
  const frequent =
    counts.length > maxCachedValues
      ? counts.toSorted((a, b) => b.n - a.n).slice(0, maxCachedValues)
      : counts
  const described = new Map<string, CachedValue>()
  const missing: string[] = []
  for (const { value } of frequent) {
    const attributeValue = cache.get(`${siteId} ${value}`)
    if (attributeValue) described.set(value, attributeValue)
    else missing.push(value)
  }
  if (missing.length > 0) {
    for (const { value, ...attributeValue } of await findAttributeValues(db, {
      siteId,
      values: missing,
    })) {
      cache.set(`${siteId} ${value}`, attributeValue)
      described.set(value, attributeValue)
    }
  }
  return frequent.flatMap(({ value, n }) => {
    const attributeValue = described.get(value)
    return attributeValue ? [{ ...attributeValue, n }] : []
  })
}

/** Returns a function that names attributes, and the values of the given filters. */
export async function attributeNamer(
  ctx: Context,
  siteId: SiteId,
  filters: readonly AttributeFilter[],
): Promise<(attributeId: string, valueId?: string) => string> {
  const { language } = sites[siteId]
  const { catalog } = ctx.catalog.served
  const counts = filters.map(({ attributeId, valueId }) => ({
    value: attributeValueHash(attributeId, valueId),
    n: 1,
  }))
  const values = counts.length === 0 ? [] : await describeValues(ctx, siteId, counts)
  return (attributeId, valueId) => {
    const attribute = catalog.attribute(attributeId)
    if (valueId === undefined) return attribute?.names[language] ?? attributeId
    const offered = attribute?.values.find(({ id }) => id === valueId)?.names[language]
    const listed = values.find((v) => v.attributeId === attributeId && v.valueId === valueId)
    return offered ?? listed?.name ?? valueId
  }
}
