import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  openTestDatabase,
  type TestDatabase,
  withLockedTable,
} from '../../../test/harness/database.ts'
import { applicationId, brunoId, createTestMarket, putUser } from '../../../test/harness/market.ts'
import {
  authorizationUrlPath,
  clientSecret,
  createPkcePair,
  enableSignIn,
  exchangeAuthorizationCode,
  obtainCode,
  openSignedInBrowser,
  redirectUri,
  registerClient,
  requestToken,
  submitConsent,
} from '../../../test/harness/oauth.ts'
import { minuteMs } from '../../kernel/clock.ts'

/** What an authorisation server is attacked by: RFC 6749 (10), RFC 7636 (7), RFC 9700 (4). What
 * comes by way of the browser is in `browsers.test.ts`, replays of refresh tokens in
 * `refresh.test.ts`, guessing in `sessions/guessing.test.ts`. */

let database: TestDatabase
let app: TestApp
const otherId = 700_701
before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  await createTestMarket(app.client, null)
})
after(async () => {
  await app.close()
  await database.drop()
})
beforeEach(() => enableSignIn(app))

const readsWith = async (token: string) => (await app.client.get('/users/me', token)).status

contract(
  'users',
  'a redirect address that is not letter for letter a registered one is told to nobody (RFC 9700, 4.1)',
  async () => {
    const browser = await openSignedInBrowser(app)
    const others = [
      'https://evil.example/callback',
      'https://app.example/callback/',
      'https://app.example/callback?x=1',
      'https://app.example/callback/../callback',
      'https://app.example/Callback',
      'https://APP.example/callback',
      'https://app.example:443/callback',
      'https://app.example@evil.example/callback',
      'https://app.example.evil.example/callback',
      'https://app.example/callback#x',
      'http://app.example/callback',
      'https://app.example/callback%2f',
      'javascript:alert(1)',
      '//app.example/callback',
      ' https://app.example/callback',
      '',
      undefined,
    ]
    for (const redirect_uri of others) {
      for (const more of [{}, { response_type: 'x' }]) {
        const path = authorizationUrlPath({ redirect_uri, ...more })
        const { status, location, text } = await browser.load(path)
        assert.deepEqual([status, location], [400, undefined], String(redirect_uri))
        assert.match(text, /redirect_uri: expected/)
      }
    }
  },
)

contract(
  'users',
  'with an unknown application nothing is redirected either (RFC 6749, 4.1.2.1)',
  async () => {
    const browser = await openSignedInBrowser(app)
    for (const client_id of ['1', '0', 'x', '', '9'.repeat(30), undefined]) {
      const { status, location, text } = await browser.load(authorizationUrlPath({ client_id }))
      assert.deepEqual([status, location], [400, undefined])
      assert.match(text, /client_id: expected/)
    }
    const twice = `${authorizationUrlPath()}&redirect_uri=https://evil.example/`
    const { status, location } = await browser.load(twice)
    assert.deepEqual([status, location], [400, undefined])
  },
)

contract(
  'users',
  'a tampered consent form leads nowhere else and grants nothing else (RFC 6749, 10.15)',
  async () => {
    const browser = await openSignedInBrowser(app)
    await registerClient(app.client, otherId, { scopes: ['read'] })
    const page = await browser.load(authorizationUrlPath({ scope: 'read' }))
    const tampered: [Record<string, string>, number, RegExp][] = [
      [{ redirect_uri: 'https://evil.example/' }, 400, /redirect_uri: expected/],
      [{ client_id: '1' }, 400, /client_id: expected/],
      [{ decision: 'perhaps' }, 400, /decision: expected/],
    ]
    for (const [fields, status, message] of tampered) {
      const sent = { decision: 'allow', ...fields }
      const done = await browser.submit(page, '/authorization', sent)
      assert.deepEqual([done.status, done.location], [status, undefined])
      assert.match(done.text, message)
    }
    const wide = { decision: 'allow', client_id: String(otherId), scope: 'read write' }
    const done = await browser.submit(page, '/authorization', wide)
    assert.match(done.location ?? '', /^https:\/\/app\.example\/callback\?error=invalid_scope/)
  },
)

