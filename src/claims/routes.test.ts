import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { createTestMarket, type MarketTokens, placeOrder } from '../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens
before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
after(() => app.close())

const addresses = ['/v1/claims', '/post-purchase/v1/claims']

contract(
  ['4.6', '6.2', '9', 'orders', 'notifications'],
  'seller and buyer read a claim on their order, at both addresses alike',
  async () => {
    const order = await placeOrder(app.client)
    const { body } = await app.client.operator('PUT', '/operator/claims/11', { order_id: order.id })
    for (const token of [market.anaToken, market.brunoToken])
      for (const address of addresses) {
        const read = await app.client.get(`${address}/11`, token)
        assert.equal(read.status, 200, read.text)
        assert.deepEqual(read.body, body)
      }
    const operator = await app.client.operator('GET', '/operator/claims/11')
    assert.deepEqual(operator.body, body)
  },
)

contract(['6.2', 'orders'], 'a stranger cannot tell a claim of others from none', async () => {
  const order = await placeOrder(app.client)
  await app.client.operator('PUT', '/operator/claims/12', { order_id: order.id })
  for (const address of addresses) {
    const others = await app.client.get(`${address}/12`, market.carlaToken)
    const none = await app.client.get(`${address}/13`, market.carlaToken)
    assert.equal(others.status, 404)
    assert.equal(others.body.error, 'not_found')
    assert.deepEqual(
      { ...others.body, message: others.body.message.replace('12', '13') },
      none.body,
    )
  }
  assert.equal((await app.client.operator('GET', '/operator/claims/13')).status, 404)
})

contract(['5', '6.2', 'orders'], 'a claim is read by its whole number, with a token', async () => {
  for (const address of addresses) {
    for (const id of ['abc', '1.5', '0', '-1', '9007199254740992', 'null']) {
      const { status, body } = await app.client.get(`${address}/${id}`, market.anaToken)
      assert.equal(status, 400, id)
      assert.match(body.message, /^claim_id: expected a whole number/)
    }
    const { status, body } = await app.client.get(`${address}/11`)
    assert.deepEqual([status, body.error], [401, 'not_identified_user'])
  }
})
