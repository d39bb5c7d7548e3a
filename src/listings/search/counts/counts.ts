import type { Context } from '../../../platform/context.ts'
import type { Signals } from '../../../platform/database/signals.ts'
import { listingsChanged } from '../../store.ts'
import { type CacheableCount, CountCache } from './count-cache.ts'
import { JointCounts, type SearchCounts } from './joint-counts.ts'
import {
  countAttributeValues,
  countByDimension,
  countByPair,
  type ListingSelection,
  type ValueCount,
} from './store.ts'

/** Counts of fewer listings are not cached: they take a millisecond or two. */
export const minCachedListings = 1_000
/** The same for attribute values, of which each listing has several. */
const minListingsForValues = 300

/** The counts that a process remembers. Each change of listings marks them as outdated. */
export class CountCaches {
  readonly counts = new CountCache<SearchCounts>(minCachedListings)
  readonly joints = new CountCache<JointCounts>(minCachedListings)
  readonly values = new CountCache<ValueCount[]>(minListingsForValues)

  constructor(signals: Pick<Signals, 'on'>) {
    for (const channel of [listingsChanged, 'reset']) {
      signals.on(channel, () => {
        for (const cache of [this.counts, this.joints, this.values]) cache.markOutdated()
      })
    }
  }
}

type SearchContext = Pick<Context, 'db' | 'searchCaches'>

/** Returns the cache key of a selection. The site is in the tokens of the query. */
const selectionKey = ({ query, price }: ListingSelection) => `${query} ${price.from}-${price.to}`

/** Counts the selected listings: in all, by category, by traits (all traits of a listing packed into one number,
 * `packFacets`) and by price bucket. Cached joint counts save the query. */
export async function countSearchResults(
  ctx: SearchContext,
  selection: ListingSelection,
): Promise<SearchCounts> {
  const joint = cachedJointCounts(ctx, selection)
  if (joint) return joint.counts()
  return ctx.searchCaches.counts.counts.get(selectionKey(selection), async () => {
    const value = await countByDimension(ctx.db, selection)
    const { total, categories, traits, priceBuckets } = value
    return {
      value,
      hits: total,
      size: mapCost * (categories.size + traits.size + priceBuckets.size),
    }
  })
}

/** Memory of an entry of a map, in numbers of an array. */
const mapCost = 8

/**
 * Returns the joint counts of the selected listings if they are cached. Counts of the same search narrowed by traits or
 * by price follow from them.
 */
export function cachedJointCounts(
  ctx: SearchContext,
  selection: ListingSelection,
): JointCounts | undefined {
  return ctx.searchCaches.counts.joints.getCached(
    selectionKey(selection),
    jointCounter(ctx, selection),
  )
}

/** Counts the selected listings jointly and caches the result, before somebody searches for them. A cached count that
 * stays usable for a while is not counted again. Returns the duration in milliseconds (0 if nothing was counted), and
 * whether there was no cached count. */
export async function precountJoint(
  ctx: SearchContext,
  selection: ListingSelection,
): Promise<{ ms: number; isNew: boolean }> {
  return ctx.searchCaches.counts.joints.precount(
    selectionKey(selection),
    jointCounter(ctx, selection),
  )
}

function jointCounter(
  { db }: SearchContext,
  selection: ListingSelection,
): () => Promise<CacheableCount<JointCounts>> {
  return async () => {
    const value = new JointCounts(await countByPair(db, selection))
    return { value, hits: value.counts().total, size: value.size }
  }
}

/** Counts the attribute values of the selected listings. `total` is their number. */
export async function countResultValues(
  ctx: SearchContext,
  selection: ListingSelection,
  total: number,
): Promise<readonly ValueCount[]> {
  return ctx.searchCaches.counts.values.get(
    selectionKey(selection),
    valueCounter(ctx, selection, total),
  )
}

/** Counts the attribute values of the selected listings in advance, as `precountJoint` does. */
export async function precountValues(
  ctx: SearchContext,
  selection: ListingSelection,
  total: number,
): Promise<{ ms: number; isNew: boolean }> {
  return ctx.searchCaches.counts.values.precount(
    selectionKey(selection),
    valueCounter(ctx, selection, total),
  )
}

function valueCounter(
  { db }: SearchContext,
  selection: ListingSelection,
  total: number,
): () => Promise<CacheableCount<ValueCount[]>> {
  return async () => {
    const value = await countAttributeValues(db, selection)
    return { value, hits: total, size: 2 * mapCost * value.length }
  }
}
