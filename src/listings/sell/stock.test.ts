import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeChangeLines } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  checkoutBody,
  createTestMarket,
  type MarketTokens,
  putItem,
  putKettle,
} from '../../../test/harness/market.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
beforeEach(() => takeChangeLines(app))
after(() => app.close())

const phone = {
  title: 'Celular',
  category_id: 'MLA1443',
  price: 10,
  currency_id: 'ARS',
  attributes: [
    { id: 'BRAND', value_name: 'Samsung' },
    { id: 'MODEL', value_name: 'Galaxy A15' },
  ],
}
const post = (body: object, headers: Record<string, string> = {}) =>
  app.client.send('POST', '/items', { token: market.anaToken, body, headers })
const put = (id: string, body: object) =>
  app.client.send('PUT', `/items/${id}`, { token: market.anaToken, body })
const read = async (id: string) => (await app.client.get(`/items/${id}`, market.anaToken)).body

async function listed(more: object): Promise<string> {
  const { status, body, text } = await post({ ...phone, ...more })
  assert.equal(status, 201, text)
  await takeChangeLines(app)
  return body.id
}

/** Buys one piece; whether there was one, of this variation if there still is one. */
async function buy(item_id: string, variation_id?: number): Promise<boolean> {
  const lines = [{ item_id, quantity: 1, ...(variation_id ? { variation_id } : {}) }]
  const { status, text } = await app.client.operator(
    'POST',
    '/operator/orders',
    checkoutBody({ lines }),
  )
  assert.ok(
    status === 201 || status === 409 || /variation_id: expected a variation/.test(text),
    text,
  )
  return status === 201
}

const count = (all: readonly boolean[]) => all.filter(Boolean).length
const times = <T>(n: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, index) => work(index)))

contract(
  ['2.2', 'catalog'],
  'what does not speak of stock leaves it to the sales of the same moment',
  async () => {
    const id = await listed({ available_quantity: 30 })
    const [sold, changed] = await Promise.all([
      times(20, () => buy(id)),
      times(20, (n) => put(id, { price: 11 + n })),
    ])
    assert.equal(count(sold), 20)
    for (const { status, text } of changed) assert.equal(status, 200, text)
    const { available_quantity, sold_quantity } = await read(id)
    assert.deepEqual([available_quantity, sold_quantity], [10, 20], 'no sale is lost')
  },
)

contract(
  ['2.2', 'catalog'],
  'between a seller and buyers the last word counts, and no more is sold than there was',
  async () => {
    for (const newStock of [0, 2, 5]) {
      const id = await listed({ available_quantity: 3 })
      const [sold, { status }] = await Promise.all([
        times(12, () => buy(id)),
        put(id, { available_quantity: newStock }),
      ])
      assert.equal(status, 200)
      const { available_quantity: remaining, sold_quantity } = await read(id)
      assert.equal(sold_quantity, count(sold), 'no sale is lost')
      // So many were taken before the seller spoke, the rest of what the seller said after it.
      assert.ok(remaining >= 0 && remaining <= newStock, `${remaining} of ${newStock}`)
      const before = count(sold) - (newStock - remaining)
      assert.ok(before >= 0 && before <= 3, `${before} of 3 were sold before ${newStock} were said`)
      const changeLines = await takeChangeLines(app)
      const items = changeLines.filter((line) => line === `items /items/${id} ${anaId}`)
      // What the seller said was so already, where that many were left.
      const isNews = 3 - before !== newStock
      assert.equal(items.length, count(sold) + (isNews ? 1 : 0), 'each of them is told')
    }
  },
)

contract(['2.2', 'catalog'], 'a variation is sold, or it is taken off; never both', async () => {
  const memory = (value_name: string) => ({
    attribute_combinations: [{ id: 'INTERNAL_MEMORY', value_name }],
    available_quantity: 1,
  })
  for (let round = 0; round < 6; round++) {
    const id = await listed({ variations: [memory('64 GB'), memory('128 GB')] })
    const [keptVariation, other] = (await read(id)).variations
    const [isSold, update] = await Promise.all([
      buy(id, other.id),
      put(id, { variations: [{ id: keptVariation.id }] }),
    ])
    const ids = (await read(id)).variations.map((variation: { id: number }) => variation.id)
    if (isSold) {
      assert.match(update.body.message, /^variations: expected \d+ among them, which has sold/)
      assert.deepEqual(ids, [keptVariation.id, other.id])
    } else {
      assert.equal(update.status, 200)
      assert.deepEqual(ids, [keptVariation.id])
    }
  }
})

contract(
  ['6.3', 'catalog'],
  'of changes at one moment none undoes another, and each is told',
  async () => {
    const id = await listed({ available_quantity: 1 })
    const bodies = [
      { price: 77 },
      { available_quantity: 5 },
      { warranty: '6 meses' },
      { seller_sku: 'A' },
      { manufacturing_days: 3 },
      { status: 'paused' },
    ]
    const answers = await Promise.all(bodies.map((body) => put(id, body)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      bodies.map(() => 200),
    )
    const now = await read(id)
    for (const body of bodies) {
      for (const [field, value] of Object.entries(body)) assert.equal(now[field], value, field)
    }
    assert.equal((await takeChangeLines(app)).length, bodies.length)
  },
)

test('one key at many moments at once lists one item', async () => {
  const answers = await times(6, () =>
    post({ ...phone, available_quantity: 1 }, { 'idempotency-key': 'at once' }),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  assert.equal((await takeChangeLines(app)).length, 1)
})

contract(['2.3', 'catalog'], 'numbers of ours skip those that an operator has taken', async () => {
  const id = await listed({ available_quantity: 1 })
  const next = Number(id.slice(3)) + 1
  await putKettle(app.client, `MLA${next}`, 10)
  const title = (await read(`MLA${next}`)).title
  const another = await listed({ available_quantity: 1 })
  assert.equal(another, `MLA${next + 1}`)
  assert.equal((await read(`MLA${next}`)).title, title, 'nor is it replaced')

  const memory = (value_name: string) => ({
    attribute_combinations: [{ id: 'INTERNAL_MEMORY', value_name }],
    available_quantity: 1,
  })
  const varied = await listed({ variations: [memory('64 GB')] })
  const first = (await read(varied)).variations[0].id
  await putItem(app.client, varied, {
    title: 'Celular',
    category_id: 'MLA1443',
    variations: [{ id: first + 1, available_quantity: 1 }],
  })
  const { body } = await put(varied, { variations: [memory('256 GB')] })
  assert.equal(body.variations[0].id, first + 2)
})

contract(
  ['6.3', 'catalog'],
  'what could not be told is not done either: an item, a change',
  async () => {
    const id = await listed({ available_quantity: 4 })
    const before = await read(id)
    const items = () =>
      app.ctx.db.row(
        sql`select (select count(*) from listings) as n, (select count(*) from item_owner) as owned`,
      )
    const there = await items()
    await app.ctx.db.rows(sql`alter table changes rename to changes_away`)
    try {
      assert.equal((await post({ ...phone, available_quantity: 1 })).status, 500)
      assert.equal((await put(id, { price: 99, available_quantity: 1 })).status, 500)
    } finally {
      await app.ctx.db.rows(sql`alter table changes_away rename to changes`)
    }
    assert.deepEqual(await items(), there)
    assert.deepEqual(await read(id), before)
  },
)
