import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import {
  anaId,
  applicationId,
  brunoId,
  carlaId,
  createTestMarket,
  type MarketTokens,
  putApplication,
} from '../../../test/harness/market.ts'
import {
  authorizationUrlPath,
  clientSecret,
  createPkcePair,
  enableSignIn,
  openSignedInBrowser,
  password,
} from '../../../test/harness/oauth.ts'
import { consoleApplicationId } from '../applications/console.ts'
import { mostOwned } from './commands.ts'

let database: TestDatabase
let app: TestApp
let second: TestApp
let market: MarketTokens
const plain = { name: 'Mine', callback_url: null, topics: ['orders_v2'] }

before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  second = await openTestApp({ databaseUrl: database.url })
  market = await createTestMarket(app.client, null)
  await enableSignIn(app)
})
after(async () => {
  await second.close()
  await app.close()
  await database.drop()
})

const make = (token: string, more: object = {}, at: TestApp = app) =>
  at.client.send('POST', '/applications', { token, body: { ...plain, ...more } })

async function listed(token: string): Promise<number[]> {
  const { status, body, text } = await app.client.get('/applications?limit=1000', token)
  assert.equal(status, 200, text)
  return body.applications.map(({ id }: { id: number }) => id)
}

contract('users', 'who makes an application owns it, and sees its secret once', async () => {
  const { status, body } = await make(market.brunoToken, { redirect_uris: ['https://a.example/x'] })
  assert.equal(status, 201)
  const { secret, ...created } = body
  assert.match(secret, /^[0-9a-f]{40}$/)
  assert.equal(created.owner_id, brunoId)
  assert.ok(created.id > 5_000_000_000_000_000)
  const path = `/applications/${created.id}`
  const read = await app.client.get(path, market.brunoToken)
  assert.deepEqual(read.body, created)
  assert.ok(!read.text.includes(secret))
  assert.deepEqual(await listed(market.brunoToken), [created.id])
  const tokenRequest = {
    grant_type: 'client_credentials',
    client_id: created.id,
    client_secret: secret,
  }
  const token = await app.client.send('POST', '/oauth/token', { body: tokenRequest })
  assert.equal(token.body.user_id, brunoId, 'it is good for tokens')
})

contract('users', 'its owner changes an application, and what is left out stays', async () => {
  const { body: created } = await make(market.brunoToken, { requires_pkce: true })
  const { secret, ...before } = created
  const body = { name: 'Changed', callback_url: 'http://127.0.0.1:9/', topics: [] }
  const put = { token: market.brunoToken, body }
  const { status, body: after } = await app.client.send('PUT', `/applications/${created.id}`, put)
  assert.equal(status, 200)
  assert.deepEqual(after, { ...before, ...body })
  const tokenRequest = {
    grant_type: 'client_credentials',
    client_id: created.id,
    client_secret: secret,
  }
  assert.equal((await app.client.send('POST', '/oauth/token', { body: tokenRequest })).status, 200)
})

contract(
  'users',
  'a rotated secret is shown once, and the one before it is taken for a while',
  async () => {
    const { body: created } = await make(market.brunoToken)
    const rotate = { token: market.brunoToken, body: { overlap_hours: 1 } }
    const path = `/applications/${created.id}/secret`
    const { status, body } = await app.client.send('POST', path, rotate)
    assert.equal(status, 201)
    const grants = async (client_secret: string) => {
      const tokenRequest = {
        grant_type: 'client_credentials',
        client_id: created.id,
        client_secret,
      }
      return (await app.client.send('POST', '/oauth/token', { body: tokenRequest })).status
    }
    assert.deepEqual([await grants(created.secret), await grants(body.secret)], [200, 200])
    app.advance(3_600_000)
    assert.deepEqual([await grants(created.secret), await grants(body.secret)], [400, 200])
  },
)

