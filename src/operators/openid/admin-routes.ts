import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { baseAddress } from '../../http/address.ts'
import { created, noContent, ok, type Route, route } from '../../http/route.ts'
import { allSites, ownAccountOnly } from '../../http/site-rule.ts'
import { timestamp } from '../../kernel/clock.ts'
import { pathId } from '../../kernel/ids.ts'
import { IdText, StrictObject } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { findAccount, type OperatorAccount } from '../store-accounts.ts'
import { versionedAccount } from '../versioned.ts'
import { AccountAnswer, accountView, Code, ownSession, SessionTokenAnswer, tag } from '../view.ts'
import {
  type BegunFlow,
  beginFlow,
  type FlowAnswer,
  linkOwnAccount,
  signInWithProvider,
  unlinkIdentity,
  unlinkOwnAccount,
  verifyWithProvider,
} from './commands.ts'

/** The page of the console to which the provider sends browsers back. Register it at the provider. */
export const redirectPath = '/console/openid'

// Answers wait for the provider, which must not take the places of other requests.
const waitsForProvider = { isUnqueued: true } as const
const ownAccount = {
  scope: 'operator',
  permission: 'own-account',
  sites: ownAccountOnly,
  tag,
} as const

const State = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The state that the provider sends back with the browser',
  examples: ['5f3a0c'.padEnd(64, '0')],
})
const Verifier = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The secret of the browser, which is part of no address',
  examples: ['91be77'.padEnd(64, '0')],
})
const FlowBody = {
  state: State,
  verifier: Verifier,
  authorization_code: Type.String({
    minLength: 1,
    maxLength: 4_096,
    description: 'The code with which the provider sends the browser back (`code`)',
    examples: ['SplxlOBeZQQYbYS6WxSbIA'],
  }),
  iss: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: 'The issuer with which the provider sends the browser back, if it sends one',
      examples: ['https://login.example.com'],
    }),
  ),
}
const BegunAnswer = {
  201: Type.Object({
    authorization_url: Type.String({
      description: 'Address at the provider to which the browser goes',
      examples: ['https://login.example.com/authorize?client_id=feria&response_type=code'],
    }),
    state: State,
    verifier: Verifier,
  }),
}

const noProvider = 'No identity provider: FERIA_OIDC_ISSUER is not set'
const beginRefusals = { not_found: noProvider, provider_unavailable: '' }
const finishRefusals = { ...beginRefusals, provider_refused: '', flow_ended: '' }
const beginText =
  'Send the browser to `authorization_url`. The provider sends it back to `/console/openid` with `state` and `code`, within ten minutes. Keep `verifier` in the browser and out of every address. Without a provider in the settings you get 404 `not_found`, and 503 `provider_unavailable` if it does not answer.'
const finishText =
  'Each flow is finished once, in the browser that began it: otherwise you get 401 `flow_ended`. An answer of the provider that is not valid gets 401 `provider_refused`. A provider that does not answer gets 503 `provider_unavailable`; without one in the settings you get 404 `not_found`.'

const postSignInFlow = route({
  ...waitsForProvider,
  method: 'POST',
  url: '/operator/sign-in/openid/begin',
  scope: 'public',
  sameOrigin: true,
  tag,
  summary: 'Begin to sign in with the identity provider',
  description: `Begins a sign-in with OpenID Connect. ${beginText} A network may begin a hundred sign-ins in 15 minutes; more answer 429 with \`Retry-After\`.`,
  refuses: beginRefusals,
  body: StrictObject({}),
  answers: BegunAnswer,
  async handle(ctx, { headers, network }) {
    const redirectUri = redirectUriOf(ctx, headers)
    return created(begunView(await beginFlow(ctx, { purpose: 'sign-in', network, redirectUri })))
  },
})

const postSignIn = route({
  ...waitsForProvider,
  method: 'POST',
  url: '/operator/sign-in/openid',
  scope: 'public',
  audits: 'operator_session',
  sameOrigin: true,
  tag,
  summary: 'Sign in with the identity provider',
  description: `Finishes a sign-in with OpenID Connect and returns the token of a session. The account is the one that is linked to the identity. At the first sign-in, an invited account with the e-mail address that the provider has verified is linked. Everybody else gets 403 \`identity_refused\`. An account with two-factor authentication answers 401 \`code_required\`: send the same body with \`code\` as well, of which a wrong one answers 401 \`sign_in_failed\`. ${finishText}`,
  refuses: {
    ...finishRefusals,
    identity_refused: 'no account is linked to it',
    code_required: '',
    sign_in_failed: '',
  },
  body: StrictObject({ ...FlowBody, code: Type.Optional(Code) }),
  answers: { 201: SessionTokenAnswer },
  async handle(ctx, { body: { code, ...body }, network, headers }) {
    const answer = flowAnswerOf(ctx, headers, body)
    const userAgent = headers['user-agent']
    const session = await signInWithProvider(ctx, { answer, code, network, userAgent })
    const account = (await findAccount(ctx.db, session.accountId)) as OperatorAccount
    const { token, expiresAt } = session
    return created({ token, expires_at: timestamp(expiresAt), account: accountView(account) })
  },
})

const postVerificationFlow = route({
  ...ownAccount,
  ...waitsForProvider,
  method: 'POST',
  url: '/operator/sessions/verify/openid/begin',
  audits: 'operator_session',
  summary: 'Begin to verify your session with the identity provider',
  description: `Begins another sign-in at the provider, which asks for the password again. ${beginText}`,
  refuses: beginRefusals,
  body: StrictObject({}),
  answers: BegunAnswer,
  async handle(ctx, { operator, headers }) {
    const { accountId } = ownSession(operator, headers)
    const redirectUri = redirectUriOf(ctx, headers)
    const flow = await beginFlow(ctx, { purpose: 'verification', accountId, redirectUri })
    return created(begunView(flow))
  },
})

