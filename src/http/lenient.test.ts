import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../test/harness/market.ts'
import { placeCustomShippingOrder } from '../../test/harness/messaging.ts'
import {
  clientSecret,
  enableSignIn,
  obtainCode,
  openSignedInBrowser,
  redirectUri,
} from '../../test/harness/oauth.ts'

let app: TestApp
let market: MarketTokens
let orderId: number

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  orderId = (await placeOrder(app.client)).id
})
after(() => app.close())

interface Call {
  token?: string
  body?: string
  headers?: Record<string, string>
}

/** Sends these bytes with these headers and no others of a client library. */
async function send(method: string, path: string, { token, body, headers }: Call = {}) {
  const response = await fetch(`${app.address}${path}`, {
    method,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    ignored: response.headers.get('x-feria-ignored'),
    headers: response.headers,
  }
}

const strict = { 'x-feria-strict': 'true' }
const form = 'application/x-www-form-urlencoded'

contract(
  ['5', 'leniency'],
  'unknown fields and parameters are ignored and named where the answer is a success',
  async () => {
    const token = market.anaToken
    const read = await send('GET', `/orders/${orderId}?foo=1&caller.id=${anaId}`, { token })
    assert.deepEqual([read.status, read.ignored], [200, 'foo, caller.id'])
    const note = JSON.stringify({ note: 'x', colour: 'red' })
    const created = await send('POST', `/orders/${orderId}/notes`, { token, body: note })
    assert.deepEqual([created.status, created.ignored], [201, 'colour'])
    const none = await send('GET', `/orders/${orderId}?attributes=id&access_token=${token}`)
    assert.deepEqual([none.status, none.ignored], [200, null])
    const twice = `access_token=${token}&access_token=`
    for (const [second, status] of [
      [token, 200],
      ['another', 401],
    ] as const) {
      assert.equal((await send('GET', `/orders/${orderId}?${twice}${second}`)).status, status)
    }
    const refused = await send('GET', `/orders/999?foo=1`, { token })
    assert.deepEqual([refused.status, refused.ignored], [404, null])
  },
)

contract(['4.3', 'leniency'], 'an unknown parameter never counts as a filter', async () => {
  const { status, body } = await send('GET', '/orders/search?seler=1', { token: market.anaToken })
  assert.deepEqual([status, body.error], [400, 'bad_request'])
})

contract('leniency', 'pages of other origins may read what was ignored', async () => {
  const { headers } = await send('GET', '/sites?foo=1')
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.match(headers.get('access-control-expose-headers') ?? '', /x-feria-ignored/)
  assert.equal(headers.get('x-feria-ignored'), 'foo')
})

contract('leniency', 'whatever content type a client says, JSON is read as JSON', async () => {
  const path = `/orders/${orderId}/notes`
  const body = JSON.stringify({ note: 'x' })
  const types = [
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'text/plain',
    form,
    `${form}; charset=UTF-8`,
    'text/json',
    'application/octet-stream',
    '',
  ]
  for (const type of types) {
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
    const { status } = await send('POST', path, { token: market.anaToken, body, headers })
    assert.equal(status, 201, type)
  }
})

contract('leniency', 'a body that is no JSON is refused with the types that are read', async () => {
  const path = `/orders/${orderId}/notes`
  const cases: [type: string, body: string, status: number, message: RegExp][] = [
    [form, 'note=x', 400, /^Content-Type: expected application\/json$/],
    ['text/plain', 'x', 400, /^Content-Type: expected application\/json$/],
    ['multipart/form-data; boundary=x', '--x--', 400, /^Content-Type: expected application\/json$/],
    ['text/plain', '{', 400, /^body: expected valid JSON$/],
    ['application/json', 'note=x', 400, /^body: expected valid JSON$/],
    ['application/json', '', 400, /^A JSON body is required$/],
    ['text/plain', '', 400, /^A JSON body is required$/],
  ]
  for (const [type, body, status, message] of cases) {
    const headers = { 'content-type': type }
    const answer = await send('POST', path, { token: market.anaToken, body, headers })
    assert.equal(answer.status, status, `${type} ${body}`)
    assert.match(answer.body.message, message)
  }
  const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const compressed = await send('POST', path, { token: market.anaToken, body: '{}', headers: gzip })
  assert.equal(compressed.status, 415)
  assert.match(compressed.body.message, /^Content-Encoding: expected/)
})

contract('leniency', 'a POST whose fields are all optional may lack its body', async () => {
  const path = `/applications/${applicationId}/tokens`
  const token = market.ownerToken
  const headerSets: Record<string, string>[] = [
    {},
    { 'content-type': 'application/json' },
    { 'content-type': form },
    strict,
    { ...strict, 'content-type': 'application/json' },
  ]
  for (const headers of headerSets) {
    for (const body of [undefined, '', '{}']) {
      if (body === '{}' && headers['content-type'] === form) continue
      const answer = await send('POST', path, {
        token,
        headers: body === '{}' ? { 'content-type': 'application/json', ...headers } : headers,
        ...(body === undefined ? {} : { body }),
      })
      const what = `${JSON.stringify(headers)} ${body}: ${JSON.stringify(answer.body)}`
      assert.equal(answer.status, 201, what)
      assert.match(answer.body.access_token, /^APP_USR-/, what)
    }
  }
  const headers = { 'content-type': 'application/json' }
  const nothing = await send('POST', path, { token, headers, body: 'null' })
  assert.deepEqual([nothing.status, nothing.body.message], [400, 'body: expected a JSON object'])
  const operators = await send('POST', `/operator/applications/${applicationId}/signing-secrets`, {
    token: operatorToken,
  })
  assert.equal(operators.status, 201, JSON.stringify(operators.body))
  // A PUT replaces: without a body, it would clear what it does not name.
  const put = await send('PUT', `/operator/authorizations/${applicationId}/${anaId}`, {
    token: operatorToken,
  })
  assert.deepEqual([put.status, put.body.message], [400, 'A JSON body is required'])
})

contract(
  'leniency',
  'an operation without a body takes any content type with an empty one',
  async () => {
    for (const type of ['application/json', form, 'text/plain']) {
      const headers = { 'content-type': type }
      const token = market.anaToken
      const note = await send('POST', `/orders/${orderId}/notes`, { token, body: '{"note":"x"}' })
      const path = `/orders/${orderId}/notes/${note.body.note.id}`
      assert.equal((await send('GET', `/orders/${orderId}`, { token, headers })).status, 200)
      assert.equal((await send('OPTIONS', '/sites', { headers })).status, 200)
      assert.equal((await send('DELETE', path, { token, headers })).status, 200, type)
    }
  },
)

contract('leniency', 'strict mode is asked for in plain words, and for no others', async () => {
  const statuses: [value: string, status: number][] = [
    ...['true', 'TRUE', 'True', '1'].map((value): [string, number] => [value, 400]),
    ...['false', 'FALSE', '0'].map((value): [string, number] => [value, 200]),
  ]
  for (const [value, status] of statuses) {
    const answer = await send('GET', '/sites?foo=1', { headers: { 'x-feria-strict': value } })
    assert.equal(answer.status, status, value)
  }
  for (const value of ['yes', 'on', '2', '', 'true, true']) {
    for (const path of ['/sites', '/oauth/token']) {
      const method = path === '/sites' ? 'GET' : 'POST'
      const answer = await send(method, path, { headers: { 'x-feria-strict': value } })
      assert.equal(answer.status, 400, value)
      assert.equal(answer.body.message, 'X-Feria-Strict: expected true or false')
    }
  }
})

contract('leniency', 'a number is read alike in a query and in a body', async () => {
  const { body: order } = await send('GET', `/orders/${orderId}`, { token: market.anaToken })
  assert.equal(order.id, orderId)
  const cases: [text: string, isRead: boolean][] = [
    ...['5', '05', '0005'].map((text): [string, boolean] => [text, true]),
    ...['+5', '5.0', '5e0', '0x5', ' 5', '5 ', '', '9007199254740993', '00000000000000005'].map(
      (text): [string, boolean] => [text, false],
    ),
  ]
  for (const [text, isRead] of cases) {
    const path = `/questions/search?limit=${encodeURIComponent(text)}`
    const inQuery = await send('GET', path, { token: market.anaToken })
    assert.equal(inQuery.status, isRead ? 200 : 400, `${text} in a query`)
    if (isRead) assert.equal(inQuery.body.limit, 5)
    const body = JSON.stringify({ question_id: text, text: 'x' })
    const inBody = await send('POST', '/answers', { token: market.anaToken, body })
    const words = isRead ? /^Question not found: 5$/ : /^question_id: expected/
    assert.match(inBody.body.message, words, `${text} in a body`)
  }
})

contract('leniency', 'fields that reach a prototype are named and change none', async () => {
  const path = `/orders/${orderId}/notes`
  for (const [body, field] of [
    ['{"note":"x","__proto__":{"polluted":true}}', '__proto__'],
    ['{"note":"x","constructor":{"prototype":{"polluted":true}}}', 'constructor'],
  ]) {
    for (const type of ['application/json', form]) {
      const headers = { 'content-type': type }
      const answer = await send('POST', path, { token: market.anaToken, body: body ?? '', headers })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.message, `${field}: expected no such field`)
    }
  }
  const plain = await send('POST', path, {
    token: market.anaToken,
    body: '{"note":"x","constructor":1,"prototype":{}}',
  })
  assert.deepEqual([plain.status, plain.ignored], [201, 'constructor, prototype'])
  const inQuery = await send('GET', '/sites?__proto__=1')
  assert.deepEqual([inQuery.status, inQuery.ignored], [200, '__proto__'])
  const asForm = await send('POST', '/oauth/token', { body: '__proto__=1&a=2' })
  assert.equal(asForm.body.message, '__proto__: expected no such field')
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
})

