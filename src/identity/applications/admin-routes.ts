import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { badField } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { Id, IdText, OrNull, Strict } from '../../kernel/schema.ts'
import { findUser } from '../store.ts'
import { digestOf } from '../token.ts'
import { rotateSecret, writeApplication } from './commands.ts'
import { consoleApplicationId } from './console.ts'
import {
  checkAddresses,
  clientSettingsOf,
  SecretAnswer,
  SecretWanted,
  settingsFields,
} from './settings.ts'

const tag = 'Operator: users and applications'
const params = Type.Object({ id: IdText })
const Secret = Type.String({ minLength: 16, maxLength: 200 })
const putApplication = route({
  method: 'PUT',
  url: '/operator/applications/:id',
  scope: 'operator',
  tag,
  summary: 'Register an application, or replace what is known of it',
  description:
    'The secret is answered once, when the application is registered without one of your own. When the owner changes, the secret and the tokens that the application holds for itself end, and a new secret is answered. Tokens that may do more than `scopes` end as well. What says how it gets tokens (`redirect_uris` and what follows it) keeps its value where it is left out.',
  params,
  body: Strict({
    ...settingsFields,
    secret: Type.Optional(Secret),
    owner_id: Type.Optional(OrNull(Id)),
  }),
  answers: { 200: Type.Object({ id: Id }), 201: Type.Object({ id: Id }) },
  async handle(ctx, asked) {
    const { db, now, random, config } = ctx
    const id = pathId('id', asked.params.id)
    if (id === consoleApplicationId) throw badField('id', 'another one: this is the console’s')
    const { name, callback_url, secret, owner_id, ...body } = asked.body
    checkAddresses(asked.body, { config })
    if (owner_id != null && !(await findUser(db, owner_id))) {
      throw badField('owner_id', 'a registered user')
    }
    const wanted = [...new Set(body.topics)]
    const made = random.hex(20)
    const { isNew, client, hasNewOwner } = await writeApplication(ctx, {
      id,
      name,
      callbackUrl: callback_url,
      topics: wanted,
      secretHash: digestOf(secret ?? made),
      keepsSecret: secret === undefined,
      client: {
        ...clientSettingsOf(asked.body),
        ...(owner_id !== undefined && { ownerId: owner_id }),
      },
      now: now(),
    })
    const view = {
      id,
      name,
      description: client.description,
      callback_url,
      topics: wanted,
      redirect_uris: client.redirectUris,
      scopes: client.scopes,
      requires_pkce: client.requiresPkce,
      is_public: client.isPublic,
      owner_id: client.ownerId,
      ...((isNew || hasNewOwner) && secret === undefined ? { secret: made } : {}),
    }
    return isNew ? created(view) : ok(view)
  },
})

const postSecret = route({
  method: 'POST',
  url: '/operator/applications/:id/secret',
  scope: 'operator',
  tag,
  summary: 'Give an application another secret, shown here and never again',
  description:
    'For `overlap_hours` the one before it is taken as well, so that the application can change without being locked out.',
  params,
  body: Strict(SecretWanted),
  answers: { 201: SecretAnswer },
  async handle(ctx, { params, body }) {
    return created(await rotateSecret(ctx, { id: pathId('id', params.id), ...body }))
  },
})

export const applicationAdminRoutes: Route[] = [putApplication, postSecret]
