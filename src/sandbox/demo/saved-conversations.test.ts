import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { issueToken } from '../../identity/tokens.ts'
import { dayMs } from '../../kernel/clock.ts'
import { substatuses } from '../../messages/conversation.ts'
import { isVisibleTo, messageStatuses } from '../../messages/message.ts'
import { readConversation } from '../../messages/store.ts'
import { messageView } from '../../messages/view.ts'
import { moderationReasons } from '../../moderation/reason.ts'
import { sql } from '../../platform/database/sql.ts'
import { demoFiles } from './data.ts'
import { createDemoData, type DemoOrder } from './demo.ts'
import { demoApplication, demoBuyerId, demoSellerId, firstDemoIds } from './ids.ts'
import { seedOrders } from './load.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
type Json = any

let app: TestApp
let sales: DemoOrder[]
const tokens = new Map<number, string>()
const options = { orders: 500, seed: 1 }
const open = async () => {
  const opened = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '100000' } })
  await seedOrders(opened.ctx, { ...options, progress: () => {} })
  return opened
}

before(async () => {
  app = await open()
  sales = [...createDemoData({ ...options, now: app.ctx.now() }).orders]
})
after(() => app.close())

async function tokenOf(userId: number): Promise<string> {
  const application = { applicationId: demoApplication.id, scopes: ['read', 'write'] as const }
  const token =
    tokens.get(userId) ?? (await issueToken(app.ctx, { userId, ...application, lifeSeconds: 1e7 }))
  tokens.set(userId, token)
  return token
}

interface ConversationKey {
  packId: number
  sellerId: number
}
const placeOf = ({ order }: DemoOrder) => {
  return { packId: order.packId ?? order.id, sellerId: order.sellerId, buyerId: order.buyerId }
}
const pathOf = ({ packId, sellerId }: ConversationKey) =>
  `/messages/packs/${packId}/sellers/${sellerId}`
async function page(key: ConversationKey, userId: number, more = ''): Promise<Json> {
  const path = `${pathOf(key)}?tag=post_sale&mark_as_read=false&limit=100${more}`
  const { status, body, text } = await app.client.get(path, await tokenOf(userId))
  assert.equal(status, 200, text)
  return body
}

const { scenarios } = demoFiles().scenarios
const named = scenarios.reduce((sum, { sale }) => sum + (sale.orders ?? 1), 0)
const talked = () =>
  sales.flatMap((sale) => (sale.conversation ? [{ ...sale, conversation: sale.conversation }] : []))
const between = ({ order }: DemoOrder) =>
  order.sellerId === demoSellerId && order.buyerId === demoBuyerId

contract(
  ['2.12', '3.3', 'messages'],
  'conversations stand in every state that there is, but for the guide’s own',
  async () => {
    const statesByParty = {
      seller: new Set<string>(),
      buyer: new Set<string>(),
      own: new Set<string>(),
    }
    const silent = new Set<string>()
    for (const sale of sales.slice(0, named)) {
      const key = placeOf(sale)
      for (const who of ['seller', 'buyer'] as const) {
        const { conversation_status: is, paging } = await page(key, key[`${who}Id`])
        assert.equal(is.status, is.substatus === null ? 'active' : 'blocked')
        assert.ok(new Date(is.status_date) <= app.ctx.now())
        const state = is.substatus ?? 'active'
        statesByParty[who].add(state)
        if (between(sale)) statesByParty.own.add(state)
        if (paging.total === 0) silent.add(state)
        if (state === 'blocked_by_mediation') assert.ok(is.claim_id)
        if (state === 'blocked_by_fulfillment') assert.ok(is.shipping_id)
      }
    }
    // Only the action guide itself says this, of conversations that both may write in.
    const guides = 'blocked_by_conversation_use_message_api'
    const states = ['active', ...substatuses].filter((state) => state !== guides).sort()
    assert.deepEqual([...statesByParty.seller].sort(), states)
    const both = states.filter(
      (state) => !/_initiated_by_seller|_by_time$|_by_buyer$/.test(state) || state === 'active',
    )
    assert.deepEqual([...statesByParty.buyer].sort(), both)
    // What takes few options, or a dispute in Brazil, is of other sellers.
    const elsewhere = ['blocked_by_mediation', 'blocked_by_conversation_initiated_by_seller']
    assert.deepEqual(
      states.filter((state) => !statesByParty.own.has(state)),
      [...elsewhere, 'blocked_by_deactivated_account'].sort(),
    )
    assert.ok(silent.has('active') && silent.has('blocked_by_payment'))
    const shown = { packId: firstDemoIds.order, sellerId: demoSellerId }
    const { status, body } = await app.client.get(
      `/messages/action_guide/packs/${shown.packId}?tag=post_sale`,
      await tokenOf(demoSellerId),
    )
    assert.deepEqual([status, body.cause], [403, guides])
  },
)

