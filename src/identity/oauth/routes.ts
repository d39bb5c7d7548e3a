import type { IncomingHttpHeaders } from 'node:http'
import { type Static, Type } from 'typebox'
import { baseAddress } from '../../http/address.ts'
import { makeBodyCheck } from '../../http/check.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { clientScopes } from '../../http/scopes.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { Id } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { limitFailedAttempts, trustNetwork } from './attempt-limits.ts'
import { authorizationRoutes } from './authorization.ts'
import { type ClientCredentials, identifyClient, readCredentials } from './client.ts'
import {
  exchangeCode,
  issueClientCredentialsToken,
  refreshTokens,
  revokeForClient,
} from './commands.ts'
import type { TokenAnswer } from './grant.ts'

const tag = 'Tokens'
const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials'] as const

const grantTypeText =
  'Required. What you exchange: `authorization_code` (a code of the authorization page), `refresh_token`, or `client_credentials` (your id and secret, for a token of the application itself)'

const Field = (description: string) => Type.Optional(Type.String({ maxLength: 2_048, description }))
const ClientId = Type.Optional(
  Type.Union([Type.String({ maxLength: 100 }), Id], { description: 'The id of your application' }),
)
const tokenFields = {
  grant_type: Type.Optional(Type.Enum([...grantTypes], { description: grantTypeText })),
  client_id: ClientId,
  client_secret: Field('Or use HTTP Basic. Leave it out for a public application'),
  code: Field('Required for authorization_code'),
  redirect_uri: Field('The address that you sent to the authorization page'),
  code_verifier: Field('PKCE verifier, if you sent a code_challenge'),
  refresh_token: Field('Required for refresh_token'),
  scope: Field('A subset of the granted scopes, separated by spaces. Default: all of them'),
}
const TokenInput = Type.Object({
  ...tokenFields,
  // Any text passes here: the handler refuses an unknown type with the error of RFC 6749.
  grant_type: Type.Optional(
    Type.String({ maxLength: 200, description: grantTypeText, examples: ['authorization_code'] }),
  ),
})
const readToken = makeBodyCheck(TokenInput)
const RevokeInput = Type.Object({
  token: Type.String({
    maxLength: 200,
    description: 'Required. The access token or refresh token to revoke',
    examples: ['TG-5b9032b4e4b0714aed1f959f-468424240'],
  }),
  token_type_hint: Field('access_token or refresh_token. Optional: both kinds are searched'),
  client_id: ClientId,
  client_secret: Field('Or use HTTP Basic. Leave it out for a public application'),
})
const readRevoke = makeBodyCheck(RevokeInput)

/** Merges the fields of query and body. An empty field counts as missing (RFC 6749, 3.2). Throws `bad_request` if one
 * has two values. */
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
  summary: 'Get an access token',
  description:
    'Exchanges a code, a refresh token or the secret of your application for an access token. Send the fields as a form, as JSON or in the query. A code or refresh token works once: a second use revokes every token of the same consent (`invalid_grant`). If you authenticate with a secret, you may repeat a refresh for a short time (30 seconds by default) and get the same tokens. Too many failed attempts answer 429. Errors: 400 `invalid_request` for a missing or wrong field, 400 `invalid_client` for a wrong id or secret (401 with HTTP Basic), 400 `invalid_grant` for a code or token that is not valid any more, 400 `unauthorized_client` for `client_credentials` without a secret or an owner, 400 `unsupported_grant_type` for another `grant_type`, 400 `invalid_scope`.',
  refuses: {
    bad_request: `grant_type: expected one of ${grantTypes.join(', ')}`,
    invalid_client: '',
    invalid_client_header: '',
    invalid_grant_expired: 'authorization code',
    invalid_grant_used: 'refresh token',
    unauthorized_client: 'a public application keeps no secret',
    unsupported_grant_type: '',
    invalid_scope: 'read, write',
  },
  takesFields: true,
  checksBodyItself: true,
  query: TokenInput,
  body: Type.Object(tokenFields),
  answers: {
    200: Type.Object({
      access_token: Type.String(),
      token_type: Type.String(),
      expires_in: Type.Integer(),
      scope: Type.String(),
      user_id: {
        ...Id,
        description:
          'User for whom the token acts: with `client_credentials`, the owner of the application',
      },
      refresh_token: Type.Optional(
        Type.String({ description: 'Only for an authorization with the scope `offline_access`' }),
      ),
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
    const answer = await limitFailedAttempts(ctx, claimant, () =>
      exchangeGrant(ctx, input, credentials),
    )
    await trustNetwork(ctx, claimant)
    return ok(answer)
  },
})

