import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { derivedRows } from '../../src/app/derivations.ts'
import { issueToken } from '../../src/identity/tokens.ts'
import { hourMs } from '../../src/kernel/clock.ts'
import { type DerivedRows, walkRows } from '../../src/platform/walks/row-walk.ts'
import { demoApplication, demoSellerId } from '../../src/sandbox/demo/ids.ts'
import { seedOrders } from '../../src/sandbox/demo/load.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { contract } from '../harness/contract.ts'
import { postImportLines } from '../harness/import-lines.ts'
import { drain } from '../harness/wait.ts'
import { type OldTextFixture, oldTexts } from './old-texts.ts'

/** Texts that another version rendered, ready to send: read, changed and rendered anew. */

const batchSize = 3
let app: TestApp
let token: string
before(async () => {
  app = await openTestApp()
  await seedOrders(app.ctx, { orders: 60, seed: 1, progress: () => {} })
  token = await issueToken(app.ctx, {
    userId: demoSellerId,
    applicationId: demoApplication.id,
    lifeSeconds: 24 * 3600,
    scopes: ['read', 'write'],
  })
})
after(() => app.close())

const run = (text: string) =>
  app.ctx.db.rows<Record<string, unknown>>({ name: undefined, text, values: [] })

const stored = ({ table, texts, version }: OldTextFixture) =>
  run(`select ${[...texts, version].join(', ')} from ${table} order by ${texts[0]}`)

const countOutdated = ({ table, version }: OldTextFixture) =>
  run(`select from ${table} where ${version} = 0`).then((rows) => rows.length)

async function walkAll(rows: DerivedRows): Promise<void> {
  await drain(() => walkRows(app.ctx, rows, { oldest: 0, batchSize }))
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

let round = 0

/** Changes an order, its shipment, a user and a rating, and imports a claim, by the interface. */
async function changeSome(): Promise<void> {
  round++
  const [order] = await run(`
    select o.id, o.shipment_id as shipping from orders o join shipments s
      on s.seller_id = o.seller_id and s.id = o.shipment_id
    where o.seller_id = ${demoSellerId} and o.status = 'paid' order by o.id limit 1`)
  const [unrated] = await run(`
    select id from orders o where seller_id = ${demoSellerId} and status in ('paid', 'cancelled')
      and not exists (select from feedback f
        where f.seller_id = o.seller_id and f.order_id = o.id and f.role = 'sale')
    order by id desc limit 1`)
  const [user] = await run(`
    select id, nickname from users where id <> ${demoSellerId} order by id limit 1`)
  assert.ok(order && unrated && user)
  const names = { site_id: 'MLA', nickname: user['nickname'], first_name: `Ñ${round}` }
  const feedback = { fulfilled: true, rating: 'positive', message: 'Bien' }
  const answers = [
    await app.client.operator('PATCH', `/operator/orders/${order['id']}`, { comments: `${round}` }),
    await app.client.operator('PATCH', `/operator/shipments/${order['shipping']}`, {
      receiver_name: `R${round}`,
    }),
    await app.client.operator('PUT', `/operator/users/${user['id']}`, names),
    await app.client.send('POST', `/orders/${unrated['id']}/feedback`, { token, body: feedback }),
  ]
  for (const { status, text } of answers) assert.ok(status < 300, text)
  const claim = { type: 'claim', id: 31_500_000 + round, order_id: order['id'], status: 'opened' }
  const date_created = app.ctx.now().toISOString()
  const results = await postImportLines(app, [{ ...claim, claim_type: 'return', date_created }])
  assert.deepEqual(
    results.filter(({ line }) => line !== undefined),
    [],
  )
  const { body } = await app.client.get(`/orders/${order['id']}`, token)
  assert.deepEqual([body.comments, body.mediations.length > 0], [`${round}`, true])
  const changed = await app.client.get(`/users/${user['id']}`)
  assert.equal(changed.body.nickname, user['nickname'])
}

/** What the seller's sales came to. */
async function reputation(): Promise<object> {
  const { status, body, text } = await app.client.get(`/users/${demoSellerId}`)
  assert.equal(status, 200, text)
  const { total, completed, canceled } = body.seller_reputation.transactions
  return { total, completed, canceled }
}

for (const rows of derivedRows) {
  contract(
    '4.3',
    `${rows.name} that another version rendered are read, and rendered anew`,
    async () => {
      const old = oldTexts[rows.name as keyof typeof oldTexts]
      const expected = await stored(old)
      assert.ok(expected.length > batchSize)
      await run(old.ageSql)
      assert.equal(await countOutdated(old), expected.length)
      await assertOrdersAreRead()
      await walkRows(app.ctx, rows, { oldest: 0, batchSize })
      assert.equal(await countOutdated(old), expected.length - batchSize, 'bounded by the batch')
      await assertOrdersAreRead()
      await walkAll(rows)
      assert.deepEqual(await stored(old), expected)
      // A process of the release before goes on writing behind the walk.
      await run(old.ageSql)
      await walkAll(rows)
      assert.equal(await countOutdated(old), expected.length)
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

  contract(
    ['4.3', '4.6'],
    `${rows.name} that another version rendered are changed and counted meanwhile`,
    async () => {
      const old = oldTexts[rows.name as keyof typeof oldTexts]
      const reputationBefore = await reputation()
      await run(old.ageSql)
      await run(`update row_walks set version = 0`)
      const count = await countOutdated(old)
      await changeSome()
      assert.ok(
        (await countOutdated(old)) <= count,
        'what is written anew is rendered by this version',
      )
      await assertOrdersAreRead()
      assert.deepEqual(await reputation(), reputationBefore)
      await walkAll(rows)
      assert.equal(await countOutdated(old), 0)
      const renewed = await stored(old)
      await run(old.ageSql)
      await run(`update row_walks set version = 0`)
      await walkAll(rows)
      assert.deepEqual(await stored(old), renewed, 'no row keeps what the old version made')
    },
  )

  contract(
    '4.3',
    `the walk of ${rows.name} comes again for as long as a process of the release before writes`,
    async () => {
      const old = oldTexts[rows.name as keyof typeof oldTexts]
      const expected = await stored(old)
      await run(`update row_walks set version = 0`)
      for (let hour = 0; hour < 4; hour++) {
        await run(old.ageSql)
        await walkAll(rows)
        assert.deepEqual(await stored(old), expected, `hour ${hour}`)
        app.advance(hourMs)
      }
      await walkAll(rows)
      await run(old.ageSql)
      app.advance(hourMs)
      await walkAll(rows)
      assert.equal(await countOutdated(old), expected.length, 'it has ended')
      await run(`update row_walks set version = 0`)
      await walkAll(rows)
      assert.deepEqual(await stored(old), expected)
    },
  )
}
