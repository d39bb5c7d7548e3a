import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { takeChangeLines } from '../../test/harness/changes.ts'
import { contract } from '../../test/harness/contract.ts'
import { anaId, applicationId, brunoId, placeOrder } from '../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../../test/harness/messaging.ts'
import { openReceiver, type Receiver } from '../../test/harness/receiver.ts'
import { type Topic, topics } from '../kernel/topics.ts'

/** Sells on MLB, where invoices are. */
const dora = 4004

let app: TestApp
let receiver: Receiver
let talk: MessagingTokens
let doraToken: string

before(async () => {
  receiver = await openReceiver()
  app = await openTestApp()
  talk = await createMessagingMarket(app.client, receiver.url)
  await operator('PUT', `users/${dora}`, { site_id: 'MLB', nickname: 'DORA' })
  await operator('PUT', `authorizations/${applicationId}/${dora}`, {})
  const application_id = applicationId
  doraToken = (await operator('POST', 'tokens', { user_id: dora, application_id })).access_token
  const flat = { vertical: 'real_estate', site_id: 'MLC', currency_id: 'CLP' }
  await operator('PUT', 'items/MLC1', { ...listing, ...flat, available_quantity: 9 })
})
after(async () => {
  await app.close()
  await receiver.close()
})

const listing = { seller_id: anaId, title: 'Pava', category_id: 'MLA1580', price: 100 }
const inPesos = { ...listing, site_id: 'MLA', currency_id: 'ARS' }

async function operator(method: string, path: string, body: object) {
  const answer = await app.client.operator(method, `/operator/${path}`, body)
  assert.ok(answer.status < 300, `${path}: ${answer.text}`)
  return answer.body
}

async function subscribe(wanted: readonly Topic[]): Promise<void> {
  const application = { name: 'Listens', callback_url: receiver.url, topics: wanted }
  await operator('PUT', `applications/${applicationId}`, application)
}

async function pay(order: { id: number; total_amount: number }): Promise<void> {
  const payment = { status: 'approved', transaction_amount: order.total_amount }
  await operator('POST', `orders/${order.id}/payments`, payment)
}

/** How each topic comes about, in the table of the contract. */
const cases: Record<
  Topic,
  {
    happen: () => Promise<unknown>
    resource: RegExp
    /** Where it is read, when that is not the resource as it stands. */
    at?: (resource: string) => string
    user?: number
  }
> = {
  items: {
    happen: () => operator('PUT', 'items/MLA9001', { ...inPesos, available_quantity: 3 }),
    resource: /^\/items\/MLA9001$/,
  },
  orders: {
    happen: async () =>
      operator('PATCH', `orders/${(await placeOrder(app.client)).id}`, { comments: 'gift' }),
    resource: /^\/orders\/\d+$/,
  },
  created_orders: {
    happen: () => placeOrder(app.client, { status: 'payment_required' }),
    resource: /^\/orders\/\d+$/,
  },
  orders_v2: { happen: () => placeOrder(app.client), resource: /^\/orders\/\d+$/ },
  questions: {
    async happen() {
      const body = { item_id: 'MLA1001', text: '¿Hay?' }
      await app.client.send('POST', '/questions', { token: talk.brunoToken, body })
    },
    resource: /^\/questions\/\d+$/,
  },
  payments: {
    happen: async () => pay(await placeOrder(app.client)),
    resource: /^\/collections\/\d+$/,
  },
  pictures: {
    happen: () =>
      operator('PUT', 'pictures/1-MLA1001_032026/errors', {
        item_id: 'MLA1001',
        message: 'responseCode=403',
        source: 'https://pictures.example.com/1.jpg',
      }),
    resource: /^\/pictures\/1-MLA1001_032026\/errors$/,
  },
  messages: {
    async happen() {
      const { id: packId } = await placeCustomShippingOrder(app.client)
      const sent = await sendTestMessage(app.client, {
        token: talk.brunoToken,
        packId,
        by: brunoId,
      })
      assert.equal(sent.status, 201, sent.text)
    },
    resource: /^[0-9a-f]{32}$/,
    at: (resource) => `/messages/${resource}`,
  },
  shipments: { happen: () => placeOrder(app.client), resource: /^\/shipments\/\d+$/ },
  quotations: {
    happen: () => operator('PUT', 'quotations/31', { item_id: 'MLC1', user_id: brunoId }),
    resource: /^\/quotations\/31$/,
    at: (resource) => `${resource}?caller.type=seller`,
  },
  invoices: {
    happen: () => operator('PUT', `users/${dora}/invoices/41`, { invoice_number: 1, amount: 10.5 }),
    resource: RegExp(`^/users/${dora}/invoices/41$`),
    user: dora,
  },
  claims: {
    happen: async () =>
      operator('PUT', 'claims/51', { order_id: (await placeOrder(app.client)).id }),
    resource: /^\/v1\/claims\/51$/,
  },
}