contract('leniency', 'me is the caller in paths and in searches', async () => {
  const token = market.anaToken
  for (const path of [
    '/questions/search?seller_id=me',
    '/orders/search?seller=me&tags=x',
    '/users/me/items/search',
    '/users/me/applications',
    `/messages/packs/${orderId}/sellers/me?tag=post_sale`,
  ]) {
    assert.equal((await send('GET', path, { token })).status, 200, path)
    const { status } = await send('GET', path, { token, headers: strict })
    assert.ok(status >= 400 && status < 500, `${path} is ${status} in strict mode`)
  }
})

contract('leniency', 'sites are named in lower case, and lists by repeating them', async () => {
  assert.equal((await send('GET', '/sites/mla')).body.id, 'MLA')
  assert.equal((await send('GET', '/sites/mla/search?q=mate')).body.site_id, 'MLA')
  const items = await send('GET', '/items?ids=MLA1001&ids=MLA1002')
  const ids = items.body.map(({ body }: { body: { id: string } }) => body.id)
  assert.deepEqual(ids, ['MLA1001', 'MLA1002'])
  const item = await send('GET', '/items/MLA1001?attributes=id&attributes=title')
  assert.deepEqual(Object.keys(item.body), ['id', 'title'])
})

contract(
  ['4.3', 'orders', 'leniency'],
  'a date without a time is the whole day in UTC',
  async () => {
    const token = market.anaToken
    const { date_created } = (await send('GET', `/orders/${orderId}`, { token })).body
    const day = new Date(date_created).toISOString().slice(0, 10)
    const before = new Date(Date.parse(day) - 1).toISOString().slice(0, 10)
    const search = async (from: string, to: string) => {
      const range = `order.date_created.from=${from}&order.date_created.to=${to}`
      return (await send('GET', `/orders/search?seller=${anaId}&${range}`, { token })).body.paging
        .total
    }
    assert.equal(await search(day, day), 1)
    assert.equal(await search(before, before), 0)
  },
)

