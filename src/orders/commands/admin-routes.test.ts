import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  carlaId,
  checkoutBody,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putKettle,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  const item = (id: string, seller_id: number, more: object) =>
    app.client.operator('PUT', `/operator/items/${id}`, {
      seller_id,
      site_id: id.slice(0, 3),
      title: 'Mate',
      category_id: 'MLA1',
      currency_id: 'ARS',
      price: 10,
      available_quantity: 5,
      ...more,
    })
  const variations = [{ id: 11, available_quantity: 1 }]
  await item('MLA2001', carlaId, {})
  await item('MLA2002', anaId, { status: 'closed' })
  await item('MLA2003', anaId, { available_quantity: undefined, variations })
  await item('MLA2004', anaId, { price: 9e12, available_quantity: 1_000 })
  await item('MLC2005', anaId, { currency_id: 'CLP' })
})
after(() => app.close())

/** Everything that a refused request could have left behind, counted. */
async function traces(): Promise<object> {
  const [row] = await app.ctx.db.rows<object>({
    name: '',
    text: `select (select count(*) from orders) orders, (select count(*) from order_owner) ids,
      (select count(*) from order_items) items, (select count(*) from shipments) shipments,
      (select count(*) from payments) payments, (select count(*) from payment_owner) paid,
      (select count(*) from changes) changes, (select count(*) from idempotency_keys) keys,
      (select sum(available_quantity) from listing_stock) stock`,
    values: [],
  })
  return row as object
}

const line = (more: object) => ({ lines: [{ item_id: 'MLA1001', quantity: 1, ...more }] })

const refusedCheckouts: [why: string, more: object, status: number, field: string][] = [
  ['a negative amount', line({ unit_price: -1 }), 400, 'lines[0].unit_price'],
  ['finer than a cent', line({ unit_price: 1.005 }), 400, 'lines[0].unit_price'],
  ['finer than a cent', { shipping: { mode: 'me1', cost: 0.001 } }, 400, 'shipping.cost'],
  ['finer than a cent', { coupon: { id: 1, amount: 0.001 } }, 400, 'coupon.amount'],
  ['finer than a cent', { taxes: { amount: 0.001 } }, 400, 'taxes.amount'],
  [
    'a currency without cents',
    { currency_id: 'CLP', ...line({ item_id: 'MLC2005', unit_price: 1.5 }) },
    400,
    'lines[0].unit_price',
  ],
  [
    'a total that no number holds exactly',
    line({ item_id: 'MLA2004', quantity: 900 }),
    400,
    'lines',
  ],
  ['the currency is not that of the item', { currency_id: 'BRL' }, 400, 'currency_id'],
  ['an unknown currency', { currency_id: 'XXX' }, 400, 'currency_id'],
  [
    'a day that no calendar has',
    { expiration_date: '2026-02-30T00:00:00.000Z' },
    400,
    'expiration_date',
  ],
  ['an id past 2^53', { id: 2 ** 53 }, 400, 'id'],
  ['an id that is no whole number', { pack_id: 1.5 }, 400, 'pack_id'],
  ['no quantity', line({ quantity: 0 }), 400, 'lines[0].quantity'],
  ['no lines', { lines: [] }, 400, 'lines'],
  ['an item that nobody lists', line({ item_id: 'MLA9' }), 400, 'lines[0].item_id'],
  ['a closed item', line({ item_id: 'MLA2002' }), 400, 'lines[0].item_id'],
  ['a variation of another', line({ variation_id: 11 }), 400, 'lines[0].variation_id'],
  [
    'an unknown variation',
    line({ item_id: 'MLA2003', variation_id: 12 }),
    400,
    'lines[0].variation_id',
  ],
  [
    'no variation of an item that has some',
    line({ item_id: 'MLA2003' }),
    400,
    'lines[0].variation_id',
  ],
  [
    'lines of two sellers',
    {
      lines: [
        { item_id: 'MLA1001', quantity: 1 },
        { item_id: 'MLA2001', quantity: 1 },
      ],
    },
    400,
    'lines',
  ],
  ['a buyer nobody knows', { buyer_id: 99 }, 400, 'buyer_id'],
  ['a buyer who is the seller', { buyer_id: anaId }, 400, 'buyer_id'],
  ['an unknown status', { status: 'sent' }, 400, 'status'],
  ['a status that no order begins with', { status: 'cancelled' }, 400, 'status'],
  ['an unknown channel', { context: { channel: 'street' } }, 400, 'context.channel'],
  ['an unknown flow', { context: { flows: ['cbt', 'fast'] } }, 400, 'context.flows[1]'],
  ['no logistic type for me2', { shipping: { mode: 'me2' } }, 400, 'shipping.logistic_type'],
  ['a misspelt field', { comment: 'hello' }, 400, 'comment'],
  ['more than there is', line({ quantity: 11 }), 409, 'lines[0].quantity'],
]

