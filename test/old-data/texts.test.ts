import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { derivedRows } from '../../src/app/derivations.ts'
import { issueToken } from '../../src/identity/tokens.ts'
import { hourMs } from '../../src/kernel/clock.ts'
import { type DerivedRows, walkRows } from '../../src/platform/walks/row-walk.ts'
import { demoApplication, demoSellerId } from '../../src/sandbox/demo/world.ts'
import { seedOrders } from '../../src/sandbox/seed.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { contract } from '../harness/contract.ts'
import { type OldTexts, oldTexts } from './old-texts.ts'

/** Texts that another version rendered, ready to send: read, changed and rendered anew. */

const batchSize = 3
let app: TestApp
let token: string
before(async () => {
  app = await openTestApp()
  await seedOrders(app.ctx, { orders: 150, seed: 1, progress: () => {} })
  token = await issueToken(app.ctx, {
    ...{ userId: demoSellerId, applicationId: demoApplication.id, lifeSeconds: 24 * 3600 },
    scopes: ['read', 'write'],
  })
})
after(() => app.close())

const run = (text: string) =>
  app.ctx.db.rows<Record<string, unknown>>({ name: undefined, text, values: [] })

const stored = ({ table, texts, version }: OldTexts) =>
  run(`select ${[...texts, version].join(', ')} from ${table} order by ${texts[0]}`)

const oldOf = ({ table, version }: OldTexts) =>
  run(`select from ${table} where ${version} = 0`).then((rows) => rows.length)

async function walkAll(rows: DerivedRows): Promise<void> {
  while (await walkRows(app.ctx, rows, { oldest: 0, batchSize })) {}
}

async function assertOrdersAreRead(): Promise<void> {
  const path = `/orders/search?seller=${demoSellerId}&limit=50`
  const { status, body, text } = await app.client.get(path, token)
  assert.equal(status, 200, text)
  for (const order of body.results) {
    assert.ok(order.order_items.length > 0 && order.buyer.id && order.seller.id)
    assert.equal((await app.client.get(`/orders/${order.id}`, token)).status, 200)
  }
}

for (const rows of derivedRows) {
  contract(
    '4.3',
    `${rows.name} that another version rendered are read, and rendered anew`,
    async () => {
      const old = oldTexts[rows.name as keyof typeof oldTexts]
      const expected = await stored(old)
      assert.ok(expected.length > batchSize)
      await run(old.age)
      assert.equal(await oldOf(old), expected.length)
      await assertOrdersAreRead()
      await walkRows(app.ctx, rows, { oldest: 0, batchSize })
      assert.equal(await oldOf(old), expected.length - batchSize, 'bounded by the batch')
      await assertOrdersAreRead()
      await walkAll(rows)
      assert.deepEqual(await stored(old), expected)
      // A process of the release before goes on writing behind the walk.
      await run(old.age)
      await walkAll(rows)
      assert.equal(await oldOf(old), expected.length)
      app.advance(hourMs)
      await walkAll(rows)
      assert.deepEqual(await stored(old), expected)
      await run(`update ${old.table} set ${old.version} = ${rows.version + 1}`)
      await run(`update row_walks set version = 0`)
      const later = await stored(old)
      await walkAll(rows)
      assert.deepEqual(await stored(old), later, 'a later version stays')
      await run(`update ${old.table} set ${old.version} = ${rows.version}`)
    },
  )
}
