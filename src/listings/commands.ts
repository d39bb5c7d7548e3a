import { recordChanges } from '../changes/record.ts'
import { Failure } from '../kernel/failure.ts'
import type { BulkTx, Tx } from '../platform/database/database.ts'
import { saidBy, saysTheSame } from './learning/lesson.ts'
import { type NotedBy, noteListing, noteListings } from './learning/store.ts'
import { isSameListing, itemChange, type Listing } from './listing.ts'
import { claimItem, copyListings, findListings, saveListing } from './store.ts'

/** What became of a listing that somebody wants to be so. */
export type Committed = 'new' | 'changed' | 'unchanged'

/** Makes a listing what is said of it, with all that follows: it is told, and what it teaches is noted;
 * nothing is where nothing differs. `by` tells who put it into its category. Throws `id_taken` where
 * the id is another seller's. */
export async function commitListing(
  tx: Tx,
  { listing, at, by = 'operator' }: { listing: Listing; at: Date; by?: NotedBy },
): Promise<Committed> {
  const { id, sellerId } = listing
  const owner = await claimItem(tx, listing)
  if (owner !== sellerId) {
    throw new Failure('id_taken', `id: expected an id of this seller's, ${id} is another's`)
  }
  const known = (await findListings(tx, { sellerId, ids: [id] })).get(id)
  if (known && isSameListing(known, listing)) return 'unchanged'
  await saveListing(tx, listing, at)
  if (!known || !saysTheSame(saidBy(known), saidBy(listing)))
    noteListing(tx, { id, sellerId, by, at })
  recordChanges(tx, [itemChange({ id, sellerId, at })])
  return known ? 'changed' : 'new'
}

/** Adds many listings whose ids are free, with all that follows but for telling of them: a history
 * tells of nothing. */
export async function addListings(
  tx: BulkTx,
  listings: readonly Listing[],
  at: Date,
): Promise<void> {
  await copyListings(tx, listings, at)
  await noteListings(tx, listings, at)
}
