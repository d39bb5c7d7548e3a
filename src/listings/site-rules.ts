import { requireSite, type SiteRule, siteRule } from '../http/site-rule.ts'
import { requireUser } from '../identity/site-rules.ts'
import { findUserSite } from '../identity/store.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { pictureNotFound, pictureTaken } from './pictures/failures.ts'
import { findPictureError, pictureOwners } from './pictures/store.ts'
import { quotationNotFound, quotationTaken } from './quotations/quotation.ts'
import { findQuotation, quotationOwners } from './quotations/store.ts'
import { findSynonymChange } from './search/synonyms/store.ts'
import { findItemSite, hasListingsElsewhere } from './store-read.ts'

type Limited = { ctx: Pick<Context, 'db'>; sites: ReadonlySet<SiteId> }

/** Throws `unknown` unless the listing is on the sites. */
export async function requireItem(
  { ctx, sites }: Limited,
  itemId: string,
  unknown: Failure,
): Promise<void> {
  requireSite(sites, await findItemSite(ctx.db, itemId), unknown)
}

/**
 * Throws `unknown` unless the seller is on the sites with all listings. Then all sales and conversations of the seller are
 * too, because an order has the site of its listings.
 */
async function requireSeller({ ctx, sites }: Limited, id: number, unknown: Failure): Promise<void> {
  requireSite(sites, await findUserSite(ctx.db, id), unknown)
  if (await hasListingsElsewhere(ctx.db, { sellerId: id, sites: [...sites] })) throw unknown
}

/** Returns the rule for all that a seller sells, by a parameter of the query. */
export function siteOfSeller(parameter: string): SiteRule {
  const denial = `send a seller of yours as \`${parameter}\``
  return {
    ...siteRule<{ query: Record<string, number | undefined> }>('seller', async (request) => {
      const unknown = new Failure('site_denied', denial)
      const id = request.query[parameter]
      if (id === undefined) throw unknown
      await requireSeller(request, id, unknown)
    }),
    denial,
  }
}

/** The listing of the path is on the sites. */
export const siteOfItem = siteRule('listing', (request) => {
  const id = request.params['id'] ?? ''
  return requireItem(request, id, new Failure('not_found', `Item not found: ${id}`))
})

/** The seller of the body is on the sites. The id of a listing begins with its site, so an existing one is there too. */
export const sellerOfItem = siteRule<{ body: { seller_id: number } }>('seller', (request) =>
  requireUser(request, request.body.seller_id, badField('seller_id', 'a registered user')),
)

const unknownItem = () => badField('item_id', 'a registered item')

/** The listing of the body and the picture, if it has an error already, are on the sites. */
export const siteOfReportedPicture = siteRule<{ body: { item_id: string } }>(
  'listing',
  async (request) => {
    await requireItem(request, request.body.item_id, unknownItem())
    const id = request.params['picture_id'] ?? ''
    const itemId = await findPictureItem(request.ctx.db, id)
    if (itemId !== undefined) await requireItem(request, itemId, pictureTaken(id))
  },
)

/** The listing of a picture is on the sites. */
export const siteOfPicture = siteRule('listing', async (request) => {
  const id = request.params['picture_id'] ?? ''
  const itemId = await findPictureItem(request.ctx.db, id)
  if (itemId === undefined) throw pictureNotFound(id)
  await requireItem(request, itemId, pictureNotFound(id))
})

async function findPictureItem(db: Db, pictureId: string): Promise<string | undefined> {
  const error = await pictureOwners.findRow(db, pictureId, (owner) =>
    findPictureError(db, { ...owner, pictureId }),
  )
  return error?.itemId
}

/** The listing and the user of the body, and the quotation, if it exists, are on the sites. */
export const siteOfSavedQuotation = siteRule<{
  body: { item_id: string; user_id?: number | null }
}>('listing, user', async (request) => {
  const { item_id: itemId, user_id: userId } = request.body
  await requireItem(request, itemId, unknownItem())
  if (userId) await requireUser(request, userId, badField('user_id', 'a registered user'))
  const id = pathId('quotation_id', request.params['quotation_id'] ?? '')
  const quotedItemId = await findQuotedItem(request.ctx.db, id)
  if (quotedItemId !== undefined) await requireItem(request, quotedItemId, quotationTaken(id))
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

/** The change of synonyms is for one of the sites. */
export const siteOfSynonyms = siteRule('synonyms', async ({ ctx, params, sites }) => {
  const id = params['id'] ?? ''
  const change = await findSynonymChange(ctx.db, id)
  requireSite(sites, change?.siteId, synonymsNotFound(id))
})

/** Returns the failure of a change of synonyms that does not exist. */
export function synonymsNotFound(id: string): Failure {
  return new Failure('not_found', `Synonyms not found: ${id}`)
}
