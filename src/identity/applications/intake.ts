import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { hourMs, timestamp } from '../../kernel/clock.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { Id, IdText, OrNull, Strict, Text, Timestamp } from '../../kernel/schema.ts'
import { topics } from '../../kernel/topics.ts'
import { checkCallback } from '../callback.ts'
import { findUser } from '../store.ts'
import { digestOf } from '../token.ts'
import { consoleApplicationId } from './console.ts'
import { checkRedirect } from './redirects.ts'
import { type Client, findClient, replaceSecret, saveApplication } from './store.ts'

const tag = 'Operator: users and applications'
const params = Type.Object({ id: IdText })
const Secret = Type.String({ minLength: 16, maxLength: 200 })
const AskedScopes = Type.Array(Type.Enum(['offline_access', 'read', 'write']), {
  minItems: 1,
  uniqueItems: true,
})

const putApplication = route({
  method: 'PUT',
  url: '/operator/applications/:id',
  scope: 'operator',
  tag,
  summary: 'Register an application, or replace what is known of it',
  description:
    'The secret is answered once, when the application is registered without one of your own. What says how it gets tokens (`redirect_uris` and what follows it) keeps its value where it is left out.',
  params,
  body: Strict({
    name: Text(120),
    callback_url: OrNull(
      Type.String({ description: 'http or https; outside the sandbox one that is public' }),
    ),
    topics: Type.Array(Type.Enum([...topics]), { maxItems: 100 }),
    secret: Type.Optional(Secret),
    redirect_uris: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 20,
        uniqueItems: true,
        description: 'https, or http on this machine; compared as they stand',
      }),
    ),
    scopes: Type.Optional(AskedScopes),
    requires_pkce: Type.Optional(Type.Boolean()),
    is_public: Type.Optional(
      Type.Boolean({ description: 'It can keep no secret: PKCE stands in for it' }),
    ),
    owner_id: Type.Optional(OrNull(Id)),
  }),
  answers: { 200: Type.Object({ id: Id }), 201: Type.Object({ id: Id }) },
  async handle({ db, now, random, config }, asked) {
    const id = pathId('id', asked.params.id)
    if (id === consoleApplicationId) throw badField('id', 'another one: this is the console’s')
    const { name, callback_url, secret, owner_id, ...body } = asked.body
    const mayBePrivate = config.delivery.allowPrivateAddresses
    if (callback_url !== null) checkCallback(callback_url, { mayBePrivate })
    for (const [index, uri] of (body.redirect_uris ?? []).entries()) {
      checkRedirect(`redirect_uris[${index}]`, uri)
    }
    if (owner_id != null && !(await findUser(db, owner_id))) {
      throw badField('owner_id', 'a registered user')
    }
    const wanted = [...new Set(body.topics)]
    const made = random.hex(20)
    const isNew = await saveApplication(db, {
      id,
      name,
      callbackUrl: callback_url,
      topics: wanted,
      secretHash: digestOf(secret ?? made),
      keepsSecret: secret === undefined,
      client: {
        ...(body.redirect_uris && { redirectUris: body.redirect_uris }),
        ...(body.scopes && { scopes: [...body.scopes].sort() }),
        ...(body.requires_pkce !== undefined && { requiresPkce: body.requires_pkce }),
        ...(body.is_public !== undefined && { isPublic: body.is_public }),
        ...(owner_id !== undefined && { ownerId: owner_id }),
      },
      now: now(),
    })
    const client = (await findClient(db, id)) as Client
    const view = {
      ...{ id, name, callback_url, topics: wanted },
      redirect_uris: client.redirectUris,
      scopes: client.scopes,
      requires_pkce: client.requiresPkce,
      is_public: client.isPublic,
      owner_id: client.ownerId,
      ...(isNew && secret === undefined ? { secret: made } : {}),
    }
    return isNew ? created(view) : ok(view)
  },
})

const usualOverlapHours = 24

const postSecret = route({
  method: 'POST',
  url: '/operator/applications/:id/secret',
  scope: 'operator',
  tag,
  summary: 'Give an application another secret, shown here and never again',
  description:
    'For `overlap_hours` the one before it is taken as well, so that the application can change without being locked out.',
  params,
  body: Strict({
    overlap_hours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 168, description: '24 unless said otherwise' }),
    ),
  }),
  answers: {
    201: Type.Object({ id: Id, secret: Type.String(), previous_secret_until: Timestamp }),
  },
  async handle({ db, now, random }, { params: { id: text }, body }) {
    const id = pathId('id', text)
    const { overlap_hours: hours = usualOverlapHours } = body
    const secret = random.hex(20)
    const until = new Date(now().getTime() + hours * hourMs)
    const given = { id, secretHash: digestOf(secret), until, now: now() }
    if (!(await replaceSecret(db, given))) {
      throw new Failure('not_found', `Application not found: ${id}`)
    }
    return created({ id, secret, previous_secret_until: timestamp(until) })
  },
})

export const applicationIntake: Route[] = [putApplication, postSecret]
