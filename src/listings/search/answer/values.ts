import { LRUCache } from 'lru-cache'
import { servedCatalogOf } from '../../../catalog/open.ts'
import { type SiteId, sites } from '../../../kernel/sites.ts'
import type { Context } from '../../../platform/context.ts'
import { findValues, type ValueCount } from '../counts/store.ts'
import type { FilterValue } from '../parameters.ts'
import { valueNumber } from '../tokens.ts'
import type { CountedValue } from './available.ts'

/** What the numbers of values stand for: it never changes. */
type CachedValue = Omit<CountedValue, 'n'>

const known = new WeakMap<object, LRUCache<string, CachedValue>>()
const mostKnown = 50_000
/** Rarer ones would not be shown. */
const maxCachedValues = 300

/** What the most frequent of these values are, with their counts. */
export async function describeValues(
  ctx: Pick<Context, 'db'>,
  siteId: SiteId,
  counts: readonly ValueCount[],
): Promise<CountedValue[]> {
  let own = known.get(ctx)
  if (!own) {
    own = new LRUCache({ max: mostKnown })
    known.set(ctx, own)
  }
  const frequent =
    counts.length > maxCachedValues
      ? counts.toSorted((a, b) => b.n - a.n).slice(0, maxCachedValues)
      : counts
  const found = new Map<string, CachedValue>()
  const missing: string[] = []
  for (const { value } of frequent) {
    const one = own.get(`${siteId} ${value}`)
    if (one) found.set(value, one)
    else missing.push(value)
  }
  if (missing.length > 0) {
    for (const { value, ...one } of await findValues(ctx.db, { siteId, values: missing })) {
      own.set(`${siteId} ${value}`, one)
      found.set(value, one)
    }
  }
  return frequent.flatMap(({ value, n }) => {
    const one = found.get(value)
    return one ? [{ ...one, n }] : []
  })
}

/** How attributes are called, and these of their values. */
export async function namesOf(
  ctx: Context,
  siteId: SiteId,
  asked: readonly FilterValue[],
): Promise<(attributeId: string, valueId?: string) => string> {
  const { language } = sites[siteId]
  const { catalog } = servedCatalogOf(ctx)
  const counts = asked.map((each) => ({
    value: valueNumber(each.attributeId, each.valueId),
    n: 1,
  }))
  const values = counts.length === 0 ? [] : await describeValues(ctx, siteId, counts)
  return (attributeId, valueId) => {
    const attribute = catalog.attribute(attributeId)
    if (valueId === undefined) return attribute?.names[language] ?? attributeId
    const offered = attribute?.values.find(({ id }) => id === valueId)?.names[language]
    const written = values.find((v) => v.attributeId === attributeId && v.valueId === valueId)
    return offered ?? written?.name ?? valueId
  }
}