/** Exchanges a grant for tokens, by its type: client credentials, refresh token or authorization code. Throws
 * `bad_request` if the grant itself is missing. */
async function exchangeGrant(
  ctx: Context,
  input: Static<typeof TokenInput>,
  credentials: ClientCredentials,
): Promise<TokenAnswer> {
  const client = await identifyClient(ctx, credentials)
  const { code, redirect_uri, code_verifier, refresh_token, scope } = input
  const requestedScope = scope === undefined ? {} : { scope }
  if (input.grant_type === 'client_credentials')
    return issueClientCredentialsToken(ctx, { client, ...requestedScope })
  if (input.grant_type === 'refresh_token') {
    if (refresh_token === undefined) throw badField('refresh_token', 'a refresh token')
    return refreshTokens(ctx, { client, refreshToken: refresh_token, ...requestedScope })
  }
  if (code === undefined) throw badField('code', 'an authorization code')
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
  summary: 'Revoke a token',
  description:
    'Revokes an access token, or a refresh token with every token of the same consent (RFC 7009). An unknown token answers 200 as well. A token of another application fails with `invalid_grant`. Errors: 400 `invalid_request` for a missing field, 400 `invalid_client` for a wrong id or secret (401 with HTTP Basic).',
  refuses: {
    bad_request: 'token: expected a value, this field is required',
    invalid_client: '',
    invalid_client_header: '',
    invalid_grant_unknown: 'token',
  },
  takesFields: true,
  checksBodyItself: true,
  query: Type.Partial(RevokeInput),
  body: RevokeInput,
  answers: { 200: Type.Object({}) },
  async handle(ctx, { query, body, headers, network }) {
    const input = readRevoke(merge(query, body)) as Static<typeof RevokeInput>
    const credentials = credentialsOf(input, headers)
    return limitFailedAttempts(ctx, { network, applicationId: credentials.id }, async () => {
      const client = await identifyClient(ctx, credentials)
      await revokeForClient(ctx, { client, token: input.token })
      return ok({})
    })
  },
})

const Names = (description: string, ...example: string[]) =>
  Type.Array(Type.String(), { description, examples: [example] })
const Address = (description: string, path: string) =>
  Type.String({ description, examples: [`https://marketplace.example${path}`] })

const getMetadata = route({
  method: 'GET',
  url: '/.well-known/oauth-authorization-server',
  scope: 'public',
  tag,
  summary: 'Get the OAuth server metadata',
  description:
    'Returns the endpoints and the supported grant types, scopes and PKCE methods (RFC 8414). OAuth libraries read it to configure themselves.',
  answers: {
    200: Type.Object({
      issuer: Address('Address of this service. `iss` of an authorization has it too', ''),
      authorization_endpoint: Address('Where to send the browser of a user', '/authorization'),
      token_endpoint: Address('Where to get tokens', '/oauth/token'),
      revocation_endpoint: Address('Where to revoke tokens', '/oauth/revoke'),
      response_types_supported: Names('Values of `response_type`', 'code'),
      response_modes_supported: Names('How the code comes back', 'query'),
      grant_types_supported: Names('Values of `grant_type`', ...grantTypes),
      scopes_supported: Names('Scopes that an application may ask for', ...clientScopes),
      code_challenge_methods_supported: Names('Methods of PKCE', 'S256'),
      token_endpoint_auth_methods_supported: Names(
        'How an application authenticates when it gets tokens',
        'client_secret_basic',
      ),
      revocation_endpoint_auth_methods_supported: Names(
        'How an application authenticates when it revokes tokens',
        'client_secret_basic',
      ),
      authorization_response_iss_parameter_supported: Type.Boolean({
        description: 'Whether an authorization comes back with `iss` (RFC 9207)',
      }),
      ui_locales_supported: Names('Languages of the pages', 'es'),
      service_documentation: Address('This reference', '/docs'),
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
