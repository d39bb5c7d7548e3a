import { amount, decimalPlacesOf, fitsCurrency } from '../kernel/money.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Vertical } from '../kernel/verticals.ts'
import { isRemoved, type Listing, type ListingStatus } from '../listings/listing.ts'

/** What a job changes of each of its listings. */
export interface ListingChange {
  status?: ListingStatus | undefined
  category?: { id: string; siteId: SiteId; vertical: Vertical | undefined } | undefined
  /** By how many percent the price rises, or falls if it is negative. */
  pricePercent?: number | undefined
}

export type ListingDecision = { listing: Listing } | { refusal: string }

/** Returns the changed listing, or why it may not be changed. All of a change is refused, or nothing. */
export function applyListingChange(
  listing: Listing,
  { status, category, pricePercent }: ListingChange,
): ListingDecision {
  let changed = listing
  if (status === 'active' && listing.status !== 'active') {
    if (isRemoved(listing)) return { refusal: 'status: expected a listing that was not removed' }
    // The sub-statuses say why a listing is not active.
    const { subStatus: _, ...active } = listing
    changed = { ...active, status }
  } else if (status !== undefined) changed = { ...changed, status }
  if (category) {
    if (category.siteId !== listing.siteId)
      return { refusal: `category_id: expected a category of ${listing.siteId}` }
    const vertical = category.vertical ?? listing.vertical
    changed = { ...changed, categoryId: category.id, vertical }
  }
  if (pricePercent !== undefined) {
    if (listing.price === null) return { refusal: 'price: expected a listing with a price' }
    const price = amount(listing.price)
      .times(amount(100).plus(pricePercent))
      .div(100)
      .round(decimalPlacesOf(listing.currencyId))
    if (price.lte(0)) return { refusal: 'price: expected more than 0 after the change' }
    if (!fitsCurrency(Number(price), listing.currencyId))
      return { refusal: 'price: expected less than 10,000,000,000,000 after the change' }
    changed = { ...changed, price: price.toString() }
  }
  return { listing: changed }
}
