import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import {
  type ImportLineResult,
  importHeaders,
  pastOrderLine,
  postImportLines,
} from '../../test/harness/import-lines.ts'
import {
  anaId,
  brunoId,
  carlaId,
  createTestMarket,
  type MarketTokens,
} from '../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
let lastId = 9_000
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
after(() => app.close())

const order = (more: object = {}) => pastOrderLine(++lastId, more)
const counts = (imported: number, unchanged: number, refused: number) => {
  return { done: imported + unchanged + refused, imported, unchanged, refused }
}

async function end(lines: readonly (object | string)[]): Promise<ImportLineResult> {
  const results = await postImportLines(app, lines)
  return { refused: results.filter(({ line }) => line !== undefined), last: results.at(-1) }
}

async function read(path: string, token = market.anaToken): Promise<ImportLineResult> {
  const { status, body, text } = await app.client.get(path, token)
  assert.equal(status, 200, text)
  return body
}

test('a line that is wrong is named by its number with the reason, and the rest goes on', async () => {
  const good = order()
  const existing = order({ payments: [{ id: 60_001, status: 'pending', transaction_amount: 1 }] })
  assert.equal((await end([existing])).last.imported, 1)
  const sender = {
    type: 'message',
    id: 'b2'.repeat(16),
    text: 'x',
    date_created: good.date_created,
  }
  const between = { from: { user_id: brunoId }, to: { user_id: anaId } }
  const cases: [line: object | string, message: RegExp][] = [
    ['{"type":', /^line: expected valid JSON$/],
    ['[]', /^type: expected one of user, item, order, payment, shipment, claim, message$/],
    ['null', /^type: expected one of/],
    [{ type: 'orders' }, /^type: expected one of/],
    [{ type: 'toString' }, /^type: expected one of/],
    [order({ id: undefined }), /^id: expected a value, this field is required$/],
    [order({ id: 2 ** 53 }), /^id: expected/],
    [order({ colour: 'red' }), /^colour: expected no such field$/],
    [order({ __proto__: null, ['__proto__x']: 1 }), /^__proto__x: expected no such field$/],
    [order({ buyer_id: 424_242 }), /^buyer_id: expected a registered user$/],
    [order({ buyer_id: anaId }), /^buyer_id: expected somebody else than the seller$/],
    [order({ lines: [] }), /^lines: expected at least 1/],
    [
      order({ lines: [{ item_id: 'MLA1001', quantity: 'two' }] }),
      /^lines\[0\]\.quantity: expected integer$/,
    ],
    [
      order({ lines: [{ item_id: 'MLA9', quantity: 1 }] }),
      /^lines\[0\]\.item_id: expected a registered item$/,
    ],
    [
      order({ lines: [{ item_id: 'MLA1001', quantity: 1, unit_price: -1 }] }),
      /^lines\[0\]\.unit_price: expected/,
    ],
    [
      order({ lines: [{ item_id: 'MLA1001', quantity: 1, unit_price: 0.001 }] }),
      /^lines\[0\]\.unit_price: expected an amount of ARS/,
    ],
    [order({ currency_id: 'BRL' }), /^currency_id: expected ARS/],
    [
      order({ date_created: '2025-02-30T00:00:00.000Z' }),
      /^date_created: expected an ISO 8601 timestamp/,
    ],
    [
      order({ date_closed: '2024-01-01T00:00:00.000Z' }),
      /^date_closed: expected a moment from date_created on$/,
    ],
    [order({ last_updated: '2024-01-01T00:00:00.000Z' }), /^last_updated: expected a moment from/],
    [
      order({ status: 'paid', date_closed: null }),
      /^date_closed: expected a timestamp, for an order that is paid$/,
    ],
    [order({ comments: 'a\0b' }), /^comments: expected valid Unicode text without NUL$/],
    [order({ comments: '\ud800' }), /^comments: expected valid Unicode text without NUL$/],
    [
      order({ payments: [{ id: 5, status: 'approved' }] }),
      /^payments\[0\]\.transaction_amount: expected/,
    ],
    [
      order({ payments: [{ id: 60_001, status: 'pending', transaction_amount: 1 }] }),
      /^payments\[0\]\.id: expected an id that is free/,
    ],
    [
      order({ claims: [{ id: 5, date_created: good.date_created, claimed_quantity: 3 }] }),
      /^claims\[0\]\.claimed_quantity: expected at most 2/,
    ],
    [order({ shipping: { id: 5, mode: 'me2' } }), /^shipping\.logistic_type: expected/],
    [{ ...existing, buyer_id: carlaId }, /^id: expected an id that is free, \d+ is another order$/],
    [
      { type: 'payment', id: 61, order_id: 999, status: 'pending', transaction_amount: 1 },
      /^order_id: expected an order that is there$/,
    ],
    [
      { type: 'payment', id: 60_001, order_id: good.id, status: 'pending', transaction_amount: 1 },
      /^id: expected an id that is free/,
    ],
    [{ type: 'user', id: 70_001, site_id: 'XXX', nickname: 'N' }, /^site_id: expected one of/],
    [
      { ...sender, ...between, pack_id: 999 },
      /^pack_id: expected a pack or an order that is there$/,
    ],
    [
      { ...sender, pack_id: existing.id, from: { user_id: carlaId }, to: { user_id: anaId } },
      /^from\.user_id: expected one party/,
    ],
    [
      `{"type":"user","nickname":"${'x'.repeat(1_048_576)}"}`,
      /^line: expected at most 1048576 bytes$/,
    ],
  ]
  const { refused, last } = await end([good, ...cases.map(([line]) => line), order()])
  assert.deepEqual(
    refused.map(({ line }: ImportLineResult) => line),
    cases.map((_, index) => index + 2),
  )
  for (const [index, [line, message]] of cases.entries())
    assert.match(refused[index].message, message, JSON.stringify(line).slice(0, 200))
  assert.deepEqual(last, { finished: true, ...counts(2, 0, cases.length) })
  assert.equal((await read(`/orders/${good.id}`)).id, good.id)
})