contract(
  '4.2',
  'each party is answered what was said, counted and unread as the commands would have left it',
  async () => {
    for (const sale of talked()) {
      const { conversation } = sale
      const key = placeOf(sale)
      for (const userId of [key.sellerId, key.buyerId]) {
        const visible = conversation.messages.filter((message) => isVisibleTo(message, userId))
        const { messages, paging } = await page(key, userId)
        assert.equal(paging.total, visible.length)
        assert.deepEqual(messages, JSON.parse(JSON.stringify(visible.map(messageView).reverse())))
        const { body } = await app.client.get(
          `/messages/unread${pathOf(key).replace('/messages', '')}?tag=post_sale`,
          await tokenOf(userId),
        )
        const unread = conversation.messages.filter(
          ({ toId, status, dateRead }) => toId === userId && status === 'available' && !dateRead,
        )
        assert.equal(body.results[0]?.count ?? 0, unread.length)
      }
      assert.deepEqual(await readConversation(app.ctx.db, key), conversation.thread)
    }
    const changeCount = await app.ctx.db.row<{ n: number }>(sql`select count(*) as n from changes`)
    assert.equal(changeCount?.n, 0, 'history is told to nobody')
  },
)

contract(
  '2.10',
  'messages of every status and reason are there, read and unread, and the operator sees why',
  async () => {
    const statuses = new Set<string>()
    const states = new Set<string>()
    for (const sale of talked()) {
      const key = placeOf(sale)
      for (const userId of [key.sellerId, key.buyerId]) {
        const own = (await page(key, userId)).messages
        for (const { status, message_date: dates, to } of own) {
          statuses.add(status)
          if (status !== 'available') continue
          const reader = to.user_id === key.sellerId ? 'seller' : 'buyer'
          states.add(`${dates.read ? 'read' : 'unread'} by the ${reader}`)
        }
      }
    }
    assert.deepEqual([...statuses].sort(), [...messageStatuses].sort())
    assert.equal(states.size, 4)
    const { body } = await app.client.operator('GET', '/operator/messages/moderated?limit=200')
    const reasons = body.messages.map((message: Json) => message.message_moderation.reason)
    assert.deepEqual([...new Set(reasons)].sort(), [...moderationReasons].sort())
    for (const { finding, text } of body.messages) {
      assert.equal(finding.text, text.slice(finding.from, finding.to))
      assert.ok(finding.text.length > 0)
    }
    const overruled = talked()
      .flatMap(({ conversation }) => conversation.messages)
      .find(({ moderation }) => moderation.overruledAt)
    const judged = await app.client.operator('GET', `/operator/messages/${overruled?.id}`)
    assert.deepEqual([judged.body.status, judged.body.finding.text], ['available', '@mili.y.santi'])
    assert.ok(judged.body.date_overruled)
  },
)

contract(
  '4.2',
  'what was sent with a message is read by its parties, and by nobody else',
  async () => {
    const stranger = await tokenOf(demoBuyerId + 7)
    let count = 0
    for (const { conversation } of talked()) {
      for (const { attachment, content, to } of conversation.files) {
        count++
        const path = `/messages/attachments/${attachment.id}?tag=post_sale&site_id=MLA`
        for (const userId of [to.sellerId, to.buyerId]) {
          const answer = await app.client.request('GET', path, { token: await tokenOf(userId) })
          assert.ok(answer.headers.get('content-type')?.startsWith(attachment.type))
          assert.deepEqual(Buffer.from(await answer.arrayBuffer()), content)
        }
        assert.equal((await app.client.get(path, stranger)).status, 404)
      }
    }
    assert.ok(count >= 10)
    app.advance(3 * dayMs)
    const swept = await app.ctx.db.row<{ n: number }>(sql`
    select count(*) as n from attachments where state <> 'attached'`)
    assert.equal(swept?.n, 0)
  },
)

test('two worlds of one seed say the same, message for message', async () => {
  const other = await open()
  try {
    const rows = ({ ctx: { db } }: TestApp) =>
      Promise.all([
        db.rows(sql`select * from conversations order by seller_id, pack_id`),
        db.rows(sql`select * from messages order by seller_id, pack_id, id`),
        db.rows(sql`select * from message_owner order by message_id`),
        db.rows(sql`select * from unread_messages order by user_id, seller_id, pack_id`),
        db.rows(sql`select * from attachments order by user_id, id`),
      ])
    assert.deepEqual(await rows(other), await rows(app))
  } finally {
    await other.close()
  }
})

contract(
  ['4.1', '4.2'],
  'the conversations go on: the shown one is answered, a new one begins with the guide',
  async () => {
    const [seller, buyer] = [await tokenOf(demoSellerId), await tokenOf(demoBuyerId)]
    const key = { packId: firstDemoIds.order, sellerId: demoSellerId }
    const total = (await page(key, demoBuyerId)).paging.total
    const response = await app.client.send('POST', `${pathOf(key)}?tag=post_sale`, {
      token: seller,
      body: {
        from: { user_id: String(demoSellerId) },
        to: { user_id: String(demoBuyerId) },
        text: 'Gira: se puede apoyar de cualquier lado.',
      },
    })
    assert.equal(response.status, 201, response.text)
    assert.equal((await page(key, demoBuyerId)).paging.total, total + 1)
    const scenarioIndex = scenarios.findIndex(({ name }) => name === 'label to print')
    const path = `/messages/action_guide/packs/${firstDemoIds.order + scenarioIndex}/option?tag=post_sale`
    const sent = await app.client.send('POST', path, {
      token: seller,
      body: { option_id: 'OTHER', text: 'Hola. ¿Lo envolvemos para regalo?' },
    })
    assert.equal(sent.status, 201, sent.text)
    const unread = await app.client.get('/messages/unread?role=buyer&tag=post_sale', buyer)
    const resources = unread.body.results.map(({ resource }: Json) => resource)
    assert.ok(
      resources.includes(`/packs/${firstDemoIds.order + scenarioIndex}/sellers/${demoSellerId}`),
    )
  },
)
