import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { anaId, brunoId, placeOrder, putItem, putUser } from '../../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  messagesPath,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../../../test/harness/messaging.ts'
import { dayMs } from '../../kernel/clock.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let talk: MessagingTokens

before(async () => {
  app = await openTestApp()
  talk = await createMessagingMarket(app.client)
})
after(() => app.close())

/** Sales in which a party may not write, with the words that it reads. */
const blocked: [what: string, by: number, message: string, sale: () => Promise<{ id: number }>][] =
  [
    [
      'a dispute in Brazil',
      anaId,
      'You can not send the message because a mediation is in process',
      async () => {
        const sale = await placeCustomShippingOrder(app.client)
        await app.ctx.db.rows(sql`
        update orders set site_id = 'MLB', is_disputed = true, parts = jsonb_set(parts::jsonb, '{mediations}',
          '[{"id":1,"stage":"dispute","status":"opened","openedBy":"buyer"}]')::json
        where id = ${sale.id}`)
        return sale
      },
    ],
    [
      'fulfillment on its way',
      brunoId,
      'You can not send the message because the purchase is fulfillment-managed and has not been yet delivered',
      () =>
        placeOrder(app.client, {
          shipping: { mode: 'me2', logistic_type: 'fulfillment', cost: 0 },
        }),
    ],
    [
      'nothing said by the guide yet',
      anaId,
      'blocked_by_conversation_started_by_seller',
      () => placeOrder(app.client),
    ],
    [
      'a sale that is not paid for',
      brunoId,
      'blocked_conversation_send_message_forbidden',
      () => placeCustomShippingOrder(app.client, { status: 'payment_required' }),
    ],
    [
      'a sale that was cancelled',
      brunoId,
      'blocked_conversation_send_message_forbidden',
      async () => {
        const sale = await placeCustomShippingOrder(app.client)
        await app.client.operator('PATCH', `/operator/orders/${sale.id}`, { status: 'cancelled' })
        return sale
      },
    ],
  ]
for (const [what, by, message, sale] of blocked) {
  contract(
    ['7', '7.1', '7.3', 'errors'],
    `${what}: the message is refused and not kept`,
    async () => {
      const { id: packId } = await sale()
      const token = by === anaId ? talk.anaToken : talk.brunoToken
      const { status, body } = await sendTestMessage(app.client, { token, packId, by })
      assert.deepEqual([status, body], [403, { status_code: 403, code: 'forbidden', message }])
      const { body: page } = await app.client.get(messagesPath(packId), token)
      assert.equal(page.paging.total, 0)
    },
  )
}

contract(
  ['3.3', '7.3', 'messages'],
  'the operator ends a conversation and lets it go on',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    const patch = (block: unknown) =>
      app.client.operator('PATCH', `/operator/conversations/packs/${packId}/sellers/${anaId}`, {
        block,
      })
    const both = async () => {
      const [one, other] = [
        await sendTestMessage(app.client, { token: talk.anaToken, packId }),
        await sendTestMessage(app.client, { token: talk.brunoToken, packId, by: brunoId }),
      ]
      return [one.status, other.status]
    }
    const at = app.ctx.now().toISOString()
    const response = await patch('blocked_by_buyer')
    assert.deepEqual(response.body, {
      pack_id: packId,
      seller_id: anaId,
      block: 'blocked_by_buyer',
      date_blocked: at,
    })
    assert.deepEqual(await both(), [403, 201])
    await patch('blocked_by_restrictions')
    assert.deepEqual(await both(), [403, 403])
    await patch(null)
    assert.deepEqual(await both(), [201, 201])
    assert.equal((await patch('x')).body.message.split(':')[0], 'block')
  },
)

contract('messages', 'whose account is closed takes part in no conversation', async () => {
  const { id: packId } = await placeCustomShippingOrder(app.client)
  const user = { nickname: 'BRUNO_COMPRA' }
  await putUser(app.client, brunoId, { ...user, status: 'deactivated' })
  assert.equal((await sendTestMessage(app.client, { token: talk.anaToken, packId })).status, 403)
  const { body } = await app.client.get(messagesPath(packId), talk.anaToken)
  assert.equal(body.conversation_status.substatus, 'blocked_by_deactivated_account')
  await putUser(app.client, brunoId, { ...user, status: 'active' })
  assert.equal((await sendTestMessage(app.client, { token: talk.anaToken, packId })).status, 201)
})