contract(
  'users',
  'a code is taken once; used again it ends the tokens that it led to (RFC 6749, 10.5)',
  async () => {
    const browser = await openSignedInBrowser(app)
    const code = await obtainCode(browser)
    const { body } = await exchangeAuthorizationCode(app, code)
    assert.equal(await readsWith(body.access_token), 200)
    const again = await exchangeAuthorizationCode(app, code)
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
    assert.equal(await readsWith(body.access_token), 401)
    const fields = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    const proof = { client_id: String(applicationId), client_secret: clientSecret }
    assert.equal((await requestToken(app, { ...fields, ...proof })).body.error, 'invalid_grant')
  },
)

contract(
  'users',
  'of many exchanges of one code at once one is honoured, and it ends with the others (RFC 6749, 10.5)',
  async () => {
    const code = await obtainCode(await openSignedInBrowser(app))
    const lock = { url: database.url, table: 'authorization_codes', waiting: 8 }
    const answers = await withLockedTable(lock, () =>
      Promise.all(Array.from({ length: 8 }, () => exchangeAuthorizationCode(app, code))),
    )
    const honoured = answers.filter(({ status }) => status === 200)
    assert.equal(honoured.length, 1)
    assert.ok(answers.every(({ status }) => status === 200 || status === 400))
    assert.equal(await readsWith(honoured[0]?.body.access_token), 401)
  },
)

contract(
  'users',
  'a code is worth nothing to another application, and stays good for its own (RFC 9700, 4.5)',
  async () => {
    await registerClient(app.client, otherId)
    const browser = await openSignedInBrowser(app)
    const code = await obtainCode(browser)
    const stolen = await exchangeAuthorizationCode(app, code, { client_id: String(otherId) })
    assert.equal(stolen.body.error, 'invalid_grant')
    assert.equal((await exchangeAuthorizationCode(app, code)).status, 200)
  },
)

contract(
  'users',
  'a code is worth nothing with another redirect address, or with none (RFC 6749, 4.1.3)',
  async () => {
    const second = 'http://localhost:3000/callback'
    await registerClient(app.client, applicationId, { redirect_uris: [redirectUri, second] })
    const code = await obtainCode(await openSignedInBrowser(app))
    for (const redirect_uri of [second, `${redirectUri}/`, 'https://evil.example/']) {
      assert.equal(
        (await exchangeAuthorizationCode(app, code, { redirect_uri })).body.error,
        'invalid_grant',
      )
    }
    const fields = { grant_type: 'authorization_code', code }
    const proof = { client_id: String(applicationId), client_secret: clientSecret }
    assert.equal((await requestToken(app, { ...fields, ...proof })).body.error, 'invalid_grant')
    assert.equal((await exchangeAuthorizationCode(app, code)).status, 200)
  },
)

contract('users', 'a code lasts for ten minutes (RFC 6749, 4.1.2)', async () => {
  const browser = await openSignedInBrowser(app)
  const [early, late] = [await obtainCode(browser), await obtainCode(browser)]
  app.advance(10 * minuteMs - 1)
  assert.equal((await exchangeAuthorizationCode(app, early)).status, 200)
  app.advance(1)
  assert.equal((await exchangeAuthorizationCode(app, late)).body.error, 'invalid_grant')
})

contract(
  'users',
  'a stolen code is worth nothing without the verifier of its challenge (RFC 7636)',
  async () => {
    const { verifier, challenge } = createPkcePair()
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await obtainCode(await openSignedInBrowser(app), pkce)
    const wrong = [
      {},
      { code_verifier: createPkcePair().verifier },
      { code_verifier: challenge },
      { code_verifier: `${verifier}=` },
      { code_verifier: 'short' },
      { code_verifier: verifier.padEnd(129, 'a') },
    ]
    for (const more of wrong) {
      assert.equal((await exchangeAuthorizationCode(app, code, more)).body.error, 'invalid_grant')
    }
    assert.equal(
      (await exchangeAuthorizationCode(app, code, { code_verifier: verifier })).status,
      200,
    )
  },
)

contract(
  'users',
  'PKCE is not given up for less: no plain, no missing challenge, no verifier without one (RFC 9700, 4.8)',
  async () => {
    const browser = await openSignedInBrowser(app)
    const { challenge, verifier } = createPkcePair()
    const refused: [Record<string, string>, RegExp][] = [
      [{ code_challenge: verifier, code_challenge_method: 'plain' }, /code_challenge_method/],
      [{ code_challenge: challenge }, /code_challenge_method/],
      [{ code_challenge: 'short', code_challenge_method: 'S256' }, /code_challenge/],
      [{ code_challenge_method: 'S256' }, /code_challenge/],
    ]
    for (const [more, says] of refused) {
      const { location } = await browser.load(authorizationUrlPath(more))
      const { searchParams } = new URL(location ?? '')
      assert.equal(searchParams.get('error'), 'invalid_request')
      assert.match(searchParams.get('error_description') ?? '', says)
      assert.equal(searchParams.get('state'), 'st-1')
    }
    const stripped = await obtainCode(browser)
    const { body } = await exchangeAuthorizationCode(app, stripped, { code_verifier: verifier })
    assert.equal(body.error, 'invalid_grant')
  },
)

