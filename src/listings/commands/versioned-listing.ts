import type { VersionedThing } from '../../http/versions.ts'
import type { Listing, ListingWithSales } from '../listing.ts'
import { itemOwners, lockListing } from '../store.ts'

/** A listing with its stock, which sales change as well. */
export const versionedListing: VersionedThing = {
  async lock(tx, { params: { id: text } }) {
    const id = String(text)
    const listing = await itemOwners.findRow(tx, id, (owner) => lockListing(tx, { ...owner, id }))
    return listing && stateOfListing(listing)
  },
}

/** Returns a listing without the units sold, of which the stock tells as much. */
export function stateOfListing(listing: Listing | ListingWithSales): object {
  const stock = listing.stock.map((variation) => ({ ...variation, soldQuantity: undefined }))
  return { ...listing, stock }
}
