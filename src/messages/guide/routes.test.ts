import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import type { TestResponse } from '../../../test/harness/client.ts'
import { contract } from '../../../test/harness/contract.ts'
import { skipWithoutClones } from '../../../test/harness/database.ts'
import {
  assertRefused,
  badRequestRefusal,
  getGuideCaps,
  getGuideOptions,
  guideRefusals,
  optionUsedUpRefusal,
  packDeniedRefusal,
  placeFlexOrder,
  promisedHours,
  sendGuideOption,
  templateId,
} from '../../../test/harness/guide.ts'
import { anaId, brunoId, placeOrder, putItem } from '../../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  messagesPath,
} from '../../../test/harness/messaging.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { templateTexts } from './template-texts.ts'

let app: TestApp
let receiver: Receiver
let talk: MessagingTokens

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  talk = await createMessagingMarket(app.client, receiver.url)
})
after(async () => {
  await app.close()
  await receiver.close()
})

const sellDropOff = () => placeOrder(app.client)
const options = (packId: number | string, token = talk.anaToken) =>
  getGuideOptions(app.client, token, packId)
const caps = (packId: number | string, token = talk.anaToken) =>
  getGuideCaps(app.client, token, packId)
const use = (packId: number | string, option: string, more: object = {}, token = talk.anaToken) =>
  sendGuideOption(app.client, token, { packId, option, ...more })

const idsOf = ({ body }: TestResponse) => body.options.map(({ id }: { id: string }) => id)
const capsOf = ({ body }: TestResponse) =>
  Object.fromEntries(body.map((cap: Record<string, unknown>) => Object.values(cap)))

contract(
  ['2.9', '4.1', 'messages'],
  'a seller is told what they may send about a sale, and how often',
  async () => {
    const { id } = await sellDropOff()
    const listed = await options(id)
    assert.equal(listed.status, 200)
    const dropOff = ['REQUEST_VARIANTS', 'REQUEST_BILLING_INFO', 'SEND_INVOICE_LINK', 'OTHER']
    assert.deepEqual(idsOf(listed), dropOff)
    assert.deepEqual((await caps(id)).body, [
      { option_id: 'REQUEST_VARIANTS', cap_available: 20 },
      { option_id: 'REQUEST_BILLING_INFO', cap_available: 20 },
      { option_id: 'SEND_INVOICE_LINK', cap_available: 1 },
      { option_id: 'OTHER', cap_available: 1 },
    ])
    const flex = await placeFlexOrder(app.client, '2026-03-10T00:00:00.000-03:00')
    assert.deepEqual(idsOf(await options(flex.id)), [
      'REQUEST_BILLING_INFO',
      'SEND_INVOICE_LINK',
      'DELIVERY_PROMISE',
      'OTHER',
    ])
  },
)

contract(
  ['1', '4.1', '4.2', '7.1', 'messages'],
  'orders of one pack share one guide, under the number of the pack',
  async () => {
    const pack_id = 777_001
    const [first] = [
      await placeOrder(app.client, { pack_id }),
      await placeOrder(app.client, { pack_id }),
    ]
    assert.equal((await use(pack_id, 'OTHER')).status, 201)
    assert.equal(capsOf(await caps(pack_id))['OTHER'], 0)
    assertRefused(await options(first.id), packDeniedRefusal(first.id))
  },
)

