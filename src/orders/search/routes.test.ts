import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  carlaId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putItem,
  putKettle,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
/** In the order in which they were made, an hour apart. */
const ids: Record<'paid' | 'unpaid' | 'cancelled' | 'two', number> = {
  paid: 0,
  unpaid: 0,
  cancelled: 0,
  two: 0,
}

const hourMs = 3_600_000

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putKettle(app.client, 'MLA1002', 10)
  const change = async (id: number, status: string) => {
    const { text, ...patched } = await app.client.operator('PATCH', `/operator/orders/${id}`, {
      status,
    })
    assert.equal(patched.status, 200, text)
  }
  const make = async (name: keyof typeof ids, more: object, status?: string) => {
    ids[name] = (await placeOrder(app.client, more)).id
    if (status) await change(ids[name], status)
    app.advance(hourMs)
  }
  await make('paid', { tags: ['gift'] }, 'paid')
  await make('unpaid', { status: 'payment_required' })
  await make('cancelled', {}, 'cancelled')
  await make('two', {
    lines: [
      { item_id: 'MLA1001', quantity: 1 },
      { item_id: 'MLA1002', quantity: 2 },
    ],
  })
})
after(() => app.close())

async function search(params: Record<string, string>, token = market.anaToken) {
  const path = `/orders/search?${new URLSearchParams(params)}`
  const { status, body, text } = await app.client.get(path, token)
  assert.equal(status, 200, `${path} ${text}`)
  return body
}

async function searchIds(
  params: Record<string, string>,
  token = market.anaToken,
): Promise<string[]> {
  const { results, paging } = await search(params, token)
  assert.equal(paging.total, results.length)
  const names = Object.entries(ids)
  return results.map(({ id }: { id: number }) => names.find(([, orderId]) => orderId === id)?.[0])
}

contract(
  ['1', '2.2', '2.5', '2.12', '4.3', '8', 'orders'],
  'an answer has the fields of the sample, and orders as they are read one by one',
  async () => {
    const body = await search({ seller: String(anaId) })
    assert.deepEqual(Object.keys(body), [
      'query',
      'results',
      'sort',
      'available_sorts',
      'filters',
      'available_filters',
      'paging',
      'display',
    ])
    assert.equal(body.query, '')
    assert.deepEqual(body.paging, { total: 3, offset: 0, limit: 50 })
    assert.deepEqual(body.sort, { id: 'date_asc', name: 'Date ascending' })
    assert.deepEqual(body.available_sorts[0], { id: 'date_desc', name: 'Date descending' })
    assert.equal(body.available_sorts.length, 5)
    assert.deepEqual([body.filters, body.available_filters, body.display], [[], [], 'complete'])
    for (const [who, token] of [
      [{ seller: String(anaId) }, market.anaToken],
      [{ buyer: String(brunoId) }, market.brunoToken],
    ] as const) {
      for (const headers of [{}, { 'x-format-new': 'true' }] as Record<string, string>[]) {
        const path = `/orders/search?${new URLSearchParams(who as Record<string, string>)}`
        const { body: page } = await app.client.send('GET', path, { token, headers })
        assert.ok(page.results.length >= 3)
        for (const order of page.results) {
          const one = await app.client.send('GET', `/orders/${order.id}`, { token, headers })
          assert.deepEqual(order, one.body)
        }
      }
    }
  },
)

contract(
  ['4.3', 'orders'],
  'sellers do not find what was cancelled unless they ask for it; buyers do',
  async () => {
    assert.deepEqual(await searchIds({ seller: String(anaId) }), ['paid', 'unpaid', 'two'])
    assert.deepEqual(await searchIds({ seller: String(anaId), 'order.status': 'cancelled' }), [
      'cancelled',
    ])
    const all = ['paid', 'unpaid', 'cancelled', 'two']
    assert.deepEqual(await searchIds({ buyer: String(brunoId) }, market.brunoToken), all)
  },
)

contract(['4.3', 'orders'], 'who names neither party searches as seller', async () => {
  assert.deepEqual(await searchIds({ tags: 'gift' }), ['paid'])
  assert.deepEqual(await searchIds({ tags: 'gift' }, market.brunoToken), [])
})

contract(
  ['4.3', '5', '7.5', 'errors'],
  'orders of others are refused, with the words of the contract',
  async () => {
    const message = 'caller.id does not match buyer nor seller.'
    for (const params of [
      `seller=${anaId}`,
      `buyer=${brunoId}`,
      `seller=${anaId}&buyer=${brunoId}`,
    ]) {
      const { status, body } = await app.client.get(`/orders/search?${params}`, market.carlaToken)
      assert.equal(status, 403)
      assert.deepEqual(body, { message, error: 'caller.id.invalid', status: 403, cause: [] })
    }
  },
)

