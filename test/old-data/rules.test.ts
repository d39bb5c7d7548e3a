import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { type DerivationName, derivationNames, derivations } from '../../src/app/derivations.ts'
import { Learner } from '../../src/listings/learning/learner.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../harness/market.ts'
import { saveVariedOrders, variedOrders } from '../harness/varied-orders.ts'
import { drain } from '../harness/wait.ts'
import { sourceColumns } from './other-columns.ts'
import { derivedPrints, sourcePrints } from './prints.ts'

/** A rule that gives something else without another version would leave rows of the old one as if they were new. */

/** What derivations read. */
const sourceTables = [
  'claims',
  'feedback',
  'listing_stock',
  'listings',
  'order_items',
  'orders',
  'payments',
  'shipments',
  'users',
]
/** Drawn by chance with each row. */
const drawnColumns = ['order_count_changes.id']

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  const now = app.ctx.now()
  const orders = variedOrders({ seed: 71, count: 60, firstId: 3_700_001, now })
  await saveVariedOrders(app.ctx.db, { orders, now })
  await createListings()
  await createOrders()
  await app.runPendingWork()
  // Snapshots are made after many lessons only.
  const learner = new Learner(app.ctx, { checkpointAfter: 1 })
  await drain(() => learner.turn())
})
after(() => app.close())

async function callOperator(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) {
  const answer = await app.client.operator(method, `/operator/${path}`, body)
  assert.ok(answer.status < 300, `${path}: ${answer.text}`)
  return answer.body
}

async function createListings(): Promise<void> {
  const item = { seller_id: anaId, site_id: 'MLA', category_id: 'MLA1443', currency_id: 'ARS' }
  const shipping = { mode: 'me1', free_shipping: true, local_pick_up: true }
  const color = { id: 'COLOR', name: 'Color', value_id: null, value_name: 'Azul Ñandú' }
  const listings = [
    { title: 'Ñandú de peluche, 30 cm: 2ª mano', price: 10, available_quantity: 5 },
    {
      title: "Celular WH-1000XM4, 128GB 5.5'' usado_2",
      price: 99.99,
      available_quantity: 2,
      condition: 'used',
    },
    { title: 'MESAS y sillas de jardín', price: 200_000, available_quantity: 3, shipping },
    { title: 'Pava pava PAVA', price: 20, available_quantity: 1, attributes: [color] },
    { title: 'En dólares', price: 7, currency_id: 'USD', available_quantity: 1 },
  ]
  await app.runPendingWork()
  for (const [index, each] of listings.entries()) {
    await callOperator('PUT', `items/MLA${7101 + index}`, { ...item, ...each })
    // What is learned from two listings at once is learned in no order.
    await app.runPendingWork()
  }
}

async function createOrders(): Promise<void> {
  const { id, shipping, total_amount } = await placeOrder(app.client, {
    lines: [
      { item_id: 'MLA7101', quantity: 2 },
      { item_id: 'MLA7102', quantity: 1 },
    ],
    coupon: { id: 5, amount: 1.5 },
    comments: 'ñ "quoted"',
    shipping: { mode: 'me2', logistic_type: 'cross_docking', cost: 350, service_id: 61 },
  })
  const payment = { status: 'approved', transaction_amount: total_amount }
  await callOperator('POST', `orders/${id}/payments`, payment)
  await callOperator('PATCH', `shipments/${shipping.id}`, {
    status: 'shipped',
    tracking_number: 'T1',
  })
  await callOperator('PUT', 'claims/7300001', {
    order_id: id,
    type: 'mediations',
    reason_id: 'PNR1',
  })
  for (const token of [market.anaToken, market.brunoToken]) {
    const body = { fulfilled: true, rating: 'positive', message: 'Todo bien' }
    const answer = await app.client.send('POST', `/orders/${id}/feedback`, { token, body })
    assert.equal(answer.status, 201, answer.text)
  }
  await placeOrder(app.client, {
    status: 'payment_required',
    shipping: { mode: 'custom', cost: 0 },
  })
  await callOperator('PUT', `users/${brunoId}`, { site_id: 'MLA', nickname: 'Brúno ÑANDÚ_2' })
}

/** A digest of what these columns hold, in no order. */
async function digestOf(columns: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const texts: string[] = []
  for (const [table, names] of Object.entries(columns)) {
    const comparedColumns = names.filter((name) => !drawnColumns.includes(`${table}.${name}`))
    const text = `select ${comparedColumns.join(', ')} from ${table}`
    const rows = await app.ctx.db.rows<Record<string, unknown>>({
      name: undefined,
      text,
      values: [],
    })
    texts.push(
      ...rows.map((row) => `${table} ${JSON.stringify(Object.values(row).map(normalize))}`),
    )
  }
  return hash('sha256', texts.sort().join('\n')).slice(0, 16)
}

/** Bytes are compared by what was compressed, since releases of the library differ. Entries of lessons come in no order. */
function normalize(value: unknown): unknown {
  if (value instanceof Uint8Array) return inflateRawSync(value).toString('base64')
  if (typeof value !== 'string' || !value.startsWith('[[')) return value
  return (JSON.parse(value) as unknown[]).map((each) => JSON.stringify(each)).sort()
}

async function readSourcePrints(): Promise<Record<string, string>> {
  const prints: Record<string, string> = {}
  for (const table of sourceTables) {
    prints[table] = await digestOf({ [table]: sourceColumns[table] ?? [] })
  }
  return prints
}

/** Returns what to do when a derivation of these rows is no longer that of `prints.ts`. */
function adviceFor(
  name: DerivationName,
  { print, changedTables }: { print: string; changedTables: readonly string[] },
): string {
  const { version } = derivations[name]
  const entry = (version: number) => `{ version: ${version}, print: '${print}' }`
  if (version !== derivedPrints[name].version) {
    return `The version of ${name} changed. Write ${entry(version)} in prints.ts.`
  }
  if (changedTables.length === 0) {
    return `The rule of ${name} derives other data from the same rows. Raise its version (docs/development.md, "Derived data"), run this test again, and write the entry that it prints then.`
  }
  return [
    `The source rows in ${changedTables.join(', ')} changed, and so did what ${name} derive from them. Either:`,
    `- Only this test writes other rows: the rule is the same. Write ${entry(version)} in prints.ts.`,
    '- The program stores something new in these rows, such as a field of orders.parts, and the rule reads it. Stored rows lack it. Complete them where they are locked and renewed, raise the version of the rule (docs/development.md, "Derived data"), run this test again, and write the entry that it prints then.',
  ].join('\n')
}

for (const name of derivationNames) {
  test(`what ${name} derive from the same rows changes with the version alone`, async () => {
    const { version, columns } = derivations[name]
    const print = await digestOf(columns)
    const tables = Object.entries(await readSourcePrints())
    const changedTables = tables
      .filter(([table, digest]) => sourcePrints[table] !== digest)
      .map(([table]) => table)
    const advice = adviceFor(name, { print, changedTables })
    assert.deepEqual({ version, print }, derivedPrints[name], advice)
  })
}

test('the rows that rules are held to are those of the prints', async () => {
  const prints = await readSourcePrints()
  const advice = [
    'The source rows of this test changed, or columns of sources. If the program stores something new in them, rows that were stored before lack it: see docs/development.md, "Derived data".',
    `Then write in prints.ts: sourcePrints = ${JSON.stringify(prints, null, 2)}`,
  ].join('\n')
  assert.deepEqual(prints, sourcePrints, advice)
})