contract(
  'messages',
  '30 days without a word stop the seller, and what the buyer writes opens it again',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    await sendTestMessage(app.client, { token: talk.anaToken, packId })
    app.advance(30 * dayMs)
    assert.equal((await sendTestMessage(app.client, { token: talk.anaToken, packId })).status, 403)
    assert.equal(
      (await sendTestMessage(app.client, { token: talk.brunoToken, packId, by: brunoId })).status,
      201,
    )
    assert.equal((await sendTestMessage(app.client, { token: talk.anaToken, packId })).status, 201)
  },
)

contract(
  ['2.12', '3.3', '7.3', 'messages'],
  'a conversation names the dispute or the shipment that it waits for, and goes on with it',
  async () => {
    const readStatus = async (packId: number, token: string) =>
      (await app.client.get(messagesPath(packId), token)).body.conversation_status
    const readReason = async (packId: number) => {
      const { substatus, claim_id, shipping_id } = await readStatus(packId, talk.brunoToken)
      return [substatus, claim_id, shipping_id]
    }
    const stored = { mode: 'me2', logistic_type: 'fulfillment', cost: 0 }
    const { id, shipping } = await placeOrder(app.client, { shipping: stored })
    assert.deepEqual(await readReason(id), ['blocked_by_fulfillment', null, shipping.id])
    const patched = await app.client.operator('PATCH', `/operator/shipments/${shipping.id}`, {
      status: 'delivered',
    })
    assert.equal(patched.status, 200, patched.text)
    assert.deepEqual(await readReason(id), [null, null, null])

    await putItem(app.client, 'MLB1001', {
      site_id: 'MLB',
      title: 'Chaleira',
      category_id: 'MLB1580',
      currency_id: 'BRL',
      price: 99.9,
      available_quantity: 5,
    })
    const lines = [{ item_id: 'MLB1001', quantity: 1 }]
    const { id: order_id } = await placeCustomShippingOrder(app.client, {
      currency_id: 'BRL',
      lines,
    })
    const claim = (body: object) => app.client.operator('PUT', '/operator/claims/51', body)
    assert.equal((await claim({ order_id })).status, 201)
    assert.deepEqual(await readReason(order_id), [null, null, null], 'a claim is no mediation yet')
    assert.equal((await claim({ stage: 'dispute' })).status, 200)
    assert.deepEqual(await readReason(order_id), ['blocked_by_mediation', 51, null])
    const { body } = await sendTestMessage(app.client, {
      token: talk.brunoToken,
      packId: order_id,
      by: brunoId,
    })
    assert.equal(body.message, 'You can not send the message because a mediation is in process')
    const resolution = {
      reason: 'item_returned',
      benefited: ['complainant'],
      closed_by: 'mediator',
    }
    assert.equal((await claim({ status: 'closed', resolution })).status, 200)
    assert.deepEqual(await readReason(order_id), [null, null, null])
  },
)

contract(
  ['1', '4.1', '7.1', 'errors'],
  'every guided mode begins with an option, on the message resource every other',
  async () => {
    const begin = async (logistic_type: string, more: object = {}) => {
      const { id: packId, shipping } = await placeOrder(app.client, {
        shipping: { mode: 'me2', logistic_type, cost: 0 },
      })
      if (logistic_type === 'fulfillment') {
        const path = `/operator/shipments/${shipping.id}`
        await app.client.operator('PATCH', path, { status: 'delivered' })
      }
      return sendTestMessage(app.client, { token: talk.anaToken, packId, ...more })
    }
    for (const type of [
      'cross_docking',
      'xd_drop_off',
      'drop_off',
      'fulfillment',
      'self_service',
    ]) {
      const { status, body } = await begin(type)
      const words = 'blocked_by_conversation_started_by_seller'
      assert.deepEqual([status, body.code, body.message], [403, 'forbidden', words], type)
      assert.equal((await begin(type, { token: talk.brunoToken, by: brunoId })).status, 201, type)
    }
    assert.equal((await begin('default')).status, 201)
  },
)
