import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { clientScopes, tokenScopes } from '../../http/scopes.ts'
import { badField } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { DistinctListOf, Id, IdText, StrictObject } from '../../kernel/schema.ts'
import type { Db } from '../../platform/database/database.ts'
import { cutPage, IdPageQuery, idPageInputOf, NextAfter } from '../admin/admin-routes.ts'
import { findRegisteredApplication, listOwnedApplications } from '../admin/store.ts'
import { isOwner, permitOwner, requireInPerson } from '../applications/access.ts'
import { rotateSecret, writeApplication } from '../applications/commands.ts'
import {
  ApplicationAnswer,
  applicationView,
  checkAddresses,
  clientSettingsOf,
  PublicApplicationAnswer,
  publicApplicationView,
  SecretAnswer,
  secretRotationFields,
  settingsFields,
} from '../applications/settings.ts'
import type { RegisteredApplication } from '../applications/store.ts'
import { widenAuthorization } from '../grants/store.ts'
import { findUser } from '../store.ts'
import { defaultTokenLifeSeconds, digestOf } from '../token.ts'
import { issueToken } from '../tokens.ts'
import { createApplication, mostOwned } from './commands.ts'

const tag = 'Your applications'
const params = Type.Object({ application_id: IdText })
const tokenRule =
  'Use a token that names no application (the operator issues such tokens), or one of the console. A token of an application fails with `access_denied`.'

const tokenRefusals = { in_person_only: '' }
const ownerRefusals = { owner_only: '' }

const getApplications = route({
  method: 'GET',
  url: '/applications',
  scope: 'read',
  tag,
  summary: 'List your applications',
  description: `Returns a page of the applications that you own, by ascending id. ${tokenRule}`,
  refuses: tokenRefusals,
  query: IdPageQuery,
  answers: {
    200: Type.Object({ applications: Type.Array(ApplicationAnswer), next_after: NextAfter }),
  },
  async handle({ db }, { caller, query }) {
    const stretch = idPageInputOf(query)
    const applications = await listOwnedApplications(db, {
      ownerId: requireInPerson(caller),
      ...stretch,
    })
    const { page, next } = cutPage(applications, stretch)
    return ok({ applications: page.map(applicationView), next_after: next })
  },
})

const postApplication = route({
  method: 'POST',
  url: '/applications',
  scope: 'write',
  tag,
  summary: 'Create an application',
  description: `Creates an application that you own. Its secret is shown only in this answer. An account may create ${mostOwned} (\`applications_exhausted\`). ${tokenRule} Errors: 400 \`bad_request\` for a wrong address.`,
  refuses: {
    ...tokenRefusals,
    applications_exhausted: '',
    bad_request:
      'callback_url: expected an address that starts with http:// or https:// and names a host',
  },
  async permit(_ctx, { caller }) {
    requireInPerson(caller)
  },
  body: StrictObject(settingsFields),
  answers: {
    201: Type.Object({
      ...ApplicationAnswer.properties,
      secret: Type.String({
        description: 'The secret of the application, shown only in this answer',
        examples: ['a-secret-of-the-application'],
      }),
    }),
  },
  async handle(ctx, { caller, body }) {
    const ownerId = requireInPerson(caller)
    checkAddresses(body, ctx)
    const application = {
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
    const { id, secret } = await createApplication(ctx, { ownerId, application })
    return created({ ...applicationView(await loadApplication(ctx.db, id)), secret })
  },
})

const getApplication = route({
  method: 'GET',
  url: '/applications/:application_id',
  scope: 'read',
  tag,
  summary: 'Get an application',
  description:
    'Its owner gets all settings, with a token that names no application or one of the console. A token of the application itself gets its name, description, site, callback host and topics. Any other token fails with `access_denied`.',
  refuses: { not_of_application: '' },
  params,
  answers: { 200: Type.Union([ApplicationAnswer, PublicApplicationAnswer]) },
  async handle({ db }, { caller, params }) {
    const applicationId = pathId('application_id', params.application_id)
    const seesAll = await isOwner(db, { caller, applicationId })
    const application = await loadApplication(db, applicationId)
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
  summary: 'Replace the settings of your application',
  description: `Replaces the name, callback URL and topics. \`redirect_uris\`, \`scopes\`, \`requires_pkce\`, \`is_public\` and \`description\` keep their values if you leave them out. Tokens with a scope that the application loses are revoked. ${tokenRule}`,
  refuses: ownerRefusals,
  params,
  permit: permitOwner,
  body: StrictObject(settingsFields),
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
      // Never stored: an existing application keeps its secret.
      secretHash: digestOf(random.hex(20)),
      keepsSecret: true,
      client: clientSettingsOf(body),
      now: now(),
    })
    return ok(applicationView(await loadApplication(db, applicationId)))
  },
})

const postSecret = route({
  method: 'POST',
  url: '/applications/:application_id/secret',
  scope: 'write',
  tag,
  summary: 'Rotate the secret of your application',
  description: `Returns a new secret, which is shown only in this answer. The previous secret works for another \`overlap_hours\` (default 24); one that was replaced before it ends at once. Access tokens stay valid. Notifications are signed with other secrets. ${tokenRule}`,
  refuses: ownerRefusals,
  params,
  permit: permitOwner,
  body: StrictObject(secretRotationFields),
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
  summary: 'Issue a token of your application for yourself',
  description: `Authorizes your application to act for you and returns an access token. Use it to try the application without the authorization page. From then on the application is notified of changes that concern you. The token lasts six hours. ${tokenRule} Scopes that the application does not ask for answer 400 \`bad_request\`.`,
  refuses: {
    ...ownerRefusals,
    bad_request: 'scopes: expected some of those that the application asks for: read',
  },
  params,
  permit: permitOwner,
  body: StrictObject({
    scopes: Type.Optional(
      DistinctListOf(tokenScopes, {
        minItems: 1,
        description: 'Scopes that the application may ask for. Default: all of them',
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
    const allowed = (await loadApplication(ctx.db, applicationId)).scopes
    const scopes = (
      body.scopes ?? tokenScopes.filter((scope) => allowed.includes(scope))
    ).toSorted()
    const extra = scopes.find((scope) => !allowed.includes(scope))
    if (extra || scopes.length === 0) {
      throw badField('scopes', `some of those that the application asks for: ${allowed.join(', ')}`)
    }
    const token = await ctx.db.transaction(async (tx) => {
      await widenAuthorization(tx, { userId, applicationId, scopes }, ctx.now())
      const grant = { userId, applicationId, scopes, lifeSeconds: defaultTokenLifeSeconds }
      return issueToken({ ...ctx, db: tx }, grant)
    })
    return created({
      access_token: token,
      token_type: 'Bearer',
      expires_in: defaultTokenLifeSeconds,
      scope: scopes.join(' '),
      user_id: userId,
    })
  },
})

/** Returns an existing application. Applications are never deleted, so a missing one is a defect. */
async function loadApplication(db: Db, id: number): Promise<RegisteredApplication> {
  const application = await findRegisteredApplication(db, id)
  if (!application) throw new Error(`application ${id} is gone`)
  return application
}

export const selfServiceRoutes: Route[] = [
  getApplications,
  postApplication,
  getApplication,
  putApplication,
  postSecret,
  postToken,
]
