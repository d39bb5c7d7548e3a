import { siteRule } from '../../http/site-rule.ts'
import type { Db } from '../../platform/database/database.ts'
import { requireItem, unknownItem } from '../site-rules.ts'
import { pictureNotFound, pictureTaken } from './failures.ts'
import { findPictureError, pictureOwners } from './store.ts'

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