contract('leniency', 'strict mode refuses what is otherwise accepted, by its name', async () => {
  const token = market.anaToken
  const path = `/orders/${orderId}`
  const json = { 'content-type': 'application/json' }
  const day = '2026-03-01'
  const cases: [method: string, path: string, call: Call, message: RegExp][] = [
    ['GET', `${path}?foo=1`, {}, /^foo: expected no such parameter$/],
    ['GET', '/orders/search?seller=me', {}, /^seller: expected integer$/],
    ['GET', `/orders/search?seller=${anaId}&seller=${anaId}`, {}, /^seller: expected one value/],
    ['GET', `/orders/search?tags=a&tags=b`, {}, /^tags: expected one value/],
    ['GET', `/orders/search?order.date_created.from=${day}`, {}, /^order.date_created.from: /],
    ['GET', '/sites/mla', {}, /^site_id: expected MLA$/],
    ['GET', '/users/me/items/search', {}, new RegExp(`^user_id: expected ${anaId}$`)],
    ['GET', '/orders/search?seller=1&limit=05', {}, /^limit: expected integer$/],
    [
      'POST',
      `${path}/notes`,
      { body: '{"note":"x","colour":1}', headers: json },
      /^colour: expected no such field$/,
    ],
    [
      'POST',
      `${path}/notes`,
      { body: '{"note":"x"}', headers: { 'content-type': 'text/plain' } },
      /^Content-Type: expected application\/json$/,
    ],
    [
      'POST',
      '/answers',
      { body: '{"question_id":"123","text":"x"}', headers: json },
      /^question_id: expected integer$/,
    ],
    [
      'POST',
      `${path}/notes`,
      { body: 'note=x', headers: { 'content-type': form } },
      /^Content-Type: expected application\/json$/,
    ],
    [
      'POST',
      '/oauth/token',
      { body: 'grant_type=refresh_token', headers: { 'content-type': 'text/plain' } },
      /^Content-Type: expected application\/json, application\/x-www-form-urlencoded or/,
    ],
    ...['GET', 'DELETE'].flatMap((method) =>
      Object.values({ json, text: { 'content-type': 'text/plain' } }).map(
        (headers): [string, string, Call, RegExp] => [
          method,
          method === 'GET' ? path : `${path}/notes/1`,
          { headers },
          /^Content-Type: expected none, because this operation takes no body$/,
        ],
      ),
    ),
  ]
  for (const [method, at, call, message] of cases) {
    const answer = await send(method, at, {
      token,
      ...call,
      headers: { ...call.headers, ...strict },
    })
    assert.equal(answer.status, 400, at)
    assert.match(answer.body.message, message)
    assert.equal(answer.ignored, null)
  }
  const always = await openTestApp({ env: { FERIA_STRICT: 'on' } })
  try {
    assert.equal((await always.client.get('/sites?foo=1')).status, 400)
    assert.equal((await always.client.get('/sites')).status, 200)
  } finally {
    await always.close()
  }
})

