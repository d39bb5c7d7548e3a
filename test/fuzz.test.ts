import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { routes } from '../src/app/routes.ts'
import { isAudited } from '../src/http/audit.ts'
import type { Route } from '../src/http/route.ts'
import { failures } from '../src/kernel/failure.ts'
import { sql } from '../src/platform/database/sql.ts'
import { createApplicationResources } from './fuzz/application-resources.ts'
import { createOperatorResources, isAboutOperators } from './fuzz/operator-resources.ts'
import { type FuzzRequest, fuzzRequestsAt } from './fuzz/requests.ts'
import { createSandboxResources } from './fuzz/sandbox-resources.ts'
import { openTestApp, type TestApp } from './harness/app.ts'
import { hiddenFieldsOf, unescapeHtml } from './harness/browser.ts'
import {
  anaId,
  applicationId,
  carlaId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from './harness/market.ts'
import { placeCustomShippingOrder, sendTestMessage } from './harness/messaging.ts'
import {
  clientSecret,
  openSignedInBrowser,
  password,
  redirectUri,
  registerClient,
} from './harness/oauth.ts'
import {
  openProviderServer,
  type ProviderServer,
  serveScriptedProvider,
} from './harness/openid-provider.ts'
import { tier } from './harness/tier.ts'
import { uploadFile } from './harness/upload.ts'

/**
 * Sends generated input to every operation, over real HTTP. No input causes an internal error, and a refusal names the
 * wrong field in JSON. A failure prints its seed: `TEST_SEED=… FUZZ_RUNS=… npm test -- test/fuzz.test.ts` repeats it, or
 * tries others and more.
 */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? (tier === 'fast' ? 1 : 20))
const maxRounds = tier === 'fast' ? 1 : 20
const seed = fc.readConfigureGlobal().seed ?? 1

/** Operations that have answered otherwise than by a refusal. */
const acceptedRoutes = new Set<Route>()
/** Operations of which an entry in the audit log said what changed. */
const describedRoutes = new Set<Route>()

/** Operations whose entries in the audit log describe no change, each with the reason. */
const undescribedOperations: Readonly<Record<string, string>> = {
  'POST /operator/accounts/me/recovery-codes':
    'recovery codes are secrets, and the account is the target',
  'POST /operator/accounts/me/two-factor': 'the secret takes effect only when it is confirmed',
  'PUT /operator/accounts/me/password': 'passwords are secrets, and the account is the target',
  'POST /operator/sessions/verify': 'it only proves who acts',
  'POST /operator/sessions/verify/openid': 'it only proves who acts',
  'POST /operator/sessions/verify/openid/begin': 'it only sends to the provider',
  'POST /operator/accounts/me/identity/begin': 'it only sends to the provider',
  'POST /operator/applications/:application_id/notifications/:notification_id/retry':
    'the attempt is in the feed',
  'POST /operator/import': 'its counts are in the result of the entry',
}

let app: TestApp
let agent: Agent
let provider: ProviderServer

before(async () => {
  agent = new Agent({ keepAlive: true, maxSockets: 8 })
  provider = await openProviderServer()
  const claims = () => ({ auth_time: Math.floor(Date.now() / 1_000) })
  serveScriptedProvider(provider, () => ({ claims: claims() }))
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '100000000', ...provider.env } })
})
after(async () => {
  agent.destroy()
  await app.close()
  await provider.close()
})

/** Made anew for each operation, since the one before may have damaged it. The fast tier keeps what it does not need
 * intact. */
let fixture:
  | {
      market: MarketTokens
      order: Awaited<ReturnType<typeof placeOrder>>
      around: RelatedResources
    }
  | undefined

async function openFuzzFixture(at: number, needsNew: boolean) {
  const isKept = tier === 'fast' && at % 40 > 0
  if (fixture && isKept && !needsNew) return fixture
  const market = await createTestMarket(app.client, null)
  const order = await placeOrder(app.client)
  const around = fixture && isKept ? fixture.around : await createRelatedResources(order, market)
  fixture = { market, order, around }
  return fixture
}