test('a line that names what only comes below it is refused', async () => {
  const message = { type: 'message', id: 'c3'.repeat(16), text: 'x', pack_id: lastId + 2 }
  const parties = { from: { user_id: brunoId }, to: { user_id: anaId } }
  const early = order({ buyer_id: 70_100 })
  const { refused } = await end([
    early,
    { ...message, ...parties, date_created: early.date_created },
    { type: 'user', id: 70_100, site_id: 'MLA', nickname: 'LATE' },
    order(),
  ])
  assert.deepEqual(
    refused.map(({ line, type, error }: ImportLineResult) => [line, type, error]),
    [
      [1, 'order', 'bad_request'],
      [2, 'message', 'bad_request'],
    ],
  )
})

test('blank lines, other line ends, a byte order mark and no end at all are nothing wrong', async () => {
  const [first, second, third] = [order(), order(), order()].map((line) => JSON.stringify(line))
  const { refused, last } = await end([`\ufeff${first}\r`, '', ' \r', `\t${second}\r`, `${third}`])
  assert.deepEqual([refused, last.imported], [[], 3])
  assert.deepEqual(await postImportLines(app, []), [{ finished: true, ...counts(0, 0, 0) }])
})

test('only a thousand refused lines are told one by one; the others count', async () => {
  const results = await postImportLines(app, Array(2_500).fill('x'))
  assert.equal(results.filter(({ line }) => line !== undefined).length, 1_000)
  assert.deepEqual(results.at(-1), { finished: true, ...counts(0, 0, 2_500) })
})

test('an import is the operator only, and takes lines only', async () => {
  const ask = async (headers: Record<string, string>) =>
    (await app.client.send('POST', '/operator/import', { headers, body: '{}' })).status
  assert.equal(await ask({ ...importHeaders, authorization: `Bearer ${market.anaToken}` }), 401)
  assert.equal(await ask({ ...importHeaders, 'content-type': 'text/csv' }), 400)
})
