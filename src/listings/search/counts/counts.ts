import type { Context } from '../../../platform/context.ts'
import { listingsChanged } from '../../store.ts'
import { type Counts, Joint } from './joint.ts'
import { Remembered, type Weighed } from './remembered.ts'
import { countListings, countPairs, countValues, type Meant, type ValueCount } from './store.ts'

/** Fewer listings than this are counted each time: that takes a millisecond or two. */
export const lightest = 1_000
/** The same for values of attributes, of which each listing has several. */
const lightestValues = 300

interface Counting {
  counts: Remembered<Counts>
  joints: Remembered<Joint>
  values: Remembered<ValueCount[]>
}

const countings = new WeakMap<object, Counting>()

function countingOf(ctx: Pick<Context, 'signals'>): Counting {
  let counting = countings.get(ctx)
  if (!counting) {
    const made = {
      counts: new Remembered<Counts>(lightest),
      joints: new Remembered<Joint>(lightest),
      values: new Remembered<ValueCount[]>(lightestValues),
    }
    for (const channel of [listingsChanged, 'reset']) {
      ctx.signals.on(channel, () => {
        made.counts.changed()
        made.joints.changed()
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
  const joint = jointOf(ctx, meant)
  if (joint) return joint.counts()
  return countingOf(ctx).counts.get(keyOf(meant), async () => {
    const value = await countListings(ctx.db, meant)
    const { total, categories, traits, bands } = value
    return { value, hits: total, size: mapCost * (categories.size + traits.size + bands.size) }
  })
}

/** What a map takes for each of its entries, in numbers of an array. */
const mapCost = 8

/** The same for what narrows them further, if they were counted ahead. */
export function jointOf(ctx: Tools, meant: Meant): Joint | undefined {
  return countingOf(ctx).joints.known(keyOf(meant), countingJoint(ctx, meant))
}

/** Counts before anybody asks; see `Remembered.ahead`. */
export async function countAhead(
  ctx: Tools,
  meant: Meant,
): Promise<{ ms: number; isNew: boolean }> {
  return countingOf(ctx).joints.ahead(keyOf(meant), countingJoint(ctx, meant))
}

function countingJoint({ db }: Tools, meant: Meant): () => Promise<Weighed<Joint>> {
  return async () => {
    const value = new Joint(await countPairs(db, meant))
    return { value, hits: value.counts().total, size: value.size }
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
    return { value, hits: total, size: 2 * mapCost * value.length }
  }
}
