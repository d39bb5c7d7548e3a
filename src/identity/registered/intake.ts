import { type TObject, Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { largestId, pathId } from '../../kernel/ids.ts'
import { Id, IdText, OrNull, Timestamp } from '../../kernel/schema.ts'
import { findUser } from '../store.ts'
import { userView } from '../view.ts'
import { listApplications, listUsers, type RegisteredApplication, type Stretch } from './store.ts'

const tag = 'Operator: users and applications'
const params = Type.Object({ id: IdText })
const usualLimit = 100

/** Lists go on behind the last id: what is registered in between shifts nothing. */
const StretchQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: largestId,
      description: '`next_after` of the page before',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
})
const NextAfter = OrNull(Type.Integer({ description: 'null at the end' }))

const ApplicationAnswer = Type.Object({
  id: Id,
  name: Type.String(),
  callback_url: OrNull(Type.String()),
  topics: Type.Array(Type.String()),
  redirect_uris: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
  requires_pkce: Type.Boolean(),
  is_public: Type.Boolean(),
  owner_id: OrNull(Id),
  date_created: Timestamp,
  last_updated: Timestamp,
})

const UserAnswer: TObject = Type.Object({
  id: Id,
  site_id: Type.String(),
  nickname: Type.String(),
  status: Type.String(),
})

function applicationView(application: RegisteredApplication): object {
  const { id, name, callbackUrl, topics, dateCreated, lastUpdated } = application
  return {
    id,
    name,
    callback_url: callbackUrl,
    topics,
    redirect_uris: application.redirectUris,
    scopes: application.scopes,
    requires_pkce: application.requiresPkce,
    is_public: application.isPublic,
    owner_id: application.ownerId,
    date_created: dateCreated.toISOString(),
    last_updated: lastUpdated.toISOString(),
  }
}

/** One more than asked for is read, to know whether there are more. */
const stretchOf = (query: { after?: number; limit?: number }): Stretch => ({
  after: query.after ?? 0,
  limit: (query.limit ?? usualLimit) + 1,
})

function cut<T extends { id: number }>(found: readonly T[], { limit }: Stretch) {
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
    const [found] = await listApplications(db, { after: id - 1, limit: 1 })
    if (found?.id !== id) throw new Failure('not_found', `Application not found: ${id}`)
    return ok(applicationView(found))
  },
})

const getUsers = route({
  method: 'GET',
  url: '/operator/users',
  scope: 'operator',
  tag,
  summary: 'The users, by their ids',
  query: StretchQuery,
  answers: { 200: Type.Object({ users: Type.Array(UserAnswer), next_after: NextAfter }) },
  async handle({ db }, { query }) {
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

export const registeredIntake: Route[] = [getApplications, getApplication, getUsers, getUser]
