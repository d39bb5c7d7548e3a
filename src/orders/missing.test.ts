import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import pg from 'pg'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../test/harness/market.ts'
import { sql } from '../platform/database/sql.ts'

/** Orders while the tables of other rooms are locked by somebody else, as a long change of a schema
 * would. */
let database: TestDatabase
let app: TestApp
let market: MarketTokens
// biome-ignore lint/suspicious/noExplicitAny: orders as JSON
let order: any, unpaid: any, plain: any

const newer = { 'x-format-new': 'true' }

before(async () => {
  database = await openTestDatabase()
  const env = { FERIA_READ_DEADLINE_MS: '300' }
  app = await openTestApp({ env, databaseUrl: database.url })
  market = await createTestMarket(app.client, null)
  order = await placeOrder(app.client)
  plain = await placeOrder(app.client)
  unpaid = await placeOrder(app.client, { status: 'payment_required' })
  for (const { id } of [order, unpaid]) await addRatingAndClaim(id)
})
after(async () => {
  await app.close()
  await database.drop()
})

async function addRatingAndClaim(id: number): Promise<void> {
  const now = app.ctx.now()
  const part = JSON.stringify({
    id,
    date_created: now.toISOString(),
    fulfilled: true,
    rating: 'positive',
    status: 'active',
  })
  await app.ctx.db.rows(sql`
    insert into feedback (seller_id, order_id, role, id, fulfilled, rating,
      visibility_date, details, as_part, date_created, last_updated)
    values (${anaId}, ${id}, 'sale', ${id}, true, 'positive', ${now}, '{}', ${part}, ${now},
      ${now})`)
  await app.ctx.db.rows(sql`
    insert into claims (seller_id, id, buyer_id, order_id, type, stage, status, details,
      date_created, last_updated)
    values (${anaId}, ${id}, ${brunoId}, ${id}, 'mediations', 'claim', 'opened', '{}', ${now}, ${now})`)
  await app.ctx.db.rows(sql`
    update orders set is_rated = true, is_disputed = true where seller_id = ${anaId} and id = ${id}`)
}

/** Runs `work` while nobody else can read these tables. */
async function whileLocked(tables: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(`begin; lock table ${tables} in access exclusive mode`)
    await work()
  } finally {
    await client.end()
    app.advance(1_000)
  }
}

const read = (id: number, token: string, headers: Record<string, string> = {}) =>
  app.client.send('GET', `/orders/${id}`, { token, headers })
const readByOperator = (id: number) => app.client.operator('GET', `/operator/orders/${id}`)

/** Which table each part lives in; the newer format shows seller and shipment by their ids. */
const homes: [tables: string, missing: string, missingInNewer: string][] = [
  ['users', 'buyer,seller', 'buyer'],
  ['feedback', 'feedback', 'feedback'],
  ['claims', 'mediations', 'mediations'],
  ['shipments', 'shipping', ''],
  ['feedback, shipments', 'feedback,shipping', 'feedback'],
  [
    'users, feedback, claims, shipments',
    'buyer,feedback,mediations,seller,shipping',
    'buyer,feedback,mediations',
  ],
]

/** The whole body with these parts emptied. */
function without(whole: object, missing: string): object {
  const empty = missing
    .split(',')
    .filter((part) => part !== '')
    .map((part) => [part, part === 'mediations' ? [] : {}])
  return { ...whole, ...Object.fromEntries(empty) }
}

