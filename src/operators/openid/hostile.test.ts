import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import {
  begin,
  clientId,
  configurationPath,
  type FlowBody,
  finishSignIn,
  openProviderServer,
  type ProviderScript,
  type ProviderServer,
  scriptedCode,
  serveScriptedProvider,
  signInPath,
} from '../../../test/harness/openid-provider.ts'
import {
  createAccount,
  openAccount,
  sendAs,
  signIn,
  succeed,
} from '../../../test/harness/operators.ts'
import { hourMs } from '../../kernel/clock.ts'

/** These tests sign in at a provider that answers what no honest one does. */
let app: TestApp
let provider: ProviderServer
let behavior: ProviderScript

const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

beforeEach(async () => {
  behavior = {}
  provider = await openProviderServer()
  serveScriptedProvider(provider, () => behavior)
  app = await openTestApp({ env: provider.env })
  await app.client.operator('POST', '/operator/accounts', {
    email: 'ana@example.com',
    name: 'Ana',
    role: 'owner',
  })
})
afterEach(async () => {
  await app.close()
  await provider.close()
})

/** Begins a flow and returns what the browser comes back with. */
async function returnFromProvider(path?: string, token?: string): Promise<FlowBody> {
  const { authorization_url, state, verifier } = await begin(app, path, token)
  return { state, verifier, authorization_code: scriptedCode(authorization_url) }
}

async function trySignIn(next: ProviderScript): Promise<[status: number, error: string]> {
  const body = await returnFromProvider()
  behavior = next
  const { status, body: answered } = await finishSignIn(app, body)
  behavior = {}
  return [status, answered.error]
}

const countLinks = async () => {
  const { accounts } = await succeed(app.client.operator('GET', '/operator/accounts'))
  return accounts.filter(({ identity }: { identity: object | null }) => identity !== null).length
}

test('an ID token counts only with the right key, issuer, audience, nonce and times', async () => {
  const seconds = Math.floor(Date.now() / 1_000)
  const unsigned = { alg: 'none' }
  const wrong: Record<string, ProviderScript> = {
    'another key': { signedBy: otherKey },
    'an unknown key': { signedBy: otherKey, header: { kid: '2' } },
    'no signature': { header: unsigned },
    'the secret as key': { header: { alg: 'HS256' } },
    'another issuer': { claims: { iss: 'https://attacker.example' } },
    'another audience': { claims: { aud: 'another client' } },
    'several audiences': { claims: { aud: [clientId, 'another client'], azp: 'another client' } },
    'another nonce': { claims: { nonce: 'another' } },
    'no nonce': { claims: { nonce: undefined } },
    'past its end': { claims: { exp: seconds - 3_600 } },
    'no subject': { claims: { sub: undefined } },
    'an endless subject': { claims: { sub: 'x'.repeat(256) } },
    'a subject that is no text': { claims: { sub: 7 } },
  }
  for (const [name, next] of Object.entries(wrong)) {
    assert.deepEqual(await trySignIn(next), [401, 'provider_refused'], name)
  }
  assert.equal(await countLinks(), 0)
  assert.equal((await finishSignIn(app, await returnFromProvider())).status, 201)
})

test('an address counts as verified only where the provider says so, of the same person', async () => {
  for (const email_verified of [false, undefined, 'true', 1]) {
    assert.deepEqual(await trySignIn({ claims: { email_verified } }), [403, 'identity_refused'])
  }
  const claims = { email: undefined, email_verified: undefined }
  const userInfo = { email: 'ana@example.com', email_verified: true }
  assert.deepEqual(await trySignIn({ claims, userInfo: { ...userInfo, sub: 'another' } }), [
    401,
    'provider_refused',
  ])
  assert.deepEqual(await trySignIn({ claims, userInfo: { sub: 'ana' } }), [403, 'identity_refused'])
  assert.equal(await countLinks(), 0)
  const [status] = await trySignIn({ claims, userInfo: { ...userInfo, sub: 'ana' } })
  assert.equal(status, 201)
})

test('a provider that is down costs a clear error for those who use it, and nothing else', async () => {
  const body = await returnFromProvider()
  await provider.close()
  const finished = await finishSignIn(app, body)
  assert.deepEqual([finished.status, finished.body.error], [503, 'provider_unavailable'])
  app.advance(hourMs)
  const begun = await app.client.send('POST', `${signInPath}/begin`, { body: {} })
  assert.deepEqual([begun.status, begun.body.error], [503, 'provider_unavailable'])
  await createAccount(app, { email: 'ben@example.com', role: 'owner' })
  await signIn(app, { email: 'ben@example.com' })
  assert.equal((await app.client.get('/health/ready')).status, 200)
})

test('a server starts without its provider, and uses it once it answers', async () => {
  behavior = {
    paths: { [configurationPath]: (_request, response) => response.writeHead(500).end() },
  }
  const refused = await app.client.send('POST', `${signInPath}/begin`, { body: {} })
  assert.deepEqual([refused.status, refused.body.error], [503, 'provider_unavailable'])
  behavior = {}
  await succeed(finishSignIn(app, await returnFromProvider()))
})

