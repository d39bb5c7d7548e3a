import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import { created, noContent, ok, type Route, route } from '../http/route.ts'
import { tokenScopes } from '../http/scopes.ts'
import { allSites, requireSite, siteInBody } from '../http/site-rule.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import { DistinctListOf, Id, IdText, OrNull, Site, StrictObject, Text } from '../kernel/schema.ts'
import type { SiteId } from '../kernel/sites.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/database.ts'
import { idInErasedNickname, refuseErasedUsers } from './erase.ts'
import {
  authorizationNotFound,
  noToken,
  siteOfAuthorization,
  siteOfToken,
  tokenNotFound,
} from './site-rules.ts'
import {
  deleteAuthorization,
  findApplication,
  findAuthorization,
  findUser,
  revokeToken,
  revokeTokensBeyond,
  saveAuthorization,
  saveUsers,
} from './store.ts'
import { lockUser } from './store-erasure.ts'
import { defaultTokenLifeSeconds, digestOf, userOfToken } from './token.ts'
import { issueToken, publishRevocation } from './tokens.ts'
import { noPhone, type User, userStatuses } from './user.ts'
import { versionedUser } from './versioned-user.ts'
import { UserAnswer, userView } from './view.ts'

const tag = 'Operator: users and applications'
const Scopes = DistinctListOf(tokenScopes, {
  minItems: 1,
  description: '`read` reads, `write` also changes. Default: both',
})
const Phone = StrictObject({
  area_code: Type.Optional(Type.String({ maxLength: 20 })),
  number: Type.Optional(Type.String({ maxLength: 30 })),
  extension: Type.Optional(Type.String({ maxLength: 20 })),
  verified: Type.Optional(Type.Boolean()),
})
const BillingAddress = StrictObject({
  street_name: Type.Optional(OrNull(Text(120))),
  street_number: Type.Optional(OrNull(Text(20))),
  zip_code: Type.Optional(OrNull(Text(20))),
  city_name: Type.Optional(OrNull(Text(120))),
  state_name: Type.Optional(OrNull(Text(120))),
  comment: Type.Optional(OrNull(Text(250))),
  country_id: Type.Optional(OrNull(Text(20))),
})
const longestLifeSeconds = 366 * 24 * 3600

/** The fields of a user that an operator writes. */
export const UserBody = StrictObject({
  site_id: Site,
  nickname: Type.String({ minLength: 1, maxLength: 60, format: 'one-line' }),
  status: Type.Optional(
    Type.Enum([...userStatuses], {
      description: 'A `deactivated` user may do nothing. Default: `active`',
    }),
  ),
  email: Type.Optional(OrNull(Text(254))),
  first_name: Type.Optional(OrNull(Text(100))),
  last_name: Type.Optional(OrNull(Text(100))),
  phone: Type.Optional(Phone),
  alternative_phone: Type.Optional(Phone),
  billing_info: Type.Optional(
    StrictObject({
      doc_type: OrNull(Text(20)),
      doc_number: OrNull(Text(40)),
      address: Type.Optional(BillingAddress),
    }),
  ),
})
export type UserBody = Static<typeof UserBody>

/** Converts the operator's fields to a user. Missing fields get their defaults. Throws `bad_request` for the nickname
 * that another user has after its erasure. */
export function userOf(id: number, body: UserBody): User {
  const erasedId = idInErasedNickname(body.nickname)
  if (erasedId !== undefined && erasedId !== String(id)) {
    throw badField('nickname', 'another nickname: erased users are called `ERASED_<id>`')
  }
  return {
    id,
    siteId: body.site_id,
    nickname: body.nickname,
    status: body.status ?? 'active',
    email: body.email ?? null,
    firstName: body.first_name ?? null,
    lastName: body.last_name ?? null,
    phone: { ...noPhone, ...body.phone },
    alternativePhone: { ...noPhone, ...body.alternative_phone },
    billingInfo: body.billing_info ?? { doc_type: null, doc_number: null },
  }
}

const putUser = route({
  method: 'PUT',
  url: '/operator/users/:id',
  scope: 'operator',
  permission: 'users:write',
  sites: siteInBody,
  audits: 'user',
  versioned: versionedUser,
  tag,
  summary: 'Create or replace a user',
  description:
    'Writes the whole user: fields that you leave out get their defaults. Answers 201 for a new id and 200 for an existing one. An erased user answers 409 `user_erased`: give a new account a new id. The nickname `ERASED_<id>` of another id answers 400 `bad_request`. Operators who are limited to sites get 409 `id_taken` for a user of another site.',
  refuses: {
    user_erased: '468424240',
    bad_request: 'nickname: expected another nickname: erased users are called `ERASED_<id>`',
    id_taken: 'id: another user has the id 468424240.',
  },
  params: Type.Object({ id: IdText }),
  body: UserBody,
  answers: { 200: UserAnswer, 201: UserAnswer },
  async handle({ audit, db, now }, { params, body, sites }) {
    const user = userOf(pathId('id', params.id), body)
    const isNew = await db.transaction(async (tx) => {
      const isLocked = sites !== null && (await lockOwnUser(tx, user.id, sites))
      const before = await findUser(tx, user.id)
      auditUser(audit, before, user)
      const isNew = (await saveUsers(tx, [user], now())).has(user.id)
      // Another request created the user meanwhile, maybe on another site.
      if (sites && !isLocked && !isNew) throw userElsewhere(user.id)
      return isNew
    })
    return isNew ? created(userView(user)) : ok(userView(user))
  },
})