contract(
  ['2.9', '2.10', '3.2', '4.1', '8'],
  'a template sends the marketplace’s words, free text the seller’s',
  async () => {
    const { id } = await sellDropOff()
    const at = app.ctx.now().toISOString()
    const cases: [option: string, more: object, text: string][] = [
      ['REQUEST_VARIANTS', { text: 'not this' }, templateTexts.REQUEST_VARIANTS.MLA],
      ['REQUEST_BILLING_INFO', {}, templateTexts.REQUEST_BILLING_INFO.MLA],
      ['SEND_INVOICE_LINK', { text: 'Tu factura está lista' }, 'Tu factura está lista'],
      ['OTHER', { text: 'ñ'.repeat(350), template_id: null, vars: null }, 'ñ'.repeat(350)],
    ]
    for (const [option, more, text] of cases) {
      const { status, body } = await use(id, option, more)
      assert.equal(status, 201, JSON.stringify(body))
      assert.match(body.id, /^[0-9a-f]{32}$/)
      assert.deepEqual(body, {
        id: body.id,
        site_id: 'MLA',
        client_id: 700700,
        subject: null,
        text,
        from: { user_id: anaId },
        to: { user_id: brunoId, name: 'Bruno Prueba' },
        status: 'available',
        message_attachments: null,
        message_resources: [
          { id: String(id), name: 'packs' },
          { id: String(anaId), name: 'sellers' },
        ],
        conversation_first_message: option === 'REQUEST_VARIANTS',
        message_date: { received: at, available: at, notified: null, created: at, read: null },
        message_moderation: {
          status: 'clean',
          reason: null,
          source: 'online',
          moderation_date: at,
        },
      })
      const read = await app.client.get(`/messages/${body.id}`, talk.brunoToken)
      assert.deepEqual([read.body.text, read.body.from], [{ plain: text }, { user_id: anaId }])
    }
    const unread = await app.client.get(
      `/messages/unread/packs/${id}/sellers/${anaId}`,
      talk.brunoToken,
    )
    assert.equal(unread.body.results[0].count, cases.length)
  },
)

contract('2.9', 'in Brazil the texts are Portuguese', async () => {
  await putItem(app.client, 'MLB1001', {
    site_id: 'MLB',
    category_id: 'MLB1580',
    currency_id: 'BRL',
    available_quantity: 5,
  })
  const { id } = await placeOrder(app.client, {
    currency_id: 'BRL',
    lines: [{ item_id: 'MLB1001', quantity: 1 }],
  })
  assert.equal((await use(id, 'REQUEST_VARIANTS')).body.text, templateTexts.REQUEST_VARIANTS.MLB)
  assertRefused(await use(id, 'REQUEST_BILLING_INFO'), guideRefusals.option)
})

contract(['2.9', '4.1', 'messages'], 'a promise tells the day and the hours', async () => {
  const today = await placeFlexOrder(app.client, '2026-03-10T00:00:00.000-03:00')
  const vars = promisedHours(12, 23)
  const sent = await use(today.id, 'DELIVERY_PROMISE', { vars })
  assert.equal(sent.body.text, 'Hola. Entregaremos tu compra hoy, entre 12 y 23 h.')
  assertRefused(
    await use(today.id, 'DELIVERY_PROMISE', { vars }),
    optionUsedUpRefusal('DELIVERY_PROMISE'),
  )
  const { id } = await placeFlexOrder(app.client, '2026-03-11T00:00:00.000-03:00')
  const limit = `${templateId('DELIVERY_PROMISE')}___VAR___LIMIT`
  const late = badRequestRefusal(`${limit}: expected a whole hour from 0 to 23`)
  assertRefused(await use(id, 'DELIVERY_PROMISE', { vars: promisedHours(12, 24) }), late)
  const later = await use(id, 'DELIVERY_PROMISE', { vars: promisedHours(0, 1) })
  assert.equal(later.body.text, 'Hola. Entregaremos tu compra mañana, entre 0 y 1 h.')
})

contract(
  ['2.9', '3.3', '4.1', '7.1', '8', 'errors'],
  'each option comes as often as its cap, and not once more until the buyer answers',
  async () => {
    const { id } = await sellDropOff()
    assert.equal((await use(id, 'OTHER')).status, 201)
    assertRefused(await use(id, 'OTHER'), optionUsedUpRefusal('OTHER'))
    for (let times = 20; times > 0; times--) {
      assert.equal(capsOf(await caps(id))['REQUEST_VARIANTS'], times)
      assert.equal((await use(id, 'REQUEST_VARIANTS')).status, 201)
    }
    assertRefused(await use(id, 'REQUEST_VARIANTS'), optionUsedUpRefusal('REQUEST_VARIANTS'))
    const used = { REQUEST_VARIANTS: 0, REQUEST_BILLING_INFO: 20, SEND_INVOICE_LINK: 1, OTHER: 0 }
    assert.deepEqual(capsOf(await caps(id)), used)
    const listed = (await options(id)).body.options as { cap_available: number; enabled: boolean }[]
    assert.deepEqual(
      listed.map(({ cap_available, enabled }) => [cap_available, enabled]),
      [0, 20, 1, 0].map((count) => [count, count > 0]),
    )
  },
)

