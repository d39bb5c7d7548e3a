import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import type { TestResponse } from '../../../test/harness/client.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  assertRefused,
  badRequestRefusal,
  type ExpectedRefusal,
  getGuideCaps,
  getGuideOptions,
  guideRefusals,
  packDeniedRefusal,
  placeFlexOrder,
  promisedHours,
  sendGuideOption,
} from '../../../test/harness/guide.ts'
import { anaId, brunoId, placeOrder, putItem } from '../../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../../../test/harness/messaging.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let talk: MessagingTokens

before(async () => {
  app = await openTestApp()
  talk = await createMessagingMarket(app.client)
})
after(() => app.close())

const sellDropOff = () => placeOrder(app.client)
const options = (packId: number | string, token = talk.anaToken) =>
  getGuideOptions(app.client, token, packId)
const caps = (packId: number | string, token = talk.anaToken) =>
  getGuideCaps(app.client, token, packId)
const use = (packId: number | string, option: string, more: object = {}, token = talk.anaToken) =>
  sendGuideOption(app.client, token, { packId, option, ...more })

/** All three operations, on one pack. */
const everyCall = (packId: number | string, token = talk.anaToken): Promise<TestResponse>[] => [
  options(packId, token),
  caps(packId, token),
  use(packId, 'OTHER', {}, token),
]

const capsOf = ({ body }: TestResponse) =>
  Object.fromEntries(body.map((cap: Record<string, unknown>) => Object.values(cap)))

contract(['7.1', 'errors'], 'a promise of a day that is over, or of none, is refused', async () => {
  const vars = promisedHours(12, 23)
  const over = await placeFlexOrder(app.client, '2026-03-09T00:00:00.000-03:00')
  assertRefused(await use(over.id, 'DELIVERY_PROMISE', { vars }), guideRefusals.over)
  const { id } = await placeFlexOrder(app.client, null)
  const says = 'option_id: expected another option, because this shipment has no delivery date'
  assertRefused(await use(id, 'DELIVERY_PROMISE', { vars }), badRequestRefusal(says))
})

contract(
  ['1', '3.3', '4.1', '7.1', 'errors', 'messages'],
  'the buyer’s answer opens the conversation, and the guide points to the messages',
  async () => {
    const { id: packId } = await sellDropOff()
    const begin = await sendTestMessage(app.client, { token: talk.anaToken, packId })
    assert.deepEqual(
      [begin.status, begin.body.message],
      [403, 'blocked_by_conversation_started_by_seller'],
    )
    assert.equal((await use(packId, 'REQUEST_VARIANTS')).status, 201)
    assert.equal((await sendTestMessage(app.client, { token: talk.anaToken, packId })).status, 403)
    assert.equal(
      (await sendTestMessage(app.client, { token: talk.brunoToken, packId, by: brunoId })).status,
      201,
    )
    for (const response of await Promise.all(everyCall(packId)))
      assertRefused(response, guideRefusals.open)
    assert.equal((await sendTestMessage(app.client, { token: talk.anaToken, packId })).status, 201)
  },
)

contract(
  ['4.1', '7.1', 'errors'],
  'products that are made to order are talked about without the guide',
  async () => {
    const { id: packId } = await sellDropOff()
    await app.client.operator('PATCH', `/operator/orders/${packId}`, {
      manufacturing_ending_date: '2026-03-20T00:00:00.000-03:00',
    })
    for (const response of await Promise.all(everyCall(packId)))
      assertRefused(response, guideRefusals.excepted)
    assert.equal((await sendTestMessage(app.client, { token: talk.anaToken, packId })).status, 201)
  },
)

contract('4.1', 'a listing that takes time to make is such a product', async () => {
  await putItem(app.client, 'MLA4001', {
    title: 'Mesa a medida',
    price: 500,
    available_quantity: 5,
    manufacturing_days: 12,
  })
  const lines = [{ item_id: 'MLA4001', quantity: 1 }]
  const { id: packId } = await placeOrder(app.client, { lines })
  for (const response of await Promise.all(everyCall(packId)))
    assertRefused(response, guideRefusals.excepted)
  assert.equal((await sendTestMessage(app.client, { token: talk.anaToken, packId })).status, 201)
})

contract(
  ['4.1', '7.1'],
  'a sale that needs no guide is refused as the excepted case is',
  async () => {
    const custom = await placeCustomShippingOrder(app.client)
    const alone = await placeOrder(app.client, { shipping: undefined })
    for (const { id: packId } of [custom, alone]) {
      for (const response of await Promise.all(everyCall(packId)))
        assertRefused(response, guideRefusals.excepted)
      assert.equal(
        (await sendTestMessage(app.client, { token: talk.anaToken, packId })).status,
        201,
      )
    }
  },
)

