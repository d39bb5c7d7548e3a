import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import pg from 'pg'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import {
  anaId,
  applicationId,
  authorize,
  brunoId,
  createTestMarket,
  issueToken,
  type MarketTokens,
} from '../../../test/harness/market.ts'
import {
  clientSecret,
  enableSignIn,
  exchangeAuthorizationCode,
  exchangeRefreshToken,
  obtainCode,
  openSignedInBrowser,
  registerClient,
  requestToken,
  waitUntilTokenRefused,
} from '../../../test/harness/oauth.ts'
import { hourMs, minuteMs } from '../../kernel/clock.ts'

/** Spent refresh tokens after the grace, and what ends what a user has granted; with two processes on one
 * database. The grace is in `grace.test.ts`. */

let database: TestDatabase
let app: TestApp
let second: TestApp
let market: MarketTokens
const otherId = 700_702

before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  second = await openTestApp({ databaseUrl: database.url })
  market = await createTestMarket(app.client, null)
})
after(async () => {
  await second.close()
  await app.close()
  await database.drop()
})
beforeEach(() => enableSignIn(app))

const readsWith = async (token: string, at = app) =>
  (await at.client.get('/users/me', token)).status
const granted = async () =>
  (await exchangeAuthorizationCode(app, await obtainCode(await openSignedInBrowser(app)))).body

contract(
  'users',
  'a spent refresh token that comes again ends the family, in every process (RFC 9700, 4.14.2)',
  async () => {
    const first = await granted()
    const other = await granted()
    const next = (await exchangeRefreshToken(app, first.refresh_token)).body
    assert.equal(await readsWith(next.access_token, second), 200)
    // Past the grace (`grace.test.ts`).
    for (const testApp of [app, second]) testApp.advance(minuteMs)
    const replayed = await exchangeRefreshToken(second, first.refresh_token)
    assert.deepEqual([replayed.status, replayed.body.error], [400, 'invalid_grant'])
    await waitUntilTokenRefused(second, next.access_token)
    await waitUntilTokenRefused(app, first.access_token)
    assert.equal((await exchangeRefreshToken(app, next.refresh_token)).body.error, 'invalid_grant')
    assert.equal(await readsWith(other.access_token), 200, 'another consent is another family')
    assert.equal((await exchangeRefreshToken(app, other.refresh_token)).status, 200)
  },
)

contract(
  'users',
  'a refresh token of another application is refused, and ends nothing (RFC 6749, 10.4)',
  async () => {
    await registerClient(app.client, otherId)
    const { refresh_token, access_token } = await granted()
    const stolen = await exchangeRefreshToken(app, refresh_token, { client_id: String(otherId) })
    assert.equal(stolen.body.error, 'invalid_grant')
    assert.equal(await readsWith(access_token), 200)
    assert.equal((await exchangeRefreshToken(app, refresh_token)).status, 200)
  },
)

const endings: [name: string, end: (tokens: { access_token: string }) => Promise<number>][] = [
  [
    'its user',
    async () => {
      const path = `/users/${anaId}/applications/${applicationId}`
      const token = await issueToken(app.client, { user_id: anaId })
      return (await app.client.send('DELETE', path, { token })).status
    },
  ],
  [
    'its user on the page of the account',
    async () => {
      const browser = await openSignedInBrowser(app)
      const page = await browser.load('/account')
      assert.match(page.text, /Stock keeper/)
      const done = await browser.submit(page, '/account', {})
      assert.doesNotMatch((await browser.load('/account')).text, /Stock keeper/)
      return done.status
    },
  ],
  [
    'the application itself',
    async ({ access_token: token }) => {
      const path = `/users/${anaId}/applications/${applicationId}`
      return (await app.client.send('DELETE', path, { token })).status
    },
  ],
  [
    'the operator',
    async () => {
      const path = `/operator/authorizations/${applicationId}/${anaId}`
      return (await app.client.operator('DELETE', path)).status
    },
  ],
]
for (const [name, end] of endings) {
  contract(
    ['5', 'users'],
    `what was granted ends at once, in every process, when it is ended by ${name}`,
    async () => {
      const tokens = await granted()
      const unspent = await obtainCode(await openSignedInBrowser(app))
      assert.equal(await readsWith(tokens.access_token, second), 200)
      assert.ok((await end(tokens)) < 400)
      assert.equal(await readsWith(tokens.access_token), 401)
      await waitUntilTokenRefused(second, tokens.access_token)
      // Granted anew, nothing from before comes back.
      await authorize(app.client, applicationId, anaId)
      assert.equal(
        (await exchangeRefreshToken(app, tokens.refresh_token)).body.error,
        'invalid_grant',
      )
      assert.equal((await exchangeAuthorizationCode(app, unspent)).body.error, 'invalid_grant')
      assert.equal(await readsWith(tokens.access_token), 401)
    },
  )
}

