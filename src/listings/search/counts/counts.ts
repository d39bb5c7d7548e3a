import type { Context } from '../../../platform/context.ts'
import { listingsChanged } from '../../store.ts'
import { type Counts, Joint } from './joint.ts'
import { Remembered, type Weighed } from './remembered.ts'
import { countListings, countPairs, countValues, type Meant, type ValueCount } from './store.ts'

/** Counts of fewer listings are not cached: they take a millisecond or two. */
export const lightest = 1_000
/** The same for attribute values, of which each listing has several. */
const minListingsForValues = 300

interface CountCaches {
  counts: Remembered<Counts>
  joints: Remembered<Joint>
  values: Remembered<ValueCount[]>
}

const cachesByContext = new WeakMap<object, CountCaches>()

/** Returns the caches of counts of a context. The first call makes them and marks them as changed with each change
 * of listings. */
function cachesOf(ctx: Pick<Context, 'signals'>): CountCaches {
  let existing = cachesByContext.get(ctx)
  if (!existing) {
    const caches = {
      counts: new Remembered<Counts>(lightest),
      joints: new Remembered<Joint>(lightest),
      values: new Remembered<ValueCount[]>(minListingsForValues),
    }
    for (const channel of [listingsChanged, 'reset']) {
      ctx.signals.on(channel, () => {
        caches.counts.changed()
        caches.joints.changed()
        caches.values.changed()
      })
    }
    cachesByContext.set(ctx, caches)
    existing = caches
  }
  return existing
}

type Tools = Pick<Context, 'db' | 'signals'>

const keyOf = ({ query, price }: Meant) => `${query} ${price.from}-${price.to}`

/** Counts the selected listings, in all and by kind and price bucket. */
export async function countsOf(ctx: Tools, selection: Meant): Promise<Counts> {
  const joint = jointOf(ctx, selection)
  if (joint) return joint.counts()
  return cachesOf(ctx).counts.get(keyOf(selection), async () => {
    const value = await countListings(ctx.db, selection)
    const { total, categories, traits, bands } = value
    return { value, hits: total, size: mapCost * (categories.size + traits.size + bands.size) }
  })
}

/** Memory of an entry of a map, in numbers of an array. */
const mapCost = 8

/**
 * Returns the joint counts of the selected listings, from which counts of narrower searches follow, if they are
 * cached.
 */
export function jointOf(ctx: Tools, selection: Meant): Joint | undefined {
  return cachesOf(ctx).joints.known(keyOf(selection), jointCounter(ctx, selection))
}

/** Counts the selected listings in advance; see `Remembered.ahead`. */
export async function countAhead(
  ctx: Tools,
  selection: Meant,
): Promise<{ ms: number; isNew: boolean }> {
  return cachesOf(ctx).joints.ahead(keyOf(selection), jointCounter(ctx, selection))
}

function jointCounter({ db }: Tools, selection: Meant): () => Promise<Weighed<Joint>> {
  return async () => {
    const value = new Joint(await countPairs(db, selection))
    return { value, hits: value.counts().total, size: value.size }
  }
}

/** Counts the attribute values of the selected listings. `total` is their number. */
export async function valuesOf(
  ctx: Tools,
  selection: Meant,
  total: number,
): Promise<readonly ValueCount[]> {
  return cachesOf(ctx).values.get(keyOf(selection), valueCounter(ctx, selection, total))
}

/** Counts the attribute values of the selected listings in advance. */
export async function valuesAhead(
  ctx: Tools,
  selection: Meant,
  total: number,
): Promise<{ ms: number; isNew: boolean }> {
  return cachesOf(ctx).values.ahead(keyOf(selection), valueCounter(ctx, selection, total))
}

function valueCounter(
  { db }: Tools,
  selection: Meant,
  total: number,
): () => Promise<Weighed<ValueCount[]>> {
  return async () => {
    const value = await countValues(db, selection)
    return { value, hits: total, size: 2 * mapCost * value.length }
  }
}
