import { Type } from 'typebox'
import { created, noContent, ok, type Route, route } from '../http/route.ts'
import { allSites } from '../http/site-rule.ts'
import { etagOf, withEtagField } from '../http/versions.ts'
import { parseTimestamp, timestamp } from '../kernel/clock.ts'
import { badField } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import { Id, IdText, OrNull, StrictObject, Timestamp } from '../kernel/schema.ts'
import { createKey, endKey, rotateKey } from './commands.ts'
import { parseNetwork } from './credentials.ts'
import { listKeys, type OperatorKey } from './store-keys.ts'
import { stateOfKey, versionedKey } from './versioned.ts'
import { Name, Role, Sites, tag } from './view.ts'

const common = { scope: 'operator', permission: 'keys:manage', sites: allSites, tag } as const
const params = Type.Object({ id: { ...IdText, description: 'Id of the API key' } })
const unknownKey = { not_found: 'API key not found: 2000000000001' }

const Networks = Type.Array(
  Type.String({ minLength: 2, maxLength: 50, examples: ['203.0.113.0/24'] }),
  {
    maxItems: 50,
    description: 'Addresses and networks (CIDR) from which the key is accepted. Empty: from all',
  },
)

const KeyAnswer = Type.Object({
  id: Id,
  name: Name,
  role: Role,
  sites: Sites,
  begins_with: Type.String({
    description: 'First characters of the key, to tell keys apart',
    examples: ['feria_key_5f03a1'],
  }),
  allowed_addresses: Networks,
  expires_at: OrNull({ ...Timestamp, description: 'When the key ends. Null: it does not' }),
  previous_until: OrNull({
    ...Timestamp,
    description: 'Until when the key before the last rotation is accepted. Null: never rotated',
  }),
  last_used: OrNull({
    ...Timestamp,
    description: 'When it was last used, to the minute. Null: not yet',
  }),
  revoked_at: OrNull({ ...Timestamp, description: 'When it was revoked. Null: it is not' }),
  date_created: Timestamp,
})
const NewKeyAnswer = Type.Object({
  ...KeyAnswer.properties,
  key: Type.String({
    description: 'The key, shown only in this answer',
    examples: [`feria_key_${'0'.repeat(64)}`],
  }),
})

const getKeys = route({
  ...common,
  method: 'GET',
  url: '/operator/keys',
  summary: 'List API keys',
  description: 'Returns all API keys by id, revoked ones included. Keys themselves are not stored.',
  answers: { 200: Type.Object({ keys: Type.Array(withEtagField(KeyAnswer)) }) },
  async handle({ db, now }) {
    const keys = (await listKeys(db)).map((key) => ({
      ...keyView(key),
      etag: etagOf(stateOfKey(key), now()),
    }))
    return ok({ keys })
  },
})

const postKey = route({
  ...common,
  isSensitive: true,
  method: 'POST',
  url: '/operator/keys',
  audits: 'operator_key',
  summary: 'Create an API key',
  description:
    'Returns a key for a program, which sends it as `Authorization: Bearer …`. It may do what its role may, except sensitive operations, on the `sites` that you name, which are all by default. The role must have no permission that you lack (403 `permission_denied`). A wrong value answers 400 `bad_request`.',
  refuses: { bad_request: 'allowed_addresses[0]: expected an address or a network (CIDR)' },
  body: StrictObject({
    name: Name,
    role: Role,
    sites: Type.Optional(Sites),
    expires_at: Type.Optional(
      OrNull({ ...Timestamp, description: 'When the key ends. Null or left out: it does not' }),
    ),
    allowed_addresses: Type.Optional(Networks),
  }),
  answers: { 201: NewKeyAnswer },
  async handle(ctx, { body, operator }) {
    const { name, role, sites = null, expires_at = null, allowed_addresses = [] } = body
    const { key, text } = await createKey(ctx, {
      actor: operator,
      name,
      role,
      sites,
      expiresAt: expires_at === null ? null : futureMoment(expires_at, ctx.now()),
      allowedAddresses: allowed_addresses.map(networkAt),
    })
    return created({ ...keyView(key), key: text })
  },
})

const postRotation = route({
  ...common,
  isSensitive: true,
  method: 'POST',
  url: '/operator/keys/:id/rotate',
  audits: 'operator_key',
  versioned: versionedKey,
  summary: 'Rotate an API key',
  description:
    'Returns a new key with the same role, sites, addresses and end. The key before works for another `overlap_hours`, so that the program can switch without an outage; one that was replaced before it ends at once. A key with a permission that you lack answers 403 `permission_denied`, an unknown or revoked one 404 `not_found`.',
  refuses: unknownKey,
  params,
  body: StrictObject({
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        description: 'Hours for which the present key still works. Default: 24',
      }),
    ),
  }),
  answers: { 201: NewKeyAnswer },
  async handle(ctx, { params, body, operator }) {
    const id = pathId('id', params.id)
    const rotated = { id, overlapHours: body.overlap_hours, actor: operator }
    const { key, text } = await rotateKey(ctx, rotated)
    return created({ ...keyView(key), key: text })
  },
})

const deleteKey = route({
  ...common,
  isSensitive: true,
  method: 'DELETE',
  url: '/operator/keys/:id',
  audits: 'operator_key',
  versioned: versionedKey,
  summary: 'Revoke an API key',
  description:
    'Refuses the key from now on, in every process. An unknown or revoked one answers 404 `not_found`.',
  refuses: unknownKey,
  params,
  answers: { 204: Type.Null() },
  async handle(ctx, { params }) {
    await endKey(ctx, pathId('id', params.id))
    return noContent()
  },
})

function futureMoment(text: string, now: Date): Date {
  const moment = parseTimestamp(text)
  if (!moment || moment <= now) throw badField('expires_at', 'a moment in the future')
  return moment
}

function networkAt(text: string, index: number): string {
  const network = parseNetwork(text)
  if (network === undefined) {
    throw badField(`allowed_addresses[${index}]`, 'an address or a network (CIDR)')
  }
  return network
}

function keyView(key: OperatorKey) {
  return {
    id: key.id,
    name: key.name,
    role: key.role,
    sites: key.sites,
    begins_with: key.beginsWith,
    allowed_addresses: key.allowedAddresses,
    expires_at: timestamp(key.expiresAt),
    previous_until: timestamp(key.previousUntil),
    last_used: timestamp(key.lastUsedAt),
    revoked_at: timestamp(key.revokedAt),
    date_created: timestamp(key.dateCreated),
  }
}

/** The operations that manage API keys. */
export const keysAdminRoutes: Route[] = [getKeys, postKey, postRotation, deleteKey]
