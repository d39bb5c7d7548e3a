import { Type } from 'typebox'
import { Id, StrictObject } from '../kernel/schema.ts'
import { rebuildIndexRows } from '../listings/search/index/reindex.ts'
import { countListings, keyBefore, readListingKeys } from '../listings/store-walk.ts'
import { refileOrders } from '../orders/search/filing/reindexer.ts'
import { countOrders, listOrderKeys } from '../orders/search/filing/store.ts'
import type { Context } from '../platform/context.ts'
import { type JobStep, jobKind } from './kind.ts'

/** Listings or orders of one step, which locks them for some tenths of a second. */
const filedAtOnce = 100

const Parameters = StrictObject({
  of: Type.Enum(['listings', 'orders'], {
    description:
      '`listings` rebuilds the listing search. `orders` files orders anew in their search, renders their texts and has them counted again',
  }),
  seller_id: Type.Optional({ ...Id, description: 'Only of this seller' }),
})

interface Checkpoint {
  /** The seller and the id of the last one that was filed. */
  sellerId: number
  id: string | number
  filed: number
  /** Orders whose search data were wrong. */
  corrected: number
}

/** Files listings or orders anew, although the background has no reason to. */
export const reindex = jobKind({
  name: 'reindex',
  parameters: Parameters,
  permission: ({ of }) => (of === 'listings' ? 'listings:write' : 'orders:write'),

  async start({ db }, { of, seller_id: sellerId = null }) {
    const counts = { filed: 0, corrected: 0 }
    if (of === 'listings') {
      const filter = { ...anyListing, sellerId }
      const checkpoint: Checkpoint = { ...keyBefore(filter), ...counts }
      return { checkpoint, total: await countListings(db, filter) }
    }
    const checkpoint: Checkpoint = { sellerId: sellerId ?? 0, id: 0, ...counts }
    const sellers = { firstSellerId: sellerId ?? 0, lastSellerId: lastSeller(sellerId) }
    return { checkpoint, total: await countOrders(db, sellers) }
  },

  async step(ctx, { parameters: { of, seller_id: sellerId = null }, checkpoint }) {
    return of === 'listings'
      ? listingStep(ctx, { sellerId, checkpoint })
      : orderStep(ctx, { sellerId, checkpoint })
  },
})

const anyListing = { siteId: null, status: null, categoryIds: null }
const lastSeller = (sellerId: number | null) => sellerId ?? Number.MAX_SAFE_INTEGER

interface StepInput {
  sellerId: number | null
  checkpoint: Checkpoint
}

async function listingStep(
  ctx: Context,
  { sellerId, checkpoint }: StepInput,
): Promise<JobStep<Checkpoint>> {
  const after = { sellerId: checkpoint.sellerId, id: String(checkpoint.id) }
  const filter = { ...anyListing, sellerId }
  const batch = await readListingKeys(ctx.db, filter, { after, limit: filedAtOnce })
  const { sellerId: lastSellerId, id } = batch.at(-1) ?? after
  const filed = checkpoint.filed + batch.length
  return {
    async commit(tx) {
      await rebuildIndexRows(ctx, tx, batch)
      return {
        checkpoint: { ...checkpoint, sellerId: lastSellerId, id, filed },
        done: batch.length,
        result: { listings: filed },
        isLast: batch.length < filedAtOnce,
      }
    },
  }
}

async function orderStep(
  { db }: Context,
  { sellerId, checkpoint }: StepInput,
): Promise<JobStep<Checkpoint>> {
  const after = { sellerId: checkpoint.sellerId, id: Number(checkpoint.id) }
  const lastSellerId = lastSeller(sellerId)
  const keys = await listOrderKeys(db, { after, lastSellerId, limit: filedAtOnce })
  const last = keys.at(-1) ?? after
  const filed = checkpoint.filed + keys.length
  return {
    async commit(tx) {
      // A seller is recounted with the first of their orders.
      const recountedSellerId = checkpoint.id === 0 ? 0 : checkpoint.sellerId
      const corrected = checkpoint.corrected + (await refileOrders(tx, { keys, recountedSellerId }))
      return {
        checkpoint: { sellerId: last.sellerId, id: last.id, filed, corrected },
        done: keys.length,
        result: { orders: filed, corrected },
        isLast: keys.length < filedAtOnce,
      }
    },
  }
}
