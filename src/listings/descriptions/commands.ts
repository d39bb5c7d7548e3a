import { shelfOf } from '../../catalog/open.ts'
import { recordChanges } from '../../changes/record.ts'
import { allWrong, type Breach } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { itemChange, type SoldListing } from '../listing.ts'
import { invalid } from '../sell/breach.ts'
import { closed, listerOf, lockOwned } from '../sell/commands.ts'
import { type Limits, limitsOf, noLimits } from '../sell/limits.ts'
import { type Description, findDescription, saveDescription } from './store.ts'

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
    const wrong = wrongText(plainText, { limits: limitsFor(ctx, listing), isFirst, before })
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
  const { catalog } = shelfOf(ctx)
  const category = catalog.category(categoryId)
  return category ? limitsOf(catalog.settings(category)) : noLimits
}

/** What is wrong with words for an item (contract 2.13, `max_description_length`). */
export function wrongText(
  text: string,
  {
    limits: { longestDescription },
    isFirst,
    before,
  }: {
    limits: Pick<Limits, 'longestDescription'>
    isFirst: boolean
    before: Description | undefined
  },
): Breach | undefined {
  const field = 'plain_text'
  if (isFirst && before) {
    return { ...invalid('description', 'a first one: there is one, which PUT changes'), field }
  }
  if (text.trim() === '') {
    return { ...invalid('description', 'a text that is not blank'), field }
  }
  if ([...text].length <= longestDescription) return undefined
  const expected = `at most ${longestDescription} characters in this category`
  return { code: 'item.description.max', field, expected }
}