/** Locks a user and returns whether there is one. Throws `id_taken` for one of another site. */
async function lockOwnUser(tx: Tx, id: number, sites: ReadonlySet<SiteId>): Promise<boolean> {
  const user = await lockUser(tx, id)
  if (user) requireSite(sites, user.siteId, userElsewhere(id))
  return user !== undefined
}

const userElsewhere = (id: number) => new Failure('id_taken', `id: another user has the id ${id}.`)

/** Describes a change of a user for the audit log. All fields but site and status are personal. */
function auditUser(audit: Context['audit'], before: User | undefined, after: User): void {
  const [old, current] = [before && auditedUser(before), auditedUser(after)]
  audit.change({ before: old?.fields ?? null, after: current.fields })
  if (!isDeepStrictEqual(old?.personal, current.personal)) {
    audit.personal(after.id, { before: old?.personal ?? null, after: current.personal })
  }
}

function auditedUser(user: User): { fields: object; personal: object } {
  return {
    fields: { site_id: user.siteId, status: user.status ?? 'active' },
    personal: {
      nickname: user.nickname,
      email: user.email,
      first_name: user.firstName,
      last_name: user.lastName,
      phone: user.phone,
      alternative_phone: user.alternativePhone,
      billing_info: user.billingInfo,
    },
  }
}

const authorizationParams = Type.Object({ application_id: IdText, user_id: IdText })
const authorizationUrl = '/operator/authorizations/:application_id/:user_id'

const putAuthorization = route({
  method: 'PUT',
  url: authorizationUrl,
  scope: 'operator',
  permission: 'users:credentials',
  sites: allSites,
  audits: 'authorization',
  tag,
  summary: 'Authorize an application for a user',
  description:
    'Lets the application act for the user with these scopes, or with all token scopes if you leave `scopes` out. Replaces an earlier authorization. Tokens with more scopes are revoked at once. An unknown application or user answers 404 `not_found`, an erased user 409 `user_erased`.',
  refuses: {
    not_found: 'Application not found: 3486171129139063',
    user_erased: '468424240',
  },
  params: authorizationParams,
  body: StrictObject({ scopes: Type.Optional(Scopes) }),
  answers: { 200: Type.Object({ user_id: Id, application_id: Id, scopes: Scopes }) },
  async handle({ audit, db, now }, { params, body }) {
    const applicationId = pathId('application_id', params.application_id)
    const userId = pathId('user_id', params.user_id)
    if (!(await findApplication(db, applicationId))) {
      throw new Failure('not_found', `Application not found: ${applicationId}`)
    }
    if (!(await findUser(db, userId))) throw new Failure('not_found', `User not found: ${userId}`)
    await refuseErasedUsers(db, [userId])
    const scopes = body.scopes ?? [...tokenScopes]
    await db.transaction(async (tx) => {
      const authorization = { userId, applicationId, scopes }
      const before = await findAuthorization(tx, { userId, applicationId })
      relateAuthorization(audit, authorization)
      audit.change({ before: before ? { scopes: before.scopes } : null, after: { scopes } })
      await saveAuthorization(tx, authorization, now())
      if (await revokeTokensBeyond(tx, authorization, now())) publishRevocation(tx, userId)
    })
    return ok({ user_id: userId, application_id: applicationId, scopes })
  },
})

const removeAuthorization = route({
  method: 'DELETE',
  url: authorizationUrl,
  scope: 'operator',
  permission: 'users:write',
  sites: siteOfAuthorization,
  audits: 'authorization',
  tag,
  summary: 'Revoke an authorization',
  description:
    'Ends what a user lets an application do. Every token and code of it is refused at once. Answers 404 `not_found` if the user has not authorized the application.',
  refuses: { not_found: 'The user has not authorized this application' },
  params: authorizationParams,
  answers: { 204: Type.Null() },
  async handle({ audit, db, now }, { params }) {
    const applicationId = pathId('application_id', params.application_id)
    const userId = pathId('user_id', params.user_id)
    await db.transaction(async (tx) => {
      publishRevocation(tx, userId)
      const before = await findAuthorization(tx, { userId, applicationId })
      relateAuthorization(audit, { userId, applicationId })
      audit.change({ before: before ? { scopes: before.scopes } : null, after: null })
      const authorization = { userId, applicationId, revokedBy: 'operator', now: now() } as const
      if (!(await deleteAuthorization(tx, authorization))) {
        throw authorizationNotFound()
      }
    })
    return noContent()
  },
})

