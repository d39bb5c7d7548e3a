import { recordChanges } from '../../changes/record.ts'
import { Failure } from '../../kernel/failure.ts'
import type { BulkTx, Tx } from '../../platform/database/database.ts'
import { addTrainingNote, addTrainingNotes, type CategoryAssigner } from '../learning/store.ts'
import { isSameLabeledTitle, labeledTitleOf } from '../learning/training-example.ts'
import { isSameListing, itemChange, type Listing } from '../listing.ts'
import { type IndexSettings, indexListing, indexListings } from '../search/index/write.ts'
import { copyListings, findListings, itemOwners, saveListing } from '../store.ts'

/** What a commit did to a listing. */
export type CommitResult = 'new' | 'changed' | 'unchanged'

/** Saves a listing, updates the search index, notes it for the predictor and records the change. Does nothing when the
 * listing is unchanged. `catalog` is the served catalog, `by` who chose the category. Throws `id_taken` when the id
 * belongs to another seller. */
export async function commitListing(
  tx: Tx,
  {
    listing,
    at,
    by = 'operator',
    ...settings
  }: IndexSettings & { listing: Listing; at: Date; by?: CategoryAssigner },
): Promise<CommitResult> {
  const { id, sellerId } = listing
  const { owner } = await itemOwners.claimOrFind(tx, listing)
  if (owner.sellerId !== sellerId) {
    throw new Failure('id_taken', `id: expected an id of this seller's, ${id} is another's`)
  }
  const before = (await findListings(tx, { sellerId, ids: [id] })).get(id)
  if (before && isSameListing(before, listing)) return 'unchanged'
  await saveListing(tx, listing, at)
  if (!before || !isSameLabeledTitle(labeledTitleOf(before), labeledTitleOf(listing)))
    addTrainingNote(tx, { id, sellerId, by, at })
  await indexListing(tx, listing, settings)
  recordChanges(tx, [itemChange({ id, sellerId, at })])
  return before ? 'changed' : 'new'
}

/** Adds many listings whose ids are unused, with search index and notes for the predictor. Records no changes, because
 * imported listings notify nobody. */
export async function addListings(
  tx: BulkTx,
  listings: readonly Listing[],
  { at, ...settings }: IndexSettings & { at: Date },
): Promise<void> {
  await copyListings(tx, listings, at)
  await addTrainingNotes(tx, listings, at)
  await indexListings(tx, listings, { at, ...settings })
}