for (const [at, route] of routes.entries()) {
  test(`generated input at ${route.method} ${route.url} causes no internal error, and a refusal names the field`, async () => {
    await app.client.operator('PUT', '/operator/faults', { order_parts: [] })
    await app.client.operator('DELETE', '/operator/sandbox/answer-faults')
    const isDamaged = routes[at - 1]?.method !== 'GET'
    const needsNew =
      isDamaged &&
      (/replays|listeners|applications|exports?\b/.test(route.url) || isAtSignIn(route))
    const { market, order, around: relatedIds } = await openFuzzFixture(at, needsNew)
    const around = {
      ...relatedIds,
      ...(route.url.includes('/replays/') ? await makeReplay(market) : {}),
      ...(isAtSignIn(route) ? await makeSignIn() : {}),
      ...(/^(\/operator)?\/applications(?!.*(replays|listeners|export))/.test(route.url)
        ? await createApplicationResources(app)
        : {}),
      ...(route.url.endsWith('/synonyms/:id') ? await makeSynonyms() : {}),
      ...(isAboutOperators(route) ? await createOperatorResources(app, route) : {}),
      ...(route.url.endsWith('/erasure') ? await makeErasedUser() : {}),
      ...(route.url.includes('/jobs/:id') ? await makeJob(route.url) : {}),
      ...(route.url.includes('/sandbox/') ? await createSandboxResources(app.client, route) : {}),
    }
    if (route.url.includes('/listeners')) await makeListener()
    if (route.url.includes('/deliveries/export')) {
      await makeListener()
      Object.assign(around, { resource: [`/orders/${order.id}`] })
    }
    const requests = fuzzRequestsAt(route, { market, orderId: order.id, relatedIds: around })
    const property = fc.asyncProperty(
      fc.array(requests, { minLength: 1, maxLength: 6 }),
      async (sent) => {
        await Promise.all(
          sent.map(async (each) => {
            const response = await send(route, each)
            assertAcceptable(route, each, response)
            await assertAudited(route, response)
          }),
        )
      },
    )
    // Most requests are refused. The slow tier goes on until one was accepted.
    for (let round = 0; round === 0 || (round < maxRounds && !acceptedRoutes.has(route)); round++) {
      // Guessing passwords locks the account for a while.
      if (isAtSignIn(route) || route.url === '/operator/sign-in') app.advance(15 * 60_000)
      await fc.assert(property, { numRuns, seed: seed + round })
    }
  })
}

/** A user whom nobody else needs: an erased one is not registered again. */
async function makeErasedUser(): Promise<{ id: number[] }> {
  await app.client.operator('PUT', '/operator/users/9009', { site_id: 'MLA', nickname: 'NOBODY' })
  await app.client.operator('POST', '/operator/users/9009/erasure')
  return { id: [9009] }
}

type RelatedResources = Awaited<ReturnType<typeof createRelatedResources>>

/** What belongs to an order and has an id of its own. */
async function createRelatedResources(
  order: Awaited<ReturnType<typeof placeOrder>>,
  market: MarketTokens,
) {
  const { anaToken: token } = market
  const payment = { status: 'pending', transaction_amount: 10 }
  const paid = await app.client.operator('POST', `/operator/orders/${order.id}/payments`, payment)
  const body = { note: 'a note' }
  const noted = await app.client.send('POST', `/orders/${order.id}/notes`, { token, body })
  return {
    shipping_id: [order.shipping.id],
    payment_id: [paid.body.payments[0].id],
    note_id: [noted.body.note.id],
    claim_id: [await makeClaim(order.id)],
    feedback_id: await makeRatings(market),
    attachment_id: [await uploadFile(app.address, { token })],
    ...(await createConversation(market)),
    ...(await createListingResources(market)),
    ...catalogue,
    // Of the default catalogue, and of that one.
    category_id: ['MLA1411'],
    file: ['MLA1411.svg'],
    domain_id: ['MLA-MOBILE_SMART_PHONES'],
    attribute_id: ['BRAND'],
  }
}

