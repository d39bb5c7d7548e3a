import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import {
  anaId,
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
// biome-ignore lint/suspicious/noExplicitAny: an order as JSON
let order: any

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  order = await placeOrder(app.client)
})
after(() => app.close())

contract(
  ['1', '2.2', '4.3', '4.6', '6.2'],
  'an order is answered to its seller and to its buyer',
  async () => {
    for (const token of [market.anaToken, market.brunoToken]) {
      const { status, body } = await app.client.get(`/orders/${order.id}`, token)
      assert.equal(status, 200)
      assert.equal(body.id, order.id)
      assert.equal(body.seller.id, anaId)
      assert.equal(body.buyer.id, brunoId)
    }
  },
)

contract(
  ['4.3', '5', '7.5', 'errors'],
  'refusals are those of the contract, in the general body',
  async () => {
    const cases: [
      path: string,
      token: string | undefined,
      status: number,
      error: string,
      message: string,
    ][] = [
      [`/orders/${order.id}`, undefined, 401, 'not_identified_user', 'Can not identify the user.'],
      [`/orders/${order.id}`, 'APP_USR-1-010101-0-1', 401, 'not_found', 'invalid_token'],
      [
        `/orders/${order.id}`,
        market.carlaToken,
        403,
        'not_owned_order',
        'The user has not access to the order.',
      ],
      ['/orders/abc', market.anaToken, 400, 'invalid_order_id', 'Invalid order ID.'],
      ['/orders/1.5', market.anaToken, 400, 'invalid_order_id', 'Invalid order ID.'],
      ['/orders/-5', market.anaToken, 400, 'invalid_order_id', 'Invalid order ID.'],
      ['/orders/9007199254740993', market.anaToken, 400, 'invalid_order_id', 'Invalid order ID.'],
      ['/orders/null', market.anaToken, 400, 'empty_order_id', 'Order ID can not be empty.'],
      ['/orders/', market.anaToken, 400, 'empty_order_id', 'Order ID can not be empty.'],
      ['/orders/123456', market.anaToken, 404, 'order_not_found', 'Order not found.'],
    ]
    for (const [path, token, status, error, message] of cases) {
      const answer = await app.client.get(path, token)
      assert.deepEqual(answer.body, { message, error, status, cause: [] }, path)
      assert.equal(answer.status, status)
    }
  },
)