for (const [tables, missing, missingInNewer] of homes) {
  contract(
    ['4.3', '7.5'],
    `with ${tables} out of reach an order is answered with 206 and names what is empty`,
    async () => {
      const readers: [who: string, ask: () => ReturnType<typeof read>, missing: string][] = [
        ['the seller', () => read(order.id, market.anaToken), missing],
        ['the buyer', () => read(order.id, market.brunoToken), missing],
        ['the seller, newer', () => read(order.id, market.anaToken, newer), missingInNewer],
        ['the buyer, newer', () => read(order.id, market.brunoToken, newer), missingInNewer],
        ['the operator', () => readByOperator(order.id), missing],
      ]
      const wholes = await Promise.all(readers.map(([, ask]) => ask()))
      for (const { status, headers } of wholes) {
        assert.deepEqual([status, headers.get('x-content-missing')], [200, null])
      }
      await whileLocked(tables, async () => {
        for (const [index, [who, ask, expected]] of readers.entries()) {
          const { status, headers, body } = await ask()
          assert.equal(headers.get('x-content-missing'), expected === '' ? null : expected, who)
          assert.equal(status, expected === '' ? 200 : 206, who)
          assert.deepEqual(body, without(wholes[index]?.body, expected), who)
        }
      })
      for (const [index, [who, ask]] of readers.entries()) {
        const { status, text } = await ask()
        assert.deepEqual([status, text], [200, wholes[index]?.text], `${who}, afterwards`)
      }
    },
  )
}

contract('4.3', 'what an order is known not to have is not missing', async () => {
  await whileLocked('feedback, claims', async () => {
    const { status, headers, body } = await read(plain.id, market.anaToken)
    assert.deepEqual([status, headers.get('x-content-missing')], [200, null])
    assert.deepEqual(body, plain)
  })
})

contract(
  ['4.3', '7.5'],
  'strangers are refused while parts are out of reach, as ever',
  async () => {
    await whileLocked('users, feedback, claims, shipments', async () => {
      const cases: [id: number, token: string, status: number, error: string][] = [
        [order.id, market.carlaToken, 403, 'not_owned_order'],
        [123, market.anaToken, 404, 'order_not_found'],
        [order.id, 'APP_USR-1-010101-0-1', 401, 'not_found'],
      ]
      for (const [id, token, status, error] of cases) {
        const answer = await read(id, token)
        assert.deepEqual([answer.status, answer.body.error], [status, error])
      }
    })
  },
)

contract(
  '3.1',
  'what a party may not see before payment is not shown while parts are missing',
  async () => {
    for (const [tables] of homes) {
      await whileLocked(tables, async () => {
        // All at once: each waits for the tables until its deadline.
        await Promise.all(
          [{}, newer].flatMap((headers) => [
            read(unpaid.id, market.anaToken, headers).then(({ text }) =>
              assert.doesNotMatch(text, /BRUNO|bruno@|11222333|receiver_address/, tables),
            ),
            read(unpaid.id, market.brunoToken, headers).then(({ text }) =>
              assert.doesNotMatch(text, /ANA_VENDE|ana@/, tables),
            ),
          ]),
        )
      })
    }
  },
)

contract(
  ['4.3', 'orders'],
  'an order that is itself out of reach is answered with 503, in the general body',
  async () => {
    await whileLocked('orders', async () => {
      for (const answer of [
        await read(order.id, market.anaToken),
        await read(order.id, market.anaToken, newer),
        await readByOperator(order.id),
      ]) {
        assert.equal(answer.status, 503)
        assert.equal(answer.body.error, 'service_unavailable')
        assert.equal(answer.headers.get('retry-after'), '1')
      }
    })
    assert.equal((await read(order.id, market.anaToken)).status, 200)
  },
)

contract(
  '4.3',
  'of many reads at once, each is answered while a table is out of reach, and after it',
  async () => {
    const many = () =>
      Promise.all(Array.from({ length: 12 }, () => read(order.id, market.anaToken)))
    await whileLocked('claims', async () => {
      for (const { status, headers } of await many()) {
        assert.deepEqual([status, headers.get('x-content-missing')], [206, 'mediations'])
      }
    })
    for (const { status } of await many()) assert.equal(status, 200)
    const isOut = app.ctx.outages.isOut('orders in the wider format')
    assert.equal(isOut, false, 'and is read in one round trip again')
  },
)