contract(
  ['3.3', 'messages'],
  'the operator says how often each option may be used',
  {
    skip: skipWithoutClones('it opens a second market'),
  },
  async () => {
    const env = { FERIA_GUIDE_CAPS: 'OTHER=2,REQUEST_VARIANTS=0' }
    const other = await openTestApp({ env })
    try {
      const people = await createMessagingMarket(other.client)
      const { id: packId } = await placeOrder(other.client)
      const counted = capsOf(await getGuideCaps(other.client, people.anaToken, packId))
      const expected = {
        REQUEST_VARIANTS: 0,
        REQUEST_BILLING_INFO: 20,
        SEND_INVOICE_LINK: 1,
        OTHER: 2,
      }
      assert.deepEqual(counted, expected)
      const call = (option: string) =>
        sendGuideOption(other.client, people.anaToken, { packId, option })
      assertRefused(await call('REQUEST_VARIANTS'), optionUsedUpRefusal('REQUEST_VARIANTS'))
      assert.equal((await call('OTHER')).status, 201)
      assert.equal((await call('OTHER')).status, 201)
      assertRefused(await call('OTHER'), optionUsedUpRefusal('OTHER'))
    } finally {
      await other.close()
    }
  },
)

contract('2.10', 'what a seller begins counts as the conversation’s first message', async () => {
  const { id } = await sellDropOff()
  await use(id, 'REQUEST_VARIANTS')
  app.advance(1_000)
  await use(id, 'OTHER')
  const { body } = await app.client.get(messagesPath(id), talk.anaToken)
  const first = body.messages.map(
    (message: Record<string, unknown>) => message['conversation_first_message'],
  )
  assert.deepEqual(first, [false, true])
  assert.equal(body.messages[0].client_id, 700700)
})

contract(
  ['3.2', '3.3', '4.1'],
  'what moderation holds back is answered as such, reaches nobody and uses nothing up',
  async () => {
    const { id: packId } = await sellDropOff()
    const moderated = await use(packId, 'OTHER', { text: 'Escribime por instagram.com/ana.vende' })
    assert.equal(moderated.status, 201)
    const { status, message_moderation, message_date } = moderated.body
    assert.deepEqual(
      [status, message_moderation.status, message_date.available],
      ['moderated', 'rejected', null],
    )
    assert.equal(message_moderation.reason, 'SOCIAL_NETWORK_LINK')
    assert.equal(capsOf(await caps(packId))['OTHER'], 1)
    const { body } = await app.client.get(messagesPath(packId), talk.brunoToken)
    assert.deepEqual(body.messages, [])
    assert.equal((await use(packId, 'OTHER')).status, 201)
    assert.equal(capsOf(await caps(packId))['OTHER'], 0)
  },
)

contract(
  ['2.10', '4.1', '6.2', 'notifications'],
  'the buyer is told of an option as of every message, by its bare number',
  async () => {
    const { id: packId } = await sellDropOff()
    const { body: sent } = await use(packId, 'REQUEST_VARIANTS')
    await app.runPendingWork()
    const { body } = await app.client.get('/myfeeds?app_id=700700&topic=messages', talk.anaToken)
    const notifications = body.messages.filter(
      (notification: { resource: string }) => notification.resource === sent.id,
    )
    assert.deepEqual(
      notifications.map(({ user_id, topic }: { user_id: number; topic: string }) => [
        user_id,
        topic,
      ]),
      [[brunoId, 'messages']],
    )
    const headers = { 'X-Pack-Format': 'true' }
    const read = await app.client.send('GET', `/messages/${sent.id}`, {
      token: talk.brunoToken,
      headers,
    })
    const [{ message_date, message_resources }] = read.body.messages
    assert.equal(message_date.notified, app.ctx.now().toISOString())
    assert.deepEqual(message_resources[0], { id: String(packId), name: 'packs' })
  },
)