contract(
  'leniency',
  'strict mode refuses a content type where no body comes, and no body',
  async () => {
    const token = market.anaToken
    const headers = { ...strict, 'content-type': 'application/json' }
    const path = `/orders/${orderId}/notes/1`
    const words = async (body?: string) => {
      const call = body === undefined ? { token, headers } : { token, headers, body }
      return (await send('DELETE', path, call)).body.message
    }
    assert.match(await words(), /^Content-Type: expected none/)
    assert.match(await words(''), /^Content-Type: expected none/)
    assert.doesNotMatch(await words('{}'), /^Content-Type/)
    const operator = {
      authorization: `Bearer ${operatorToken}`,
      'content-type': 'application/json',
    }
    const load = '/operator/sandbox/snapshots/none/load'
    assert.equal((await send('POST', load, { headers: operator, body: '{}' })).status, 404)
    assert.equal((await send('POST', load, { headers: operator })).status, 404)
    assert.equal((await send('GET', '/operator/users', { headers: operator })).status, 200)
  },
)

contract('leniency', 'the operator’s interface is strict, whatever is asked', async () => {
  const cases: [method: string, path: string, body: unknown, message: RegExp][] = [
    ['GET', '/operator/users?foo=1', undefined, /^foo: expected no such parameter$/],
    ['POST', '/operator/tokens', { user_id: anaId, foo: 1 }, /^foo: expected no such field$/],
    ['POST', '/operator/tokens', { user_id: String(anaId) }, /^user_id: expected integer$/],
  ]
  for (const [method, path, body, message] of cases) {
    const answer = await app.client.operator(method, path, body)
    assert.equal(answer.status, 400, path)
    assert.match(answer.body.message, message)
  }
})