contract(
  ['2.2', '2.3'],
  'a refused checkout names its field and leaves nothing behind',
  async () => {
    const before = await traces()
    for (const [why, more, status, field] of refusedCheckouts) {
      const key = { 'idempotency-key': `refused ${field}` }
      const refused = await app.client.operator('POST', '/operator/orders', checkoutBody(more), key)
      assert.equal(refused.status, status, `${why}: ${refused.text}`)
      assert.ok(refused.body.message.startsWith(`${field}: `), `${why}: ${refused.body.message}`)
      assert.deepEqual(await traces(), before, why)
    }
  },
)

contract('2.2', 'the id of a refused sale is free again', async () => {
  const id = 77_001
  const much = { id, ...line({ quantity: 11 }) }
  assert.equal(
    (await app.client.operator('POST', '/operator/orders', checkoutBody(much))).status,
    409,
  )
  assert.equal((await placeOrder(app.client, { id })).id, id)
  const again = await app.client.operator('POST', '/operator/orders', checkoutBody({ id }))
  assert.equal(again.status, 409)
  assert.match(again.body.message, /^id: /)
})

contract(['2.2', '2.4'], 'numbers of our own skip those that the operator has taken', async () => {
  const first = await placeOrder(app.client)
  const occupiedIds = { id: first.id + 1, shipping: { id: first.shipping.id + 1, mode: 'me1' } }
  await placeOrder(app.client, occupiedIds)
  const next = await placeOrder(app.client)
  assert.ok(next.id > first.id + 1)
  assert.ok(next.shipping.id > first.shipping.id + 1)
  const pay = async (body: object) => {
    const path = `/operator/orders/${first.id}/payments`
    const { status, body: order } = await app.client.operator('POST', path, body)
    assert.equal(status, 201)
    return order.payments.map(({ id }: { id: number }) => id) as number[]
  }
  const part = { status: 'pending', transaction_amount: 1 }
  const [own = 0] = await pay(part)
  await pay({ ...part, id: own + 1 })
  assert.deepEqual(new Set(await pay(part)), new Set([own, own + 1, own + 2]))
})

contract('2.2', 'a shipment is one buyer’s; their orders may share it', async () => {
  const shipping = { id: 88_001, mode: 'me1' }
  const first = await placeOrder(app.client, { shipping, pack_id: 500 })
  const second = await placeOrder(app.client, { shipping, pack_id: 500 })
  assert.deepEqual([first.shipping.id, second.shipping.id], [88_001, 88_001])
  const other = checkoutBody({ shipping, buyer_id: carlaId })
  const refused = await app.client.operator('POST', '/operator/orders', other)
  assert.equal(refused.status, 409)
  assert.match(refused.body.message, /^shipping\.id: /)
})

