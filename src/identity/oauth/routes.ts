import type { IncomingHttpHeaders } from 'node:http'
import { type Static, Type } from 'typebox'
import { baseAddress } from '../../http/address.ts'
import { checkBody } from '../../http/check.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { clientScopes } from '../../http/scopes.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { Id } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { authorizationRoutes } from './authorization.ts'
import { type ClientCredentials, knowClient, readCredentials } from './client.ts'
import { exchangeCode, ownToken, refreshTokens, revokeAtWish } from './commands.ts'
import type { TokenAnswer } from './grant.ts'
import { guardGuesses, noteNetwork } from './guesses.ts'

const tag = 'Tokens'
const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials'] as const

const Field = (description: string) => Type.Optional(Type.String({ maxLength: 2_048, description }))
const ClientId = Type.Optional(
  Type.Union([Type.String({ maxLength: 100 }), Id], { description: 'the application’s id' }),
)
const tokenFields = {
  grant_type: Type.Optional(Type.Enum([...grantTypes])),
  client_id: ClientId,
  client_secret: Field('or HTTP Basic; none of an application that can keep none'),
  code: Field('for authorization_code'),
  redirect_uri: Field('as it was on the authorisation page'),
  code_verifier: Field('of PKCE'),
  refresh_token: Field('for refresh_token'),
  scope: Field('fewer than were granted'),
}
const TokenInput = Type.Object({
  ...tokenFields,
  // Another one is refused in the words of RFC 6749.
  grant_type: Type.Optional(Type.String({ maxLength: 200 })),
})
const readToken = checkBody(TokenInput)
const RevokeInput = Type.Object({
  token: Type.String({ maxLength: 200 }),
  token_type_hint: Field('access_token or refresh_token; both are looked for'),
  client_id: ClientId,
  client_secret: Field('or HTTP Basic'),
})
const readRevoke = checkBody(RevokeInput)

/** What was sent, in the body, in the query or in both, each field once. A field without a value is as if it were
 * left out (RFC 6749, 3.2). */
function merge(query: object, body: unknown): Record<string, unknown> {
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) {
    throw badField('body', 'fields, as JSON or as a form')
  }
  const merged = new Map<string, unknown>()
  for (const [name, value] of [...Object.entries(query), ...Object.entries(body ?? {})]) {
    if (value === '') continue
    if (merged.has(name) && String(merged.get(name)) !== String(value)) {
      throw badField(name, 'one value, in the body or in the query')
    }
    merged.set(name, value)
  }
  return Object.fromEntries(merged)
}

function credentialsOf(
  { client_id, client_secret }: { client_id?: string | number; client_secret?: string },
  { authorization }: IncomingHttpHeaders,
): ClientCredentials {
  const id = client_id === undefined ? undefined : String(client_id)
  return readCredentials({ authorization, client_id: id, client_secret })
}

const postToken = route({
  method: 'POST',
  url: '/oauth/token',
  scope: 'public',
  failures: 'oauth',
  tag,
  summary: 'Tokens for a code, for a refresh token, or for the application itself',
  description:
    'The fields come as a form, as JSON or in the query. A code and a refresh token are taken once. An application that sends its secret may repeat a renewal for a short time (30 seconds unless the operator has set another) and gets the same tokens. Any other second use ends everything that came of the same consent.',
  takesFields: true,
  unchecked: true,
  query: TokenInput,
  body: Type.Object(tokenFields),
  answers: {
    200: Type.Object({
      access_token: Type.String(),
      token_type: Type.String(),
      expires_in: Type.Integer(),
      scope: Type.String(),
      user_id: Id,
      refresh_token: Type.Optional(Type.String()),
    }),
  },
  async handle(ctx, { query, body, headers, network }) {
    const input = readToken(merge(query, body)) as Static<typeof TokenInput>
    if (input.grant_type === undefined) {
      throw badField('grant_type', `one of ${grantTypes.join(', ')}`)
    }
    if (!(grantTypes as readonly string[]).includes(input.grant_type)) {
      throw new Failure('unsupported_grant_type')
    }
    const credentials = credentialsOf(input, headers)
    const claimant = { network, applicationId: credentials.id }
    const answer = await guardGuesses(ctx, claimant, () => grant(ctx, input, credentials))
    await noteNetwork(ctx, claimant)
    return ok(answer)
  },
})

async function grant(
  ctx: Context,
  input: Static<typeof TokenInput>,
  credentials: ClientCredentials,
): Promise<TokenAnswer> {
  const client = await knowClient(ctx, credentials)
  const { code, redirect_uri, code_verifier, refresh_token, scope } = input
  const narrowed = scope === undefined ? {} : { scope }
  if (input.grant_type === 'client_credentials') return ownToken(ctx, { client, ...narrowed })
  if (input.grant_type === 'refresh_token') {
    if (refresh_token === undefined) throw badField('refresh_token', 'a refresh token')
    return refreshTokens(ctx, { client, refreshToken: refresh_token, ...narrowed })
  }
  if (code === undefined) throw badField('code', 'an authorisation code')
  return exchangeCode(ctx, {
    client,
    code,
    ...(redirect_uri === undefined ? {} : { redirectUri: redirect_uri }),
    ...(code_verifier === undefined ? {} : { verifier: code_verifier }),
  })
}

const postRevoke = route({
  method: 'POST',
  url: '/oauth/revoke',
  scope: 'public',
  failures: 'oauth',
  tag,
  summary: 'Revoke a token (RFC 7009)',
  description:
    'With a refresh token everything that came of the same consent. A token that there is not is answered as one that was revoked.',
  takesFields: true,
  unchecked: true,
  query: Type.Partial(RevokeInput),
  body: RevokeInput,
  answers: { 200: Type.Object({}) },
  async handle(ctx, { query, body, headers, network }) {
    const input = readRevoke(merge(query, body)) as Static<typeof RevokeInput>
    const credentials = credentialsOf(input, headers)
    return guardGuesses(ctx, { network, applicationId: credentials.id }, async () => {
      const client = await knowClient(ctx, credentials)
      await revokeAtWish(ctx, { client, token: input.token })
      return ok({})
    })
  },
})

const Names = Type.Array(Type.String())

const getMetadata = route({
  method: 'GET',
  url: '/.well-known/oauth-authorization-server',
  scope: 'public',
  tag,
  summary: 'What an OAuth client needs to know of this service (RFC 8414)',
  answers: {
    200: Type.Object({
      issuer: Type.String(),
      authorization_endpoint: Type.String(),
      token_endpoint: Type.String(),
      revocation_endpoint: Type.String(),
      response_types_supported: Names,
      response_modes_supported: Names,
      grant_types_supported: Names,
      scopes_supported: Names,
      code_challenge_methods_supported: Names,
      token_endpoint_auth_methods_supported: Names,
      revocation_endpoint_auth_methods_supported: Names,
      authorization_response_iss_parameter_supported: Type.Boolean(),
      ui_locales_supported: Names,
      service_documentation: Type.String(),
    }),
  },
  async handle({ config }, { headers }) {
    const issuer = baseAddress(config, headers)
    const methods = ['client_secret_post', 'client_secret_basic', 'none']
    return ok({
      issuer,
      authorization_endpoint: `${issuer}/authorization`,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: grantTypes,
      scopes_supported: clientScopes,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
      authorization_response_iss_parameter_supported: true,
      ui_locales_supported: ['es', 'pt', 'en'],
      service_documentation: `${issuer}/docs`,
    })
  },
})

export const oauthRoutes: Route[] = [...authorizationRoutes, postToken, postRevoke, getMetadata]
