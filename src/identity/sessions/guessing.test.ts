import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { FormBrowser } from '../../../test/harness/browser.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import {
  anaId,
  applicationId,
  carlaId,
  createTestMarket,
  putUser,
} from '../../../test/harness/market.ts'
import {
  clientSecret,
  enableSignIn,
  openSignedInBrowser,
  password,
  registerClient,
} from '../../../test/harness/oauth.ts'
import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts'
import { fold } from '../../kernel/text.ts'
import { digestOf } from '../token.ts'

/** Who guesses learns nothing, and not often. */

let database: TestDatabase
let app: TestApp
let second: TestApp
before(async () => {
  database = await openTestDatabase()
  const env = { FERIA_TRUSTED_PROXIES: '127.0.0.1' }
  app = await openTestApp({ databaseUrl: database.url, env })
  second = await openTestApp({ databaseUrl: database.url, env })
  await createTestMarket(app.client, null)
  await enableSignIn(app)
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
beforeEach(() => advance(hourMs))

interface AttemptOrigin {
  at?: TestApp
  /** As the proxy reports it. */
  address?: string
  browser?: FormBrowser
}

/** Tries to sign in, in a fresh browser unless one is given. */
async function attempt(login: string, guess: string, whence: AttemptOrigin = {}) {
  const { at = app, address = '198.51.100.1', browser = new FormBrowser(at) } = whence
  const page = await browser.load('/login')
  const headers = { 'x-forwarded-for': address }
  const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const body = new URLSearchParams({ form_token: token, login, password: guess })
  return browser.load('/login', { method: 'POST', body, headers })
}

const statusOf = async (...args: Parameters<typeof attempt>) => (await attempt(...args)).status

/** Has strangers guess at an account from so many networks until nobody there may go on. */
async function guessFrom(networks: readonly string[], login = 'ANA_VENDE'): Promise<void> {
  for (const half of [1, 2]) {
    for (const address of networks) {
      for (let n = 0; n < 5; n++) assert.equal(await statusOf(login, 'wrong', { address }), 403)
      assert.equal(await statusOf(login, 'wrong', { address }), 429)
    }
    if (half === 1) advance(minuteMs)
  }
}
const networksOf = (begin: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${begin}.${n + 1}`)

/** A browser that has signed in before and is signed out again. */
async function knownDevice(nickname = 'ANA_VENDE'): Promise<FormBrowser> {
  const browser = await openSignedInBrowser(app, nickname)
  const page = await browser.load('/account')
  await browser.submit(page, '/logout', {})
  return browser
}

contract(
  'users',
  'an unknown user, a wrong password, a closed account and one without a password are refused alike',
  async () => {
    await putUser(app.client, 3010, { nickname: 'SE_FUE', status: 'deactivated' })
    await app.client.operator('PUT', '/operator/users/3010/password', { password })
    const texts = new Set<string>()
    for (const [login, guess] of [
      ['ANA_VENDE', 'wrong'],
      ['NADIE_ESTA', password],
      ['nadie@example.com', password],
      ['SE_FUE', password],
      ['CARLA', password],
      ["' or true --", "' or true --"],
    ] as const) {
      const { status, text, headers } = await attempt(login, guess)
      assert.equal(status, 403)
      assert.equal(headers.getSetCookie().length, 0)
      texts.add(text.replace(/ value="[^"]*"/g, ''))
    }
    assert.equal(texts.size, 1)
  },
)

contract(
  'users',
  'from one network an account is tried five times a minute and ten times an hour, in whatever process',
  async () => {
    const tryFive = async () => {
      for (let n = 0; n < 5; n++) {
        const at = n % 2 === 0 ? app : second
        assert.equal(await statusOf('Ana_Vende', `wrong ${n}`, { at }), 403)
      }
    }
    await tryFive()
    for (const at of [app, second]) {
      const { status, headers, text } = await attempt('ana_vende', password, { at })
      assert.equal(status, 429, 'the right one is not looked at any more')
      assert.equal(headers.get('retry-after'), '60')
      assert.match(text, /Too many attempts/)
    }
    const byMail = await attempt('ana@example.com', 'wrong')
    assert.equal(byMail.status, 403, 'or it would tell whose address it is')
    advance(minuteMs - 1)
    assert.equal(await statusOf('ANA_VENDE', password), 429)
    advance(1)
    await tryFive()
    const { status, headers } = await attempt('ANA_VENDE', password)
    assert.deepEqual([status, headers.get('retry-after')], [429, String(59 * 60)])
    advance(59 * minuteMs)
    assert.equal(await statusOf('ANA_VENDE', password), 303)
  },
)

contract(
  'users',
  'who is wrong at one network holds up nobody at another, nor other accounts at the same one',
  async () => {
    await guessFrom(['203.0.113.5'])
    assert.equal(await statusOf('ANA_VENDE', password, { address: '203.0.113.6' }), 303)
    assert.equal(await statusOf('BRUNO_COMPRA', password, { address: '203.0.113.5' }), 303)
  },
)

contract(
  'users',
  'an account that is guessed at from everywhere is shut for strangers, never for its own devices',
  async () => {
    const inside = await openSignedInBrowser(app)
    const [phone, laptop] = [await knownDevice(), await knownDevice()]
    await guessFrom(networksOf('203.0.113', 5))
    const { status, headers } = await attempt('ANA_VENDE', password, { address: '192.0.2.1' })
    assert.equal(status, 429, 'fifty wrong ones within an hour')
    assert.equal(headers.get('retry-after'), String(59 * 60))
    assert.equal((await inside.load('/account')).status, 200, 'who is signed in stays so')
    for (const [address, browser] of [
      ['192.0.2.1', phone],
      ['203.0.113.1', laptop],
    ] as const) {
      assert.equal(await statusOf('ana@example.com', password, { address, browser }), 303, address)
    }
    const strangers = await knownDevice('BRUNO_COMPRA')
    assert.equal(await statusOf('ANA_VENDE', password, { browser: strangers }), 429)
    advance(59 * minuteMs)
    assert.equal(await statusOf('ANA_VENDE', password, { address: '192.0.2.1' }), 303)
  },
)

contract('users', 'a device may be wrong as often as a network, and is not a key', async () => {
  const browser = await knownDevice()
  for (let n = 0; n < 5; n++) assert.equal(await statusOf('ANA_VENDE', 'wrong', { browser }), 403)
  assert.equal(await statusOf('ANA_VENDE', password, { browser }), 429)
  advance(minuteMs)
  assert.equal(await statusOf('ANA_VENDE', password, { browser }), 303)
})

contract(
  'users',
  'a device is forgotten with a new password, after half a year, and when somebody else signs in there',
  async () => {
    const setPassword = () =>
      app.client.operator('PUT', `/operator/users/${anaId}/password`, { password })
    const ends: [what: string, end: (browser: FormBrowser) => unknown][] = [
      ['a new password', setPassword],
      ['half a year', () => advance(180 * dayMs)],
      [
        'somebody else',
        async (browser) => assert.equal(await statusOf('BRUNO_COMPRA', password, { browser }), 303),
      ],
      ['made up', (browser) => browser.cookies.set('feria_device', `${'0'.repeat(64)}-${anaId}`)],
    ]
    for (const [what, end] of ends) {
      const browser = await knownDevice()
      await end(browser)
      const before = await countOf(anaKey)
      const rest = (browser.cookies.get('feria_session') ?? '').includes('-')
      if (rest) await browser.submit(await browser.load('/account'), '/logout', {})
      assert.equal(await statusOf('ANA_VENDE', 'wrong', { browser }), 403)
      assert.equal(await countOf(anaKey), before + 1, what)
      advance(hourMs)
    }
  },
)

test('an account that is not there is shut after as many attempts as one that is', async () => {
  await guessFrom(networksOf('203.0.113', 5), 'NADIE_MAS')
  assert.equal(await statusOf('NADIE_MAS', 'wrong'), 429)
})

contract('users', 'many attempts at once are not more than the limit lets through', async () => {
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      statusOf('BRUNO_COMPRA', 'wrong', {
        at: n % 2 === 0 ? app : second,
        address: '203.0.113.99',
      }),
    ),
  )
  assert.equal(answers.filter((status) => status === 403).length, 5)
  assert.equal(answers.filter((status) => status === 429).length, 19)
})

test('signing in right begins the count of one’s own network anew, and takes nothing off others', async () => {
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < 4; n++) assert.equal(await statusOf('ANA_VENDE', 'wrong'), 403)
    assert.equal(await statusOf('ANA_VENDE', password), 303)
  }
  assert.equal(await countOf(anaKey), 8, 'of all strangers')
  assert.equal(await countOf('network 198.51.100.1'), 8, 'of all accounts')
})

test('a network tries a hundred times over all accounts; another one and a known device go on', async () => {
  const address = '2001:db8:7:7::1'
  const browser = await knownDevice()
  // Counted as those attempts would have been, without hashing a hundred passwords.
  await app.ctx.db.rows({
    name: '',
    text: 'insert into sign_in_attempts (key, n, ends_at) values ($1, 99, $2)',
    values: ['network 2001:db8:7:7::/64', new Date(app.ctx.now().getTime() + minuteMs)],
  })
  assert.equal(await statusOf('X1', 'wrong', { address }), 403)
  assert.equal(await statusOf('X2', 'wrong', { address }), 429)
  assert.equal(await statusOf('X2', 'wrong', { address: '2001:DB8:7:7:ffff::2' }), 429)
  assert.equal(await statusOf('X2', 'wrong', { address: '2001:db8:7:8::1' }), 403)
  assert.equal(await statusOf('ANA_VENDE', password, { address, browser }), 303)
  advance(minuteMs)
  assert.equal(await statusOf('X3', 'wrong', { address }), 403)
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

const anaKey = `account ${digestOf(fold('ANA_VENDE'))}`

async function countOf(key: string): Promise<number> {
  const [row] = await app.ctx.db.rows<{ n: number }>({
    name: '',
    text: 'select n from sign_in_attempts where key = $1',
    values: [key],
  })
  return row?.n ?? 0
}

const fields = { grant_type: 'client_credentials', client_id: String(applicationId) }

/** Asks for a token as an application, from an address that the proxy reports. */
const ask = (extraFields: Record<string, string>, { at = app, address = '198.51.100.1' } = {}) =>
  at.client.send('POST', '/oauth/token', {
    body: new URLSearchParams({ ...fields, ...extraFields }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': address,
    },
  })

async function guessSecrets(count: number, { id = applicationId, address = '198.51.100.1' } = {}) {
  const credentials = { client_id: String(id), client_secret: 'wrong' }
  const answers = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      ask(credentials, { address, at: n % 2 ? app : second }),
    ),
  )
  return new Set(answers.map(({ status }) => status))
}

contract(
  'users',
  'guessing secrets, codes and tokens is held up after sixty refusals a minute',
  async () => {
    await registerClient(app.client, applicationId, { owner_id: anaId })
    assert.deepEqual(await guessSecrets(60), new Set([400]))
    for (const at of [app, second]) {
      const { status, headers, body } = await ask({ client_secret: clientSecret }, { at })
      assert.deepEqual([status, body.error], [429, 'local_rate_limited'])
      assert.equal(headers.get('retry-after'), '60', 'the right one is not looked at any more')
    }
    const elsewhere = { address: '2001:db8:5:5::1' }
    assert.equal((await ask({ client_secret: clientSecret }, elsewhere)).status, 200)
    advance(minuteMs)
    assert.equal((await ask({ client_secret: 'wrong' })).status, 400)
  },
)

contract(
  'users',
  'an application that got tokens from a network lately is heard there, whoever else guesses there',
  async () => {
    const other = applicationId + 1
    const address = '2001:db8:5:6::1'
    const neighbour = { address: '2001:db8:5:6:ffff::2' }
    await registerClient(app.client, applicationId, { owner_id: anaId })
    await registerClient(app.client, other, { owner_id: anaId })
    const right = { client_secret: clientSecret }
    assert.equal((await ask(right, { address })).status, 200)
    assert.deepEqual(await guessSecrets(60, { id: other, ...neighbour }), new Set([400]))
    assert.equal((await ask({ ...right, client_id: String(other) }, { address })).status, 429)
    assert.equal((await ask(right, { address })).status, 200)
    // Of a hundred applications that there are not, all that the network may get wrong.
    for (let n = 0; n < 4; n++) await guessSecrets(60, { id: 900_000 + n, ...neighbour })
    assert.deepEqual(await guessSecrets(1, { id: 910_000, ...neighbour }), new Set([429]))
    assert.equal((await ask(right, { address, at: second })).status, 200)
    assert.equal((await ask({ client_secret: 'wrong' }, { address })).status, 400)
    advance(7 * dayMs)
    for (let n = 0; n < 5; n++) await guessSecrets(60, { id: 900_000 + n, ...neighbour })
    assert.equal((await ask(right, { address })).status, 429, 'not lately any more')
  },
)

test('two who sign in under one name are neither let in, and the operator is told so', async () => {
  const path = (id: number) => `/operator/users/${id}`
  await app.client.operator('PUT', path(3011), { site_id: 'MLA', nickname: 'carlá' })
  const put = (id: number) => app.client.operator('PUT', `${path(id)}/password`, { password })
  assert.equal((await put(carlaId)).status, 204)
  const conflict = await put(3011)
  assert.deepEqual([conflict.status, conflict.body.error], [409, 'id_taken'])
  await app.client.operator('PUT', path(3011), { site_id: 'MLA', nickname: 'OTRA' })
  assert.equal((await put(3011)).status, 204)
  await app.client.operator('PUT', path(3011), { site_id: 'MLA', nickname: 'carla' })
  assert.equal((await attempt('CARLA', password)).status, 403)
})
