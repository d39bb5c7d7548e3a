import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TSchema } from 'typebox'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { download, linesOf } from '../../test/harness/exports.ts'
import { anaId, brunoId, issueToken, putItem, putUser } from '../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  messagesPath,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../../test/harness/messaging.ts'
import { claimExport } from './claims.ts'
import { listingExport } from './listings.ts'
import { messageExport } from './messages.ts'
import { orderExport } from './orders.ts'
import { paymentExport } from './payments.ts'
import { exportRoutes } from './routes.ts'
import { shipmentExport } from './shipments.ts'
import { userExport } from './users.ts'

const kinds = [
  orderExport,
  paymentExport,
  shipmentExport,
  listingExport,
  userExport,
  claimExport,
  messageExport,
]
const pathOf = (kind: string) => `/operator/exports/${kind}`

let empty: TestApp
let app: TestApp
let tokens: MessagingTokens
let order: { id: number; shipping: { id: number }; payments: { id: number }[] }

before(async () => {
  empty = await openTestApp()
  app = await openTestApp()
  tokens = await createMessagingMarket(app.client)
  order = await placeCustomShippingOrder(app.client)
  const sent = await sendTestMessage(app.client, {
    token: tokens.anaToken,
    packId: order.id,
    text: 'Sale hoy',
  })
  assert.equal(sent.status, 201, sent.text)
  await sendTestMessage(app.client, {
    token: tokens.anaToken,
    packId: order.id,
    text: 'mirá https://bit.ly/abc',
  })
  const payment = { status: 'approved', transaction_amount: 10, total_paid_amount: 10 }
  await app.client.operator('POST', `/operator/orders/${order.id}/payments`, payment)
  await app.client.call('PUT', '/operator/claims/{id}', {
    path: { id: 5_000_009 },
    body: {
      order_id: order.id,
      type: 'mediations',
      opened_by: 'buyer',
      reason_id: 'PNR9501',
    },
  })
})
after(async () => {
  await app.close()
  await empty.close()
})

const exported = async (kind: string, query = ''): Promise<string[]> => {
  const { status, text, trailers } = await download(app, `${pathOf(kind)}?${query}`)
  assert.equal(status, 200, text)
  const lines = linesOf(text)
  assert.equal(trailers['x-feria-entries'], String(lines.length))
  return lines
}
const ids = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).id)

test('an export without an entry is an empty file, or a header alone', async () => {
  for (const { name, columns } of kinds) {
    const lines = await download(empty, pathOf(name))
    assert.deepEqual(
      [lines.text, lines.trailers['x-feria-entries'], lines.isComplete],
      ['', '0', true],
    )
    const csv = await download(empty, `${pathOf(name)}?format=csv`)
    assert.equal(csv.text, `${Object.keys(columns).join(',')}\r\n`)
    assert.equal(csv.headers['content-disposition'], `attachment; filename="${name}.csv"`)
  }
})

/** Reads what the line of an export must equal. */
const readers: Readonly<Record<string, (line: { id: number | string }) => Promise<unknown>>> = {
  orders: async ({ id }) => (await app.client.operator('GET', `/operator/orders/${id}`)).text,
  payments: async ({ id }) => (await app.client.get(`/collections/${id}`, tokens.anaToken)).text,
  shipments: async ({ id }) => (await app.client.operator('GET', `/operator/shipments/${id}`)).text,
  listings: async ({ id }) => (await app.client.get(`/items/${id}`, tokens.anaToken)).text,
  users: async ({ id }) => (await app.client.operator('GET', `/operator/users/${id}`)).text,
  claims: async ({ id }) => (await app.client.get(`/v1/claims/${id}`, tokens.anaToken)).text,
  messages: async ({ id }) => {
    const path = messagesPath(order.id)
    const { body } = await app.client.get(
      `${path}?tag=post_sale&mark_as_read=false`,
      tokens.anaToken,
    )
    const message = body.messages.find((each: { id: string }) => each.id === id)
    return JSON.stringify(message)
  },
}

test('each line is what the API answers for its id, byte for byte', async () => {
  for (const { name } of kinds) {
    const lines = await exported(name)
    assert.ok(lines.length > 0, name)
    for (const line of lines) assert.equal(line, await readers[name]?.(JSON.parse(line)), name)
  }
})

test('an export of each kind goes on after its last entry', async () => {
  for (const { name } of kinds) {
    const lines = await exported(name)
    const [first, ...rest] = lines
    assert.deepEqual(await exported(name, `after=${JSON.parse(first ?? '').id}`), rest, name)
  }
})

