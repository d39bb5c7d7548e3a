import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { FormBrowser } from '../../../test/harness/browser.ts'
import { contract } from '../../../test/harness/contract.ts'
import { anaId, applicationId, createTestMarket } from '../../../test/harness/market.ts'
import {
  authorizationUrlPath,
  clientSecret,
  createPkcePair,
  enableSignIn,
  exchangeAuthorizationCode,
  exchangeRefreshToken,
  obtainCode,
  openSignedInBrowser,
  password,
  redirectUri,
  registerClient,
  requestToken,
  submitConsent,
} from '../../../test/harness/oauth.ts'
import { dayMs, minuteMs } from '../../kernel/clock.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
after(() => app.close())
beforeEach(() => enableSignIn(app))

/** The fields of a recorded answer, and of a recorded refusal. */
const recorded = {
  tokens: ['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type', 'user_id'],
  refusal: ['error_description', 'error', 'status', 'cause'],
}

contract('users', 'a code is exchanged for tokens of the recorded shape', async () => {
  const { status, body, headers } = await exchangeAuthorizationCode(
    app,
    await obtainCode(await openSignedInBrowser(app)),
  )
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).sort(), recorded.tokens)
  assert.match(body.access_token, /^APP_USR-700700-\d{6}-[0-9a-f]{32}-1001$/)
  assert.match(body.refresh_token, /^TG-[0-9a-f]{24}-1001$/)
  const { access_token, refresh_token, ...rest } = body
  const [token_type, scope] = ['Bearer', 'offline_access read write']
  assert.deepEqual(rest, { token_type, expires_in: 21_600, scope, user_id: anaId })
  assert.equal(headers.get('cache-control'), 'no-store')
  const me = await app.client.get('/users/me', access_token)
  assert.equal(me.body.id, anaId)
  assert.ok(refresh_token)
})

contract('users', 'whoever is not signed in signs in first, and goes on where it was', async () => {
  const browser = new FormBrowser(app)
  const path = authorizationUrlPath({ state: 'a b&c=d"<>', scope: 'read' })
  const done = await browser.signIn('ana@example.com', password, path)
  assert.equal(done.status, 303)
  const consent = await browser.load(done.location ?? '')
  assert.match(consent.text, /Authorize Stock keeper/)
  const back = await browser.submit(consent, '/authorization', { decision: 'allow' })
  const to = new URL(back.location ?? '')
  assert.equal(to.searchParams.get('state'), 'a b&c=d"<>')
})

contract(
  'users',
  'the page names the application, who is signed in, what is asked and where it leads',
  async () => {
    const browser = await openSignedInBrowser(app)
    await registerClient(app.client, applicationId, { name: 'Depósito <b>"&' })
    const phrases = {
      es: ['ver tus ventas', 'mantener el acceso'],
      pt: ['ver suas vendas', 'continuar fazendo'],
      en: ['see your sales', 'keep access'],
    }
    for (const [language, [readPhrase, accessPhrase]] of Object.entries(phrases)) {
      browser.language = `${language}-XX, de;q=0.9`
      const { text } = await browser.load(authorizationUrlPath({ scope: 'read' }))
      assert.match(text, RegExp(`<html lang="${language === 'pt' ? 'pt-BR' : language}">`))
      assert.match(text, /Depósito &lt;b&gt;&quot;&amp;/)
      assert.doesNotMatch(text, /<b>|<script/)
      assert.match(text, /ANA_VENDE/)
      assert.match(text, /app\.example/)
      assert.ok(text.includes(readPhrase ?? ''))
      assert.ok(!text.includes(accessPhrase ?? ''))
      const all = await browser.load(authorizationUrlPath())
      assert.ok(all.text.includes(accessPhrase ?? ''))
    }
  },
)

contract(
  'users',
  'whoever finds somebody else signed in signs out, and is asked again',
  async () => {
    const browser = await openSignedInBrowser(app)
    const path = authorizationUrlPath({ scope: 'read' })
    const page = await browser.load(path)
    const out = await browser.submit(page, '/logout', {})
    assert.deepEqual([out.status, out.location], [303, path])
    const again = await browser.signIn('BRUNO_COMPRA', password, path)
    assert.match((await browser.load(again.location ?? '')).text, /BRUNO_COMPRA/)
  },
)

contract(
  'users',
  'who denies is sent back with access_denied, and nothing is granted',
  async () => {
    const browser = await openSignedInBrowser(app, 'BRUNO_COMPRA')
    const { searchParams } = await submitConsent(browser, {}, 'deny')
    assert.equal(searchParams.get('error'), 'access_denied')
    assert.equal(searchParams.get('state'), 'st-1')
    assert.equal(searchParams.get('code'), null)
    const path = `/operator/authorizations/${applicationId}/2002`
    assert.equal((await app.client.operator('DELETE', path)).status, 404)
  },
)