contract(
  ['4.3', '7.5', 'orders'],
  'a search without filter, without token or with rubbish is refused',
  async () => {
    const cases: [path: string, status: number, message: RegExp][] = [
      ['?sort=date_asc&limit=5', 400, /^The search does nothing without at least one filter\.$/],
      ['?seller=abc', 400, /^seller: expected integer$/],
      ['?buyer=1.5', 400, /^buyer: expected integer$/],
      ['?seller=0', 400, /^seller: expected/],
      ['?seller=9007199254740993', 400, /^seller: expected/],
      [`?seller=${anaId}&limit=0`, 400, /^limit: expected/],
      [`?seller=${anaId}&limit=101`, 400, /^limit: expected/],
      [`?seller=${anaId}&offset=-1`, 400, /^offset: expected/],
      [`?seller=${anaId}&offset=9951`, 400, /^offset: expected .*narrow.*date.*search_type=scan$/],
      [`?seller=${anaId}&sort=foo`, 400, /^sort: expected one of date_asc/],
      [`?seller=${anaId}&search_type=fast`, 400, /^search_type: expected one of scan$/],
      [
        `?seller=${anaId}&sort=date_asc&sort=date_desc`,
        400,
        /^sort: expected one value, this parameter stands here 2 times with/,
      ],
      ...['now', '', '2026-02-30', '2026-02-30T00:00:00.000Z', '2026-03-01T10:00:00'].map(
        (date): [string, number, RegExp] => [
          `?seller=${anaId}&order.date_closed.to=${date}`,
          400,
          /^order\.date_closed\.to: expected an ISO 8601 timestamp/,
        ],
      ),
    ]
    for (const [path, status, message] of cases) {
      const { body } = await app.client.get(`/orders/search${path}`, market.anaToken)
      assert.equal(body.status, status, path)
      assert.match(body.message, message, path)
    }
    const { body } = await app.client.get(`/orders/search?seller=${anaId}`)
    assert.equal(body.error, 'not_identified_user')
  },
)

contract(
  ['4.3', 'orders'],
  'values that nothing has find nothing, and parameters that are none are ignored',
  async () => {
    assert.deepEqual(await searchIds({ seller: String(anaId), 'order.status': 'foo' }), [])
    assert.deepEqual(await searchIds({ seller: String(anaId), tags: 'constructor' }), [])
    assert.deepEqual(await searchIds({ seller: String(anaId), buyer: String(carlaId) }), [])
    const all = await searchIds({ seller: String(anaId), 'order.colour': 'red', caller: '5' })
    assert.deepEqual(all, ['paid', 'unpaid', 'two'])
  },
)

contract(
  ['2.5', '4.3', 'orders'],
  'a phrase is an order, an item, words of titles or the nickname of the other',
  async () => {
    const cases: [q: string, found: string[]][] = [
      [String(ids.paid), ['paid']],
      ['mla1002', ['two']],
      ['ELECTRICA pava', ['paid', 'unpaid', 'two']],
      ['electric', []],
      ['pava de plata', []],
      ['bruno_c', ['paid', 'two']],
      ['Prueba', []],
      ['bruno@example.com', []],
      ['ana_vende', []],
      ['%', []],
    ]
    for (const [q, expected] of cases) {
      assert.deepEqual(await searchIds({ seller: String(anaId), q }), expected, q)
      assert.equal((await search({ seller: String(anaId), q })).query, q)
    }
    assert.deepEqual(await searchIds({ seller: String(anaId), item: 'MLA1002' }), ['two'])
    assert.deepEqual(await searchIds({ seller: String(anaId), item: 'acero' }), [
      'paid',
      'unpaid',
      'two',
    ])
    assert.deepEqual(await searchIds({ seller: String(anaId), item: String(ids.paid) }), [])
  },
)

contract(
  '3.1',
  'a nickname that is hidden finds nothing: before payment nobody knows it',
  async () => {
    assert.deepEqual(await searchIds({ seller: String(anaId), q: 'bruno_compra' }), ['paid', 'two'])
    const bought = await searchIds({ buyer: String(brunoId), q: 'ana_vende' }, market.brunoToken)
    assert.deepEqual(bought, ['paid', 'cancelled', 'two'])
    const { results } = await search({ seller: String(anaId), q: String(ids.unpaid) })
    assert.deepEqual(results[0].buyer, { id: brunoId })
  },
)