contract(
  ['5', 'users'],
  'tokens that are handed out while an authorisation ends do not outlast it',
  async () => {
    for (let round = 0; round < 5; round++) {
      await authorize(app.client, applicationId, anaId)
      const { refresh_token } = await granted()
      const path = `/operator/authorizations/${applicationId}/${anaId}`
      const [renewed] = await Promise.all([
        exchangeRefreshToken(second, refresh_token),
        app.client.operator('DELETE', path),
      ])
      if (renewed.status !== 200) continue
      await waitUntilTokenRefused(second, renewed.body.access_token)
      assert.equal(await readsWith(renewed.body.access_token), 401)
    }
  },
)

contract(['5', 'users'], 'narrowing what was granted ends what may do more', async () => {
  const { refresh_token, access_token } = await granted()
  const path = `/operator/authorizations/${applicationId}/${anaId}`
  await app.client.operator('PUT', path, { scopes: ['read'] })
  assert.equal(await readsWith(access_token), 401)
  assert.equal((await exchangeRefreshToken(app, refresh_token)).body.error, 'invalid_grant')
})

contract(
  'users',
  'an application revokes one token, or with a refresh token the whole family (RFC 7009)',
  async () => {
    await registerClient(app.client, otherId)
    const revoke = (token: string, client_id = applicationId) =>
      app.client.send('POST', '/oauth/revoke', {
        body: { token, client_id, client_secret: clientSecret },
      })
    const [one, all] = [await granted(), await granted()]
    assert.equal(await readsWith(one.access_token, second), 200)
    const strangers = await revoke(one.access_token, otherId)
    assert.deepEqual([strangers.status, strangers.body.error], [400, 'invalid_grant'])
    assert.equal((await revoke(one.access_token)).status, 200)
    assert.equal(await readsWith(one.access_token), 401)
    await waitUntilTokenRefused(second, one.access_token)
    assert.equal(
      (await exchangeRefreshToken(app, one.refresh_token)).status,
      200,
      'its refresh token stays',
    )
    assert.equal((await revoke(all.refresh_token)).status, 200)
    await waitUntilTokenRefused(second, all.access_token)
    assert.equal((await exchangeRefreshToken(app, all.refresh_token)).body.error, 'invalid_grant')
    for (const token of ['nonsense', all.refresh_token, 'TG-0123456789abcdef01234567-1001']) {
      assert.equal((await revoke(token)).status, 200, 'what is not there is revoked')
    }
    const wrong = { token: one.access_token, client_id: applicationId, client_secret: 'wrong' }
    const refused = await app.client.send('POST', '/oauth/revoke', { body: wrong })
    assert.equal(refused.body.error, 'invalid_client')
  },
)

