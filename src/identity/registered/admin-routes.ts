import { type TObject, Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { largestId, pathId } from '../../kernel/ids.ts'
import { Id, IdText, OrNull } from '../../kernel/schema.ts'
import { ApplicationAnswer, applicationView } from '../applications/settings.ts'
import { findUser } from '../store.ts'
import { userView } from '../view.ts'
import {
  findRegistered,
  listApplications,
  listUsers,
  listUsersNamed,
  type Stretch,
} from './store.ts'

const tag = 'Operator: users and applications'
const params = Type.Object({ id: IdText })
const usualLimit = 100

/** Lists go on behind the last id: what is registered in between shifts nothing. */
export const StretchQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: largestId,
      description: '`next_after` of the page before',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
})
export const NextAfter = OrNull(Type.Integer({ description: 'null at the end' }))

const UserAnswer: TObject = Type.Object({
  id: Id,
  site_id: Type.String(),
  nickname: Type.String(),
  status: Type.String(),
})

/** One more than asked for is read, to know whether there are more. */
export const stretchOf = (query: { after?: number; limit?: number }): Stretch => ({
  after: query.after ?? 0,
  limit: (query.limit ?? usualLimit) + 1,
})

export function cut<T extends { id: number }>(found: readonly T[], { limit }: Stretch) {
  const page = found.slice(0, limit - 1)
  return { page, next: found.length < limit ? null : (page.at(-1)?.id ?? null) }
}

const getApplications = route({
  method: 'GET',
  url: '/operator/applications',
  scope: 'operator',
  tag,
  summary: 'The applications, by their ids',
  query: StretchQuery,
  answers: {
    200: Type.Object({ applications: Type.Array(ApplicationAnswer), next_after: NextAfter }),
  },
  async handle({ db }, { query }) {
    const stretch = stretchOf(query)
    const { page, next } = cut(await listApplications(db, stretch), stretch)
    return ok({ applications: page.map(applicationView), next_after: next })
  },
})

const getApplication = route({
  method: 'GET',
  url: '/operator/applications/:id',
  scope: 'operator',
  tag,
  summary: 'What is known of an application; its secret is not, only a digest of it is kept',
  params,
  answers: { 200: ApplicationAnswer },
  async handle({ db }, { params }) {
    const id = pathId('id', params.id)
    const found = await findRegistered(db, id)
    if (!found) throw new Failure('not_found', `Application not found: ${id}`)
    return ok(applicationView(found))
  },
})

const getUsers = route({
  method: 'GET',
  url: '/operator/users',
  scope: 'operator',
  tag,
  summary: 'The users, by their ids',
  description:
    '`nickname` leaves those whose nickname begins so, whatever its case and accents; a page of them is by nickname, and has no next.',
  query: Type.Object({
    ...StretchQuery.properties,
    nickname: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  }),
  answers: { 200: Type.Object({ users: Type.Array(UserAnswer), next_after: NextAfter }) },
  async handle({ db }, { query }) {
    const { nickname, limit = usualLimit } = query
    if (nickname !== undefined) {
      const users = await listUsersNamed(db, { nickname, limit })
      return ok({ users: users.map(userView), next_after: null })
    }
    const stretch = stretchOf(query)
    const { page, next } = cut(await listUsers(db, stretch), stretch)
    return ok({ users: page.map(userView), next_after: next })
  },
})

const getUser = route({
  method: 'GET',
  url: '/operator/users/:id',
  scope: 'operator',
  tag,
  summary: 'What is known of a user',
  params,
  answers: { 200: UserAnswer },
  async handle({ db }, { params }) {
    const id = pathId('id', params.id)
    const user = await findUser(db, id)
    if (!user) throw new Failure('not_found', `User not found: ${id}`)
    return ok(userView(user))
  },
})

export const registeredAdminRoutes: Route[] = [getApplications, getApplication, getUsers, getUser]
