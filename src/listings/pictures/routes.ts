import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import type { Db } from '../../platform/database/database.ts'
import { pictureNotFound } from './failures.ts'
import { findPictureError, type PictureError, pictureOwners } from './store.ts'

export const PictureErrorAnswer = Type.Object({
  id: Type.String(),
  source: Type.String(),
  error: Type.Object({ message: Type.String(), items: Type.String() }),
})

const getPictureErrors = route({
  method: 'GET',
  url: '/pictures/:picture_id/errors',
  scope: 'read',
  tag: 'Items',
  summary: 'Get the errors of a picture',
  description:
    'Returns why one of your pictures could not be shown or downloaded. Use it to read what a notification of the topic `pictures` names. 404 `not_found`: the picture has no error, or is not yours.',
  refuses: { not_found: 'Picture errors not found: 970736-MLA600000001_092026' },
  params: Type.Object({ picture_id: Type.String() }),
  answers: { 200: PictureErrorAnswer },
  async handle({ reads }, { params: { picture_id: pictureId }, caller }) {
    return ok(
      pictureErrorView(await pictureErrorOrFail(reads, { pictureId, userId: caller.userId })),
    )
  },
})

/**
 * Returns the error of a picture to its seller, or to the operator when `userId` is undefined. Throws `not_found` for
 * a picture of others as for one without an error.
 */
export async function pictureErrorOrFail(
  db: Db,
  { pictureId, userId }: { pictureId: string; userId: number | undefined },
): Promise<PictureError> {
  const owner = await pictureOwners.find(db, pictureId)
  const mayRead = owner && (userId === undefined || userId === owner.sellerId)
  const error = mayRead ? await findPictureError(db, { ...owner, pictureId }) : undefined
  if (!error) throw pictureNotFound(pictureId)
  return error
}

export function pictureErrorView({ pictureId, itemId, source, message }: PictureError): object {
  return { id: pictureId, source, error: { message, items: itemId } }
}

export const pictureRoutes: Route[] = [getPictureErrors]
