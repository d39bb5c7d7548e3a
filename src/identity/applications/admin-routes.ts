import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { badField } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { Id, IdText, OrNull, StrictObject } from '../../kernel/schema.ts'
import { refuseErasedUsers } from '../erase.ts'
import { findUser } from '../store.ts'
import { digestOf } from '../token.ts'
import { rotateSecret, writeApplication } from './commands.ts'
import { consoleApplicationId } from './console.ts'
import {
  ApplicationAnswer,
  checkAddresses,
  clientSettingsOf,
  SecretAnswer,
  secretRotationFields,
  settingsFields,
} from './settings.ts'
import { versionedApplication } from './versioned-application.ts'

const tag = 'Operator: users and applications'
const params = Type.Object({ id: { ...IdText, description: 'Id of the application' } })
const Secret = Type.String({
  minLength: 16,
  maxLength: 200,
  description:
    'The secret of the application. It replaces the stored one at once, without an overlap. Left out: a new application gets a generated one, an existing one keeps its own',
})
const Owner = Type.Integer({
  ...Id,
  description:
    'User id of the owner, who may change the settings. Null: no owner. Left out: none at first, later as it is',
})
const SavedAnswer = Type.Object({
  ...Type.Omit(ApplicationAnswer, ['date_created', 'last_updated']).properties,
  secret: Type.Optional(
    Type.String({
      description:
        'The generated secret, only for a request without `secret` that creates the application (201) or changes its owner (200). No later answer shows it',
      examples: ['a-secret-of-the-application'],
    }),
  ),
})

const putApplication = route({
  method: 'PUT',
  url: '/operator/applications/:id',
  scope: 'operator',
  permission: 'applications:write',
  sites: allSites,
  audits: 'application',
  versioned: versionedApplication,
  tag,
  summary: 'Create or replace an application',
  description:
    'Creates the application with this id (201), or replaces its settings (200). Without `secret`, a new application gets a generated one, which is returned only in this answer; an existing one keeps its secret. Another owner than before ends the tokens of the application itself (`client_credentials`) and its secret: `secret` takes its place, or a generated one that is in the answer. Tokens of users with a scope that the application loses are revoked. `redirect_uris`, `scopes`, `requires_pkce`, `is_public`, `description` and `owner_id` keep their values if you leave them out. Tokens stay valid when only `secret` changes. A wrong `callback_url` or `redirect_uris`, and an unknown `owner_id`, answer 400 `bad_request`, and an erased owner 409 `user_erased`.',
  refuses: { bad_request: 'owner_id: expected a registered user', user_erased: '1001' },
  params: Type.Object({
    id: { ...IdText, description: 'Id of the application: of your choice for a new one' },
  }),
  body: StrictObject({
    ...settingsFields,
    secret: Type.Optional(Secret),
    owner_id: Type.Optional(OrNull(Owner)),
  }),
  answers: { 200: SavedAnswer, 201: SavedAnswer },
  async handle(ctx, input) {
    const { db, now, random, config } = ctx
    const id = pathId('id', input.params.id)
    if (id === consoleApplicationId) {
      throw badField('id', 'another id, because this one belongs to the console')
    }
    const { name, callback_url, secret, owner_id, ...body } = input.body
    checkAddresses(input.body, { config })
    if (owner_id != null && !(await findUser(db, owner_id))) {
      throw badField('owner_id', 'a registered user')
    }
    if (owner_id != null) await refuseErasedUsers(db, [owner_id])
    const topics = [...new Set(body.topics)]
    const newSecret = random.hex(20)
    const { isNew, client, hasNewOwner } = await writeApplication(ctx, {
      id,
      name,
      callbackUrl: callback_url,
      topics,
      secretHash: digestOf(secret ?? newSecret),
      keepsSecret: secret === undefined,
      client: {
        ...clientSettingsOf(input.body),
        ...(owner_id !== undefined && { ownerId: owner_id }),
      },
      now: now(),
    })
    const view = {
      id,
      name,
      description: client.description,
      callback_url,
      topics,
      redirect_uris: client.redirectUris,
      scopes: client.scopes,
      requires_pkce: client.requiresPkce,
      is_public: client.isPublic,
      owner_id: client.ownerId,
      ...((isNew || hasNewOwner) && secret === undefined ? { secret: newSecret } : {}),
    }
    return isNew ? created(view) : ok(view)
  },
})

const postSecret = route({
  method: 'POST',
  url: '/operator/applications/:id/secret',
  scope: 'operator',
  permission: 'applications:write',
  sites: allSites,
  audits: 'application',
  versioned: versionedApplication,
  tag,
  summary: 'Rotate the secret of an application',
  description:
    'Returns a new secret, which is shown only in this answer. The previous secret works for another `overlap_hours` (default 24), so that the application can switch without an outage; one that was replaced before it ends at once. Access tokens stay valid. Notifications are signed with other secrets. An unknown id answers 404 `not_found`.',
  refuses: { not_found: 'Application not found: 3486171129139063' },
  params,
  body: StrictObject(secretRotationFields),
  answers: { 201: SecretAnswer },
  async handle(ctx, { params, body }) {
    return created(await rotateSecret(ctx, { id: pathId('id', params.id), ...body }))
  },
})

export const applicationAdminRoutes: Route[] = [putApplication, postSecret]