contract(
  'users',
  'tokens are asked for by a form, by JSON, in the query, or with HTTP Basic',
  async () => {
    const browser = await openSignedInBrowser(app)
    const fields = async () => ({
      grant_type: 'authorization_code',
      client_id: String(applicationId),
      client_secret: clientSecret,
      code: await obtainCode(browser),
      redirect_uri: redirectUri,
    })
    assert.equal((await requestToken(app, await fields())).status, 200)
    const json = { ...(await fields()), client_id: applicationId }
    assert.equal((await app.client.send('POST', '/oauth/token', { body: json })).status, 200)
    for (const headers of [{}, { 'content-type': 'application/json' }] as Record<
      string,
      string
    >[]) {
      const query = new URLSearchParams(await fields())
      const { status } = await app.client.send('POST', `/oauth/token?${query}`, { headers })
      assert.equal(status, 200)
    }
    const { client_id, client_secret, ...rest } = await fields()
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
    const headers = {
      authorization: `Basic ${basic}`,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const body = new URLSearchParams(rest).toString()
    const { status } = await app.client.send('POST', '/oauth/token', { body, headers })
    assert.equal(status, 200)
  },
)

contract(
  'users',
  'a refresh token is answered with another one, and lasts for six months',
  async () => {
    const first = (
      await exchangeAuthorizationCode(app, await obtainCode(await openSignedInBrowser(app)))
    ).body
    app.advance(182 * dayMs)
    const second = await exchangeRefreshToken(app, first.refresh_token)
    assert.equal(second.status, 200)
    assert.notEqual(second.body.refresh_token, first.refresh_token)
    assert.equal(second.body.scope, 'offline_access read write')
    assert.equal((await app.client.get('/users/me', second.body.access_token)).status, 200)
    app.advance(183 * dayMs)
    assert.equal(
      (await exchangeRefreshToken(app, second.body.refresh_token)).body.error,
      'invalid_grant',
    )
  },
)

contract('users', 'a refresh token comes with offline_access alone', async () => {
  const browser = await openSignedInBrowser(app)
  const without = await exchangeAuthorizationCode(
    app,
    await obtainCode(browser, { scope: 'read write' }),
  )
  assert.equal(without.body.scope, 'read write')
  assert.ok(!('refresh_token' in without.body))
  await registerClient(app.client, applicationId, { scopes: ['read'] })
  const narrow = await exchangeAuthorizationCode(app, await obtainCode(browser))
  assert.equal(narrow.body.scope, 'read')
  assert.ok(!('refresh_token' in narrow.body))
})

contract(
  'users',
  'a refresh may ask for less than was granted, and never for more (RFC 6749, 6)',
  async () => {
    const browser = await openSignedInBrowser(app)
    const { body } = await exchangeAuthorizationCode(
      app,
      await obtainCode(browser, { scope: 'offline_access read' }),
    )
    const more = await exchangeRefreshToken(app, body.refresh_token, { scope: 'read write' })
    assert.equal(more.body.error, 'invalid_scope')
    const less = await exchangeRefreshToken(app, body.refresh_token, { scope: 'read' })
    assert.equal(less.body.scope, 'read')
    const again = await exchangeRefreshToken(app, less.body.refresh_token)
    assert.equal(again.body.scope, 'offline_access read', 'the consent is what it was')
    const path = '/users/test_user'
    const token = again.body.access_token
    const { status } = await app.client.send('POST', path, { token, body: { site_id: 'MLA' } })
    assert.equal(status, 403, 'read is not write')
  },
)

contract(
  'users',
  'an application gets a token of its own in its owner’s name, without a refresh token',
  async () => {
    const fields = {
      grant_type: 'client_credentials',
      client_id: String(applicationId),
      client_secret: clientSecret,
    }
    const without = await requestToken(app, fields)
    assert.deepEqual([without.status, without.body.error], [400, 'unauthorized_client'])
    await registerClient(app.client, applicationId, { owner_id: anaId })
    const { status, body } = await requestToken(app, fields)
    assert.equal(status, 200)
    assert.deepEqual([body.user_id, body.scope], [anaId, 'read write'])
    assert.ok(!('refresh_token' in body))
    assert.equal((await app.client.get('/users/me', body.access_token)).status, 200)
    const path = await requestToken(app, { ...fields, scope: 'offline_access' })
    assert.equal(path.body.error, 'invalid_scope')
  },
)

contract('users', 'refusals have the words of this interface and those of RFC 6749', async () => {
  const refused = await exchangeAuthorizationCode(app, 'TG-0123456789abcdef01234567-1001')
  const says =
    'This application has no such authorization code. Check client_id and that the value is complete, or send the user through /authorization again.'
  assert.deepEqual(refused.body, {
    message: says,
    error: 'invalid_grant',
    error_description: says,
    status: 400,
    cause: [],
  })
  for (const name of recorded.refusal) assert.ok(name in refused.body, name)
  const proof = { client_id: String(applicationId), client_secret: clientSecret }
  const cases: [fields: Record<string, string>, error: string, message: RegExp][] = [
    [{}, 'invalid_request', /^grant_type: expected/],
    [{ grant_type: 'password', ...proof }, 'unsupported_grant_type', /^grant_type: expected/],
    [{ grant_type: 'authorization_code' }, 'invalid_request', /^client_id: expected/],
    [{ grant_type: 'authorization_code', ...proof }, 'invalid_request', /^code: expected/],
    [{ grant_type: 'refresh_token', ...proof }, 'invalid_request', /^refresh_token: expected/],
    [
      { grant_type: 'refresh_token', ...proof, client_secret: 'wrong' },
      'invalid_client',
      /invalid client_id or client_secret/,
    ],
    [
      { grant_type: 'refresh_token', ...proof, client_id: '1' },
      'invalid_client',
      /invalid client_id or client_secret/,
    ],
  ]
  for (const [fields, error, message] of cases) {
    const { status, body } = await requestToken(app, fields)
    assert.deepEqual([status, body.error], [400, error], JSON.stringify(fields))
    assert.match(body.error_description, message)
    assert.equal(body.message, body.error_description)
  }
})

contract(
  'users',
  'a field without a value counts as left out, in each grant and in a revocation (RFC 6749, 3.2)',
  async () => {
    const browser = await openSignedInBrowser(app)
    const nothing = { code_verifier: '', scope: '', refresh_token: '', token_type_hint: '' }
    const first = await exchangeAuthorizationCode(app, await obtainCode(browser), nothing)
    assert.equal(first.status, 200, first.text)
    const { refresh_token } = first.body
    const second = await exchangeRefreshToken(app, refresh_token, {
      ...nothing,
      refresh_token,
      redirect_uri: '',
    })
    assert.deepEqual([second.status, second.body.scope], [200, first.body.scope], second.text)
    const missing: [fields: Record<string, string>, name: string][] = [
      [{ grant_type: '' }, 'grant_type'],
      [{ client_id: '' }, 'client_id'],
      [{ refresh_token: '' }, 'refresh_token'],
    ]
    for (const [fields, name] of missing) {
      const { status, body } = await exchangeRefreshToken(app, second.body.refresh_token, fields)
      assert.deepEqual([status, body.error], [400, 'invalid_request'], name)
      assert.match(body.message, new RegExp(`^${name}: expected`))
    }
    const inQuery = `/oauth/revoke?token=&client_secret=${clientSecret}`
    const client_id = String(applicationId)
    const sent = { client_id, client_secret: '', token: second.body.access_token }
    const revoked = await app.client.send('POST', inQuery, { body: sent })
    assert.equal(revoked.status, 200, revoked.text)
    const empty = await app.client.send('POST', inQuery, { body: { client_id } })
    assert.deepEqual([empty.status, empty.body.error], [400, 'invalid_request'])
  },
)

contract(
  'users',
  'with HTTP Basic a wrong secret is 401 and says how to prove it (RFC 6749, 5.2)',
  async () => {
    const basic = Buffer.from(`${applicationId}:wrong`).toString('base64')
    const { status, body, headers } = await app.client.send('POST', '/oauth/token', {
      body: { grant_type: 'client_credentials' },
      headers: { authorization: `Basic ${basic}` },
    })
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
    assert.match(headers.get('www-authenticate') ?? '', /^Basic realm=/)
  },
)

contract(
  'users',
  'a public application needs no secret, must use PKCE, and gets no token of its own (RFC 8252)',
  async () => {
    await registerClient(app.client, applicationId, { is_public: true, owner_id: anaId })
    const browser = await openSignedInBrowser(app)
    const page = await browser.load(authorizationUrlPath())
    assert.match(page.location ?? '', /error=invalid_request/)
    const { verifier, challenge } = createPkcePair()
    const path = { code_challenge: challenge, code_challenge_method: 'S256' }
    const fields = { client_id: String(applicationId), redirect_uri: redirectUri }
    const grant_type = 'authorization_code'
    const code = await obtainCode(browser, path)
    const bare = await requestToken(app, { grant_type, ...fields, code })
    assert.equal(bare.body.error, 'invalid_grant')
    const done = await requestToken(app, { grant_type, ...fields, code, code_verifier: verifier })
    assert.equal(done.status, 200)
    const own = await requestToken(app, { grant_type: 'client_credentials', ...fields })
    assert.equal(own.body.error, 'invalid_client')
  },
)

contract(
  'users',
  'what the service is called and where its parts are can be read (RFC 8414)',
  async () => {
    const { body } = await app.client.get('/.well-known/oauth-authorization-server')
    assert.equal(body.issuer, app.address)
    assert.equal(body.authorization_endpoint, `${app.address}/authorization`)
    assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
    const { searchParams } = await submitConsent(await openSignedInBrowser(app))
    assert.equal(searchParams.get('iss'), body.issuer)
  },
)

contract(
  'users',
  'scopes that were granted before stay granted when less is asked for',
  async () => {
    const browser = await openSignedInBrowser(app)
    const wide = (await exchangeAuthorizationCode(app, await obtainCode(browser))).body
    await exchangeAuthorizationCode(app, await obtainCode(browser, { scope: 'read' }))
    assert.equal((await app.client.get('/users/me', wide.access_token)).status, 200)
    const { body } = await app.client.get(`/users/${anaId}/applications`, wide.access_token)
    assert.deepEqual(body[0].scopes, ['offline_access', 'read', 'write'])
    app.advance(minuteMs)
  },
)
