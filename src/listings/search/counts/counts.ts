import type { Context } from '../../../platform/context.ts'
import { listingsChanged } from '../../store.ts'
import { Remembered, type Weighed } from './remembered.ts'
import { type Counts, countListings, countValues, type Meant, type ValueCount } from './store.ts'

/** Fewer listings than this are counted each time: that takes a millisecond or two. */
export const lightest = 1_000

interface Counting {
  counts: Remembered<Counts>
  values: Remembered<ValueCount[]>
}

const countings = new WeakMap<object, Counting>()

function countingOf(ctx: Pick<Context, 'signals'>): Counting {
  let counting = countings.get(ctx)
  if (!counting) {
    const made = {
      counts: new Remembered<Counts>(lightest),
      values: new Remembered<ValueCount[]>(lightest),
    }
    for (const channel of [listingsChanged, 'reset']) {
      ctx.signals.on(channel, () => {
        made.counts.changed()
        made.values.changed()
      })
    }
    countings.set(ctx, made)
    counting = made
  }
  return counting
}

type Tools = Pick<Context, 'db' | 'signals'>

const keyOf = ({ query, price }: Meant) => `${query} ${price.from}-${price.to}`

/** How many listings are meant, and of what kinds. */
export async function countsOf(ctx: Tools, meant: Meant): Promise<Counts> {
  return countingOf(ctx).counts.get(keyOf(meant), countingAll(ctx, meant))
}

/** The same before anybody asks; see `Remembered.ahead`. */
export async function countAhead(
  ctx: Tools,
  meant: Meant,
): Promise<{ ms: number; isNew: boolean }> {
  return countingOf(ctx).counts.ahead(keyOf(meant), countingAll(ctx, meant))
}

function countingAll({ db }: Tools, meant: Meant): () => Promise<Weighed<Counts>> {
  return async () => {
    const value = await countListings(db, meant)
    const { total, categories, traits, bands } = value
    return { value, hits: total, size: categories.size + traits.size + bands.size }
  }
}

/** How many of `total` listings that are meant have each value of an attribute. */
export async function valuesOf(
  ctx: Tools,
  meant: Meant,
  total: number,
): Promise<readonly ValueCount[]> {
  return countingOf(ctx).values.get(keyOf(meant), countingValues(ctx, meant, total))
}

/** The same before anybody asks. */
export async function valuesAhead(
  ctx: Tools,
  meant: Meant,
  total: number,
): Promise<{ ms: number; isNew: boolean }> {
  return countingOf(ctx).values.ahead(keyOf(meant), countingValues(ctx, meant, total))
}

function countingValues(
  { db }: Tools,
  meant: Meant,
  total: number,
): () => Promise<Weighed<ValueCount[]>> {
  return async () => {
    const value = await countValues(db, meant)
    return { value, hits: total, size: value.length }
  }
}
