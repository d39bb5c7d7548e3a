import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { clientScopes, tokenScopes } from '../../http/scopes.ts'
import { badField } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { Id, IdText, SomeOf, Strict } from '../../kernel/schema.ts'
import type { Db } from '../../platform/database/database.ts'
import { rotateSecret, writeApplication } from '../applications/commands.ts'
import {
  ApplicationAnswer,
  applicationView,
  checkAddresses,
  clientSettingsOf,
  PublicApplicationAnswer,
  publicApplicationView,
  SecretAnswer,
  SecretWanted,
  settingsFields,
} from '../applications/settings.ts'
import { widenAuthorization } from '../grants/store.ts'
import { cut, NextAfter, StretchQuery, stretchOf } from '../registered/admin-routes.ts'
import { findRegistered, listOwned, type RegisteredApplication } from '../registered/store.ts'
import { findUser } from '../store.ts'
import { digestOf, usualLifeSeconds } from '../token.ts'
import { issueToken } from '../tokens.ts'
import { makeApplication, mostOwned } from './commands.ts'
import { inPerson, isOwner, permitOwner } from './owner.ts'

const tag = 'Applications of one’s own'
const params = Type.Object({ application_id: IdText })
const inTokens =
  'With a token that names no application, or one of the console: an application that a user has authorised does not manage what the user owns.'

const getApplications = route({
  method: 'GET',
  url: '/applications',
  scope: 'read',
  tag,
  summary: 'The applications that one owns, by their ids',
  description: inTokens,
  query: StretchQuery,
  answers: {
    200: Type.Object({ applications: Type.Array(ApplicationAnswer), next_after: NextAfter }),
  },
  async handle({ db }, { caller, query }) {
    const stretch = stretchOf(query)
    const found = await listOwned(db, { ownerId: inPerson(caller), ...stretch })
    const { page, next } = cut(found, stretch)
    return ok({ applications: page.map(applicationView), next_after: next })
  },
})

const postApplication = route({
  method: 'POST',
  url: '/applications',
  scope: 'write',
  tag,
  summary: 'Make an application of one’s own',
  description: `Its secret is answered here and never again. An account makes at most ${mostOwned}. ${inTokens}`,
  async permit(_ctx, { caller }) {
    inPerson(caller)
  },
  body: Strict(settingsFields),
  answers: {
    201: Type.Object({ ...ApplicationAnswer.properties, secret: Type.String() }),
  },
  async handle(ctx, { caller, body }) {
    const ownerId = inPerson(caller)
    checkAddresses(body, ctx)
    const wanted = {
      name: body.name,
      callbackUrl: body.callback_url,
      topics: [...new Set(body.topics)],
      description: null,
      redirectUris: [],
      scopes: clientScopes,
      requiresPkce: false,
      isPublic: false,
      ...clientSettingsOf(body),
    }
    const { id, secret } = await makeApplication(ctx, { ownerId, wanted })
    return created({ ...applicationView(await registered(ctx.db, id)), secret })
  },
})

const getApplication = route({
  method: 'GET',
  url: '/applications/:application_id',
  scope: 'read',
  tag,
  summary: 'An application that one owns, or the public part of one that the token is of',
  description:
    'Its owner sees all of it, with a token that names no application, or one of the console. Any token of the application itself sees what it is called and what it is for, where its callback is, and its topics.',
  params,
  answers: { 200: Type.Union([ApplicationAnswer, PublicApplicationAnswer]) },
  async handle({ db }, { caller, params }) {
    const applicationId = pathId('application_id', params.application_id)
    const seesAll = await isOwner(db, { caller, applicationId })
    const application = await registered(db, applicationId)
    if (seesAll) return ok(applicationView(application))
    const { ownerId } = application
    const owner = ownerId === null ? undefined : await findUser(db, ownerId)
    return ok(publicApplicationView(application, owner?.siteId ?? null))
  },
})

const putApplication = route({
  method: 'PUT',
  url: '/applications/:application_id',
  scope: 'write',
  tag,
  summary: 'Replace what is known of an application that one owns',
  description: `What says how it gets tokens (\`redirect_uris\` and what follows it) keeps its value where it is left out. ${inTokens}`,
  params,
  permit: permitOwner,
  body: Strict(settingsFields),
  answers: { 200: ApplicationAnswer },
  async handle(ctx, { params, body }) {
    const { db, now, random } = ctx
    const applicationId = pathId('application_id', params.application_id)
    checkAddresses(body, ctx)
    await writeApplication(ctx, {
      id: applicationId,
      name: body.name,
      callbackUrl: body.callback_url,
      topics: [...new Set(body.topics)],
      // It is there, so it keeps the one it has.
      secretHash: digestOf(random.hex(20)),
      keepsSecret: true,
      client: clientSettingsOf(body),
      now: now(),
    })
    return ok(applicationView(await registered(db, applicationId)))
  },
})

const postSecret = route({
  method: 'POST',
  url: '/applications/:application_id/secret',
  scope: 'write',
  tag,
  summary: 'Give an application that one owns another secret, shown here and never again',
  description: `For \`overlap_hours\` the one before it is taken as well. ${inTokens}`,
  params,
  permit: permitOwner,
  body: Strict(SecretWanted),
  answers: { 201: SecretAnswer },
  async handle(ctx, { params, body }) {
    const id = pathId('application_id', params.application_id)
    return created(await rotateSecret(ctx, { id, ...body }))
  },
})

const postToken = route({
  method: 'POST',
  url: '/applications/:application_id/tokens',
  scope: 'write',
  tag,
  summary: 'A token of an application that one owns, in one’s own name',
  description: `It stands for the consent of its owner, who authorises the application by it, so that the application is told of what concerns the owner. It lasts for six hours. ${inTokens}`,
  params,
  permit: permitOwner,
  body: Strict({
    scopes: Type.Optional(
      SomeOf(tokenScopes, {
        minItems: 1,
        description: 'of those that the application asks for; all of them without it',
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
  async handle(ctx, { caller, params, body }) {
    const applicationId = pathId('application_id', params.application_id)
    const { userId } = caller
    const allowed = (await registered(ctx.db, applicationId)).scopes
    const scopes = (body.scopes ?? tokenScopes.filter((each) => allowed.includes(each))).toSorted()
    const extra = scopes.find((each) => !allowed.includes(each))
    if (extra || scopes.length === 0) {
      throw badField('scopes', `some of those that the application asks for: ${allowed.join(', ')}`)
    }
    const token = await ctx.db.transaction(async (tx) => {
      await widenAuthorization(tx, { userId, applicationId, scopes }, ctx.now())
      const given = { userId, applicationId, scopes, lifeSeconds: usualLifeSeconds }
      return issueToken({ ...ctx, db: tx }, given)
    })
    return created({
      access_token: token,
      token_type: 'Bearer',
      expires_in: usualLifeSeconds,
      scope: scopes.join(' '),
      user_id: userId,
    })
  },
})

/** One that is there: applications do not go. */
async function registered(db: Db, id: number): Promise<RegisteredApplication> {
  const found = await findRegistered(db, id)
  if (!found) throw new Error(`application ${id} is gone`)
  return found
}

export const ownedRoutes: Route[] = [
  getApplications,
  postApplication,
  getApplication,
  putApplication,
  postSecret,
  postToken,
]