const postVerification = route({
  ...ownAccount,
  ...waitsForProvider,
  method: 'POST',
  url: '/operator/sessions/verify/openid',
  audits: 'operator_session',
  summary: 'Verify your session with the identity provider',
  description: `Finishes another sign-in at the provider. Sensitive operations then accept your session for ten minutes. Somebody else than the person of your account gets 403 \`identity_refused\`. An account with two-factor authentication gets 401 \`code_required\`: verify it with a code. A provider that does not say when the person signed in gets 401 \`provider_refused\`. ${finishText}`,
  refuses: {
    ...finishRefusals,
    identity_refused: 'it is not that of the account',
    code_required: '',
  },
  body: StrictObject(FlowBody),
  answers: { 204: Type.Null() },
  async handle(ctx, { body, operator, headers }) {
    const answer = flowAnswerOf(ctx, headers, body)
    await verifyWithProvider(ctx, { ...ownSession(operator, headers), answer })
    return noContent()
  },
})

const postLinkFlow = route({
  ...ownAccount,
  ...waitsForProvider,
  isSensitive: true,
  method: 'POST',
  url: '/operator/accounts/me/identity/begin',
  audits: 'operator_account',
  summary: 'Begin to link your account to the identity provider',
  description: `Begins to link your account, so that you can sign in with OpenID Connect. ${beginText}`,
  refuses: beginRefusals,
  body: StrictObject({}),
  answers: BegunAnswer,
  async handle(ctx, { operator, headers }) {
    const { accountId } = ownSession(operator, headers)
    const redirectUri = redirectUriOf(ctx, headers)
    return created(begunView(await beginFlow(ctx, { purpose: 'link', accountId, redirectUri })))
  },
})

const postLink = route({
  ...ownAccount,
  ...waitsForProvider,
  isSensitive: true,
  method: 'POST',
  url: '/operator/accounts/me/identity',
  audits: 'operator_account',
  summary: 'Link your account to the identity provider',
  description: `Links your account to the person whom the provider has signed in. Your password stays valid. An account that has a link, or an identity of another account, answers 409 \`id_taken\`. ${finishText}`,
  refuses: { ...finishRefusals, id_taken: 'identity: is linked to another account.' },
  body: StrictObject(FlowBody),
  answers: { 200: AccountAnswer },
  async handle(ctx, { body, operator, headers }) {
    const { accountId } = ownSession(operator, headers)
    const answer = flowAnswerOf(ctx, headers, body)
    return ok(accountView(await linkOwnAccount(ctx, { accountId, answer })))
  },
})

const deleteOwnLink = route({
  ...ownAccount,
  isSensitive: true,
  method: 'DELETE',
  url: '/operator/accounts/me/identity',
  audits: 'operator_account',
  summary: 'Remove the link of your account to the identity provider',
  description:
    'Removes the link and ends your other sessions. You then sign in with your password; an account without one answers 400 `bad_request`. An account without a link answers 404 `not_found`.',
  refuses: {
    not_found: 'Account 1000000000001 has no link',
    bad_request:
      'account: expected an account with a password, because it could not sign in otherwise',
  },
  answers: { 204: Type.Null() },
  async handle(ctx, { operator, headers }) {
    await unlinkOwnAccount(ctx, ownSession(operator, headers))
    return noContent()
  },
})

const deleteLink = route({
  scope: 'operator',
  permission: 'accounts:manage',
  sites: allSites,
  tag,
  isSensitive: true,
  method: 'DELETE',
  url: '/operator/accounts/:id/identity',
  audits: 'operator_account',
  versioned: versionedAccount,
  summary: 'Remove the link of an operator account to the identity provider',
  description:
    'Removes the link and ends all sessions of the account. Without a password, it then needs another invitation. An account with a permission that you lack answers 403 `permission_denied`, the last active one with the role `owner` and no password 409 `last_owner`. An unknown id, or an account without a link, answers 404 `not_found`.',
  refuses: { not_found: 'Account not found: 1000000000001', last_owner: '' },
  params: Type.Object({ id: { ...IdText, description: 'Id of the account' } }),
  answers: { 204: Type.Null() },
  async handle(ctx, { params, operator }) {
    await unlinkIdentity(ctx, { id: pathId('id', params.id), actor: operator })
    return noContent()
  },
})

/** Returns the address to which the provider sends browsers back. */
function redirectUriOf(
  { config }: Pick<Context, 'config'>,
  { host }: Pick<IncomingHttpHeaders, 'host'>,
): string {
  return `${baseAddress(config, { host })}${redirectPath}`
}

function flowAnswerOf(
  ctx: Pick<Context, 'config'>,
  headers: IncomingHttpHeaders,
  body: { state: string; verifier: string; authorization_code: string; iss?: string },
): FlowAnswer {
  const { state, verifier, authorization_code: authorizationCode, iss } = body
  return { state, verifier, authorizationCode, iss, redirectUri: redirectUriOf(ctx, headers) }
}

function begunView({ authorizationUrl, state, verifier }: BegunFlow): object {
  return { authorization_url: authorizationUrl, state, verifier }
}

/** The operations by which operators sign in with OpenID Connect. */
export const openidRoutes: Route[] = [
  postSignInFlow,
  postSignIn,
  postVerificationFlow,
  postVerification,
  postLinkFlow,
  postLink,
  deleteOwnLink,
  deleteLink,
]