contract(['7.1', 'errors'], 'where nobody may write the guide is blocked too', async () => {
  const unpaid = await placeOrder(app.client, { status: 'payment_required' })
  const warehouse = { mode: 'me2', logistic_type: 'fulfillment', cost: 0 }
  const stored = await placeOrder(app.client, { shipping: warehouse })
  const ended = await sellDropOff()
  const path = `/operator/conversations/packs/${ended.id}/sellers/${anaId}`
  await app.client.operator('PATCH', path, { block: 'blocked_by_restrictions' })
  const unwanted = await sellDropOff()
  const unwantedPath = `/operator/conversations/packs/${unwanted.id}/sellers/${anaId}`
  await app.client.operator('PATCH', unwantedPath, { block: 'blocked_by_buyer' })
  for (const { id } of [unpaid, stored, ended, unwanted]) {
    for (const response of await Promise.all(everyCall(id)))
      assertRefused(response, guideRefusals.blocked)
  }
  await app.client.operator('PATCH', path, { block: null })
  assert.equal((await use(ended.id, 'OTHER')).status, 201)
})

contract(
  ['7.1', 'errors'],
  'a stranger and the buyer cannot tell a pack of others from none',
  async () => {
    const { id } = await sellDropOff()
    for (const packId of [id, 4_040, 'x', '-1', '99999999999999999999']) {
      for (const token of [
        talk.brunoToken,
        talk.carlaToken,
        ...(packId === id ? [] : [talk.anaToken]),
      ]) {
        for (const response of await Promise.all(everyCall(packId, token))) {
          assertRefused(response, packDeniedRefusal(packId))
        }
      }
    }
  },
)

contract(
  ['4.1', '7.1', 'errors'],
  'an option that there is not is 404, a template 400, a text 400',
  async () => {
    const { id } = await sellDropOff()
    for (const option of ['NOTHING', '', 'DELIVERY_PROMISE'])
      assertRefused(await use(id, option), guideRefusals.option)
    for (const template_id of ['TEMPLATE___REQUEST_VARIANTS___2', 'TEMPLATE___OTHER___1']) {
      const says = `The template ${template_id} is invalid`
      const refusal: ExpectedRefusal = [400, 'bad_request', 'invalid_template', says]
      assertRefused(await use(id, 'REQUEST_VARIANTS', { template_id }), refusal)
    }
    for (const option of ['OTHER', 'SEND_INVOICE_LINK']) {
      for (const text of ['x'.repeat(351), '', ' ', null, undefined, '漢字']) {
        assertRefused(await use(id, option, { text }), guideRefusals.text)
      }
    }
    assert.deepEqual(capsOf(await caps(id)), {
      REQUEST_VARIANTS: 20,
      REQUEST_BILLING_INFO: 20,
      SEND_INVOICE_LINK: 1,
      OTHER: 1,
    })
  },
)

contract(
  ['4.1', '7', 'errors'],
  'a field of a wrong type is named, in the guide’s own body',
  async () => {
    const { id } = await sellDropOff()
    const cases: [body: unknown, message: string][] = [
      [{}, 'option_id: expected a value, this field is required'],
      [{ option_id: true }, 'option_id: expected string'],
      [{ option_id: 'OTHER', text: 7 }, 'text: expected string or null'],
      [{ option_id: 'OTHER', vars: 'x' }, 'vars: expected array or null'],
      [[], 'body: expected object'],
      ['{', 'body: expected valid JSON'],
    ]
    const path = `/messages/action_guide/packs/${id}/option`
    for (const [body, message] of cases) {
      const response = await app.client.send('POST', path, { token: talk.anaToken, body })
      assertRefused(response, badRequestRefusal(message))
    }
    const value = [{ id: 'x', value: 'y' }]
    const wrongType = await use(id, 'OTHER', { vars: value })
    assert.deepEqual([wrongType.status, wrongType.body.error], [400, 'bad_request'])
    assert.match(wrongType.body.message, /^vars\[0\]\.value: expected number/)
  },
)

contract(
  ['5', '7'],
  'whoever has no token, or one that may only read, is refused in the guide’s body',
  async () => {
    const { id } = await sellDropOff()
    const path = `/messages/action_guide/packs/${id}`
    const none: ExpectedRefusal = [
      401,
      'not_identified_user',
      'not_identified_user',
      'Can not identify the user.',
    ]
    assertRefused(await app.client.get(path), none)
    const reader = { user_id: anaId, application_id: null, scopes: ['read'] }
    const { body } = await app.client.operator('POST', '/operator/tokens', reader)
    assert.equal((await options(id, body.access_token)).status, 200)
    assert.equal((await caps(id, body.access_token)).status, 200)
    const refused = await use(id, 'OTHER', {}, body.access_token)
    assert.deepEqual([refused.status, refused.body.error], [403, 'access_denied'])
    const bare = await use(id, 'OTHER', {}, talk.tokenWithoutApplication)
    assert.deepEqual([bare.status, bare.body.message], [400, 'Application id is required'])
  },
)

contract(
  ['7', '7.1', 'errors'],
  'a defect of ours is a 500 that tells nothing, in the guide’s body',
  async () => {
    const { id } = await sellDropOff()
    await app.ctx.db.rows(sql`
    insert into conversations (seller_id, pack_id, buyer_id, spent)
    values (${anaId}, ${id}, ${brunoId}, 'null')`)
    for (const response of await Promise.all(everyCall(id))) {
      assertRefused(response, guideRefusals.defect)
    }
  },
)
