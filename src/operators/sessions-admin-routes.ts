import { Type } from 'typebox'
import { created, noContent, ok, type Route, route } from '../http/route.ts'
import { ownAccountOnly } from '../http/site-rule.ts'
import { timestamp } from '../kernel/clock.ts'
import { badField } from '../kernel/failure.ts'
import { StrictObject } from '../kernel/schema.ts'
import {
  accountNotFound,
  changePassword,
  confirmTotp,
  endOwnSession,
  endTotp,
  renewRecoveryCodes,
  startTotp,
  verifySession,
} from './commands.ts'
import { SessionAnswer, sessionView } from './session-view.ts'
import { signInOperator } from './sign-in.ts'
import { countRecoveryCodes, findAccount, type OperatorAccount } from './store-accounts.ts'
import { findSessionId, listSessions } from './store-sessions.ts'
import { totpUri } from './totp.ts'
import {
  AccountAnswer,
  accountView,
  Code,
  Email,
  NewPassword,
  ownSession,
  Password,
  SessionTokenAnswer,
  tag,
} from './view.ts'

const common = { scope: 'operator', permission: 'own-account', sites: ownAccountOnly, tag } as const

const RecoveryCodesAnswer = Type.Object({
  recovery_codes: Type.Array(Type.String({ examples: ['a3f09-77b21-0c4de-91f5a'] }), {
    description:
      'Ten codes, each of which replaces a code of the authenticator app once. Shown only in this answer',
  }),
})

const signIn = route({
  method: 'POST',
  url: '/operator/sign-in',
  scope: 'public',
  audits: 'operator_session',
  sameOrigin: true,
  tag,
  summary: 'Sign in as an operator',
  description:
    'Opens a session and returns its token, which you send as `Authorization: Bearer …` to the operations of the operator. A session ends two hours after its last use, and at the latest after twelve hours. A wrong e-mail address, password or code answers 401 `sign_in_failed`. An account with two-factor authentication takes `code` too: without it, the right password answers 401 `code_required`. Five wrong attempts a minute, or ten an hour, are allowed for a network at one account, and 30 in 15 minutes for a network at all accounts. More answer 429 with `Retry-After`. An account with two-factor authentication can sign in even then, with the right password and `code`.',
  refuses: { sign_in_failed: '', code_required: '' },
  body: StrictObject({ email: Email, password: Password, code: Type.Optional(Code) }),
  answers: { 201: SessionTokenAnswer },
  async handle(ctx, { body: { email, password, code }, network, headers }) {
    const userAgent = headers['user-agent']
    const session = await signInOperator(ctx, { email, password, code, network, userAgent })
    const account = await ownAccount(ctx, session.accountId)
    const { token, expiresAt } = session
    return created({ token, expires_at: timestamp(expiresAt), account: accountView(account) })
  },
})

const getSessions = route({
  ...common,
  method: 'GET',
  url: '/operator/sessions',
  summary: 'List your sessions',
  description: 'Returns the sessions of your account, the newest first.',
  answers: { 200: Type.Object({ sessions: Type.Array(SessionAnswer) }) },
  async handle({ db, now }, { operator, headers }) {
    const { accountId, sessionDigest } = ownSession(operator, headers)
    const currentId = await findSessionId(db, sessionDigest)
    const sessions = await listSessions(db, accountId)
    const view = sessions.flatMap((session) => sessionView(session, { now: now(), currentId }))
    return ok({ sessions: view })
  },
})

const deleteSession = route({
  ...common,
  method: 'DELETE',
  url: '/operator/sessions/:session_id',
  audits: 'operator_session',
  summary: 'End a session of yours',
  description:
    'Ends a session at once, in every process. `current` signs you out. An unknown session, or one of another account, answers 404 `not_found`.',
  refuses: { not_found: 'Session not found: 6f1d2a90c4b7e835' },
  params: Type.Object({
    session_id: Type.String({
      maxLength: 40,
      description: 'Id of the session, or `current`',
      examples: ['current'],
    }),
  }),
  answers: { 204: Type.Null() },
  async handle(ctx, { params, operator, headers }) {
    const { accountId, sessionDigest } = ownSession(operator, headers)
    const { session_id } = params
    const id = session_id === 'current' ? await findSessionId(ctx.db, sessionDigest) : session_id
    await endOwnSession(ctx, { accountId, id: id ?? session_id })
    return noContent()
  },
})

const verify = route({
  ...common,
  method: 'POST',
  url: '/operator/sessions/verify',
  audits: 'operator_session',
  summary: 'Verify your session',
  description:
    'Takes a code of your authenticator app, or a recovery code, once more. Without two-factor authentication it takes your password. Sensitive operations then accept your session for ten minutes. Send exactly one of `password` and `code`, else you get 400 `bad_request`. A wrong one answers 401 `sign_in_failed`; five a minute are allowed, then 429. The password of an account with two-factor authentication answers 401 `code_required`.',
  refuses: {
    sign_in_failed: '',
    code_required: '',
    bad_request: 'password: expected either `password` or `code`',
  },
  body: StrictObject({ password: Type.Optional(Password), code: Type.Optional(Code) }),
  answers: { 204: Type.Null() },
  async handle(ctx, { body, operator, headers }) {
    if ((body.password === undefined) === (body.code === undefined)) {
      throw badField('password', 'either `password` or `code`')
    }
    await verifySession(ctx, { ...ownSession(operator, headers), ...body })
    return noContent()
  },
})