contract(
  ['5', 'users', 'leniency'],
  'a token is asked for as a form, multipart, JSON or in the query, whatever the content type',
  async () => {
    await enableSignIn(app)
    const fields = {
      grant_type: 'refresh_token',
      client_id: String(applicationId),
      client_secret: clientSecret,
    }
    const boundary = '------------------------d74496d66958873e'
    const multipart = (values: Record<string, string>) =>
      `${Object.entries(values)
        .map(
          ([name, value]) =>
            `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
        )
        .join('')}--${boundary}--\r\n`
    const asForm = (values: Record<string, string>) => `${new URLSearchParams(values)}`
    const ways: [
      name: string,
      make: (values: Record<string, string>) => { query?: string; body?: string; type?: string },
    ][] = [
      ['a form', (values) => ({ body: asForm(values), type: form })],
      ['a form without a type', (values) => ({ body: asForm(values) })],
      ['a form said to be JSON', (values) => ({ body: asForm(values), type: 'application/json' })],
      ['JSON', (values) => ({ body: JSON.stringify(values), type: 'application/json' })],
      ['JSON said to be a form', (values) => ({ body: JSON.stringify(values), type: form })],
      [
        'multipart, as an array body of PHP’s curl is',
        (values) => ({
          body: multipart(values),
          type: `multipart/form-data; boundary=${boundary}`,
        }),
      ],
      ['the query', (values) => ({ query: asForm(values) })],
      [
        'the query with an empty body said to be JSON',
        (values) => ({ query: asForm(values), body: '', type: 'application/json' }),
      ],
      [
        'the query and again a form said to be JSON',
        (values) => ({ query: asForm(values), body: asForm(values), type: 'application/json' }),
      ],
    ]
    const code = await obtainCode(await openSignedInBrowser(app))
    const redirect_uri = redirectUri
    const first = await send('POST', '/oauth/token', {
      body: multipart({ ...fields, grant_type: 'authorization_code', code, redirect_uri }),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
    assert.equal(first.status, 200, JSON.stringify(first.body))
    let { refresh_token } = first.body
    for (const [name, make] of ways) {
      const { query, body, type } = make({ ...fields, refresh_token })
      const headers = type === undefined ? {} : { 'content-type': type }
      const path = query === undefined ? '/oauth/token' : `/oauth/token?${query}`
      const answer = await send('POST', path, { ...(body === undefined ? {} : { body }), headers })
      assert.equal(answer.status, 200, `${name}: ${JSON.stringify(answer.body)}`)
      refresh_token = answer.body.refresh_token
    }
    const twice = await send('POST', `/oauth/token?${asForm({ refresh_token: 'other' })}`, {
      body: asForm({ ...fields, refresh_token }),
      headers: { 'content-type': form },
    })
    assert.deepEqual([twice.status, twice.body.error], [400, 'invalid_request'])
    assert.match(twice.body.message, /^refresh_token: expected one value/)
    const revoked = await send('POST', '/oauth/revoke', {
      body: multipart({ ...fields, token: refresh_token }),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
    assert.equal(revoked.status, 200)
  },
)

contract('leniency', 'a broken form of parts is refused in words', async () => {
  const type = (boundary: string) => `multipart/form-data; boundary=${boundary}`
  const part = 'Content-Disposition: form-data; name="grant_type"\r\n\r\nrefresh_token\r\n'
  const cases: [body: string, type: string][] = [
    [`--x\r\n${part}`, type('x')],
    [`--x\r\n${part}--y--\r\n`, type('x')],
    ['nonsense', type('x')],
    [`--x\r\n${part}--x--\r\n`, 'multipart/form-data'],
  ]
  for (const [body, contentType] of cases) {
    const headers = { 'content-type': contentType }
    const answer = await send('POST', '/oauth/token', { body, headers })
    assert.equal(answer.status, 400, body)
    assert.match(answer.body.message, /^body: expected a whole form of multipart\/form-data$/)
  }
  const many = `${`--x\r\n${part}`.repeat(101)}--x--\r\n`
  const headers = { 'content-type': type('x') }
  const answer = await send('POST', '/oauth/token', { body: many, headers })
  assert.equal(answer.body.message, 'body: expected at most 100 fields')
})

contract('errors', 'every answer of an operation tells what is left of the rate', async () => {
  for (const path of [
    '/sites',
    '/orders/1',
    `/orders/${orderId}?access_token=${market.anaToken}`,
  ]) {
    const { headers } = await send('GET', path)
    const [, remaining, seconds] =
      /^"minute";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
    const [, quota] = /^"minute";q=(\d+);w=60$/.exec(headers.get('ratelimit-policy') ?? '') ?? []
    assert.ok(Number(remaining) < Number(quota), path)
    assert.ok(Number(seconds) <= 60)
    assert.equal(headers.get('x-ratelimit-limit'), quota)
    assert.equal(headers.get('x-ratelimit-remaining'), remaining)
    assert.equal(headers.get('x-ratelimit-reset'), seconds)
  }
})

contract(['7', 'errors'], 'no resource answers in the place of one that there is not', async () => {
  const paths = [
    '/items/visits',
    '/items/search',
    '/products/search',
    '/collections/search',
    '/v1/claims/search',
    '/post-purchase/v1/claims/search',
    '/shipments/search',
  ]
  for (const path of paths) {
    const { status, body } = await send('GET', path, { token: market.anaToken })
    const message = `No resource at GET ${path}`
    assert.deepEqual(body, { message, error: 'not_found', status: 404, cause: [] })
    assert.equal(status, 404)
  }
  const own: [path: string, message: string][] = [
    ['/orders/search_all', 'Invalid order ID.'],
    ['/sites/nowhere', 'Site not found: nowhere'],
    ['/categories/nothing', 'Category not found: nothing'],
    ['/items/MLA9', 'Item not found: MLA9'],
    ['/XXX/search?q=a', 'Site not found: XXX'],
  ]
  for (const [path, message] of own) {
    assert.equal((await send('GET', path, { token: market.anaToken })).body.message, message)
  }
})

contract(
  ['4.1', '4.2', '4.3', '4.4', '4.5', '7.1', '7.3', '7.5', 'leniency'],
  'what stays an error is refused in its own words, however lenient the rest is',
  async () => {
    const token = market.anaToken
    const { id: packId } = await placeCustomShippingOrder(app.client)
    const conversation = `/messages/packs/${packId}/sellers/${anaId}?tag=post_sale`
    const option = `/messages/action_guide/packs/${orderId}/option?tag=post_sale`
    const feedback = `/orders/${orderId}/feedback`
    const top = '/catalog_domains/MLA-CELLPHONES/attributes/BRAND/top_values'
    const text = (length: number) => 'a'.repeat(length)
    const files = (count: number) => Array.from({ length: count }, (_, n) => `${anaId}_${n}.txt`)
    const message = { from: { user_id: anaId }, to: { user_id: brunoId }, text: 'Hola' }
    const rating = { fulfilled: true, rating: 'positive', message: 'Bien' }
    const cases: [method: string, path: string, body: unknown, status: number, words: RegExp][] = [
      ['GET', '/orders/abc', undefined, 400, /^Invalid order ID\.$/],
      ['GET', '/orders/%20', undefined, 400, /^Order ID can not be empty\.$|^Invalid order ID\.$/],
      ['GET', '/orders/search?colour=red', undefined, 400, /at least one filter/],
      [
        'GET',
        `/orders/search?seller=${anaId}&sort=price`,
        undefined,
        400,
        /^sort: expected one of/,
      ],
      ['GET', `/orders/search?seller=${anaId}&limit=101`, undefined, 400, /^limit: /],
      ['GET', `/orders/search?seller=${anaId}&offset=-1`, undefined, 400, /^offset: /],
      ['GET', `/orders/search?seller=${brunoId}`, undefined, 403, /^caller\.id does not match/],
      [
        'GET',
        `/orders/search?seller=${anaId}&order.date_closed.to=2026-02-30`,
        undefined,
        400,
        /^order\.date_closed\.to: /,
      ],
      ['POST', feedback, { ...rating, fulfilled: 'true' }, 400, /^'fulfilled' parameter must be/],
      ['POST', feedback, { ...rating, rating: 'good' }, 400, /^rating: /],
      ['POST', feedback, { ...rating, message: text(160) }, 400, /^message: /],
      [
        'POST',
        feedback,
        { ...rating, fulfilled: false, reason: null },
        400,
        /^'fulfilled' parameter must be/,
      ],
      ['POST', conversation, undefined, 400, /^A JSON body is required$/],
      ['POST', conversation, { ...message, from: {} }, 400, /^The field 'from' is required$/],
      ['POST', conversation, { ...message, to: [] }, 400, /^The field 'to\.user_id' is required$/],
      [
        'POST',
        conversation,
        { ...message, text: text(351) },
        400,
        /max characters allowed are 350$/,
      ],
      [
        'POST',
        conversation,
        { ...message, attachments: files(26) },
        400,
        /allowed number of attachments: 25$/,
      ],
      ['POST', option, { option_id: 'NOTHING' }, 404, /^The option selected is not valid$/],
      ['POST', '/orders/1/notes', undefined, 404, /^Order not found\.$/],
      ['GET', '/sites/MLA/domain_discovery/search', undefined, 400, /^q: /],
      ['GET', '/sites/MLA/domain_discovery/search?q=mate&limit=9', undefined, 400, /^limit: /],
      ['POST', `${top}?limit=1001`, {}, 400, /^limit: /],
      ['POST', `${top}?metric_type=X`, {}, 400, /^metric_type: /],
      ['GET', '/sites/MLA/search', undefined, 400, /at least one filter/],
      ['GET', '/myfeeds', undefined, 400, /^You must send an app_id/],
      ['GET', '/sites/XXX', undefined, 404, /^Site not found: XXX$/],
      ['GET', '/categories/MLA0', undefined, 404, /^Category not found: MLA0$/],
      ['GET', '/items/MLA9', undefined, 404, /^Item not found: MLA9$/],
    ]
    for (const [method, path, body, status, words] of cases) {
      const answer = await app.client.send(method, path, {
        token,
        ...(body === undefined ? {} : { body }),
      })
      assert.match(answer.body?.message ?? answer.text, words, `${method} ${path}`)
      assert.equal(answer.status, status, `${method} ${path}`)
    }
    const unknown = await app.client.get('/items/MLA1001', 'nonsense')
    assert.deepEqual([unknown.status, unknown.body.message], [401, 'invalid_token'])
  },
)
