import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { recordChanges } from '../../changes/record.ts'
import { created, noContent, ok, type Route, route } from '../../http/route.ts'
import { refuseErasedUsers } from '../../identity/erase.ts'
import { badField } from '../../kernel/failure.ts'
import { StrictObject, Text } from '../../kernel/schema.ts'
import { PictureId, Url } from '../commands/admin-routes.ts'
import { findListing } from '../store.ts'
import { pictureTaken } from './failures.ts'
import { PictureErrorAnswer, pictureErrorOrFail, pictureErrorView } from './routes.ts'
import { siteOfPicture, siteOfReportedPicture } from './site-rules.ts'
import {
  deletePictureError,
  findPictureError,
  type PictureError,
  pictureOwners,
  savePictureError,
} from './store.ts'

const tag = 'Operator: listings'
const url = '/operator/pictures/:picture_id/errors'
const params = Type.Object({ picture_id: PictureId })

const putError = route({
  method: 'PUT',
  url,
  scope: 'operator',
  permission: 'listings:write',
  sites: siteOfReportedPicture,
  audits: 'picture',
  tag,
  summary: 'Report a picture that cannot be shown or downloaded',
  description:
    'Saves the error of a picture and notifies the seller of the item on the topic `pictures`. The same report again notifies nobody. `source` is required for a picture that the listing does not have. 400 `bad_request`: the item is not registered, or `source` is missing. Operators who are limited to sites also get it unless the id has a listing of theirs in it, as in `970736-MLA600000001_092026`, or the listing has the picture. 409 `id_taken`: the picture belongs to another seller. 409 `user_erased`: the seller was erased.',
  refuses: {
    bad_request: 'item_id: expected a registered item',
    id_taken:
      "picture_id: expected a picture of this seller's, 970736-MLA600000001_092026 is another's",
    user_erased: '1001',
  },
  params,
  body: StrictObject({ item_id: Text(40), source: Type.Optional(Url), message: Text(1_000) }),
  answers: { 200: PictureErrorAnswer, 201: PictureErrorAnswer },
  async handle({ audit, db, now }, { params: { picture_id: pictureId }, body }) {
    const { item_id: itemId, message } = body
    const listing = await findListing(db, itemId)
    if (!listing) throw badField('item_id', 'a registered item')
    const { sellerId } = listing
    await refuseErasedUsers(db, [sellerId])
    const source = body.source ?? listing.pictures.find(({ id }) => id === pictureId)?.url
    if (source === undefined) {
      throw badField('source', `a value, for a picture that ${itemId} does not have`)
    }
    const error: PictureError = { pictureId, sellerId, itemId, source, message }
    audit.relate('listing', itemId)
    const isNew = await db.transaction(async (tx) => {
      const owner = await pictureOwners.claimLocked(tx, { id: pictureId, sellerId })
      if (owner.sellerId !== sellerId) {
        throw pictureTaken(pictureId)
      }
      const before = await findPictureError(tx, error)
      if (isDeepStrictEqual({ ...before }, error)) return false
      audit.personal(sellerId, {
        before: before ? pictureErrorView(before) : null,
        after: pictureErrorView(error),
      })
      const at = now()
      savePictureError(tx, error, at)
      const resource = `/pictures/${pictureId}/errors`
      recordChanges(tx, [{ topic: 'pictures', resource, userIds: [sellerId], sellerId, at }])
      return before === undefined
    })
    return (isNew ? created : ok)(pictureErrorView(error))
  },
})

const deleteError = route({
  method: 'DELETE',
  url,
  scope: 'operator',
  permission: 'listings:write',
  sites: siteOfPicture,
  audits: 'picture',
  tag,
  summary: 'Delete the error of a picture',
  description:
    'Deletes the error once the picture can be shown again. Nobody is notified. 404 `not_found`: the picture has no error.',
  refuses: { not_found: 'Picture errors not found: 970736-MLA600000001_092026' },
  params,
  answers: { 204: Type.Null() },
  async handle({ audit, db }, { params: { picture_id: pictureId } }) {
    const error = await pictureErrorOrFail(db, { pictureId, userId: undefined })
    audit.relate('listing', error.itemId)
    audit.personal(error.sellerId, { before: pictureErrorView(error), after: null })
    await deletePictureError(db, error)
    return noContent()
  },
})

export const picturesAdminRoutes: Route[] = [putError, deleteError]
