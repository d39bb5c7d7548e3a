import { Type } from 'typebox'
import { baseAddress } from '../../http/address.ts'
import { redirect } from '../../http/pages/page.ts'
import { type Route, route } from '../../http/route.ts'
import { clientScopes } from '../../http/scopes.ts'
import { badField } from '../../kernel/failure.ts'
import { parseId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/database/database.ts'
import { redirectsOf } from '../applications/console.ts'
import { type Client, findClient } from '../applications/store.ts'
import { signInPage } from '../sessions/pages.ts'
import { Page } from '../sessions/routes.ts'
import { checkForm, visitorOf } from '../sessions/visitor.ts'
import { answerAddress } from './answer.ts'
import { type AuthorizationInput, readAuthorizationInput } from './authorization-input.ts'
import { grantCode } from './commands.ts'
import { consentPage, pathOf } from './consent.ts'

const tag = 'Signing in'
const Part = (description: string) => Type.Optional(Type.String({ maxLength: 2_048, description }))
const fields = {
  response_type: Part('code'),
  client_id: Part('the application’s id'),
  redirect_uri: Part('one of those that are registered, as it stands there'),
  state: Part('comes back as it is'),
  code_challenge: Part('of PKCE'),
  code_challenge_method: Part('S256'),
  scope: Part(`some of ${clientScopes.join(', ')}; all of the application’s without it`),
}

/** The fields that are ours, of whatever else came. */
function pick(given: AuthorizationInput): AuthorizationInput {
  const names = Object.keys(fields) as (keyof AuthorizationInput)[]
  return Object.fromEntries(
    names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  )
}

/**
 * The application that asks and the address that it is answered at. While either is not known to be
 * right, nothing is sent anywhere: the refusal is told to whoever sits there (RFC 6749, 4.1.2.1).
 */
async function findAsking(
  { db, issuer }: { db: Db; issuer: string },
  asked: AuthorizationInput,
): Promise<{ client: Client; redirectUri: string }> {
  const id = parseId(asked.client_id ?? '')
  const client = id === undefined ? undefined : await findClient(db, id)
  if (!client) throw badField('client_id', 'the id of a registered application')
  const { redirect_uri: redirectUri } = asked
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
  summary: 'The page on which a user lets an application act in the user’s name',
  description:
    'Asks who it is, then whether the application may do what it asks for. The answer goes to `redirect_uri`, with `state` and `iss`: a `code`, or an `error`.',
  query: Type.Object(fields),
  answers: { 200: Page, 303: Type.Null() },
  async handle(ctx, { headers, query }) {
    const asked = pick(query)
    const issuer = baseAddress(ctx.config, headers)
    const { client, redirectUri } = await findAsking({ db: ctx.db, issuer }, asked)
    const { state } = asked
    const wanted = readAuthorizationInput(asked, client)
    if ('error' in wanted) {
      return redirect(answerAddress(redirectUri, { ...wanted, state, issuer }))
    }
    const visitor = await visitorOf(ctx, headers)
    const { user } = visitor
    if (user) return consentPage(ctx, { visitor, user, client, asked, wanted })
    return signInPage(ctx, { visitor, returnTo: pathOf(asked) })
  },
})

const postAuthorization = route({
  method: 'POST',
  url: '/authorization',
  scope: 'page',
  tag,
  summary: 'What the user decided',
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
    const asked = pick(body)
    const issuer = baseAddress(ctx.config, headers)
    const { client, redirectUri } = await findAsking({ db: ctx.db, issuer }, asked)
    const { user } = visitor
    if (!user) return redirect(pathOf(asked))
    const wanted = readAuthorizationInput(asked, client)
    const back = { state: asked.state, issuer }
    if ('error' in wanted) return redirect(answerAddress(redirectUri, { ...wanted, ...back }))
    if (body.decision === 'deny') {
      const refusal = { error: 'access_denied', description: 'the user did not allow it' } as const
      return redirect(answerAddress(redirectUri, { ...refusal, ...back }))
    }
    const code = await grantCode(ctx, { userId: user.id, client, redirectUri, wanted })
    return redirect(answerAddress(redirectUri, { code, ...back }))
  },
})

export const authorizationRoutes: Route[] = [getAuthorization, postAuthorization]
