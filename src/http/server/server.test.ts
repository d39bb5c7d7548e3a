import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  createTestMarket,
  issueToken,
  type MarketTokens,
  placeOrder,
} from '../../../test/harness/market.ts'
import { nextEvent } from '../../../test/harness/wait.ts'
import { routes } from '../../app/routes.ts'
import { formLimit } from '../bounds.ts'

let app: TestApp
let market: MarketTokens
let orderId: number

before(async () => {
  app = await openTestApp({ env: { FERIA_BODY_LIMIT_KB: '8' } })
  market = await createTestMarket(app.client, null)
  orderId = (await placeOrder(app.client)).id
})
after(() => app.close())

/** Sends bytes as they are and returns what comes back until the server ends the connection. */
async function raw(text: string | Buffer): Promise<{ status: number; head: string; body: string }> {
  const { hostname, port } = new URL(app.address)
  const socket = connect(Number(port), hostname)
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  socket.on('error', () => {})
  socket.write(text)
  await nextEvent(socket, 'close')
  const [head = '', body = ''] = Buffer.concat(parts).toString().split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body }
}

const ask = (path: string, headers: string[] = []) =>
  raw(
    [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join(
      '\r\n',
    ),
  )

contract(
  'errors',
  'an unknown path and a wrong method are refused in the general body',
  async () => {
    const cases: [method: string, path: string][] = [
      ['GET', '/nothing/here'],
      ['DELETE', `/orders/${orderId}`],
      ['POST', '/health/live'],
      ['PATCH', '/'],
      ['GET', '//'],
    ]
    for (const [method, path] of cases) {
      const { status, body } = await app.client.send(method, path, { token: market.anaToken })
      const message = `No resource at ${method} ${path}`
      assert.deepEqual(body, { message, error: 'not_found', status: 404, cause: [] })
      assert.equal(status, 404)
    }
  },
)

contract(
  ['4', 'errors'],
  'a body that can not be read is refused before any handler sees it',
  async () => {
    const json = 'application/json'
    const cases: [body: string, type: string, status: number, words: RegExp][] = [
      ['{', json, 400, /^body: expected valid JSON$/],
      ['', json, 400, /^A JSON body is required$/],
      ["{'a':1}", json, 400, /^body: expected valid JSON$/],
      ['{"a":1}{}', json, 400, /^body: expected valid JSON$/],
      ['{"__proto__":{"x":1}}', json, 400, /^__proto__: expected no such field$/],
      ['{"a":[{"__proto__":1}]}', json, 400, /^a\[0\]\.__proto__: expected no such field/],
      ['{"\\u005f_proto__":1}', json, 400, /^__proto__: expected no such field$/],
      ['{"constructor":{"prototype":{}}}', json, 400, /^constructor: expected no such field/],
      ['null', json, 400, /^body: expected a JSON object$/],
      ['[]', json, 400, /^body: expected object$/],
      ['{}', 'text/plain', 400, /^Content-Type: expected application\/json$/],
      ['{}', 'application/xml', 400, /^Content-Type: expected application\/json$/],
      ['a=b', 'application/x-www-form-urlencoded', 400, /^Content-Type: expected/],
      ['{}', ';', 400, /^Content-Type: expected application\/json$/],
      [
        JSON.stringify({ name: 'x'.repeat(9_000) }),
        json,
        413,
        /^body: expected at most 8192 bytes$/,
      ],
    ]
    for (const [body, type, status, words] of cases) {
      const headers = { 'content-type': type }
      const answer = await app.client.operator('POST', '/operator/orders', body, headers)
      assert.equal(answer.status, status, `${type} ${body.slice(0, 60)}: ${answer.text}`)
      assert.match(answer.body.message, words)
    }
  },
)

test('a missing body is named', async () => {
  const { status, body } = await app.client.operator('POST', '/operator/orders')
  assert.equal(status, 400)
  assert.equal(body.message, 'A JSON body is required')
})

test("a stranger's body is not read: who it is comes first", async () => {
  const answer = await app.client.send('POST', '/operator/orders', { body: '{ not even json' })
  assert.equal(answer.status, 401)
})

test('an unknown path is answered from the headers, and strangers send no long bodies', async () => {
  const head = (path: string, length: number) =>
    [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json']
      .concat([`Content-Length: ${length}`, 'Connection: close', '', ''])
      .join('\r\n')
  // No byte of the body is sent.
  assert.equal((await raw(head('/nothing/here', 1_000))).status, 404)
  const top = '/catalog_domains/MLA-CELLPHONES/attributes/BRAND/top_values'
  for (const path of [top, '/oauth/token', '/login']) {
    const { status, body } = await raw(head(path, formLimit + 1))
    assert.equal(status, 413, path)
    // The page of /login is for people.
    if (path !== '/login') assert.match(body, /body: expected at most 8192 bytes/)
  }
})

test("operator's resources refuse every token but the operator's", async () => {
  const operators = routes.filter((route) => route.scope === 'operator')
  assert.ok(operators.length > 5)
  for (const { method, url } of operators) {
    const path = url.replace(/:[a-z_]+/g, '1001')
    const options = { token: market.anaToken, ...(method === 'GET' ? {} : { body: {} }) }
    for (const asking of [options, { ...options, token: `${operatorToken}x` }, { token: '' }, {}]) {
      const { status, body } = await app.client.send(method, path, asking)
      assert.deepEqual([status, body.error], [401, 'operator_only'], `${method} ${path}`)
    }
    const inQuery = await app.client.send(method, `${path}?access_token=${operatorToken}`)
    assert.equal(inQuery.body.error, 'operator_only')
  }
})

contract(
  ['1', '4', '5', '7.3'],
  "users' resources refuse the operator's token, and none at all",
  async () => {
    const users = routes.filter((route) => route.scope === 'read' || route.scope === 'write')
    assert.ok(users.length > 0)
    for (const { method, url, failures } of users) {
      const path = url.replace(/:[a-z_]+/g, '1001')
      const operators = await app.client.send(method, path, { token: operatorToken })
      assert.deepEqual([operators.status, operators.body.message], [401, 'invalid_token'], path)
      const none = await app.client.send(method, path)
      const says = [none.status, none.body.error ?? none.body.message]
      const isMessage = failures === 'message'
      const refusal = isMessage ? [400, 'Access token is required'] : [401, 'not_identified_user']
      assert.deepEqual(says, refusal, path)
    }
  },
)

contract('errors', 'a token without the scope that an operation asks for is denied', async () => {
  const token = await issueToken(app.client, {
    user_id: anaId,
    application_id: applicationId,
    scopes: ['write'],
  })
  const { status, body } = await app.client.get(`/orders/${orderId}`, token)
  const message = 'access to the requested resource is forbidden'
  assert.deepEqual(body, { message, error: 'access_denied', status: 403, cause: [] })
  assert.equal(status, 403)
})

contract(['4', '5'], 'access_token in the query works like the header', async () => {
  const { status, body } = await app.client.get(
    `/orders/${orderId}?access_token=${market.anaToken}`,
  )
  assert.equal(status, 200)
  assert.equal(body.id, orderId)
  const wrong = await app.client.get(`/orders/${orderId}?access_token=nonsense`)
  assert.equal(wrong.body.message, 'invalid_token')
})

contract(
  'leniency',
  'a path that was encoded in one piece is decoded before it is routed',
  async () => {
    const token = `access_token=${market.anaToken}`
    for (const path of [
      `/orders%2F${orderId}?${token}`,
      `/orders%2f${orderId}?${token}`,
      `/orders%2F${orderId}%3Faccess_token%3D${market.anaToken}`,
      `/orders%2F${orderId}%3Fattributes%3Did%26access_token%3D${market.anaToken}`,
      `/orders%2F${orderId}%3Fattributes=id&${token}`,
      `/orders%2F${orderId}%3Fattributes%3Did?${token}`,
    ]) {
      const { status, body } = await ask(path)
      assert.equal(status, 200, `${path}: ${body}`)
      assert.equal(JSON.parse(body).id, orderId)
    }
  },
)

contract('leniency', 'attributes keeps only the named fields of an answer', async () => {
  const { body } = await app.client.get(`/orders/${orderId}?attributes=id,status`, market.anaToken)
  assert.deepEqual(body, { id: orderId, status: 'confirmed' })
})

test('a broken percent encoding is a bad request', async () => {
  for (const path of ['/orders/%', '/orders/%zz', '/orders/%ff', '/%c0%af', '/orders%2F%E0%A4%A']) {
    const { status, head, body } = await ask(path, [`Authorization: Bearer ${market.anaToken}`])
    assert.equal(status, 400, `${path}: ${body}`)
    assert.equal(JSON.parse(body).message, 'path: expected a valid percent-encoded path')
    assert.match(head, /x-request-id: \S+/i)
  }
})

test('a part of a path without end is a bad request', async () => {
  const { status, body } = await ask(`/orders/${'1'.repeat(1_000)}`, [
    `Authorization: Bearer ${market.anaToken}`,
  ])
  assert.equal(status, 400)
  assert.equal(JSON.parse(body).message, 'path: expected shorter parts')
})

test('what is not HTTP is refused in the general body, and the connection ends', async () => {
  const cases: [sent: string | Buffer, status: number, error: string][] = [
    ['rubbish\r\n\r\n', 400, 'bad_request'],
    [Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05, 0x0d, 0x0a]), 400, 'bad_request'],
    ['GET / HTTP/1.1\r\nHost: localhost\r\nA: \u0001\r\n\r\n', 400, 'bad_request'],
    ['GET /\u00e9 HTTP/9.9\r\nHost: localhost\r\n\r\n', 400, 'bad_request'],
    [
      'POST /operator/orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0',
      400,
      'bad_request',
    ],
    [
      `GET / HTTP/1.1\r\nHost: localhost\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ]
  for (const [sent, status, error] of cases) {
    const answer = await raw(sent)
    const body = JSON.parse(answer.body)
    assert.deepEqual([answer.status, body.status, body.error], [status, status, error])
    assert.ok(body.message.includes(': expected '), body.message)
  }
})

test('a request that Node would end without a word is refused in the general body', async () => {
  const connecting = 'Host: localhost\r\nConnection: close\r\n'
  const cases: [sent: string, status: number, message: RegExp][] = [
    ['GET /sites HTTP/1.1\r\nConnection: close\r\n\r\n', 400, /^Host: expected /],
    ['GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400, /^Host: expected /],
    [`GET /sites HTTP/1.1\r\n${connecting}Expect: the-unknown\r\n\r\n`, 417, /^Expect: expected /],
    [
      `POST /oauth/token HTTP/1.1\r\n${connecting}Content-Length: 9\r\nExpect: 200-ok\r\n\r\n`,
      417,
      /^Expect: expected /,
    ],
    [
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
      405,
      /^CONNECT: expected /,
    ],
  ]
  for (const [sent, status, message] of cases) {
    const answer = await raw(sent)
    const body = JSON.parse(answer.body)
    assert.deepEqual([answer.status, body.status, body.cause], [status, status, []], sent)
    assert.match(body.message, message)
    assert.match(answer.head, /^content-type: application\/json; charset=utf-8$/im)
    assert.equal(/^allow: /im.test(answer.head), status === 405)
  }
  const older = await raw('GET /health/live HTTP/1.0\r\n\r\n')
  assert.equal(older.status, 200)
  const patient = `GET /health/live HTTP/1.1\r\n${connecting}Expect: 100-continue\r\n\r\n`
  assert.match((await raw(patient)).body, /^HTTP\/1.1 200 /)
})

test('every answer carries its own x-request-id, refusals too', async () => {
  const ids = new Set<string>()
  const paths = ['/health/live', `/orders/${orderId}`, '/orders/x', '/nowhere', '/metrics', '/docs']
  for (const path of paths) {
    for (const token of [market.anaToken, 'nonsense']) {
      const { headers } = await app.client.get(path, token)
      const id = headers.get('x-request-id')
      assert.ok(id, path)
      ids.add(id)
    }
  }
  assert.equal(ids.size, paths.length * 2)
})

contract(
  'errors',
  'who asks more often than the rate is told when to come again; others are not held up',
  async (t) => {
    const limited = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '60' } })
    t.after(() => limited.close())
    const mine = await createTestMarket(limited.client, null)
    const statuses = new Map<number, number>()
    for (let count = 0; count < 61; count++) {
      const answer = await limited.client.get('/orders/1', mine.anaToken)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status !== 429) continue
      const { message, error } = answer.body
      assert.deepEqual([message, error], ['too_many_requests', 'local_rate_limited'])
      const seconds = Number(answer.headers.get('retry-after'))
      assert.ok(seconds >= 1 && seconds <= 60, `retry-after ${seconds}`)
    }
    assert.deepEqual(Object.fromEntries(statuses), { 404: 60, 429: 1 })
    assert.equal((await limited.client.get('/orders/1', mine.brunoToken)).status, 404)

    // Refused tokens count against the network, on top of what the operator has asked from there.
    const guesses = []
    for (let guess = 0; guess < 60; guess++) {
      guesses.push((await limited.client.get('/orders/1', `guess-${guess}`)).status)
    }
    assert.equal(guesses[0], 401)
    assert.equal(guesses.at(-1), 429)
  },
)
