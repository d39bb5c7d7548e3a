import { erasedText } from '../../kernel/erased-text.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Listing, listingDefaults } from '../listing.ts'
import type { IndexSettings } from '../search/index/write.ts'
import { findListings, lockListing } from '../store.ts'
import { deleteDescription, listItemIds } from '../store-erasure.ts'
import { commitListing } from './commands.ts'

/**
 * Closes and empties a batch of a seller's listings, after an id. The predictor unlearns them. Returns the number of
 * changed listings, and the last id, or null when no more follow.
 */
export async function eraseListings(
  tx: Tx,
  {
    sellerId,
    after,
    limit,
    at,
    ...settings
  }: IndexSettings & { sellerId: number; after: string; limit: number; at: Date },
): Promise<{ erased: number; last: string | null }> {
  const ids = await listItemIds(tx, { sellerId, after, limit })
  let erased = 0
  for (const id of ids) {
    await lockListing(tx, { sellerId, id })
    const listing = (await findListings(tx, { sellerId, ids: [id] })).get(id)
    if (!listing) continue
    const committed = await commitListing(tx, {
      listing: emptiedListing(listing),
      at,
      ...settings,
    })
    const hadDescription = await deleteDescription(tx, { sellerId, itemId: id })
    if (committed !== 'unchanged' || hadDescription) erased++
  }
  return { erased, last: ids.length === limit ? (ids.at(-1) ?? null) : null }
}

/** Returns a listing with nothing left but what sales count on: its category, price and stock. */
function emptiedListing(listing: Listing): Listing {
  return {
    ...listing,
    title: erasedText,
    subtitle: null,
    status: 'closed',
    subStatus: ['deleted'],
    warranty: null,
    sellerCustomField: null,
    sellerSku: null,
    permalink: null,
    pictures: [],
    attributes: [],
    sellerContact: null,
    coverageAreas: [],
    publication: listingDefaults.publication,
    stock: listing.stock.map(({ variationId, availableQuantity }) => ({
      variationId,
      availableQuantity,
      attributes: [],
      sellerSku: null,
    })),
  }
}
