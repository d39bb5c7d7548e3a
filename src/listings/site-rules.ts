import { siteOf } from '../catalog/catalog.ts'
import { requireSite, type SiteRule, siteRule } from '../http/site-rule.ts'
import { requireUser } from '../identity/site-rules.ts'
import { findUserSite } from '../identity/store.ts'
import { badField, Failure } from '../kernel/failure.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Context } from '../platform/context.ts'
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

/** The category of the body is one of the site of the body. Its public counts would include the listing. */
export const categoryOfItem = siteRule<{ body: { category_id: string; site_id: SiteId } }>(
  'category',
  async ({ body: { category_id: categoryId, site_id: siteId } }) => {
    if (siteOf(categoryId) !== siteId) throw badField('category_id', `a category of ${siteId}`)
  },
)

/** Returns the failure of a body with an unknown item. */
export const unknownItem = () => badField('item_id', 'a registered item')
