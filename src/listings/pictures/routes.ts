import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Db } from '../../platform/database/database.ts'
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
  summary: 'Why a picture could not be shown or downloaded, for its seller',
  description:
    'Contract 6.2: what notifications on the topic pictures name. A picture of others answers like one that nothing is wrong with.',
  params: Type.Object({ picture_id: Type.String() }),
  answers: { 200: PictureErrorAnswer },
  async handle({ reads }, { params: { picture_id: pictureId }, caller }) {
    return ok(pictureErrorView(await pictureErrorOf(reads, { pictureId, userId: caller.userId })))
  },
})

/** What is wrong with a picture, for its seller or (`userId` undefined) for the operator. Throws
 * `not_found` alike for others' and for one that nothing is wrong with. */
export async function pictureErrorOf(
  db: Db,
  { pictureId, userId }: { pictureId: string; userId: number | undefined },
): Promise<PictureError> {
  const owner = await pictureOwners.find(db, pictureId)
  const isReaders = owner && (userId === undefined || userId === owner.sellerId)
  const error = isReaders ? await findPictureError(db, { ...owner, pictureId }) : undefined
  if (!error) throw new Failure('not_found', `Picture errors not found: ${pictureId}`)
  return error
}

export function pictureErrorView({ pictureId, itemId, source, message }: PictureError): object {
  return { id: pictureId, source, error: { message, items: itemId } }
}

export const pictureRoutes: Route[] = [getPictureErrors]
