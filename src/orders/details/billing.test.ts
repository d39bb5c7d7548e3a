import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
} from '../../../test/harness/market.ts'

let app: TestApp
let market: MarketTokens

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
})
after(() => app.close())

const get = (path: string, token = market.anaToken) => app.client.get(path, token)
const patch = (id: number, body: object) =>
  app.client.operator('PATCH', `/operator/orders/${id}`, body)

const address = {
  street_name: 'Calle de los Ceibos',
  street_number: '742',
  zip_code: '1406',
  city_name: 'Buenos Aires',
  state_name: 'Capital Federal',
  country_id: 'AR',
}

contract(
  ['2.2', 'orders'],
  'billing information is what is known of the buyer, to both parties',
  async () => {
    const order = await placeOrder(app.client)
    const path = `/orders/${order.id}/billing_info`
    const additionalInfo = [
      { type: 'SITE_ID', value: 'MLA' },
      { type: 'FIRST_NAME', value: 'Bruno' },
      { type: 'LAST_NAME', value: 'Prueba' },
      { type: 'DOC_TYPE', value: 'DNI' },
      { type: 'DOC_NUMBER', value: '11222333' },
    ]
    const document = { doc_number: '11222333', doc_type: 'DNI' }
    for (const token of [market.anaToken, market.brunoToken]) {
      const { status, body } = await get(path, token)
      assert.equal(status, 200)
      assert.deepEqual(body, { billing_info: { additional_info: additionalInfo, ...document } })
    }
    const user = await app.client.operator('PUT', `/operator/users/${brunoId}`, {
      site_id: 'MLA',
      nickname: 'BRUNO_COMPRA',
      first_name: 'Bruno',
      last_name: 'Prueba',
      billing_info: { doc_type: 'DNI', doc_number: '11222333', address },
    })
    assert.deepEqual(user.body.billing_info.address, address)
    const { body } = await get(path)
    assert.deepEqual(body.billing_info.additional_info, [
      ...additionalInfo,
      { type: 'STREET_NAME', value: 'Calle de los Ceibos' },
      { type: 'STREET_NUMBER', value: '742' },
      { type: 'ZIP_CODE', value: '1406' },
      { type: 'CITY_NAME', value: 'Buenos Aires' },
      { type: 'STATE_NAME', value: 'Capital Federal' },
      { type: 'COUNTRY_ID', value: 'AR' },
    ])
    const shown = await get(`/orders/${order.id}`)
    assert.deepEqual(shown.body.buyer.billing_info, { doc_type: 'DNI', doc_number: '11222333' })
  },
)

contract(
  ['3.1', 'orders'],
  'while payment is required the seller reads nothing of the buyer’s billing',
  async () => {
    const order = await placeOrder(app.client, { status: 'payment_required' })
    const path = `/orders/${order.id}/billing_info`
    const nothing = { billing_info: { additional_info: [], doc_number: null, doc_type: null } }
    assert.deepEqual((await get(path)).body, nothing)
    assert.equal((await get(path, market.brunoToken)).body.billing_info.doc_number, '11222333')
    assert.equal((await patch(order.id, { status: 'confirmed' })).status, 200)
    assert.equal((await get(path)).body.billing_info.doc_number, '11222333')
  },
)

contract(
  'orders',
  'a billing address of unknown fields is refused, and one may say little',
  async () => {
    const put = (address: object) =>
      app.client.operator('PUT', '/operator/users/8', {
        site_id: 'MLA',
        nickname: 'OTRO',
        billing_info: { doc_type: null, doc_number: null, address },
      })
    const refused = await put({ street: 'x' })
    assert.equal(refused.status, 400)
    assert.ok(refused.body.message.startsWith('billing_info.address.street: expected'))
    assert.equal((await put({ zip_code: '1406', comment: null })).status, 201)
  },
)