const getMe = route({
  ...common,
  method: 'GET',
  url: '/operator/accounts/me',
  summary: 'Get your account',
  description: 'Returns the account of your session, with its permissions.',
  answers: {
    200: Type.Object({
      ...AccountAnswer.properties,
      recovery_codes_left: Type.Integer({ description: 'Recovery codes that were not used yet' }),
    }),
  },
  async handle(ctx, { operator, headers }) {
    const { accountId } = ownSession(operator, headers)
    const account = await ownAccount(ctx, accountId)
    const left = await countRecoveryCodes(ctx.db, accountId)
    return ok({ ...accountView(account), recovery_codes_left: left })
  },
})

const putPassword = route({
  ...common,
  method: 'PUT',
  url: '/operator/accounts/me/password',
  audits: 'operator_account',
  summary: 'Change your password',
  description:
    'Changes your password and ends all your other sessions. A wrong current password answers 401 `sign_in_failed`; five a minute are allowed, then 429.',
  refuses: { sign_in_failed: '' },
  body: StrictObject({
    current_password: { ...Password, description: 'Your present password' },
    password: NewPassword,
  }),
  answers: { 204: Type.Null() },
  async handle(ctx, { body, operator, headers }) {
    const { current_password: current, password } = body
    await changePassword(ctx, { ...ownSession(operator, headers), current, password })
    return noContent()
  },
})

const postTotp = route({
  ...common,
  isSensitive: true,
  method: 'POST',
  url: '/operator/accounts/me/two-factor',
  audits: 'operator_account',
  summary: 'Set up an authenticator app',
  description:
    'Returns a secret for an authenticator app (RFC 6238). It takes effect when you confirm it with a code (`POST /operator/accounts/me/two-factor/confirm`). An app that you set up before stays valid until then.',
  answers: {
    200: Type.Object({
      secret: Type.String({ description: 'The secret in Base32', examples: ['JBSWY3DPEHPK3PXP'] }),
      uri: Type.String({
        description: 'The secret as an address, for a QR code',
        examples: ['otpauth://totp/Feria:operator%40example.com?secret=JBSWY3DPEHPK3PXP'],
      }),
    }),
  },
  async handle(ctx, { operator, headers }) {
    const { accountId } = ownSession(operator, headers)
    const { email } = await ownAccount(ctx, accountId)
    const secret = await startTotp(ctx, accountId)
    return ok({ secret, uri: totpUri(secret, email) })
  },
})

const postTotpConfirmation = route({
  ...common,
  isSensitive: true,
  method: 'POST',
  url: '/operator/accounts/me/two-factor/confirm',
  audits: 'operator_account',
  summary: 'Confirm your authenticator app',
  description:
    'Takes a code of the app that you set up, and returns ten recovery codes. From now on, signing in and verifying a session take a code. All your other sessions end. A wrong code answers 400 `bad_request`.',
  refuses: { bad_request: 'code: expected a current code of the authenticator app' },
  body: StrictObject({
    code: Type.String({
      pattern: '^[0-9]{6}$',
      description: 'The code that the app shows',
      examples: ['492039'],
    }),
  }),
  answers: { 200: RecoveryCodesAnswer },
  async handle(ctx, { body, operator, headers }) {
    const codes = await confirmTotp(ctx, { ...ownSession(operator, headers), code: body.code })
    return ok({ recovery_codes: codes })
  },
})

const deleteTotp = route({
  ...common,
  isSensitive: true,
  method: 'DELETE',
  url: '/operator/accounts/me/two-factor',
  audits: 'operator_account',
  summary: 'Remove your authenticator app',
  description: 'Removes the app and the recovery codes. Signing in then takes the password alone.',
  answers: { 204: Type.Null() },
  async handle(ctx, { operator, headers }) {
    await endTotp(ctx, ownSession(operator, headers).accountId)
    return noContent()
  },
})

const postRecoveryCodes = route({
  ...common,
  isSensitive: true,
  method: 'POST',
  url: '/operator/accounts/me/recovery-codes',
  audits: 'operator_account',
  summary: 'Renew your recovery codes',
  description:
    'Returns ten new recovery codes. The old ones are refused from now on. Without an authenticator app you get 400 `bad_request`.',
  refuses: { bad_request: 'account: expected an account with an authenticator app' },
  answers: { 200: RecoveryCodesAnswer },
  async handle(ctx, { operator, headers }) {
    const { accountId } = ownSession(operator, headers)
    return ok({ recovery_codes: await renewRecoveryCodes(ctx, accountId) })
  },
})

async function ownAccount({ db }: Parameters<Route['handle']>[0], id: number) {
  const account: OperatorAccount | undefined = await findAccount(db, id)
  if (!account) throw accountNotFound(id)
  return account
}

/** The operations by which operators sign in and manage their own account. */
export const operatorSessionRoutes: Route[] = [
  signIn,
  getSessions,
  deleteSession,
  verify,
  getMe,
  putPassword,
  postTotp,
  postTotpConfirmation,
  deleteTotp,
  postRecoveryCodes,
]
