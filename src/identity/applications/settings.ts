import { type Static, Type } from 'typebox'
import { clientScopes } from '../../http/scopes.ts'
import { Bounded, DistinctListOf, Id, OrNull, Timestamp } from '../../kernel/schema.ts'
import { topics } from '../../kernel/topics.ts'
import type { Context } from '../../platform/context.ts'
import { checkCallback } from '../callback.ts'
import { checkRedirect } from './redirects.ts'
import type { ClientSettings, RegisteredApplication } from './store.ts'

/** `checkCallback` and `checkRedirect` enforce the limit of 2,048 characters. This bound only limits their work. */
const mostAddress = 8_192
const RequestedScopes = DistinctListOf(clientScopes, { minItems: 1 })

/** The fields of an application that its owner and the operator write. */
export const settingsFields = {
  name: Type.String({
    minLength: 1,
    maxLength: 120,
    format: 'one-line',
    description: 'Name of the application, without line breaks',
  }),
  description: Type.Optional(
    OrNull(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'What the application does. Null, or left out at first: none',
        examples: ['Keeps the stock of several shops equal'],
      }),
    ),
  ),
  callback_url: OrNull(
    Bounded(
      mostAddress,
      'Address to which notifications are sent: an http or https URL. Outside the sandbox its host must be public. Null: none are sent',
    ),
  ),
  topics: Type.Array(Type.Enum([...topics]), {
    maxItems: 100,
    description: 'Topics (kinds of changes) that it is notified of. Empty: of none',
  }),
  redirect_uris: Type.Optional(
    Type.Array(Bounded(mostAddress), {
      maxItems: 20,
      uniqueItems: true,
      description:
        'Addresses to which the authorization page may return: https URLs, or http on 127.0.0.1, [::1] or localhost. Compared character for character. Left out: none at first, later as they are',
    }),
  ),
  scopes: Type.Optional({
    ...RequestedScopes,
    description:
      'What it may ask users for: `read`, `write` (also changes) and `offline_access` (refresh tokens). Left out: all at first, later as they are',
  }),
  requires_pkce: Type.Optional(
    Type.Boolean({
      description:
        'Whether authorization needs PKCE (RFC 7636). Left out: false at first, later as it is',
    }),
  ),
  is_public: Type.Optional(
    Type.Boolean({
      description:
        'True for an application that cannot keep a secret, such as one in a browser or on a phone: it authenticates without one and must use PKCE. A secret is generated all the same, but proves nothing until this is false. Left out: false at first, later as it is',
    }),
  ),
}
const ApplicationSettings = Type.Object(settingsFields)
type ApplicationSettings = Static<typeof ApplicationSettings>

/** Checks the callback URL (null for none) and the redirect addresses beyond their schema, before they are stored.
 * Throws `bad_request` with the name of the first wrong field, such as `redirect_uris[1]`. */
export function checkAddresses(
  { callback_url, redirect_uris = [] }: ApplicationSettings,
  { config }: Pick<Context, 'config'>,
): void {
  const mayBePrivate = config.delivery.allowPrivateAddresses
  if (callback_url !== null) checkCallback(callback_url, { mayBePrivate })
  for (const [index, uri] of redirect_uris.entries()) {
    checkRedirect(`redirect_uris[${index}]`, uri)
  }
}

/** Returns the client settings of a body. Fields that were left out are missing. */
export function clientSettingsOf(body: ApplicationSettings): Partial<ClientSettings> {
  return {
    ...(body.description !== undefined && { description: body.description }),
    ...(body.redirect_uris && { redirectUris: body.redirect_uris }),
    ...(body.scopes && { scopes: [...body.scopes].sort() }),
    ...(body.requires_pkce !== undefined && { requiresPkce: body.requires_pkce }),
    ...(body.is_public !== undefined && { isPublic: body.is_public }),
  }
}

export const ApplicationAnswer = Type.Object({
  id: Id,
  name: Type.String(),
  description: OrNull(Type.String()),
  callback_url: OrNull(Type.String()),
  topics: Type.Array(Type.Enum([...topics])),
  redirect_uris: Type.Array(Type.String()),
  scopes: Type.Array(Type.Enum([...clientScopes])),
  requires_pkce: Type.Boolean(),
  is_public: Type.Boolean(),
  owner_id: OrNull(Id),
  date_created: Timestamp,
  last_updated: Timestamp,
})

/** Renders an application as its owner and the operator see it. The secret is not part of it. */
export function applicationView(application: RegisteredApplication): object {
  const { id, name, description, callbackUrl, topics, dateCreated, lastUpdated } = application
  return {
    id,
    name,
    description,
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

export const PublicApplicationAnswer = Type.Object({
  id: Id,
  name: Type.String(),
  description: OrNull(Type.String()),
  site_id: OrNull(Type.String({ description: 'The site of its owner' })),
  callback_host: OrNull(
    Type.String({
      description: 'Host of the callback URL. Null without one',
      examples: ['app.example'],
    }),
  ),
  topics: Type.Array(Type.Enum([...topics])),
})

/** Renders the public part of an application, for any token of that application. */
export function publicApplicationView(
  { id, name, description, callbackUrl, topics }: RegisteredApplication,
  siteId: string | null,
): object {
  const callback_host = callbackUrl === null ? null : new URL(callbackUrl).host
  return { id, name, description, site_id: siteId, callback_host, topics }
}

export const secretRotationFields = {
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 168,
      description: 'Hours for which the previous secret still works. Default: 24',
    }),
  ),
}
export const SecretAnswer = Type.Object({
  id: Id,
  secret: Type.String({
    description: 'The new secret, shown only in this answer',
    examples: ['a-secret-of-the-application'],
  }),
  previous_secret_until: {
    ...Timestamp,
    description:
      'Until when the previous secret works. One that was replaced before it has ended already',
  },
})
