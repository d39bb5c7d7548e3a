import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { FormBrowser } from '../../../test/harness/browser.ts'
import { contract } from '../../../test/harness/contract.ts'
import { skipWithoutClones } from '../../../test/harness/database.ts'
import {
  anaId,
  createTestMarket,
  issueToken,
  type MarketTokens,
  putUser,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
after(() => app.close())

const make = (token: string, body: object = { site_id: 'MLB' }, at = app) =>
  at.client.send('POST', '/users/test_user', { token, body })

contract(
  'users',
  'a test user is made, signs in with its password, and says what it is',
  async () => {
    const { status, body } = await make(market.brunoToken)
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['id', 'nickname', 'password', 'email', 'site_status'])
    assert.equal(body.email, `test_user_${body.id}@testuser.example`)
    assert.equal(body.site_status, 'active')
    assert.match(body.nickname, /^TETE\d+$/)
    const browser = new FormBrowser(app)
    assert.equal((await browser.signIn(body.nickname, body.password)).location, '/account')
    const token = await issueToken(app.client, { user_id: body.id })
    const me = await app.client.get('/users/me', token)
    assert.deepEqual(me.body.tags, ['normal', 'test_user'])
    assert.equal(me.body.site_id, 'MLB')
    const own = await app.client.get('/users/me', market.brunoToken)
    assert.deepEqual(own.body.tags, ['normal'])
    const refused = await make(token)
    assert.deepEqual([refused.status, refused.body.error], [403, 'test_users_exhausted'])
  },
)

contract(
  'users',
  'an account has ten test users at most, however many are asked for at once',
  async () => {
    const answers = await Promise.all(Array.from({ length: 14 }, () => make(market.anaToken)))
    const created = answers.filter(({ status }) => status === 201)
    assert.equal(created.length, 10)
    const refused = answers.filter(({ status }) => status !== 201)
    assert.ok(refused.every(({ body }) => body.error === 'test_users_exhausted'))
    const { id, nickname } = created[0]?.body ?? {}
    await putUser(app.client, id, { site_id: 'MLB', nickname, status: 'deactivated' })
    assert.equal((await make(market.anaToken)).status, 201, 'a closed one makes room')
    assert.equal((await make(market.anaToken)).status, 403)
  },
)

contract(
  'users',
  'a test user is of a site that there is, and outside the sandbox made by an application',
  { skip: skipWithoutClones('it opens a second market') },
  async () => {
    for (const body of [{}, { site_id: 'XXX' }, { site_id: 7 }]) {
      const refused = await make(market.carlaToken, body)
      assert.equal(refused.status, 400)
      assert.match(refused.body.message, /^site_id: expected/)
    }
    const real = await openTestApp({ env: { FERIA_MODE: 'production' } })
    try {
      const there = await createTestMarket(real.client, null)
      const refused = await make(there.carlaToken, { site_id: 'MLA' }, real)
      assert.equal(refused.body.message, 'Application id is required')
      assert.equal((await make(there.anaToken, { site_id: 'MLA' }, real)).status, 201)
      assert.equal((await real.client.get('/users/me', there.anaToken)).body.id, anaId)
    } finally {
      await real.close()
    }
  },
)
