import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { Browser } from '../../../test/harness/browser.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { askToken, openSignIn, password } from '../../../test/harness/oauth.ts'
import { applicationId, carla, openMarket } from '../../../test/harness/sale.ts'
import { minuteMs } from '../../kernel/clock.ts'

/** Who guesses learns nothing, and not often. */

let database: TestDatabase
let app: TestApp
let second: TestApp
before(async () => {
  database = await openTestDatabase()
  const env = { FERIA_TRUSTED_PROXIES: '127.0.0.1' }
  app = await openTestApp({ databaseUrl: database.url, env })
  second = await openTestApp({ databaseUrl: database.url, env })
  await openMarket(app.client, null)
  await openSignIn(app)
})
after(async () => {
  await second.close()
  await app.close()
  await database.drop()
})
/** For both processes alike. */
function advance(ms: number): void {
  app.advance(ms)
  second.advance(ms)
}
beforeEach(() => advance(16 * minuteMs))

/** Tries to sign in, from an address that the proxy tells of. */
async function attempt(login: string, given: string, { at = app, address = '198.51.100.1' } = {}) {
  const browser = new Browser(at)
  const page = await browser.load('/login')
  const headers = { 'x-forwarded-for': address }
  const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const body = new URLSearchParams({ form_token: token, login, password: given })
  return browser.load('/login', { method: 'POST', body, headers })
}

contract(
  'wire 5',
  'an unknown user, a wrong password, a closed account and one without a password are refused alike',
  async () => {
    const gone = { site_id: 'MLA', nickname: 'SE_FUE', status: 'deactivated' }
    await app.client.operator('PUT', '/operator/users/3010', gone)
    await app.client.operator('PUT', '/operator/users/3010/password', { password })
    const texts = new Set<string>()
    for (const [login, given] of [
      ['ANA_VENDE', 'wrong'],
      ['NADIE_ESTA', password],
      ['nadie@example.com', password],
      ['SE_FUE', password],
      ['CARLA', password],
      ["' or true --", "' or true --"],
    ] as const) {
      const { status, text, headers } = await attempt(login, given)
      assert.equal(status, 403)
      assert.equal(headers.getSetCookie().length, 0)
      texts.add(text.replace(/ value="[^"]*"/g, ''))
    }
    assert.equal(texts.size, 1)
  },
)

contract(
  'wire 5',
  'ten wrong passwords for one account, from wherever, in whatever process, and no more for 15 minutes',
  async () => {
    for (let n = 0; n < 10; n++) {
      const where = { at: n % 2 === 0 ? app : second, address: `198.51.100.${n}` }
      assert.equal((await attempt('Ana_Vende', `wrong ${n}`, where)).status, 403)
    }
    for (const at of [app, second]) {
      const { status, headers, text } = await attempt('ana_vende', password, { at })
      assert.equal(status, 429, 'the right one is not looked at any more')
      assert.equal(headers.get('retry-after'), '900')
      assert.match(text, /too many attempts/)
    }
    advance(15 * minuteMs - 1)
    assert.equal((await attempt('ANA_VENDE', password)).status, 429)
    advance(1)
    assert.equal((await attempt('ANA_VENDE', password)).status, 303)
  },
)

test('an account that is not there is shut after as many attempts as one that is', async () => {
  for (let n = 0; n < 10; n++) await attempt('NADIE_MAS', 'wrong', { address: `203.0.113.${n}` })
  assert.equal((await attempt('NADIE_MAS', 'wrong')).status, 429)
})

contract('wire 5', 'many attempts at once are not more than the limit lets through', async () => {
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      attempt('BRUNO_COMPRA', 'wrong', { at: n % 2 === 0 ? app : second, address: '203.0.113.99' }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 403).length, 10)
  assert.equal(answers.filter(({ status }) => status === 429).length, 14)
})

test('signing in right begins the count of the account anew', async () => {
  for (let n = 0; n < 9; n++) await attempt('ANA_VENDE', 'wrong')
  assert.equal((await attempt('ANA_VENDE', password)).status, 303)
  for (let n = 0; n < 9; n++) assert.equal((await attempt('ANA_VENDE', 'wrong')).status, 403)
  assert.equal((await attempt('ANA_VENDE', password)).status, 303)
})

test('an address tries a hundred times over all accounts, and another one is not held up by it', async () => {
  const address = '203.0.113.77'
  // Counted as those attempts would have been, without hashing a hundred passwords.
  await app.ctx.db.rows({
    name: '',
    text: 'insert into sign_in_attempts (key, n, ends_at) values ($1, 99, $2)',
    values: [`network ${address}`, new Date(app.ctx.now().getTime() + minuteMs)],
  })
  assert.equal((await attempt('X1', 'wrong', { address })).status, 403)
  assert.equal((await attempt('X2', 'wrong', { address })).status, 429)
  assert.equal((await attempt('X2', 'wrong', { address: '203.0.113.78' })).status, 403)
  advance(minuteMs)
  assert.equal((await attempt('X3', 'wrong', { address })).status, 403)
})

test('what an address is called by whoever is no trusted proxy is not believed', async () => {
  const plain = await openTestApp({ databaseUrl: database.url })
  try {
    const before = await countOf('network 127.0.0.1')
    await attempt('X4', 'wrong', { at: plain, address: '203.0.113.50' })
    assert.equal(await countOf('network 127.0.0.1'), before + 1)
    assert.equal(await countOf('network 203.0.113.50'), 0)
  } finally {
    await plain.close()
  }
})

async function countOf(key: string): Promise<number> {
  const [row] = await app.ctx.db.rows<{ n: number }>({
    name: '',
    text: 'select n from sign_in_attempts where key = $1',
    values: [key],
  })
  return row?.n ?? 0
}

contract(
  'wire 5',
  'guessing secrets, codes and tokens is held up after sixty refusals a minute',
  async () => {
    const fields = { grant_type: 'refresh_token', client_id: String(applicationId) }
    const guess = (at: TestApp) =>
      askToken(at, { ...fields, client_secret: 'wrong', refresh_token: 'TG-x' })
    for (let n = 0; n < 60; n++) {
      assert.equal((await guess(n % 2 === 0 ? app : second)).body.error, 'invalid_client')
    }
    const { status, body } = await guess(app)
    assert.deepEqual([status, body.error], [429, 'local_rate_limited'])
    assert.equal((await guess(second)).status, 429)
    advance(minuteMs)
    assert.equal((await guess(app)).status, 400)
  },
)

test('two who sign in under one name are neither let in, and the operator is told so', async () => {
  const path = (id: number) => `/operator/users/${id}`
  await app.client.operator('PUT', path(3011), { site_id: 'MLA', nickname: 'carlá' })
  const put = (id: number) => app.client.operator('PUT', `${path(id)}/password`, { password })
  assert.equal((await put(carla)).status, 204)
  const taken = await put(3011)
  assert.deepEqual([taken.status, taken.body.error], [409, 'id_taken'])
  await app.client.operator('PUT', path(3011), { site_id: 'MLA', nickname: 'OTRA' })
  assert.equal((await put(3011)).status, 204)
  await app.client.operator('PUT', path(3011), { site_id: 'MLA', nickname: 'carla' })
  assert.equal((await attempt('CARLA', password)).status, 403)
})