const keys = [
  '_id',
  'resource',
  'user_id',
  'topic',
  'application_id',
  'attempts',
  'sent',
  'received',
]

for (const topic of topics) {
  contract(
    ['6.1', '6.2'],
    `${topic}: a receiver is told, and reads with its token what it was told of`,
    async () => {
      const { happen, resource, at = (text) => text, user = anaId } = cases[topic]
      await subscribe([topic])
      await app.runPendingWork()
      receiver.received.length = 0
      await happen()
      await app.runPendingWork()
      const bodies = receiver.received.map(({ body }) => bodyOf(topic, body))
      const own = bodies.filter((body) => body.user_id === user)
      assert.ok(own.length > 0, 'it was told')
      for (const body of bodies) assert.equal(body.topic, topic)
      const [first] = own
      assert.match(first.resource, resource)
      assert.deepEqual([first.application_id, first.attempts], [applicationId, 1])
      const token = user === dora ? doraToken : talk.anaToken
      const read = await app.client.get(at(first.resource), token)
      assert.equal(read.status, 200, read.text)
      const isHere = JSON.stringify(read.body).includes(idIn(first.resource))
      assert.ok(isHere, `${first.resource} answers what it names`)
    },
  )
}

/** Pictures come wrapped, all others as they are. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
function bodyOf(topic: Topic, body: any): any {
  if (topic !== 'pictures') {
    assert.deepEqual(Object.keys(body), keys)
    return body
  }
  assert.deepEqual(Object.keys(body), ['messages'])
  assert.equal(body.messages.length, 1)
  const [message] = body.messages
  assert.deepEqual(Object.keys(message).toSorted(), ['created_at', ...keys].toSorted())
  return message
}

function idIn(resource: string): string {
  return resource.split('/').findLast((part) => /\d/.test(part)) ?? ''
}

contract(
  '6',
  'of real estate, vehicles and services only the topics that are for them are told',
  async () => {
    await subscribe([])
    const steps: [step: string, happen: (order: Sold) => Promise<unknown>, told: string[]][] = [
      ['created before its payment', async () => {}, []],
      ['paid', pay, ['orders_v2', 'shipments']],
      ['changed', ({ id }) => operator('PATCH', `orders/${id}`, { comments: 'x' }), ['orders_v2']],
      [
        'on its way',
        ({ shipping }) => operator('PATCH', `shipments/${shipping.id}`, { status: 'shipped' }),
        ['orders_v2', 'shipments'],
      ],
      ['asked about', ({ id }) => write(id), []],
    ]
    for (const vertical of ['real_estate', 'motors', 'services']) {
      await operator('PUT', 'items/MLA9002', { ...inPesos, vertical, available_quantity: 9 })
      await takeChangeLines(app)
      const lines = [{ item_id: 'MLA9002', quantity: 1 }]
      const shipping = { mode: 'custom', cost: 0 }
      const order = await placeOrder(app.client, { lines, shipping, status: 'payment_required' })
      for (const [step, happen, expected] of steps) {
        await happen(order)
        assert.deepEqual(await topicsTold(), expected, `${vertical}: ${step}`)
      }
    }
  },
)

contract(
  '6',
  'a sale of which a part is an ordinary article is told as all others are',
  async () => {
    await operator('PUT', 'items/MLA9003', {
      ...inPesos,
      vertical: 'services',
      available_quantity: 9,
    })
    await takeChangeLines(app)
    const lines = ['MLA9003', 'MLA1001'].map((item_id) => ({ item_id, quantity: 1 }))
    const order = await placeOrder(app.client, { lines, shipping: { mode: 'custom', cost: 0 } })
    assert.deepEqual(await topicsTold(), ['orders_v2', 'shipments'])
    await pay(order)
    assert.deepEqual(await topicsTold(), ['created_orders', 'orders', 'orders_v2', 'payments'])
    await write(order.id)
    assert.deepEqual(await topicsTold(), ['messages'])
  },
)

contract('6', 'what a sale is stays as it was made, whatever becomes of its listing', async () => {
  const put = (vertical: string) =>
    operator('PUT', 'items/MLA9004', { ...inPesos, vertical, available_quantity: 9 })
  await put('services')
  const lines = [{ item_id: 'MLA9004', quantity: 1 }]
  const { id } = await placeOrder(app.client, { lines })
  await put('core')
  await takeChangeLines(app)
  await operator('PATCH', `orders/${id}`, { comments: 'x' })
  assert.deepEqual(await topicsTold(), ['orders_v2'])
})

type Sold = Awaited<ReturnType<typeof placeOrder>>

async function write(packId: number): Promise<void> {
  const sent = await sendTestMessage(app.client, { token: talk.brunoToken, packId, by: brunoId })
  assert.equal(sent.status, 201, sent.text)
}

async function topicsTold(): Promise<string[]> {
  const changeLines = (await takeChangeLines(app)).map((line) => line.split(' ')[0] ?? '')
  return [...new Set(changeLines)].filter((topic) => topic !== 'items').sort()
}
