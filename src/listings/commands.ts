import type { Catalog } from '../catalog/catalog.ts'
import { recordChanges } from '../changes/record.ts'
import { Failure } from '../kernel/failure.ts'
import type { BulkTx, Tx } from '../platform/database/database.ts'
import { type NotedBy, noteListing, noteListings } from './learning/store.ts'
import { saidBy, saysTheSame } from './learning/training-example.ts'
import { isSameListing, itemChange, type Listing } from './listing.ts'
import { indexListing, indexListings } from './search/index/write.ts'
import { copyListings, findListings, itemOwners, saveListing } from './store.ts'

/** What became of a listing that somebody wants to be so. */
export type Committed = 'new' | 'changed' | 'unchanged'

/** Makes a listing what is said of it, with all that follows: it is found and told, and what it teaches is
 * noted; nothing is where nothing differs. `catalog` is the one that is served, `by` tells who put it
 * into its category. Throws `id_taken` where the id is another seller's. */
export async function commitListing(
  tx: Tx,
  {
    listing,
    at,
    catalog,
    by = 'operator',
  }: { listing: Listing; at: Date; catalog: Catalog; by?: NotedBy },
): Promise<Committed> {
  const { id, sellerId } = listing
  const { owner } = await itemOwners.claimOrFind(tx, listing)
  if (owner.sellerId !== sellerId) {
    throw new Failure('id_taken', `id: expected an id of this seller's, ${id} is another's`)
  }
  const known = (await findListings(tx, { sellerId, ids: [id] })).get(id)
  if (known && isSameListing(known, listing)) return 'unchanged'
  await saveListing(tx, listing, at)
  if (!known || !saysTheSame(saidBy(known), saidBy(listing)))
    noteListing(tx, { id, sellerId, by, at })
  await indexListing(tx, listing, catalog)
  recordChanges(tx, [itemChange({ id, sellerId, at })])
  return known ? 'changed' : 'new'
}

/** Adds many listings whose ids are free, with all that follows but for telling of them: a history
 * tells of nothing. */
export async function addListings(
  tx: BulkTx,
  listings: readonly Listing[],
  { at, catalog }: { at: Date; catalog: Catalog },
): Promise<void> {
  await copyListings(tx, listings, at)
  await noteListings(tx, listings, at)
  await indexListings(tx, listings, { at, catalog })
}