contract(
  ['4.3', 'orders'],
  'dates are exact to the millisecond, on both sides inclusive',
  async () => {
    const { body } = await app.client.get(`/orders/${ids.unpaid}`, market.anaToken)
    const at = Date.parse(body.date_created)
    const ago = (ms: number) => new Date(at - ms).toISOString().replace('Z', '+00:00')
    for (const field of ['created', 'last_updated']) {
      const between = (from: number, to: number) =>
        searchIds({
          seller: String(anaId),
          [`order.date_${field}.from`]: ago(from),
          [`order.date_${field}.to`]: ago(to),
        })
      assert.deepEqual(await between(0, 0), ['unpaid'])
      assert.deepEqual(await between(1, 1), [])
      assert.deepEqual(await between(-1, -1), [])
      assert.deepEqual(await between(-1, 1), [])
      assert.deepEqual(await between(hourMs, 1), ['paid'])
    }
    const closed = await searchIds({
      seller: String(anaId),
      'order.date_closed.from': ago(10 * hourMs),
    })
    assert.deepEqual(closed, ['paid', 'two'])
  },
)

contract(
  ['2.5', 'orders'],
  'the filters that were applied are named, and with display=complete all are counted',
  async () => {
    const params = { seller: String(anaId), tags: 'gift', 'order.status': 'paid,foo' }
    const { filters, available_filters } = await search({ ...params, display: 'complete' })
    assert.deepEqual(filters, [
      {
        id: 'order.status',
        name: 'Order Status',
        values: [
          { id: 'paid', name: 'Order Paid' },
          { id: 'foo', name: 'foo' },
        ],
      },
      { id: 'tags', name: 'Tags', values: [{ id: 'gift', name: 'gift' }] },
    ])
    const valuesOf = (id: string) =>
      available_filters.find((filter: { id: string }) => filter.id === id).values
    assert.deepEqual(valuesOf('order.status')[0], { id: 'paid', name: 'Order Paid', results: 1 })
    assert.ok(
      valuesOf('tags').some((v: object) => JSON.stringify(v).includes('"gift","results":1')),
    )
    assert.deepEqual(valuesOf('feedback.sale.fulfilled'), [
      { id: 'F', name: 'Transaction was aborted', results: 0 },
      { id: 'T', name: 'Transaction actually happened', results: 0 },
    ])
    assert.deepEqual((await search(params)).available_filters, [])
  },
)

contract(
  ['2.5', '4.3', 'orders'],
  'sorts are those that are announced, each with its opposite',
  async () => {
    const by = (sort: string) => searchIds({ seller: String(anaId), sort })
    assert.deepEqual(await by('date_asc'), ['paid', 'unpaid', 'two'])
    assert.deepEqual(await by('date_desc'), ['two', 'unpaid', 'paid'])
    assert.deepEqual(await by('total_asc'), ['paid', 'unpaid', 'two'])
    assert.deepEqual(await by('total_desc'), ['two', 'unpaid', 'paid'])
    await app.client.operator('PATCH', `/operator/orders/${ids.paid}`, { comments: 'wrapped' })
    assert.deepEqual(await by('last_updated_asc'), ['unpaid', 'two', 'paid'])
    assert.deepEqual(await by('last_updated_desc'), ['paid', 'two', 'unpaid'])
    const { sort, available_sorts } = await search({ seller: String(anaId), sort: 'total_desc' })
    assert.deepEqual(sort, { id: 'total_desc', name: 'Total descending' })
    assert.ok(!available_sorts.some(({ id }: { id: string }) => id === 'total_desc'))
  },
)

contract('4.3', 'old clients encode the whole address, and are understood', async () => {
  const { status, body } = await app.client.get(
    `/orders%2Fsearch%3Fseller%3D${anaId}%26tags%3Dgift`,
    market.anaToken,
  )
  assert.equal(status, 200)
  assert.deepEqual(
    body.results.map(({ id }: { id: number }) => id),
    [ids.paid],
  )
})

contract(
  '3.1',
  'one order has the words, another only the hidden nickname: the first is found',
  async () => {
    await putItem(app.client, 'MLA1003', {
      title: 'Remera Bruno Compra',
      price: 10,
      available_quantity: 5,
    })
    const lines = [{ item_id: 'MLA1003', quantity: 1 }]
    const { id } = await placeOrder(app.client, { status: 'payment_required', lines })
    const { results, paging } = await search({ seller: String(anaId), q: 'bruno_compra' })
    assert.deepEqual(
      results.map((order: { id: number }) => order.id),
      [ids.paid, ids.two, id],
    )
    assert.equal(paging.total, 3)
  },
)
