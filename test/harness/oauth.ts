import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { TestApp } from './app.ts'
import { Browser } from './browser.ts'
import type { Answered } from './client.ts'
import { until } from './program.ts'
import { ana, applicationId, bruno } from './sale.ts'

export const password = 'correcto caballo batería'
export const clientSecret = 'a-secret-of-the-application'
export const redirectUri = 'https://app.example/callback'

/** Gives the market's application what it needs to ask for access, and ana and bruno a password. */
export async function openSignIn({ client }: TestApp, more: object = {}): Promise<void> {
  await registerClient(client, applicationId, more)
  for (const id of [ana, bruno]) {
    const { status, text } = await client.operator('PUT', `/operator/users/${id}/password`, {
      password,
    })
    assert.equal(status, 204, text)
  }
}

export async function registerClient(
  client: TestApp['client'],
  id: number,
  more: object = {},
): Promise<void> {
  const { status, text } = await client.operator('PUT', `/operator/applications/${id}`, {
    name: 'Stock keeper',
    callback_url: null,
    topics: ['orders_v2'],
    secret: clientSecret,
    redirect_uris: [redirectUri],
    scopes: ['offline_access', 'read', 'write'],
    requires_pkce: false,
    is_public: false,
    owner_id: null,
    ...more,
  })
  assert.ok(status < 300, text)
}

export function proofKey(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export function authorizationPath(more: Record<string, string | undefined> = {}): string {
  const asked = {
    response_type: 'code',
    client_id: String(applicationId),
    redirect_uri: redirectUri,
    state: 'st-1',
    ...more,
  }
  const given = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return `/authorization?${new URLSearchParams(given)}`
}

export async function signedIn(app: TestApp, nickname = 'ANA_VENDE'): Promise<Browser> {
  const browser = new Browser(app)
  const done = await browser.signIn(nickname, password)
  assert.equal(done.status, 303, done.text)
  return browser
}

/** Where the browser is led once its user has decided. */
export async function decide(
  browser: Browser,
  more: Record<string, string | undefined> = {},
  decision: 'allow' | 'deny' = 'allow',
): Promise<URL> {
  const page = await browser.load(authorizationPath(more))
  assert.equal(page.status, 200, page.text)
  const done = await browser.submit(page, '/authorization', { decision })
  assert.equal(done.status, 303, done.text)
  return new URL(done.location ?? '')
}

export async function codeFor(
  browser: Browser,
  more: Record<string, string | undefined> = {},
): Promise<string> {
  const code = (await decide(browser, more)).searchParams.get('code')
  assert.ok(code)
  return code
}

/** Asks for tokens, as most clients do: by a form. */
export async function askToken(app: TestApp, fields: Record<string, string>): Promise<Answered> {
  return app.client.call('POST', '/oauth/token', {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
}

const proof = { client_id: String(applicationId), client_secret: clientSecret }

export async function exchange(
  app: TestApp,
  code: string,
  more: Record<string, string> = {},
): Promise<Answered> {
  const grant_type = 'authorization_code'
  return askToken(app, { grant_type, ...proof, code, redirect_uri: redirectUri, ...more })
}

export async function refresh(
  app: TestApp,
  refresh_token: string,
  more: Record<string, string> = {},
): Promise<Answered> {
  return askToken(app, { grant_type: 'refresh_token', ...proof, refresh_token, ...more })
}

/** Waits until a process refuses an access token. It is told of an end by the database. */
export async function untilRefused({ client }: TestApp, token: string): Promise<void> {
  await until(
    'the end of a token',
    async () => (await client.get('/users/me', token)).status === 401,
  )
}

/** Signing in, consent, tokens and their end; and the accounts of who did. */
export async function letIn(app: TestApp): Promise<void> {
  const { operator, get, call } = app.client
  await openSignIn(app, { owner_id: ana })
  const browser = await signedIn(app)
  const { body: first } = await exchange(app, await codeFor(browser))
  const { body: second } = await refresh(app, first.refresh_token)
  const { access_token: token, user_id } = second
  await get('/users/me', token)
  await get(`/users/${bruno}`)
  await get(`/users/${user_id}/applications`, token)
  const own = await askToken(app, { grant_type: 'client_credentials', ...proof })
  const grants = await get(`/applications/${applicationId}/grants`, own.body.access_token)
  assert.equal(grants.status, 200)
  await call('POST', '/users/test_user', { token, body: { site_id: 'MLA' } })
  const credentials = { client_id: applicationId, client_secret: clientSecret }
  for (const given of [token, second.refresh_token]) {
    await call('POST', '/oauth/revoke', { body: { ...credentials, token: given } })
  }
  assert.equal((await refresh(app, first.refresh_token)).status, 400)
  await operator('PUT', `/operator/authorizations/${applicationId}/${user_id}`, {
    scopes: ['read'],
  })
  const page = await browser.load('/account')
  await browser.submit(page, '/account', {})
  await browser.submit(page, '/logout', {})
  await operator('PUT', `/operator/authorizations/${applicationId}/${user_id}`, {})
}