contract(
  'users',
  'an application that requires PKCE gets no code without it, and one from before is worth nothing (RFC 9700, 2.1.1)',
  async () => {
    const browser = await openSignedInBrowser(app)
    const before = await obtainCode(browser)
    await registerClient(app.client, applicationId, { requires_pkce: true })
    const { location } = await browser.load(authorizationUrlPath())
    assert.match(location ?? '', /\?error=invalid_request&/)
    assert.equal((await exchangeAuthorizationCode(app, before)).body.error, 'invalid_grant')
  },
)

contract(
  'users',
  'every answer says who gives it, refusals too (RFC 9207; RFC 9700, 4.4)',
  async () => {
    const browser = await openSignedInBrowser(app)
    const answers = [
      await submitConsent(browser),
      await submitConsent(browser, {}, 'deny'),
      new URL(
        (await browser.load(authorizationUrlPath({ response_type: 'token' }))).location ?? '',
      ),
      new URL((await browser.load(authorizationUrlPath({ scope: 'admin' }))).location ?? ''),
    ]
    const { body } = await app.client.get('/.well-known/oauth-authorization-server')
    for (const { searchParams } of answers) {
      assert.equal(searchParams.get('iss'), body.issuer)
      assert.equal(searchParams.get('state'), 'st-1')
    }
    assert.deepEqual(
      answers.map(({ searchParams }) => searchParams.get('error')),
      [null, 'access_denied', 'unsupported_response_type', 'invalid_scope'],
    )
  },
)

test('tokens never come by way of the browser: there is no implicit grant (RFC 9700, 2.1.2)', async () => {
  const browser = await openSignedInBrowser(app)
  for (const response_type of ['token', 'code token', 'id_token', 'none']) {
    const { location } = await browser.load(authorizationUrlPath({ response_type }))
    const answer = new URL(location ?? '')
    assert.equal(answer.searchParams.get('error'), 'unsupported_response_type')
    assert.equal(answer.hash, '')
  }
})

contract(
  'users',
  'codes, tokens and secrets lie nowhere in the database as they are (RFC 6749, 10.3, 10.4)',
  async () => {
    const browser = await openSignedInBrowser(app)
    const unspent = await obtainCode(browser)
    const { body } = await exchangeAuthorizationCode(app, await obtainCode(browser))
    const secrets = [
      unspent.split('-')[1],
      body.access_token.split('-')[3],
      body.refresh_token.split('-')[1],
      clientSecret,
      [...browser.cookies.values()][0]?.split('-')[0],
    ]
    const tables = await app.ctx.db.rows<{ name: string }>({
      name: '',
      text: `select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
      values: [],
    })
    for (const { name } of tables) {
      for (const secret of secrets) {
        assert.ok(secret && secret.length > 20)
        const [row] = await app.ctx.db.rows<{ count: number }>({
          name: '',
          text: `select count(*) from ${name} t where t::text like '%' || $1 || '%'`,
          values: [secret],
        })
        assert.equal(row?.count, 0, name)
      }
    }
  },
)

contract('5', 'a user whose account is closed gets no more tokens', async () => {
  const browser = await openSignedInBrowser(app, 'BRUNO_COMPRA')
  const [used, unused] = [await obtainCode(browser), await obtainCode(browser)]
  const { body } = await exchangeAuthorizationCode(app, used)
  const profile = { nickname: 'BRUNO_COMPRA' }
  await putUser(app.client, brunoId, { ...profile, status: 'deactivated' })
  assert.equal((await exchangeAuthorizationCode(app, unused)).body.error, 'invalid_grant')
  const fields = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
  const proof = { client_id: String(applicationId), client_secret: clientSecret }
  assert.equal((await requestToken(app, { ...fields, ...proof })).body.error, 'invalid_grant')
  assert.equal((await browser.load('/account')).location, '/login?return_to=/account')
  await putUser(app.client, brunoId, { ...profile, status: 'active' })
  assert.equal(body.user_id, brunoId)
})