/** One category of the default catalogue's, with its domain and attribute, as an operator's own. */
const named = { es: 'x', pt: 'x' }
const catalogue = {
  version: [0],
  categories: ['{"key":"el","names":{"es":"x","pt":"x","en":"x"},"domain":"MOBILE_SMART_PHONES"}'],
  attributes: [
    JSON.stringify({
      id: 'BRAND',
      names: { ...named, en: 'x' },
      value_type: 'string',
      group: 'MAIN',
    }),
  ],
  domains: [
    JSON.stringify({ id: 'MOBILE_SMART_PHONES', names: named, attributes: [{ id: 'BRAND' }] }),
  ],
}

/** What is told around listings: each of ana's, and what she may ask about. */
async function createListingResources({ anaToken: seller, brunoToken: token }: MarketTokens) {
  const put = async (path: string, body: object) => {
    const { status, text } = await app.client.operator('PUT', `/operator/${path}`, body)
    assert.ok(status < 300, text)
  }
  const listing = { title: 'x', category_id: 'MLA1', price: 1, available_quantity: 1 }
  const inChile = { ...listing, site_id: 'MLC', currency_id: 'CLP', vertical: 'real_estate' }
  await put('items/MLC1', { ...inChile, seller_id: anaId })
  await put('items/MLA3003', { ...listing, site_id: 'MLA', currency_id: 'ARS', seller_id: carlaId })
  await put('items/MLA1004', { ...listing, site_id: 'MLA', currency_id: 'ARS', seller_id: anaId })
  await put('quotations/31', { item_id: 'MLC1' })
  const source = 'https://example.com/a.jpg'
  await put('pictures/p1/errors', { item_id: 'MLA1001', message: 'x', source })
  // Invoices are of users of one site, where ana is for the moment.
  for (const [id, site_id] of [
    [4004, 'MLB'],
    [anaId, 'MLB'],
    [anaId, 'MLA'],
  ] as const) {
    await put(`users/${id}`, { site_id, nickname: `U${id}` })
    if (site_id === 'MLB') await put(`users/${id}/invoices/41`, { invoice_number: 1, amount: 1 })
  }
  const described = { token: seller, body: { plain_text: 'x' } }
  await app.client.send('PUT', '/items/MLA1001/description', described)
  const body = { item_id: 'MLA1001', text: 'x' }
  const response = await app.client.send('POST', '/questions', { token, body })
  return {
    question_id: [response.body.id],
    quotation_id: [31],
    flat_id: ['MLC1'],
    others_item_id: ['MLA3003'],
    undescribed_id: ['MLA1004'],
    picture_id: ['p1'],
    invoice_id: [41],
    billed_id: [4004],
  }
}

const isAtSignIn = ({ scope, failures }: Route) => scope === 'page' || failures === 'oauth'

