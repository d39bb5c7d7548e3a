import { servedCatalogOf } from '../../catalog/open.ts'
import { recordChanges } from '../../changes/record.ts'
import { allWrong } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { itemChange, type SoldListing } from '../listing.ts'
import { closed, listerOf, lockOwned } from '../sell/commands.ts'
import { type Limits, limitsOf, noLimits } from '../sell/limits.ts'
import { type Description, findDescription, saveDescription } from './store.ts'
import { wrongText } from './text.ts'

interface Said {
  userId: number
  itemId: string
  plainText: string
  /** Whether there must be none yet. */
  isFirst: boolean
}

/**
 * A seller describes an item; it is told as a change of the item, unless the words are those of before.
 * Throws `validation_error` for words that its category does not take or where there are some already,
 * and `not_found`, `not_owned_item`, `item_closed`, `unable_to_list`.
 */
export async function describe(
  ctx: Context,
  { userId, itemId, plainText, isFirst }: Said,
): Promise<Description> {
  await listerOf(ctx.reads, userId)
  return ctx.db.transaction(async (tx) => {
    const listing = await lockOwned(tx, { userId, id: itemId })
    if (listing.status === 'closed') throw closed(listing)
    const { sellerId } = listing
    const before = await findDescription(tx, { sellerId, itemId })
    const limits = limitsFor(ctx, listing)
    const wrong = wrongText(plainText, { limits, isFirst, isThere: before !== undefined })
    if (wrong) throw allWrong([wrong])
    if (before?.plainText === plainText) return before
    const at = ctx.now()
    const after = { plainText, dateCreated: before?.dateCreated ?? at, lastUpdated: at }
    saveDescription(tx, { ...after, sellerId, itemId })
    recordChanges(tx, [itemChange({ id: itemId, sellerId, at })])
    return after
  })
}

function limitsFor(ctx: Context, { categoryId }: SoldListing): Limits {
  const { catalog } = servedCatalogOf(ctx)
  const category = catalog.category(categoryId)
  return category ? limitsOf(catalog.settings(category)) : noLimits
}
