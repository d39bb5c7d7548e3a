import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { clientScopes } from '../../src/http/scopes.ts'
import type { TestApp } from './app.ts'
import { FormBrowser } from './browser.ts'
import type { TestResponse } from './client.ts'
import { anaId, applicationId, authorize, brunoId, putApplication } from './market.ts'
import { pollUntil } from './wait.ts'

export const password = 'correcto caballo batería'
export const clientSecret = 'a-secret-of-the-application'
export const redirectUri = 'https://app.example/callback'

/** Gives the market's application what it needs to ask for access, and ana and bruno a password. */
export async function enableSignIn({ client }: TestApp, more: object = {}): Promise<void> {
  await registerClient(client, applicationId, more)
  for (const id of [anaId, brunoId]) {
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
  await putApplication(client, id, {
    secret: clientSecret,
    redirect_uris: [redirectUri],
    scopes: [...clientScopes],
    requires_pkce: false,
    is_public: false,
    owner_id: null,
    ...more,
  })
}

export function createPkcePair(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export function authorizationUrlPath(more: Record<string, string | undefined> = {}): string {
  const parameters = {
    response_type: 'code',
    client_id: String(applicationId),
    redirect_uri: redirectUri,
    state: 'st-1',
    ...more,
  }
  const entries = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return `/authorization?${new URLSearchParams(entries)}`
}

export async function openSignedInBrowser(
  app: TestApp,
  nickname = 'ANA_VENDE',
): Promise<FormBrowser> {
  const browser = new FormBrowser(app)
  const done = await browser.signIn(nickname, password)
  assert.equal(done.status, 303, done.text)
  return browser
}

/** Where the browser is led once its user has decided. */
export async function submitConsent(
  browser: FormBrowser,
  more: Record<string, string | undefined> = {},
  decision: 'allow' | 'deny' = 'allow',
): Promise<URL> {
  const page = await browser.load(authorizationUrlPath(more))
  assert.equal(page.status, 200, page.text)
  const done = await browser.submit(page, '/authorization', { decision })
  assert.equal(done.status, 303, done.text)
  return new URL(done.location ?? '')
}

export async function obtainCode(
  browser: FormBrowser,
  more: Record<string, string | undefined> = {},
): Promise<string> {
  const code = (await submitConsent(browser, more)).searchParams.get('code')
  assert.ok(code)
  return code
}

/** Asks for tokens, as most clients do: by a form. */
export async function requestToken(
  app: TestApp,
  fields: Record<string, string>,
): Promise<TestResponse> {
  return app.client.send('POST', '/oauth/token', {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
}

const proof = { client_id: String(applicationId), client_secret: clientSecret }

export async function exchangeAuthorizationCode(
  app: TestApp,
  code: string,
  more: Record<string, string> = {},
): Promise<TestResponse> {
  const grant_type = 'authorization_code'
  return requestToken(app, { grant_type, ...proof, code, redirect_uri: redirectUri, ...more })
}

export async function exchangeRefreshToken(
  app: TestApp,
  refresh_token: string,
  more: Record<string, string> = {},
): Promise<TestResponse> {
  return requestToken(app, { grant_type: 'refresh_token', ...proof, refresh_token, ...more })
}

/** Waits until a process refuses an access token. It is told of an end by the database. */
export async function waitUntilTokenRefused({ client }: TestApp, token: string): Promise<void> {
  await pollUntil(
    'the end of a token',
    async () => (await client.get('/users/me', token)).status === 401,
  )
}

/** Signing in, consent, tokens and their end; and the accounts of who did. */
export async function exerciseOAuth(app: TestApp): Promise<void> {
  const { client } = app
  await enableSignIn(app, { owner_id: anaId })
  const browser = await openSignedInBrowser(app)
  const { body: first } = await exchangeAuthorizationCode(app, await obtainCode(browser))
  const { body: second } = await exchangeRefreshToken(app, first.refresh_token)
  const { access_token: token, user_id } = second
  await client.get('/users/me', token)
  await client.get(`/users/${brunoId}`)
  await client.get(`/users/${user_id}/applications`, token)
  const own = await requestToken(app, { grant_type: 'client_credentials', ...proof })
  const grants = await client.get(`/applications/${applicationId}/grants`, own.body.access_token)
  assert.equal(grants.status, 200)
  await client.send('POST', '/users/test_user', { token, body: { site_id: 'MLA' } })
  const credentials = { client_id: applicationId, client_secret: clientSecret }
  for (const revokedToken of [token, second.refresh_token]) {
    await client.send('POST', '/oauth/revoke', { body: { ...credentials, token: revokedToken } })
  }
  assert.equal((await exchangeRefreshToken(app, first.refresh_token)).status, 400)
  await client.operator('PUT', `/operator/authorizations/${applicationId}/${user_id}`, {
    scopes: ['read'],
  })
  const page = await browser.load('/account')
  await browser.submit(page, '/account', {})
  await browser.submit(page, '/logout', {})
  await authorize(client, applicationId, user_id)
}
