import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { allSites, siteInQuery } from '../../http/site-rule.ts'
import { Failure } from '../../kernel/failure.ts'
import { largestId, pathId } from '../../kernel/ids.ts'
import { IdText, OrNull, Site } from '../../kernel/schema.ts'
import { ApplicationAnswer, applicationView } from '../applications/settings.ts'
import { versionedApplication } from '../applications/versioned-application.ts'
import { siteOfUser } from '../site-rules.ts'
import { findUser } from '../store.ts'
import { versionedUser } from '../versioned-user.ts'
import { UserAnswer, userView } from '../view.ts'
import {
  findRegisteredApplication,
  type IdPageInput,
  listApplications,
  listUsers,
  listUsersByNickname,
} from './store.ts'

const tag = 'Operator: users and applications'
const params = Type.Object({ id: IdText })
const defaultPageSize = 100

/** Pages continue after the last id, so that new rows do not shift them. */
export const IdPageQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: largestId,
      description: '`next_after` of the previous page. Default: 0, the first page',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'Entries per page. Default: 100' }),
  ),
})
export const NextAfter = OrNull(
  Type.Integer({ description: 'Send it as `after` to get the next page. Null on the last page' }),
)

/** Returns the ids to read: one more than requested, to know whether another page follows. */
export const idPageInputOf = (query: { after?: number; limit?: number }): IdPageInput => ({
  after: query.after ?? 0,
  limit: (query.limit ?? defaultPageSize) + 1,
})

/** Returns the page without the extra row, and the id after which the next page begins, or null. */
export function cutPage<T extends { id: number }>(rows: readonly T[], { limit }: IdPageInput) {
  const page = rows.slice(0, limit - 1)
  return { page, next: rows.length < limit ? null : (page.at(-1)?.id ?? null) }
}

const getApplications = route({
  method: 'GET',
  url: '/operator/applications',
  scope: 'operator',
  permission: 'applications:read',
  sites: allSites,
  tag,
  summary: 'List applications',
  description: 'Returns a page of all applications, by ascending id. 100 a page by default.',
  query: IdPageQuery,
  answers: {
    200: Type.Object({ applications: Type.Array(ApplicationAnswer), next_after: NextAfter }),
  },
  async handle({ db }, { query }) {
    const stretch = idPageInputOf(query)
    const { page, next } = cutPage(await listApplications(db, stretch), stretch)
    return ok({ applications: page.map(applicationView), next_after: next })
  },
})

const getApplication = route({
  method: 'GET',
  url: '/operator/applications/:id',
  versioned: versionedApplication,
  scope: 'operator',
  permission: 'applications:read',
  sites: allSites,
  tag,
  summary: 'Get an application',
  description:
    'Returns the settings of an application. Its secret is not returned: only a digest of it is stored. An unknown id answers 404 `not_found`.',
  refuses: { not_found: 'Application not found: 3486171129139063' },
  params,
  answers: { 200: ApplicationAnswer },
  async handle({ db }, { params }) {
    const id = pathId('id', params.id)
    const application = await findRegisteredApplication(db, id)
    if (!application) throw new Failure('not_found', `Application not found: ${id}`)
    return { ...ok(applicationView(application)), state: application }
  },
})

const getUsers = route({
  method: 'GET',
  url: '/operator/users',
  scope: 'operator',
  permission: 'users:read',
  sites: siteInQuery,
  tag,
  summary: 'List users',
  description:
    'Returns a page of all users, by ascending id. 100 a page by default. `nickname` returns users whose nickname begins with that text instead, in any case and with or without accents. That list is sorted by nickname and has a single page.',
  query: Type.Object({
    ...IdPageQuery.properties,
    nickname: Type.Optional(
      Type.String({ minLength: 1, maxLength: 60, description: 'Beginning of the nickname' }),
    ),
    site_id: Type.Optional({ ...Site, description: 'Only users of this site. Default: all' }),
  }),
  answers: { 200: Type.Object({ users: Type.Array(UserAnswer), next_after: NextAfter }) },
  async handle({ db }, { query }) {
    const { nickname, site_id: siteId = null, limit = defaultPageSize } = query
    if (nickname !== undefined) {
      const users = await listUsersByNickname(db, { siteId, nickname, limit })
      return ok({ users: users.map(userView), next_after: null })
    }
    const stretch = idPageInputOf(query)
    const { page, next } = cutPage(await listUsers(db, { ...stretch, siteId }), stretch)
    return ok({ users: page.map(userView), next_after: next })
  },
})

const getUser = route({
  method: 'GET',
  url: '/operator/users/:id',
  versioned: versionedUser,
  scope: 'operator',
  permission: 'users:read',
  sites: siteOfUser,
  tag,
  summary: 'Get a user',
  description:
    'Returns everything stored about a user, except the password. An unknown id answers 404 `not_found`.',
  refuses: { not_found: 'User not found: 468424240' },
  params,
  answers: { 200: UserAnswer },
  async handle({ db }, { params }) {
    const id = pathId('id', params.id)
    const user = await findUser(db, id)
    if (!user) throw new Failure('not_found', `User not found: ${id}`)
    return { ...ok(userView(user)), state: user }
  },
})

export const registeredAdminRoutes: Route[] = [getApplications, getApplication, getUsers, getUser]
