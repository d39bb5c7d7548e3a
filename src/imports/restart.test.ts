import assert from 'node:assert/strict'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import {
  type ImportLineResult,
  importHeaders,
  postImportLines,
} from '../../test/harness/import-lines.ts'
import { anaId, brunoId, createTestMarket } from '../../test/harness/market.ts'
import { nextEvent, pollUntil } from '../../test/harness/wait.ts'
import { sql } from '../platform/database/sql.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
after(() => app.close())

function orderLine(id: number, more: object = {}): string {
  return JSON.stringify({
    type: 'order',
    id,
    buyer_id: brunoId,
    currency_id: 'ARS',
    lines: [{ item_id: 'MLA1001', quantity: 1 }],
    date_created: '2025-01-02T03:04:05.000Z',
    payments: [{ id: id + 500_000, status: 'approved', transaction_amount: 1999.9 }],
    shipping: { id: id + 700_000, mode: 'custom', status: 'delivered' },
    ...more,
  })
}

const orderLines = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => orderLine(from + index))

/** Orders and payments between two numbers, with what searches count of them. */
async function countRows(from: number, to: number) {
  const row = await app.ctx.db.row(sql`
    select (select count(*) from order_owner where order_id between ${from} and ${to}) as owned,
      (select count(*) from orders where seller_id = ${anaId} and id between ${from} and ${to}) as orders,
      (select count(*) from payments
        where seller_id = ${anaId} and order_id between ${from} and ${to}) as payments,
      (select count(*) from shipments
        where seller_id = ${anaId} and id between ${from + 700_000} and ${to + 700_000}) as shipments,
      (select count(*) from orders_by_buyer
        where buyer_id = ${brunoId} and order_id between ${from} and ${to}) as bought`)
  return row
}

async function counted(): Promise<number> {
  const row = await app.ctx.db.row<{ n: number }>(sql`
    select coalesce(sum(n), 0)::bigint as n from order_count_changes where seller_id = ${anaId}`)
  return row?.n ?? 0
}

interface Sending {
  importRequest: ClientRequest
  /** Lines of the answer that have come so far. */
  answerLines: ImportLineResult[]
  answer: Promise<IncomingMessage>
}

/** An import that is sent by hand. */
function openImport(): Sending {
  const importRequest = request(`${app.address}/operator/import`, {
    method: 'POST',
    headers: importHeaders,
  })
  const answerLines: ImportLineResult[] = []
  const answer = nextEvent(importRequest, 'response').then(([response]) => {
    const incoming = response as IncomingMessage
    createInterface(incoming)
      .on('line', (line) => answerLines.push(JSON.parse(line)))
      .on('error', () => {})
    return incoming.on('error', () => {})
  })
  answer.catch(() => {})
  return { importRequest, answerLines, answer }
}

test('an import that broke off is whole after the same lines were sent again', async () => {
  const lines = orderLines(10_001, 2_600)
  const before = await counted()
  const { importRequest, answerLines } = openImport()
  importRequest.on('error', () => {})
  importRequest.write(`${lines.slice(0, 1_300).join('\n')}\n{"type":"order","id":1`)
  await pollUntil('a first batch', () => answerLines.length > 0)
  importRequest.destroy()
  await pollUntil('what was under way', async () => {
    const { waiting, total, idle } = app.ctx.db.load
    return waiting === 0 && total === idle
  })
  const [last] = (await postImportLines(app, lines)).slice(-1)
  assert.equal(last.finished, true)
  assert.equal(last.refused, 0)
  assert.ok(last.unchanged >= 1_000, 'the first batch was committed')
  assert.equal(last.imported + last.unchanged, 2_600)
  const n = 2_600
  const all = { owned: n, orders: n, payments: n, shipments: n, bought: n }
  assert.deepEqual(await countRows(10_001, 12_600), all)
  assert.equal((await counted()) - before, n)
})

test('two imports of the same lines at once end with every line once', async () => {
  const lines = orderLines(20_001, 2_200)
  const before = await counted()
  const ends = await Promise.all([
    postImportLines(app, lines),
    postImportLines(app, lines),
    postImportLines(app, [...lines].reverse()),
  ])
  const lasts = ends.map((answerLines) => answerLines.at(-1))
  assert.deepEqual(
    lasts.map(({ finished, refused }) => [finished, refused]),
    Array(3).fill([true, 0]),
    JSON.stringify(
      ends
        .flat()
        .filter(({ line }) => line !== undefined)
        .slice(0, 3),
    ),
  )
  assert.equal(
    lasts.reduce((sum, { imported }) => sum + imported, 0),
    2_200,
  )
  const n = 2_200
  const all = { owned: n, orders: n, payments: n, shipments: n, bought: n }
  assert.deepEqual(await countRows(20_001, 22_200), all)
  assert.equal((await counted()) - before, n)
})

test('an id twice in one batch is imported once, and given to nobody else', async () => {
  const answerLines = await postImportLines(app, [
    orderLine(30_001),
    orderLine(30_001),
    orderLine(30_002, { payments: [{ id: 530_001, status: 'pending', transaction_amount: 1 }] }),
    orderLine(30_003, { pack_id: 30_100 }),
    orderLine(30_004, { pack_id: 30_100, shipping: { id: 730_003, mode: 'custom' } }),
  ])
  const { imported, unchanged, refused } = answerLines.at(-1)
  assert.deepEqual([imported, unchanged, refused], [3, 1, 1])
  assert.deepEqual([answerLines[0].line, answerLines[0].error], [3, 'id_taken'])
  const shared = await app.client.operator('GET', '/operator/orders/30004')
  assert.equal(shared.body.shipping.status, 'delivered', 'the parcel of the order before')
})

test('lines that came are imported though the sender pauses', async () => {
  const { importRequest, answerLines, answer } = openImport()
  importRequest.write(`${orderLine(40_001)}\n`)
  await pollUntil('the line', () => answerLines.some(({ imported }) => imported === 1))
  importRequest.end(`${orderLine(40_002)}\n`)
  await answer
  await pollUntil('the end', () => answerLines.at(-1)?.finished)
  assert.equal(answerLines.at(-1).imported, 2)
})

test('a database that goes away ends the import with a line that tells how far it is', async () => {
  const { importRequest, answerLines, answer } = openImport()
  importRequest.write(`${orderLines(50_001, 1_000).join('\n')}\n`)
  await pollUntil('a first batch', () => answerLines.length > 0)
  await app.ctx.db.transaction(async (tx) => {
    await tx.rows({ ...sql`lock table order_owner in share row exclusive mode`, name: undefined })
    importRequest.end(`${orderLines(51_001, 1_500).join('\n')}\n`)
    const victim = () =>
      tx.row(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`)
    await pollUntil('the import to wait', victim)
  })
  await answer
  const last = await pollUntil('the last line', () =>
    answerLines.find(({ finished }) => finished === false),
  )
  assert.equal(last.error, 'service_unavailable')
  assert.match(last.message, /All lines up to 1000 are done and committed; send them again/)
  assert.deepEqual([last.done, last.imported], [1_000, 1_000])
  assert.equal(((await countRows(50_001, 52_500)) as ImportLineResult).orders, 1_000)
  const again = await postImportLines(app, [
    ...orderLines(50_001, 1_000),
    ...orderLines(51_001, 1_500),
  ])
  assert.deepEqual([again.at(-1).unchanged, again.at(-1).imported], [1_000, 1_500])
})