/** Lets an entry be found under the user and the application of an authorization. */
function relateAuthorization(
  audit: Context['audit'],
  { userId, applicationId }: { userId: number; applicationId: number },
): void {
  audit.relate('user', userId)
  audit.relate('application', applicationId)
}

const postToken = route({
  method: 'POST',
  url: '/operator/tokens',
  scope: 'operator',
  permission: 'users:credentials',
  sites: allSites,
  audits: 'token',
  tag,
  summary: 'Issue an access token',
  description:
    'Issues a token of the user. With `application_id`, the user must have authorized that application for these scopes; the default is all scopes, so send `scopes` if the user granted fewer. Without it the token names no application. The token lasts six hours unless you set `expires_in` (seconds, at most 366 days). An unknown user, and scopes or an application that the user has not authorized, answer 400 `bad_request`. An erased user answers 409 `user_erased`.',
  refuses: {
    bad_request: 'application_id: expected an application that this user has authorized',
    user_erased: '468424240',
  },
  body: StrictObject({
    user_id: Id,
    application_id: Type.Optional(
      OrNull(
        Type.Integer({
          ...Id,
          description: 'Application that the token is for. Null, the default: none',
        }),
      ),
    ),
    scopes: Type.Optional(Scopes),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: longestLifeSeconds,
        description: 'Seconds until it expires. Default: 21600, six hours',
      }),
    ),
  }),
  answers: {
    201: Type.Object({
      access_token: Type.String(),
      token_type: Type.String(),
      expires_in: Type.Integer(),
      scope: Type.String(),
      user_id: Id,
    }),
  },
  async handle(ctx, { body }) {
    const userId = body.user_id
    const applicationId = body.application_id ?? null
    const lifeSeconds = body.expires_in ?? defaultTokenLifeSeconds
    const scopes = body.scopes ?? [...tokenScopes]
    if (!(await findUser(ctx.db, userId))) throw badField('user_id', 'a registered user')
    await refuseErasedUsers(ctx.db, [userId])
    if (applicationId !== null) {
      const authorization = await findAuthorization(ctx.db, { userId, applicationId })
      if (!authorization) {
        throw badField('application_id', 'an application that this user has authorized')
      }
      const extra = scopes.find((scope) => !authorization.scopes.includes(scope))
      if (extra)
        throw badField('scopes', `only what the user has authorized, which is not ${extra}`)
    }
    ctx.audit.target(userId)
    ctx.audit.relate('user', userId)
    if (applicationId !== null) ctx.audit.relate('application', applicationId)
    const after = { application_id: applicationId, scopes, expires_in: lifeSeconds }
    ctx.audit.change({ before: null, after })
    const token = await issueToken(ctx, { userId, applicationId, scopes, lifeSeconds })
    return created({
      access_token: token,
      token_type: 'Bearer',
      expires_in: lifeSeconds,
      scope: scopes.join(' '),
      user_id: userId,
    })
  },
})

const postRevocation = route({
  method: 'POST',
  url: '/operator/tokens/revoke',
  scope: 'operator',
  permission: 'users:write',
  sites: siteOfToken,
  audits: 'token',
  tag,
  summary: 'Revoke an access token',
  description:
    'The token is refused at once, by every process. Answers 404 `not_found` for an unknown token and for one that is revoked already. A text that is no token of this service answers 400 `bad_request`.',
  refuses: {
    bad_request: 'access_token: expected an access token of this service',
    not_found: 'No such token, or it is revoked already',
  },
  body: StrictObject({ access_token: Text(200) }),
  answers: { 204: Type.Null() },
  async handle({ audit, db, now }, { body }) {
    const userId = userOfToken(body.access_token)
    if (userId === undefined) throw noToken()
    audit.target(userId)
    audit.relate('user', userId)
    audit.change({ before: { is_revoked: false }, after: { is_revoked: true } })
    await db.transaction(async (tx) => {
      publishRevocation(tx, userId)
      const digest = digestOf(body.access_token)
      if (!(await revokeToken(tx, { userId, digest, now: now() }))) {
        throw tokenNotFound()
      }
    })
    return noContent()
  },
})

export const identityAdminRoutes: Route[] = [
  putUser,
  putAuthorization,
  removeAuthorization,
  postToken,
  postRevocation,
]
