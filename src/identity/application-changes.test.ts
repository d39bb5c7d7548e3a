import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { anaId, applicationId, brunoId, createTestMarket } from '../../test/harness/market.ts'
import {
  clientSecret,
  enableSignIn,
  exchangeAuthorizationCode,
  exchangeRefreshToken,
  obtainCode,
  openSignedInBrowser,
  registerClient,
  requestToken,
} from '../../test/harness/oauth.ts'

/** What ends with an owner or a scope that is no more. */
let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
beforeEach(() => enableSignIn(app))
after(() => app.close())

const granted = async () =>
  (await exchangeAuthorizationCode(app, await obtainCode(await openSignedInBrowser(app)))).body
const me = async (token: string) => (await app.client.get('/users/me', token)).status
const write = async (token: string) =>
  (await app.client.send('POST', '/users/test_user', { token, body: { site_id: 'MLA' } })).status

const ownToken = (client_secret: string) =>
  requestToken(app, {
    grant_type: 'client_credentials',
    client_id: String(applicationId),
    client_secret,
  })

test('a new owner is not in the hands of who acted for the one before', async () => {
  await registerClient(app.client, applicationId, { owner_id: anaId })
  const { access_token: former } = (await ownToken(clientSecret)).body
  assert.equal(await me(former), 200)
  const settings = { name: 'Stock keeper', callback_url: null, topics: [] }
  const path = `/operator/applications/${applicationId}`
  const same = await app.client.operator('PUT', path, { ...settings, owner_id: anaId })
  assert.equal(same.body.secret, undefined)
  assert.equal((await ownToken(clientSecret)).status, 200, 'the same owner keeps the secret')
  const other = await app.client.operator('PUT', path, { ...settings, owner_id: brunoId })
  assert.equal(await me(former), 401)
  const refused = await ownToken(clientSecret)
  assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_client'])
  assert.equal((await ownToken(other.body.secret)).body.user_id, brunoId)
  await app.client.operator('PUT', path, { ...settings, owner_id: null })
  const nobody = await ownToken(other.body.secret)
  assert.deepEqual([nobody.status, nobody.body.error], [400, 'invalid_client'])
})

contract('5', 'scopes that are taken from an application are taken from its tokens', async () => {
  const { access_token, refresh_token } = await granted()
  const code = await obtainCode(await openSignedInBrowser(app))
  assert.equal(await write(access_token), 201)
  await registerClient(app.client, applicationId, { scopes: ['offline_access', 'read'] })
  assert.equal(await me(access_token), 401)
  const renewed = await exchangeRefreshToken(app, refresh_token)
  assert.equal(renewed.body.scope, 'offline_access read', renewed.text)
  assert.deepEqual(
    [await me(renewed.body.access_token), await write(renewed.body.access_token)],
    [200, 403],
  )
  assert.equal((await exchangeAuthorizationCode(app, code)).body.scope, 'offline_access read')
})

test('a name shows itself as it is', async () => {
  const path = `/operator/applications/${applicationId}`
  for (const name of ['\u202eevil', ' ', '\u200b', 'two\nlines']) {
    const body = { name, callback_url: null, topics: [] }
    const { status, body: refusal } = await app.client.operator('PUT', path, body)
    assert.equal(status, 400, JSON.stringify(name))
    assert.match(refusal.message, /^name: expected text without control characters/)
  }
})
