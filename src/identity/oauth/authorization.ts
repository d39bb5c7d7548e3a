import { Type } from 'typebox'
import { baseAddress } from '../../http/address.ts'
import { redirect } from '../../http/pages/page.ts'
import { type Route, route } from '../../http/route.ts'
import { clientScopes } from '../../http/scopes.ts'
import { badField } from '../../kernel/failure.ts'
import { parseId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/database/database.ts'
import { redirectsOf } from '../applications/console.ts'
import { findClient, type OAuthClient } from '../applications/store.ts'
import { signInPage } from '../sessions/pages.ts'
import { HtmlPage } from '../sessions/routes.ts'
import { checkForm, visitorOf } from '../sessions/visitor.ts'
import type { AuthorizationRefusal } from './authorization-input.ts'
import { type AuthorizationInput, readAuthorizationInput } from './authorization-input.ts'
import { grantCode } from './commands.ts'
import { authorizationPath, consentPage } from './consent.ts'

const tag = 'Signing in'
const Part = (description: string, example?: string) =>
  Type.Optional(
    Type.String({
      maxLength: 2_048,
      description,
      ...(example === undefined ? {} : { examples: [example] }),
    }),
  )
const fields = {
  response_type: Part('Required. Always `code`', 'code'),
  client_id: Part('Required. The id of your application'),
  redirect_uri: Part(
    'Required, also if only one is registered. One of the registered addresses, character for character',
  ),
  state: Part(
    'Any text, returned to you unchanged. Use it to know that the answer belongs to your request',
    'af0ifjsldkj',
  ),
  code_challenge: Part(
    'PKCE challenge: 43 characters of base64url. Required if the application requires PKCE',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  code_challenge_method: Part('Always `S256`. Send it with `code_challenge`', 'S256'),
  scope: Part(
    `Scopes, separated by spaces: ${clientScopes.join(', ')}. Default: all scopes of the application`,
  ),
}

/** Returns the fields of an authorization request, without any other parameter that was sent. */
function pickFields(parameters: AuthorizationInput): AuthorizationInput {
  const names = Object.keys(fields) as (keyof AuthorizationInput)[]
  return Object.fromEntries(
    names.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name]]])),
  )
}

/**
 * Returns the client and its redirect address. Throws `bad_request` if either is not registered. The browser shows
 * that refusal: a redirect to an unverified address would help an attacker (RFC 6749, 4.1.2.1).
 */
async function findRequestingClient(
  { db, issuer }: { db: Db; issuer: string },
  input: AuthorizationInput,
): Promise<{ client: OAuthClient; redirectUri: string }> {
  const id = parseId(input.client_id ?? '')
  const client = id === undefined ? undefined : await findClient(db, id)
  if (!client) throw badField('client_id', 'the id of a registered application')
  const { redirect_uri: redirectUri } = input
  if (redirectUri === undefined || !redirectsOf(client, issuer).includes(redirectUri)) {
    throw badField('redirect_uri', 'exactly one of those that the application has registered')
  }
  return { client, redirectUri }
}

const getAuthorization = route({
  method: 'GET',
  url: '/authorization',
  scope: 'page',
  tag,
  summary: 'Show the authorization page',
  description:
    'Send the user’s browser here to ask for access. The page signs the user in and asks for consent. The browser then returns to `redirect_uri` with `state`, `iss` and either a `code` or an `error`. A wrong or missing parameter returns at once (303) with an `error`. An unknown or missing `client_id` or `redirect_uri` shows an error page instead, because the address to return to is not known.',
  query: Type.Object(fields),
  answers: { 200: HtmlPage, 303: Type.Null() },
  async handle(ctx, { headers, query }) {
    const input = pickFields(query)
    const issuer = baseAddress(ctx.config, headers)
    const { client, redirectUri } = await findRequestingClient({ db: ctx.db, issuer }, input)
    const { state } = input
    const wanted = readAuthorizationInput(input, client)
    if ('error' in wanted) {
      return redirect(authorizationResponseUri(redirectUri, { ...wanted, state, issuer }))
    }
    const visitor = await visitorOf(ctx, headers)
    const { user } = visitor
    if (user) return consentPage(ctx, { visitor, user, client, input, wanted })
    return signInPage(ctx, { visitor, returnTo: authorizationPath(input) })
  },
})

const postAuthorization = route({
  method: 'POST',
  url: '/authorization',
  scope: 'page',
  tag,
  summary: 'Submit the decision of the user',
  description:
    'The form of the authorization page sends this. The browser returns to `redirect_uri` with a `code` for `allow`, or with `error=access_denied` for `deny`. Fails with `form_expired` if the form does not belong to this browser.',
  takesFields: true,
  body: Type.Object({
    ...fields,
    form_token: Type.String({ maxLength: 200 }),
    decision: Type.Enum(['allow', 'deny']),
  }),
  answers: { 303: Type.Null() },
  async handle(ctx, { headers, body }) {
    const visitor = await visitorOf(ctx, headers)
    checkForm(visitor, body.form_token)
    const input = pickFields(body)
    const issuer = baseAddress(ctx.config, headers)
    const { client, redirectUri } = await findRequestingClient({ db: ctx.db, issuer }, input)
    const { user } = visitor
    if (!user) return redirect(authorizationPath(input))
    const wanted = readAuthorizationInput(input, client)
    const back = { state: input.state, issuer }
    if ('error' in wanted)
      return redirect(authorizationResponseUri(redirectUri, { ...wanted, ...back }))
    if (body.decision === 'deny') {
      const refusal = { error: 'access_denied', description: 'the user did not allow it' } as const
      return redirect(authorizationResponseUri(redirectUri, { ...refusal, ...back }))
    }
    const code = await grantCode(ctx, { userId: user.id, client, redirectUri, wanted })
    return redirect(authorizationResponseUri(redirectUri, { code, ...back }))
  },
})

export const authorizationRoutes: Route[] = [getAuthorization, postAuthorization]

/** Returns the redirect address with the answer in its query. `iss` names this service, so that a client of several
 * services cannot mistake one's answer for another's (RFC 9207). */
function authorizationResponseUri(
  redirectUri: string,
  answer: { state: string | undefined; issuer: string } & ({ code: string } | AuthorizationRefusal),
): string {
  const parameters = new URLSearchParams(
    'code' in answer
      ? { code: answer.code }
      : { error: answer.error, error_description: answer.description },
  )
  if (answer.state !== undefined) parameters.set('state', answer.state)
  parameters.set('iss', answer.issuer)
  // Append to the text instead of rebuilding the URL: the registered address stays unchanged.
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`
}