contract(
  'users',
  'an owner’s own token authorises the application and says what it may do',
  async () => {
    const { body: created } = await make(market.brunoToken, { scopes: ['read', 'offline_access'] })
    const path = `/applications/${created.id}`
    const ask = (body: object) =>
      app.client.send('POST', `${path}/tokens`, { token: market.brunoToken, body })
    const { status, body } = await ask({})
    assert.equal(status, 201)
    assert.equal(body.scope, 'read')
    assert.equal(body.user_id, brunoId)
    assert.equal((await app.client.get('/users/me', body.access_token)).body.id, brunoId)
    const feed = await app.client.get(`/myfeeds?app_id=${created.id}`, body.access_token)
    assert.equal(feed.status, 200, 'it is a token of that application')
    const grants = await app.client.get(`${path}/grants`, market.brunoToken)
    assert.deepEqual(
      grants.body.grants.map(({ user_id, scopes }: { user_id: string; scopes: string[] }) => ({
        user_id,
        scopes,
      })),
      [{ user_id: String(brunoId), scopes: ['read'] }],
    )
    const more = await ask({ scopes: ['write'] })
    assert.equal(more.status, 400)
    assert.ok(more.body.message.startsWith('scopes: expected some of'), more.body.message)
  },
)

/** What only the owner may and what needs the whole application; and what any of its tokens reaches. */
const managed: [method: string, path: string, body?: object][] = [
  ['PUT', '', plain],
  ['POST', '/secret', {}],
  ['POST', '/tokens', {}],
  ['GET', '/queue'],
  ['PATCH', '/queue', { state: 'paused' }],
  ['GET', '/signing-secrets'],
  ['POST', '/signing-secrets', {}],
  ['GET', '/grants'],
  ['GET', '/replays'],
  ['POST', '/replays', { since: '2026-03-10T00:00:00.000Z', dry_run: true }],
  ['GET', '/listeners'],
]
const shared: [method: string, path: string, body?: object][] = [
  ['GET', ''],
  ['GET', '/notifications/explain?resource=/orders/1'],
  ['POST', '/notifications/none/retry'],
]

contract(
  ['notifications', 'users'],
  'a stranger cannot tell an application of others from none',
  async () => {
    const { body: created } = await make(market.brunoToken)
    for (const [method, path, body] of [...managed, ...shared]) {
      const ask = (id: number) =>
        app.client.send(method, `/applications/${id}${path}`, { token: market.carlaToken, body })
      const [theirs, none] = [await ask(created.id), await ask(created.id + 1_000_000)]
      assert.deepEqual([theirs.status, theirs.body], [none.status, none.body], `${method} ${path}`)
      assert.deepEqual([theirs.status, theirs.body.error], [403, 'access_denied'])
    }
    for (const feed of ['myfeeds', 'missed_feeds']) {
      for (const id of [created.id, created.id + 1_000_000]) {
        const answer = await app.client.get(`/${feed}?app_id=${id}`, market.carlaToken)
        assert.deepEqual([answer.status, answer.body.error], [403, 'access_denied'])
      }
    }
    assert.deepEqual(await listed(market.carlaToken), [])
  },
)

contract(
  ['notifications', 'users'],
  'an application that a user has authorised does not manage what the user owns',
  async () => {
    // ana's token is of an application that she has authorised; she comes to own another one.
    const { body: token } = await app.client.operator('POST', '/operator/tokens', {
      user_id: anaId,
    })
    const { body: created } = await make(token.access_token)
    for (const [method, path, body] of [...managed, ...shared]) {
      const url = `/applications/${created.id}${path}`
      const answer = await app.client.send(method, url, { token: market.anaToken, body })
      assert.deepEqual(
        [answer.status, answer.body.error],
        [403, 'access_denied'],
        `${method} ${path}`,
      )
    }
    assert.equal((await app.client.get('/applications', market.anaToken)).status, 403)
    assert.equal((await make(market.anaToken)).status, 403)
    // Nor does a user's token of an application manage it, though the user owns it.
    await putApplication(app.client, applicationId, { owner_id: anaId })
    for (const [method, path, body] of managed) {
      const url = `/applications/${applicationId}${path}`
      const answer = await app.client.send(method, url, { token: market.anaToken, body })
      assert.equal(answer.status, 403, `${method} ${path}`)
    }
  },
)

contract(
  'users',
  'an account makes twenty applications and no more, in two processes at once as well',
  async () => {
    const { body } = await app.client.operator('POST', '/operator/tokens', { user_id: carlaId })
    const token = body.access_token
    for (let count = 0; count < mostOwned - 3; count++)
      assert.equal((await make(token)).status, 201)
    const apps = [app, second, app, second, app, second]
    const answers = await Promise.all(apps.map((at) => make(token, {}, at)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 403, 403, 403])
    const refused = answers.find(({ status }) => status === 403)
    assert.equal(refused?.body.error, 'applications_exhausted')
    assert.equal((await listed(token)).length, mostOwned)
  },
)

