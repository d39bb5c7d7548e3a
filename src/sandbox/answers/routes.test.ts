import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import {
  applicationId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../../test/harness/market.ts'
import { download, uploadFile } from '../../../test/harness/upload.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { routes } from '../../app/routes.ts'
import type { Route } from '../../http/route.ts'
import { PartialOrderAnswer } from '../../orders/schemas.ts'
import { partsOperation } from './fault.ts'

let database: TestDatabase
/** Two processes of one sandbox, as far as they are concerned. */
let app: TestApp
let other: TestApp
let market: MarketTokens
let path: string
const url = '/operator/sandbox/answer-faults'

before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  other = await openTestApp({ databaseUrl: database.url })
  market = await createTestMarket(app.client, null)
  path = `/orders/${(await placeOrder(app.client)).id}`
})
afterEach(async () => {
  assert.equal((await app.client.operator('DELETE', url)).status, 204)
})
after(async () => {
  await app.close()
  await other.close()
  await database.drop()
})

async function set(name: string, body: object, by: TestApp = app) {
  const answer = await by.client.operator('PUT', `${url}/${name}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const read = (token = market.anaToken, by: TestApp = app) => by.client.get(path, token)
const list = async () => (await app.client.operator('GET', url)).body.faults

contract(
  '4.3',
  'an order lacks the parts that were chosen, for the application that was named',
  async () => {
    const whole = await read()
    await set('few', { kind: 'parts', parts: ['buyer', 'shipping'], application_id: applicationId })
    const { status, headers, body } = await read()
    assert.equal(status, 206)
    assert.equal(headers.get('x-content-missing'), 'buyer,shipping')
    assert.equal(headers.get('x-feria-simulated'), 'few')
    assert.deepEqual([body.buyer, body.shipping], [{}, {}])
    assert.deepEqual(body.seller, whole.body.seller)
    // Bruno's token is of no application.
    const others = await read(market.brunoToken)
    assert.deepEqual([others.status, others.headers.get('x-feria-simulated')], [200, null])
  },
)

contract(
  '4.3',
  'a range of an attachment lacks no parts, and does not use up a fault that is about parts',
  async () => {
    const id = await uploadFile(app.address, { token: market.anaToken })
    const whole = await download(app.address, { token: market.anaToken, id })
    await set('few', { kind: 'parts', parts: ['buyer'], times: 1 })
    const headers = { range: 'bytes=1-3' }
    const part = await download(app.address, { token: market.anaToken, id, headers })
    assert.equal(part.status, 206)
    assert.deepEqual(part.bytes, whole.bytes.subarray(1, 4))
    assert.equal(part.headers['content-range'], `bytes 1-3/${whole.bytes.length}`)
    assert.equal(part.headers['x-feria-simulated'], undefined)
    const [{ seen, met }] = await list()
    assert.deepEqual([seen, met], [0, 0])
    assert.equal((await read()).headers.get('x-content-missing'), 'buyer')
  },
)

test('the operations that declare parts are those that answer orders without some', () => {
  const named = (some: readonly Route[]) => some.map(({ method, url }) => `${method} ${url}`)
  const inParts = routes.filter(({ answers }) => answers[206] === PartialOrderAnswer)
  assert.ok(named(inParts).includes('GET /orders/:order_id'))
  assert.deepEqual(named(routes.filter(({ mayLackParts }) => mayLackParts)), named(inParts))
  // Faults of answers never affect the operator.
  const affected = inParts.filter(({ scope }) => scope !== 'operator')
  const { method, path: partsPath } = partsOperation
  assert.deepEqual(named(affected), [`${method} ${partsPath.replace('{order_id}', ':order_id')}`])
})

test('a fault of parts that no request would meet is refused with what it works for', async () => {
  const parts = { kind: 'parts', parts: ['buyer'] }
  const cases: [body: object, message: RegExp][] = [
    [
      { path: '/orders/search' },
      /^path: expected \/orders\/\{order_id\} .*works only for GET \/orders/,
    ],
    [{ path: '/orders/*/notes' }, /^path: expected /],
    [{ method: 'PUT' }, /^method: expected GET, because kind parts works only for GET/],
  ]
  for (const [body, message] of cases) {
    const answer = await app.client.operator('PUT', `${url}/x`, { ...parts, ...body })
    assert.deepEqual([answer.status, answer.body.error], [400, 'bad_request'], answer.text)
    assert.match(answer.body.message, message)
  }
  assert.deepEqual(await list(), [])
  for (const body of [
    { path: '/orders/*' },
    { path, method: 'GET' },
    { path: '/orders/{order_id}' },
  ]) {
    await set('x', { ...parts, ...body })
    assert.equal((await read()).status, 206, JSON.stringify(body))
  }
})

const refusals: [kind: object, status: number, error: string, retryAfter: string | null][] = [
  [{ kind: 'conflict' }, 409, 'conflict', null],
  [{ kind: 'limit', retry_after: 17 }, 429, 'local_rate_limited', '17'],
  [{ kind: 'failure' }, 500, 'internal_server_error', null],
  [{ kind: 'failure', status: 502 }, 502, 'bad_gateway', null],
  [{ kind: 'failure', status: 503 }, 503, 'service_unavailable', '1'],
  [{ kind: 'failure', status: 504 }, 504, 'gateway_timeout', null],
]

for (const [body, status, error, retryAfter] of refusals) {
  contract(
    '4.3',
    `an answer is refused as it would be, and says that it is pretended: ${status}`,
    async () => {
      await set('no', { ...body, path: '/orders/{order_id}', method: 'GET' })
      const answer = await read()
      assert.deepEqual([answer.status, answer.body.error], [status, error])
      assert.equal(answer.headers.get('retry-after'), retryAfter)
      assert.equal(answer.headers.get('x-feria-simulated'), 'no')
      assert.equal((await app.client.get('/sites')).status, 200)
    },
  )
}

contract('4.3', 'an answer comes late, or the connection is cut', async () => {
  await set('late', { kind: 'slow', delay_ms: 300, path: '/orders/*' })
  const startMs = performance.now()
  assert.equal((await read()).status, 200)
  // The delay is the guarantee; a slow machine only makes it longer.
  assert.ok(performance.now() - startMs >= 295)
  await set('cut', { kind: 'reset', path: '/orders/*' })
  await assert.rejects(read(), /ECONNRESET|UND_ERR_SOCKET/)
})

contract('4.3', 'what was asked is done all the same where only its answer is lost', async () => {
  const note = (text: string) =>
    app.client.send('POST', `${path}/notes`, { token: market.anaToken, body: { note: text } })
  const notes = async () => {
    const { body } = await app.client.get(`${path}/notes`, market.anaToken)
    return body[0].results.map((note: { note: string }) => note.note)
  }
  await set('lost', { kind: 'failure', status: 504, after: true, method: 'POST', times: 1 })
  assert.equal((await note('done')).status, 504)
  assert.equal((await note('answered')).status, 201)
  await set('lost', { kind: 'failure', status: 504, method: 'POST', times: 1 })
  assert.equal((await note('never done')).status, 504)
  assert.deepEqual((await notes()).toSorted(), ['answered', 'done'])
})

contract(
  '4.3',
  'the same seed meets the same requests, whichever processes they come to',
  async () => {
    const play = async () => {
      const fault = { kind: 'conflict', path: '/orders/*', share: 0.4, seed: 11 }
      await set('some', fault)
      await pollUntil('the other process to hear', async () => (await list())[0].seen === 0)
      const met: boolean[] = []
      for (let n = 0; n < 30; n++) {
        met.push((await read(market.anaToken, n % 2 === 0 ? app : other)).status === 409)
      }
      return met
    }
    await set('some', { kind: 'conflict', path: '/orders/*', share: 0.4, seed: 11 })
    await pollUntil('the other process to follow', async () => {
      await read(market.anaToken, other)
      return (await list())[0].seen > 0
    })
    const first = await play()
    assert.deepEqual(await play(), first)
    const [{ seen, met }] = await list()
    assert.deepEqual([seen, met], [30, first.filter(Boolean).length])
    assert.ok(met > 3 && met < 25)
  },
)

contract(
  '4.3',
  'of many requests at a time a fault meets so many as it was told, not one more',
  async () => {
    await set('thrice', { kind: 'conflict', path: '/orders/*', times: 3 })
    const statuses = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, n) => (await read(market.anaToken, n % 2 ? app : other)).status,
      ),
    )
    assert.ok(statuses.filter((status) => status === 409).length <= 3)
    for (let reads = 0; reads < 3 && (await list())[0].met < 3; reads++) await read()
    assert.equal((await read()).status, 200)
    assert.equal((await list())[0].met, 3)
  },
)

contract(
  '1',
  'the operator’s own interface and the health of the program are never touched',
  async () => {
    await set('all', { kind: 'reset' })
    const [{ kind, path: about, seen }] = await list()
    assert.deepEqual([kind, about, seen], ['reset', null, 0])
    assert.equal((await app.client.get('/health/ready')).status, 200)
    assert.equal((await app.client.operator('GET', `/operator${path}`)).status, 200)
    await assert.rejects(read(), /ECONNRESET|UND_ERR_SOCKET/)
  },
)

test('a fault that cannot be is refused by the name of its field; an unknown one is not found', async () => {
  const cases: [body: object, field: string][] = [
    [{}, 'kind'],
    [{ kind: 'weather' }, 'kind'],
    [{ kind: 'conflict', status: 503 }, 'status'],
    [{ kind: 'slow', after: true }, 'after'],
    [{ kind: 'parts' }, 'parts'],
    [{ kind: 'parts', parts: ['weather'] }, 'parts'],
    [{ kind: 'failure', status: 200 }, 'status'],
    [{ kind: 'conflict', path: 'orders' }, 'path'],
    [{ kind: 'conflict', share: 2 }, 'share'],
    [{ kind: 'conflict', times: 0 }, 'times'],
    [{ kind: 'conflict', why: 1 }, 'why'],
  ]
  for (const [body, field] of cases) {
    const { status, body: refusal } = await app.client.operator('PUT', `${url}/x`, body)
    assert.equal(status, 400)
    assert.match(refusal.message, RegExp(`^${field}.*: expected `))
  }
  assert.equal((await app.client.operator('DELETE', `${url}/x`)).status, 404)
  assert.equal((await app.client.operator('PUT', `${url}/X%20`, { kind: 'reset' })).status, 400)
})

contract('1', 'in production nothing is pretended', async () => {
  const real = await openTestApp({ env: { FERIA_MODE: 'production' } })
  try {
    for (const [method, at, body] of [
      ['GET', url],
      ['PUT', `${url}/x`, { kind: 'reset' }],
      ['DELETE', url],
      ['DELETE', `${url}/x`],
    ] as const) {
      const answer = await real.client.operator(method, at, body)
      assert.deepEqual([answer.status, answer.body.error], [403, 'sandbox_only'])
    }
    assert.equal(real.ctx.interfere, undefined)
  } finally {
    await real.close()
  }
})