const address = { street_name: 'Ñandú "9"', zip_code: '1406', city: { name: 'Buenos Aires' } }
const fresh: [which: string, more: object][] = [
  ['with a shipment', { shipping: { mode: 'me1', cost: 10.5, receiver_address: address } }],
  ['without', { shipping: undefined }],
  ['not paid yet', { status: 'payment_required' }],
  ['of two lines', { lines: [...line({}).lines, { item_id: 'MLA2006', quantity: 2 }] }],
  ['with all that a checkout may say', { comments: 'a\u2028b', coupon: { id: 5, amount: 1 } }],
  ['with taxes, of a pack', { taxes: { amount: 2.1 }, pack_id: 501, tags: ['test_order'] }],
  ['until a moment', { expiration_date: '2026-12-01T00:00:00-03:00', shipping: { mode: 'me1' } }],
  ['to a shipment that others join', { shipping: { id: 88_002, mode: 'me1' }, pack_id: 502 }],
]

contract('2.2', 'a new order is answered as it is read afterwards, byte for byte', async () => {
  await putKettle(app.client, 'MLA1001', 50)
  await putKettle(app.client, 'MLA2006', 50)
  const hold = async (which: string, more: object) => {
    const created = await app.client.operator('POST', '/operator/orders', checkoutBody(more))
    assert.equal(created.status, 201, `${which}: ${created.text}`)
    const { id, status } = created.body
    const path = `/operator/orders/${id}`
    assert.equal((await app.client.operator('GET', path)).text, created.text, which)
    if (status === 'payment_required') return
    for (const token of [market.anaToken, market.brunoToken]) {
      assert.equal((await app.client.get(`/orders/${id}`, token)).text, created.text, which)
    }
  }
  for (const [which, more] of fresh) await hold(which, more)
  const sent = await app.client.operator('PATCH', '/operator/shipments/88002', {
    status: 'delivered',
    receiver_address: address,
  })
  assert.equal(sent.status, 200, sent.text)
  await hold('joined, to what has arrived', { shipping: { id: 88_002, mode: 'me1' }, pack_id: 502 })
})

test('a repeated key answers the same order; with another body it is refused', async () => {
  const key = { 'idempotency-key': 'once' }
  const send = (more: object) =>
    app.client.operator('POST', '/operator/orders', checkoutBody(more), key)
  const first = await send({})
  const before = await traces()
  const again = await send({})
  assert.equal(again.status, 201)
  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal((await send({ comments: 'other' })).status, 422)
  assert.deepEqual(await traces(), before)
})

test('the same checkout under one key, many at once, is one order', async () => {
  await putKettle(app.client, 'MLA1003', 5)
  const body = checkoutBody(line({ item_id: 'MLA1003' }))
  const key = { 'idempotency-key': 'many at once' }
  const send = () => app.client.operator('POST', '/operator/orders', body, key)
  const answers = await Promise.all(Array.from({ length: 20 }, send))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1)
  const { body: item } = await app.client.operator(
    'GET',
    `/operator/items/MLA1003?seller_id=${anaId}`,
  )
  assert.equal(item.stock[0].available_quantity, 4)
})

contract(
  '2.2',
  'the first sales of a new process, many at once, all get their numbers',
  async () => {
    const fresh = await openTestApp({ env: { DATABASE_POOL: '2' } })
    try {
      await createTestMarket(fresh.client, null)
      const answers = await Promise.all(
        Array.from({ length: 9 }, () =>
          fresh.client.operator('POST', '/operator/orders', checkoutBody()),
        ),
      )
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
      assert.equal(new Set(answers.map(({ body }) => body.id)).size, 9)
    } finally {
      await fresh.close()
    }
  },
)

contract('2.2', 'the whole answer to the operator shows both parties', async () => {
  const order = await placeOrder(app.client)
  const read = await app.client.operator('GET', `/operator/orders/${order.id}`)
  assert.deepEqual(read.body, order)
  assert.deepEqual([order.seller.id, order.buyer.id], [anaId, brunoId])
  assert.equal((await app.client.get(`/operator/orders/${order.id}`, market.anaToken)).status, 401)
})