contract('users', 'a list of one’s own applications goes on behind the last id', async () => {
  const { body } = await app.client.operator('POST', '/operator/tokens', { user_id: carlaId })
  const all = await listed(body.access_token)
  const ids: number[] = []
  let after: number | null = 0
  while (after !== null) {
    const page = await app.client.get(`/applications?limit=7&after=${after}`, body.access_token)
    ids.push(...page.body.applications.map(({ id }: { id: number }) => id))
    after = page.body.next_after
    assert.ok(ids.length <= all.length, 'the pages come to an end')
  }
  assert.deepEqual(ids, all)
})

contract('users', 'a refused application names its field', async () => {
  const cases: [body: object, field: string][] = [
    [{ name: '' }, 'name'],
    [{ callback_url: 'ftp://x/' }, 'callback_url'],
    [{ topics: ['nothing'] }, 'topics[0]'],
    [{ redirect_uris: ['x'] }, 'redirect_uris[0]'],
    [{ scopes: [] }, 'scopes'],
  ]
  for (const [more, field] of cases) {
    const { status, body } = await make(market.brunoToken, more)
    assert.equal(status, 400)
    assert.ok(body.message.startsWith(`${field}: `), body.message)
  }
})

contract(
  'users',
  'the console lets its users in as any application does, back to this very service',
  async () => {
    const browser = await openSignedInBrowser(app)
    const { verifier, challenge } = createPkcePair()
    const redirect_uri = `${app.address}/console/callback`
    const authorization = {
      client_id: String(consoleApplicationId),
      redirect_uri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }
    const page = await browser.load(authorizationUrlPath(authorization))
    assert.match(page.text, /Feria console/)
    const done = await browser.submit(page, '/authorization', { decision: 'allow' })
    const back = new URL(done.location ?? '')
    assert.equal(back.href.split('?')[0], redirect_uri)
    const fields = {
      grant_type: 'authorization_code',
      client_id: consoleApplicationId,
      redirect_uri,
      code: back.searchParams.get('code'),
      code_verifier: verifier,
    }
    const { status, body } = await app.client.send('POST', '/oauth/token', { body: fields })
    assert.equal(status, 200)
    // What she owns she manages by it.
    const own = await app.client.get(`/applications/${applicationId}`, body.access_token)
    assert.equal(own.body.owner_id, anaId, own.text)
    const account = await browser.load('/account')
    assert.match(account.text, /Feria console/, 'and she can take it back')
    const reads = async () => (await app.client.get('/users/me', body.access_token)).status
    assert.equal(await reads(), 200)
    await enableSignIn(app)
    assert.equal(await reads(), 401, 'a new password ends it')
    await browser.signIn('ANA_VENDE', password)
    for (const elsewhere of ['https://app.example/console/callback', `${app.address}/console/`]) {
      const refused = await browser.load(
        authorizationUrlPath({ ...authorization, redirect_uri: elsewhere }),
      )
      assert.equal(refused.status, 400, elsewhere)
    }
    const unproven = {
      ...authorization,
      code_challenge: undefined,
      code_challenge_method: undefined,
    }
    const led = await browser.load(authorizationUrlPath(unproven))
    assert.match(led.location ?? '', /error=invalid_request/, 'not without PKCE')
  },
)

contract('users', 'nobody registers, changes or takes over the console', async () => {
  const path = `/operator/applications/${consoleApplicationId}`
  const put = await app.client.operator('PUT', path, { ...plain, secret: clientSecret })
  assert.equal(put.status, 400)
  assert.ok(put.body.message.startsWith('id: '), put.body.message)
  assert.equal((await app.client.operator('GET', path)).status, 404)
  assert.equal((await app.client.operator('POST', `${path}/secret`, {})).status, 404)
  const credentials = { client_id: consoleApplicationId, client_secret: clientSecret }
  const body = { grant_type: 'client_credentials', ...credentials }
  assert.equal((await app.client.send('POST', '/oauth/token', { body })).status, 400)
})

test('the operator reads who has authorised any application', async () => {
  const path = (id: number) => `/operator/applications/${id}/grants`
  const { body } = await app.client.operator('GET', path(applicationId))
  assert.deepEqual(
    body.grants.map(({ user_id }: { user_id: string }) => user_id),
    [String(anaId)],
  )
  assert.equal((await app.client.operator('GET', path(424242))).status, 404)
})
