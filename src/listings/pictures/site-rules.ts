import { siteRule } from '../../http/site-rule.ts'
import { badField } from '../../kernel/failure.ts'
import { type SiteId, siteIds } from '../../kernel/sites.ts'
import type { Db } from '../../platform/database/database.ts'
import { requireItem, unknownItem } from '../site-rules.ts'
import { findListing } from '../store.ts'
import { pictureNotFound, pictureTaken } from './failures.ts'
import { findPictureError, pictureOwners } from './store.ts'

/**
 * The listing of the body is on the sites. The id of the picture names a listing of them, or names none and is that of a
 * picture of the listing: otherwise an operator could take, or try out, the ids of pictures of other sites.
 */
export const siteOfReportedPicture = siteRule<{ body: { item_id: string } }>(
  'listing, picture',
  async (request) => {
    const { ctx, sites, body } = request
    const { item_id: itemId } = body
    await requireItem(request, itemId, unknownItem())
    const id = request.params['picture_id'] ?? ''
    const site = siteNamedBy(id)
    if (site === undefined ? !(await hasPicture(ctx.db, itemId, id)) : !sites.has(site)) {
      throw badField('picture_id', `a picture of ${itemId}, or an id with a listing of your sites`)
    }
    const reportedItemId = await findPictureItem(ctx.db, id)
    if (reportedItemId !== undefined) await requireItem(request, reportedItemId, pictureTaken(id))
  },
)

/** Returns the site of the listing in the id of a picture, such as `970736-MLA600000001_092026`. */
function siteNamedBy(pictureId: string): SiteId | undefined {
  const name = /^[0-9]+-([A-Z]{3})[0-9]+_/.exec(pictureId)?.[1]
  return siteIds.find((site) => site === name)
}

async function hasPicture(db: Db, itemId: string, pictureId: string): Promise<boolean> {
  const listing = await findListing(db, itemId)
  return listing?.pictures.some(({ id }) => id === pictureId) ?? false
}

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
