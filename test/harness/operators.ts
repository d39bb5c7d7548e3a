import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { operatorToken, type TestApp } from './app.ts'
import type { TestResponse } from './client.ts'

export const operatorPassword = 'a long password of an operator'

/** Sends a request with a credential of an operator. */
export function sendAs(
  app: Pick<TestApp, 'client'>,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<TestResponse> {
  return app.client.send(method, path, { token, body })
}

/** Returns the body of the answer, which must be a success. */
export async function succeed<T extends TestResponse>(answer: Promise<T>): Promise<T['body']> {
  const { status, body, text } = await answer
  assert.ok(status < 300, `${status} ${text}`)
  return body
}

export interface TestAccount {
  id: number
  email: string
  token: string
}

/** Creates an account, accepts its invitation and signs it in. */
export async function openAccount(
  app: TestApp,
  { email, ...account }: { email: string; role: string; sites?: readonly string[] },
): Promise<TestAccount> {
  const id = await createAccount(app, { email, ...account })
  return { id, email, token: await signIn(app, { email }) }
}

/** Creates an account whose invitation was accepted, and returns its id. */
export async function createAccount(
  app: Pick<TestApp, 'client'>,
  {
    email,
    token = operatorToken,
    ...account
  }: { email: string; role: string; sites?: readonly string[]; token?: string },
): Promise<number> {
  const invited = { email, name: email.split('@')[0], ...account }
  const { invitation, account: created } = await succeed(
    sendAs(app, token, 'POST', '/operator/accounts', invited),
  )
  await accept(app, invitation)
  return created.id
}

/** Accepts an invitation. */
export async function accept(
  app: Pick<TestApp, 'client'>,
  invitation: string,
  password = operatorPassword,
) {
  const body = { invitation, password }
  return succeed(app.client.send('POST', '/operator/invitations/accept', { body }))
}

/** Tries to sign in. `address` is that of the client, for servers that trust 127.0.0.1 as a proxy. */
export function trySignIn(
  app: Pick<TestApp, 'client'>,
  {
    address,
    ...attempt
  }: { email: string; password?: string; code?: string; address?: string | undefined },
): Promise<TestResponse> {
  const body = { password: operatorPassword, ...attempt }
  const headers = address === undefined ? {} : { 'x-forwarded-for': address }
  return app.client.send('POST', '/operator/sign-in', { body, headers })
}

/** Signs in and returns the token of the session. */
export async function signIn(
  app: Pick<TestApp, 'client'>,
  attempt: Parameters<typeof trySignIn>[1],
): Promise<string> {
  return (await succeed(trySignIn(app, attempt))).token
}

/** Creates an API key. */
export async function createKey(
  app: TestApp,
  key: {
    role: string
    sites?: readonly string[]
    name?: string
    expires_at?: string
    allowed_addresses?: string[]
  },
): Promise<{ id: number; key: string }> {
  return succeed(app.client.operator('POST', '/operator/keys', { name: 'a key', ...key }))
}

/** Returns the code that an authenticator app shows at a moment. */
export function codeAt(secret: string, moment: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: moment.getTime() })
}

/** Sets up an authenticator app and returns its secret and the recovery codes. */
export async function setUpTotp(
  app: Pick<TestApp, 'client'> & { ctx: Pick<TestApp['ctx'], 'now'> },
  token: string,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const path = '/operator/accounts/me/two-factor'
  const { secret } = await succeed(sendAs(app, token, 'POST', path))
  const code = codeAt(secret, app.ctx.now())
  const answer = await succeed(sendAs(app, token, 'POST', `${path}/confirm`, { code }))
  return { secret, recoveryCodes: answer.recovery_codes }
}