contract(['5', 'users'], 'nobody ends or reads what others have granted', async () => {
  const { access_token: token } = await granted()
  await registerClient(app.client, otherId)
  await authorize(app.client, otherId, anaId)
  const refused: [method: string, path: string, token: string][] = [
    ['DELETE', `/users/${anaId}/applications/${applicationId}`, market.brunoToken],
    ['DELETE', `/users/${brunoId}/applications/${applicationId}`, token],
    ['DELETE', `/users/${anaId}/applications/${otherId}`, token],
    ['GET', `/users/${brunoId}/applications`, token],
    ['GET', `/applications/${otherId}/grants`, token],
    ['GET', `/applications/${applicationId}/grants`, market.brunoToken],
  ]
  for (const [method, path, bearer] of refused) {
    const { status, body } = await app.client.send(method, path, { token: bearer })
    assert.deepEqual([status, body.error], [403, 'access_denied'], path)
  }
  const own = await app.client.get(`/users/${anaId}/applications`, token)
  assert.deepEqual(
    own.body.map((application: { app_id: string }) => application.app_id),
    [String(applicationId)],
    'an application is not told of the others',
  )
})

contract(
  ['5', 'users'],
  'a user reads which applications may act, and an application who lets it',
  async () => {
    await registerClient(app.client, otherId)
    await authorize(app.client, otherId, anaId)
    await granted()
    const token = await issueToken(app.client, { user_id: anaId })
    const { body } = await app.client.get(`/users/${anaId}/applications`, token)
    const ids = body.map((application: { app_id: string }) => application.app_id).sort()
    assert.deepEqual(ids, [String(applicationId), String(otherId)])
    await exchangeAuthorizationCode(
      app,
      await obtainCode(await openSignedInBrowser(app, 'BRUNO_COMPRA')),
    )
    await registerClient(app.client, applicationId, { owner_id: anaId })
    const own = await requestToken(app, {
      grant_type: 'client_credentials',
      client_id: String(applicationId),
      client_secret: clientSecret,
    })
    const { access_token } = own.body
    const grants = await app.client.get(
      `/applications/${applicationId}/grants?limit=1`,
      access_token,
    )
    assert.deepEqual(grants.body.paging, { total: 2, limit: 1, offset: 0 })
    assert.equal(grants.body.grants.length, 1)
    const last = `/applications/${applicationId}/grants?limit=1&offset=1`
    const { body: rest } = await app.client.get(last, access_token)
    const users = [...grants.body.grants, ...rest.grants].map(({ user_id }) => user_id).sort()
    assert.deepEqual(users, [String(anaId), String(brunoId)])
  },
)

contract('users', 'a secret is rotated with an overlap, and is over after it', async () => {
  const { refresh_token } = await granted()
  const path = `/operator/applications/${applicationId}/secret`
  const { body } = await app.client.operator('POST', path, { overlap_hours: 2 })
  assert.match(body.secret, /^[0-9a-f]{40}$/)
  app.advance(2 * hourMs - 1)
  const old = (await exchangeRefreshToken(app, refresh_token)).body
  const fresh = await exchangeRefreshToken(app, old.refresh_token, { client_secret: body.secret })
  assert.equal(fresh.status, 200)
  app.advance(1)
  const late = await exchangeRefreshToken(app, fresh.body.refresh_token)
  assert.equal(late.body.error, 'invalid_client')
  const own = await exchangeRefreshToken(app, fresh.body.refresh_token, {
    client_secret: body.secret,
  })
  assert.equal(own.status, 200)
  assert.equal(
    (await app.client.operator('POST', '/operator/applications/1/secret', {})).status,
    404,
  )
})

contract(
  'users',
  'an exchange that breaks off in the middle has spent nothing: it can be repeated',
  async () => {
    const code = await obtainCode(await openSignedInBrowser(app))
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    try {
      await holder.query('begin')
      await holder.query('lock table refresh_tokens in exclusive mode')
      const breaking = exchangeAuthorizationCode(app, code)
      const waiting = `select pid from pg_locks where not granted and database =
      (select oid from pg_database where datname = current_database())`
      for (
        let turns = 0;
        (await holder.query(`select pg_terminate_backend(pid) from (${waiting}) w`)).rowCount === 0;
        turns++
      ) {
        assert.ok(turns < 5_000, 'waited in vain')
      }
      await holder.query('rollback')
      assert.ok((await breaking).status >= 500)
    } finally {
      await holder.end()
    }
    assert.equal((await exchangeAuthorizationCode(app, code)).status, 200)
  },
)
