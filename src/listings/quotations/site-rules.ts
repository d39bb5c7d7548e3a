import { siteRule } from '../../http/site-rule.ts'
import { requireUser } from '../../identity/site-rules.ts'
import { badField } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/database/database.ts'
import { requireItem, unknownItem } from '../site-rules.ts'
import { quotationNotFound } from './quotation.ts'
import { findQuotation, quotationOwners } from './store.ts'

/**
 * The listing and the user of the body are on the sites. An existing quotation is not asked for: a listing of another site
 * than that of all quotations is refused by what it is, before its answer could depend on the id.
 */
export const siteOfSavedQuotation = siteRule<{
  body: { item_id: string; user_id?: number | null }
}>('listing, user', async (request) => {
  const { item_id: itemId, user_id: userId } = request.body
  await requireItem(request, itemId, unknownItem())
  if (userId) await requireUser(request, userId, badField('user_id', 'a registered user'))
})

/** The listing of a quotation is on the sites. */
export const siteOfQuotation = siteRule('listing', async (request) => {
  const id = pathId('quotation_id', request.params['quotation_id'] ?? '')
  const itemId = await findQuotedItem(request.ctx.db, id)
  if (itemId === undefined) throw quotationNotFound(id)
  await requireItem(request, itemId, quotationNotFound(id))
})

async function findQuotedItem(db: Db, id: number): Promise<string | undefined> {
  const quotation = await quotationOwners.findRow(db, id, (owner) =>
    findQuotation(db, { ...owner, id }),
  )
  return quotation?.itemId
}
