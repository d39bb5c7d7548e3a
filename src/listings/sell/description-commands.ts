import { recordChanges } from '../../changes/record.ts'
import { validationFailure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { itemChange, type ListingWithSales } from '../listing.ts'
import { itemClosedFailure, lockOwnItem, sellerOrFail } from './commands.ts'
import { findDescriptionBreach } from './description-rules.ts'
import { type ListingLimits, listingLimitsOf, unknownCategoryLimits } from './limits.ts'
import { type Description, findDescription, saveDescription } from './store-descriptions.ts'

interface DescriptionInput {
  userId: number
  itemId: string
  plainText: string
  /** Whether the item must not have a description yet. */
  isFirst: boolean
}

/**
 * Saves the description of an item and records a change of the item unless the text is the same. Throws
 * `validation_error` for a text that the category does not allow or when there is one already, and `not_found`,
 * `not_owned_item`, `item_closed`, `unable_to_list`.
 */
export async function setItemDescription(
  ctx: Context,
  { userId, itemId, plainText, isFirst }: DescriptionInput,
): Promise<Description> {
  await sellerOrFail(ctx.reads, userId)
  return ctx.db.transaction(async (tx) => {
    const listing = await lockOwnItem(tx, { userId, id: itemId })
    if (listing.status === 'closed') throw itemClosedFailure(listing)
    const { sellerId } = listing
    const before = await findDescription(tx, { sellerId, itemId })
    const limits = limitsFor(ctx, listing)
    const breach = findDescriptionBreach(plainText, {
      limits,
      isFirst,
      isThere: before !== undefined,
    })
    if (breach) throw validationFailure([breach])
    if (before?.plainText === plainText) return before
    const at = ctx.now()
    const after = { plainText, dateCreated: before?.dateCreated ?? at, lastUpdated: at }
    saveDescription(tx, { ...after, sellerId, itemId })
    recordChanges(tx, [itemChange({ id: itemId, sellerId, at })])
    return after
  })
}

function limitsFor(ctx: Context, { categoryId }: ListingWithSales): ListingLimits {
  const { catalog } = ctx.catalog.served
  const category = catalog.category(categoryId)
  return category ? listingLimitsOf(catalog.settings(category)) : unknownCategoryLimits
}