test('filters of each kind select, and their wrong values are refused', async () => {
  const [claim] = ids(await exported('claims'))
  const nobody = 'seller=999'
  const past = 'date_created.to=2020-01-01T00:00:00.000Z'
  const selecting: readonly [kind: string, query: string, count: number][] = [
    ['payments', `seller=${anaId}&site_id=MLA&status=approved,refunded`, 1],
    ['payments', 'status=refunded', 0],
    ['payments', past, 0],
    ['shipments', `seller=${anaId}&buyer=${brunoId}&mode=custom&site_id=MLA`, 1],
    ['shipments', 'logistic_type=fulfillment', 0],
    ['shipments', 'last_updated.from=2027-01-01T00:00:00.000Z', 0],
    ['listings', 'category=MLA1580,MLA1&status=active&site_id=MLA', 2],
    ['listings', 'category=MLA1', 0],
    ['listings', 'status=closed', 0],
    ['users', 'nickname=bru&site_id=MLA&status=active', 1],
    ['users', 'status=deactivated', 0],
    ['claims', `seller=${anaId}&buyer=${brunoId}&status=opened&type=mediations&reason=PNR9501`, 1],
    ['claims', 'stage=dispute', 0],
    ['messages', `seller=${anaId}&buyer=${brunoId}&status=moderated&site_id=MLA`, 1],
    ['messages', 'status=available', 1],
    ['messages', past, 0],
    ...kinds.flatMap(({ name }): [string, string, number][] =>
      name === 'users' ? [] : [[name, nobody, 0]],
    ),
  ]
  assert.equal(claim, 5_000_009)
  for (const [kind, query, count] of selecting) {
    assert.equal((await exported(kind, query)).length, count, `${kind} ${query}`)
  }
  for (const { name } of kinds) {
    for (const wrong of ['page=2', 'site_id=mla', ...(name === 'orders' ? [] : ['status=sold'])]) {
      const { status } = await app.client.operator('GET', `${pathOf(name)}?${wrong}`)
      assert.equal(status, 400, `${name} ${wrong}`)
    }
    assert.equal((await app.client.get(pathOf(name), tokens.anaToken)).status, 401)
  }
})

/** Returns whether a path of a column leads to a declared field. */
function leadsTo(schema: TSchema | undefined, path: readonly string[]): boolean {
  if (!schema) return false
  const { anyOf, items, properties } = schema as {
    anyOf?: TSchema[]
    items?: TSchema
    properties?: Record<string, TSchema>
  }
  if (anyOf) return anyOf.some((each) => leadsTo(each, path))
  if (items) return leadsTo(items, path)
  const [name, ...rest] = path
  return name === undefined || leadsTo(properties?.[name], rest)
}

test('each column of a CSV file has a declared field of the answer', () => {
  for (const { name, columns } of kinds) {
    const schema = exportRoutes.find(({ url }) => url === pathOf(name))?.answers[200]
    for (const path of Object.values(columns)) {
      assert.ok(leadsTo(schema, path.split('.')), `${name}: ${path}`)
    }
  }
})

/** Parses RFC 4180, so that the test does not trust the library that wrote it. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [[]]
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') records.push([])
  }
  assert.deepEqual(records.pop(), [])
  return records
}

const hostileNames = [
  '=HYPERLINK("https://evil.example","x")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  'a,b "c"',
  'línea\r\notra',
  "'ya",
  '\n=1+1',
  ' =1+1',
  'a\n=1+1',
  'a\r=1+1',
  '\u200b=1+1',
  '\u202e=1+1',
  '﹦1+1',
  'Ñandú 🧉',
]

test('a hostile cell is no formula, and every other text is read back as it is', async () => {
  for (const [index, first_name] of hostileNames.entries()) {
    await putUser(app.client, 70_101 + index, { first_name })
  }
  const { text } = await download(app, '/operator/exports/users?format=csv&nickname=USER_701')
  const [header = [], ...records] = parseCsv(text)
  const column = header.indexOf('first_name')
  assert.deepEqual(
    records.map((record) => record[column]),
    hostileNames.map((name) => (/^[\s\u200b\u202e]*[=+\-@﹦]/.test(name) ? `'${name}` : name)),
  )
  assert.deepEqual(new Set(records.map(({ length }) => length)), new Set([header.length]))
  // Some programs end a record at any line end that is not in quotes.
  assert.match(text, /"a\n=1\+1"/)
  assert.match(text, /"a\r=1\+1"/)
})

test('a cell with a semicolon is quoted, and no formula stands behind one', async () => {
  await putUser(app.client, 70_300, { first_name: 'a;=1+1', last_name: 'b; c' })
  const { text } = await download(app, '/operator/exports/users?format=csv&nickname=USER_70300')
  assert.match(text, /,"a;'=1\+1","b; c",/)
})

test('numbers stay numbers, null is empty, and a list is one cell', async () => {
  await putItem(app.client, 'MLA9', {
    title: '=1+1',
    variations: [
      {
        id: 11,
        available_quantity: 2,
        attributes: [{ id: 'COLOR', name: 'Color', value_name: 'Rojo' }],
      },
      {
        id: 12,
        available_quantity: 0,
        attributes: [{ id: 'COLOR', name: 'Color', value_name: 'Azul' }],
      },
    ],
  })
  const { text } = await download(app, '/operator/exports/listings?format=csv')
  const [header = [], ...records] = parseCsv(text)
  const record = records.find(([id]) => id === 'MLA9') ?? assert.fail(text)
  const cell = (name: string) => record[header.indexOf(name)]
  assert.deepEqual(
    [
      'title',
      'price',
      'available_quantity',
      'seller_sku',
      'variation_ids',
      'variation_quantities',
    ].map(cell),
    ["'=1+1", '10', '2', '', '11; 12', '2; 0'],
  )
})

test('an integrator’s token exports nothing', async () => {
  const token = await issueToken(app.client, { user_id: anaId })
  const { status, body } = await app.client.get(pathOf('orders'), token)
  assert.deepEqual([status, body.error], [401, 'operator_only'])
})