/** What a browser has once somebody signed in, and what the application asks for access with. */
async function makeSignIn() {
  const operator = (path: string, body: object) =>
    app.client.operator('PUT', `/operator/users/${path}`, body)
  await registerClient(app.client, applicationId, { owner_id: anaId })
  await operator('5005', { site_id: 'MLA', nickname: 'SIGNS_IN' })
  await operator('5005/password', { password })
  const browser = await openSignedInBrowser(app, 'SIGNS_IN')
  const { text } = await browser.load('/account')
  return {
    cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`),
    form_token: [hiddenFieldsOf(text, '/logout')['form_token'] ?? ''],
    login: ['SIGNS_IN'],
    password: [password],
    client_id: [applicationId],
    client_secret: [clientSecret],
    redirect_uri: [redirectUri],
    response_type: ['code'],
    scope: ['read'],
    grant_type: ['client_credentials'],
  }
}

/** A replay that waits: there is a callback only while it is asked for. */
async function makeReplay({ ownerToken: token }: MarketTokens) {
  const put = (callback_url: string | null) =>
    app.client.operator('PUT', `/operator/applications/${applicationId}`, {
      name: 'Stock keeper',
      callback_url,
      topics: ['orders_v2'],
    })
  await put('http://127.0.0.1:9/')
  const body = { since: '2026-03-01T00:00:00.000Z' }
  const url = `/applications/${applicationId}/replays`
  const response = await app.client.send('POST', url, { token, body })
  await put(null)
  return { replay_id: [response.body.id] }
}

/** One who listens and has something to hear, so that nobody waits for it; in the place of all that were
 * made at random. */
async function makeListener(): Promise<void> {
  const url = `/operator/applications/${applicationId}/listeners`
  const { body } = await app.client.operator('GET', url)
  for (const { name } of body.listeners) await app.client.operator('DELETE', `${url}/${name}`)
  const { status } = await app.client.operator('PUT', `${url}/laptop`, {})
  assert.equal(status, 201)
  await placeOrder(app.client)
  await app.runPendingWork()
}

/** A conversation in which both parties may write, a word that is not allowed in any, and rules of moderation. */
async function createConversation({ anaToken: token }: MarketTokens) {
  const { id } = await placeCustomShippingOrder(app.client)
  const word = { kind: 'word', value: `tabu${id}`, reason: 'OUT_OF_PLACE_LANGUAGE' }
  const term = await app.client.operator('POST', '/operator/moderation/terms', word)
  const sent = await sendTestMessage(app.client, { token, packId: id })
  const heldBack = await sendTestMessage(app.client, { token, packId: id, text: `tabu${id}` })
  return {
    talk_id: [id],
    guided_id: [(await placeOrder(app.client)).id],
    term_id: [term.body.id],
    rule: ['link.short', 'contact.phone'],
    message_id: [sent.body.id, heldBack.body.id],
  }
}

async function makeSynonyms(): Promise<{ id: string[] }> {
  const added = { site_id: 'MLA', action: 'add', words: ['zzuno', 'zzdos'] }
  const { body } = await app.client.operator('POST', '/operator/search/synonyms', added)
  return { id: [body.id] }
}

/** A job in the state that the operation is about. */
async function makeJob(url: string): Promise<{ id: string[] }> {
  const parameters = { filter: { seller_id: anaId }, change: { status: 'paused' } }
  const body = { kind: 'bulk_listing_change', parameters }
  const job = await app.client.operator('POST', '/operator/jobs', body)
  const state = url.endsWith('/cancel') ? 'waiting' : 'failed'
  await app.ctx.db.rows(sql`update jobs set state = ${state} where id = ${job.body.id}`)
  return { id: [job.body.id] }
}

async function makeClaim(order_id: number): Promise<number> {
  await app.client.operator('PUT', `/operator/claims/${order_id}`, { order_id })
  return order_id
}

/** Of another sale: each party may rate one once. */
async function makeRatings({ anaToken, brunoToken }: MarketTokens): Promise<number[]> {
  const { id } = await placeOrder(app.client)
  const body = { fulfilled: true, rating: 'neutral', message: 'x' }
  const rate = (token: string) => app.client.send('POST', `/orders/${id}/feedback`, { token, body })
  return [(await rate(anaToken)).body.id, (await rate(brunoToken)).body.id]
}

// A few runs do not reach all of it.
const skip = tier === 'fast' ? 'only in npm run test:all' : false

test('not all of it was refused: what stands behind the checks was reached', { skip }, () => {
  const untouched = routes.filter((route) => !acceptedRoutes.has(route))
  assert.deepEqual(
    untouched.map(({ method, url }) => `${method} ${url}`),
    [],
  )
})

test('an entry of the audit log says what changed, unless the operation is listed with a reason', () => {
  const name = ({ method, url }: Route) => `${method} ${url}`
  const audited = routes.filter((route) => isAudited(route))
  const unlisted = audited.filter(
    (route) => !(describedRoutes.has(route) || Object.hasOwn(undescribedOperations, name(route))),
  )
  // A few runs do not reach a success of each operation.
  if (tier !== 'fast') assert.deepEqual(unlisted.map(name), [])
  const unneeded = Object.keys(undescribedOperations).filter(
    (operation) =>
      !audited.some((route) => name(route) === operation && !describedRoutes.has(route)),
  )
  assert.deepEqual(unneeded, [])
})

test('after all generated input the same process still makes and reads an order', async () => {
  await app.client.operator('PUT', '/operator/faults', { order_parts: [] })
  const market = await createTestMarket(app.client, null)
  const order = await placeOrder(app.client)
  assert.equal((await app.client.get(`/orders/${order.id}`, market.anaToken)).status, 200)
})

interface FuzzResponse {
  requestId: string
  status: number
  type: string | undefined
  text: string
}

function send(route: Route, { path, headers, body }: FuzzRequest): Promise<FuzzResponse> {
  // A DELETE with a body gets no length from Node.
  const length = { ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) }
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.address)
    const options = {
      agent,
      hostname,
      port,
      path,
      method: route.method,
      headers: { ...headers, ...length },
    }
    const asking = httpRequest(options, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const type = response.headers['content-type']
        resolve({
          requestId: String(response.headers['x-request-id']),
          status: response.statusCode ?? 0,
          type,
          text: Buffer.concat(parts).toString(),
        })
      })
      response.on('error', reject)
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

/** Every operation of the operator that changes something has one entry in the audit log if it succeeds, else none. */
async function assertAudited(
  route: Route,
  { requestId, status, text }: FuzzResponse,
): Promise<void> {
  const entries = await app.ctx.db.rows<{ isDescribed: boolean }>(sql`
    select coalesce(before, after) is not null or personal_users <> '{}' as "isDescribed"
    from audit_log where id = ${requestId}`)
  const expected = isAudited(route) && status < 400 ? 1 : 0
  const what = `${route.method} ${route.url} answered ${status}: ${text.slice(0, 200)}`
  assert.equal(entries.length, expected, `entries in the audit log of ${what}`)
  if (entries.some(({ isDescribed }) => isDescribed)) describedRoutes.add(route)
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const sentences = Object.values(failures)
  .filter(({ says }) => says !== '{detail}')
  .map(({ says }) => RegExp(`^${says.split('{detail}').map(literally).join('.*')}$`, 's'))

function assertAcceptable(
  route: Route,
  request: FuzzRequest,
  { status, type, text }: FuzzResponse,
): void {
  const what = `${route.method} ${request.path.slice(0, 200)} answered ${status}: ${text.slice(0, 500)}`
  assert.ok(status < 500, what)
  // Of lines, each is answered for itself.
  if (route.streams) assert.doesNotMatch(text, /internal_server_error/, what)
  if (status < 400) return void acceptedRoutes.add(route)
  // Generated input in a path may lead to no operation. The general body refuses that.
  const isAstray = route.url.includes(':') && /^application\/json/.test(type ?? '')
  const isPage = route.scope === 'page' && !isAstray
  assert.match(type ?? '', isPage ? /^text\/html/ : /^application\/json/, what)
  // A page to sign in on says it in the words of its reader.
  if (isPage && /<form/.test(text)) return void assert.ok(status === 403 || status === 429, what)
  const pageMessage = /<code lang="en">([^<]+)<\/code>/.exec(text)?.[1] ?? ''
  const { message } = isPage ? { message: unescapeHtml(pageMessage) } : JSON.parse(text)
  assert.ok(typeof message === 'string' && message !== '', what)
  assert.doesNotMatch(message, /\.ts:\d|node_modules|duplicate key|invalid input syntax/, what)
  if (status !== 400) return
  const names = /^.+: expected ./s.test(message)
  assert.ok(names || sentences.some((sentence) => sentence.test(message)), `${what} names no field`)
}