test('the configuration of the provider is read once an hour, however many sign in', async () => {
  const reads = () => provider.requests.filter((path) => path === configurationPath).length
  await Promise.all(Array.from({ length: 10 }, () => begin(app)))
  assert.equal(reads(), 1)
  app.advance(hourMs)
  await begin(app)
  assert.equal(reads(), 2)
})

test('a configuration of another issuer, or without its endpoints, is not used', async () => {
  const configurations = [
    { issuer: 'https://attacker.example' },
    { issuer: undefined },
    { authorization_endpoint: undefined },
    { token_endpoint: undefined },
    { jwks_uri: undefined },
  ]
  for (const configuration of configurations) {
    behavior = { configuration }
    const { status, body } = await app.client.send('POST', `${signInPath}/begin`, { body: {} })
    assert.deepEqual([status, body.error], [503, 'provider_unavailable'])
  }
})

test('an answer that is endless, late or an error is cut off', async () => {
  const endless = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const chunk = Buffer.alloc(64 * 1024, ' ')
    const send = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', send)
    send()
  }
  const failing = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(502).end()
  }
  const unavailable = [503, 'provider_unavailable']
  for (const paths of [{ '/token': endless }, { '/keys': endless }, { '/token': failing }]) {
    assert.deepEqual(await trySignIn({ paths }), unavailable)
  }
  const late = [
    () => {},
    (_request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    },
  ]
  const bodies = [await returnFromProvider(), await returnFromProvider()]
  behavior = { paths: { '/token': (request, response) => late.pop()?.(request, response) } }
  const answers = await Promise.all(bodies.map((body) => finishSignIn(app, body)))
  for (const { status, body } of answers) assert.deepEqual([status, body.error], unavailable)
})

test('a sign-in that broke off begins anew, and one that broke off after its link is linked', async () => {
  const failing = {
    '/token': (_request: IncomingMessage, response: ServerResponse) => response.destroy(),
  }
  const broken = await returnFromProvider()
  behavior = { paths: failing }
  assert.equal((await finishSignIn(app, broken)).status, 503)
  behavior = {}
  const repeated = await finishSignIn(app, broken)
  assert.deepEqual([repeated.status, repeated.body.error], [401, 'flow_ended'])
  // The link commits before the session: here the session is refused.
  const block = 'alter table operator_sessions add constraint blocked check (false) not valid'
  await app.ctx.db.rows({ name: '', text: block, values: [] })
  assert.equal((await finishSignIn(app, await returnFromProvider())).status, 500)
  assert.equal(await countLinks(), 1)
  const allow = 'alter table operator_sessions drop constraint blocked'
  await app.ctx.db.rows({ name: '', text: allow, values: [] })
  assert.equal((await finishSignIn(app, await returnFromProvider())).status, 201)
})

test('a redirect of the provider is not followed', async () => {
  const paths = {
    '/token': (_request: IncomingMessage, response: ServerResponse) =>
      response.writeHead(307, { location: `${provider.issuer}/elsewhere` }).end(),
  }
  assert.deepEqual(await trySignIn({ paths }), [401, 'provider_refused'])
  assert.ok(!provider.requests.includes('/elsewhere'))
})

test('a verification takes a sign-in after it began, by the clock of the provider', async () => {
  const { token } = await openAccount(app, { email: 'ben@example.com', role: 'owner' })
  const identityPath = '/operator/accounts/me/identity'
  await succeed(
    sendAs(app, token, 'POST', identityPath, await returnFromProvider(identityPath, token)),
  )
  const path = '/operator/sessions/verify/openid'
  const seconds = Math.floor(Date.now() / 1_000)
  const verify = async (auth_time: unknown) => {
    const body = await returnFromProvider(path, token)
    behavior = { claims: { iat: seconds, auth_time } }
    const { status } = await sendAs(app, token, 'POST', path, body)
    behavior = {}
    return status
  }
  const statuses: number[] = []
  for (const auth_time of [undefined, seconds - 60, 'now', seconds]) {
    statuses.push(await verify(auth_time))
  }
  assert.deepEqual(statuses, [401, 401, 401, 204])
})

test('a session of a provider that says when the person signed in counts as verified then', async () => {
  const seconds = Math.floor(Date.now() / 1_000)
  const session = async (auth_time: number | undefined) => {
    const body = await returnFromProvider()
    behavior = { claims: { iat: seconds, ...(auth_time === undefined ? {} : { auth_time }) } }
    const { token } = await succeed(finishSignIn(app, body))
    behavior = {}
    const { status } = await sendAs(app, token, 'POST', '/operator/keys', {
      name: 'x',
      role: 'read-only',
    })
    return status
  }
  assert.equal(await session(seconds - 60), 201)
  assert.equal(await session(seconds - 3_600), 403)
  assert.equal(await session(undefined), 403)
})
