import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { anaId, brunoId, placeOrder } from '../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  messagesPath,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../../test/harness/messaging.ts'
import { sql } from '../platform/database/sql.ts'
import { markRead } from './store.ts'

let app: TestApp
let talk: MessagingTokens
// biome-ignore lint/suspicious/noExplicitAny: an order as JSON
let order: any

before(async () => {
  app = await openTestApp()
  talk = await createMessagingMarket(app.client)
  order = await placeCustomShippingOrder(app.client)
})
after(() => app.close())

const page = (token: string, query = '', packId: number | string = order.id) =>
  app.client.get(`${messagesPath(packId)}?tag=post_sale${query}`, token)
const read = (token: string, id: string, headers: Record<string, string> = {}) =>
  app.client.send('GET', `/messages/${id}?tag=post_sale`, { token, headers })

contract(
  ['1', '2.10', '3.2', '4.2', 'messages'],
  'a message is answered as it will be read, by both parties',
  async () => {
    const at = app.ctx.now().toISOString()
    const sent = await sendTestMessage(app.client, {
      token: talk.anaToken,
      packId: order.id,
      text: 'Hola, Bruno',
    })
    assert.equal(sent.status, 201)
    const { id } = sent.body
    assert.match(id, /^[0-9a-f]{32}$/)
    assert.deepEqual(sent.body, {
      id,
      site_id: 'MLA',
      client_id: 700700,
      from: { user_id: anaId },
      to: { user_id: brunoId },
      status: 'available',
      subject: null,
      text: 'Hola, Bruno',
      message_date: { received: at, available: at, notified: null, created: at, read: null },
      message_moderation: { status: 'clean', reason: null, source: 'online', moderation_date: at },
      message_attachments: null,
      message_resources: [
        { id: String(order.id), name: 'packs' },
        { id: String(anaId), name: 'sellers' },
      ],
      conversation_first_message: true,
    })
    for (const token of [talk.anaToken, talk.brunoToken]) {
      const { body } = await page(token, '&mark_as_read=false')
      assert.deepEqual(body.messages, [sent.body])
      assert.deepEqual(body.paging, { total: 1, offset: 0, limit: 10 })
    }
  },
)

contract(
  ['2.10', '2.11', '4.2', 'messages'],
  'reading the conversation reads what the other wrote, once, and says when',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    const { body: first } = await sendTestMessage(app.client, { token: talk.anaToken, packId })
    const { body: own } = await sendTestMessage(app.client, {
      token: talk.brunoToken,
      packId,
      by: brunoId,
    })
    app.advance(60_000)
    const readBy = async (token: string, query = '') => {
      const { messages } = (await page(token, query, packId)).body
      return new Map(messages.map((message: typeof own) => [message.id, message.message_date.read]))
    }
    assert.equal((await readBy(talk.brunoToken, '&mark_as_read=false')).get(first.id), null)
    assert.equal((await readBy(talk.anaToken, '&mark_as_read=false')).get(first.id), null)
    const at = app.ctx.now().toISOString()
    assert.deepEqual(
      await readBy(talk.brunoToken),
      new Map([
        [own.id, null],
        [first.id, at],
      ]),
    )
    app.advance(60_000)
    assert.equal((await readBy(talk.brunoToken)).get(first.id), at)
    assert.equal((await read(talk.anaToken, first.id)).body.date_read, at)
    assert.equal(
      (await read(talk.anaToken, own.id)).body.date_read,
      null,
      'one message reads nothing',
    )
  },
)

contract(
  '4.2',
  'what is written while the other party reads is either read or still counted',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    const written = Array.from({ length: 30 }, async (_, n) => {
      await sendTestMessage(app.client, { token: talk.anaToken, packId, text: `mensaje ${n}` })
      await page(talk.brunoToken, '', packId)
      await sendTestMessage(app.client, { token: talk.anaToken, packId, text: `otro ${n}` })
    })
    await Promise.all(written)
    const { messages } = (await page(talk.brunoToken, '&limit=100&mark_as_read=false', packId)).body
    const unreadMessages = messages.filter(
      (message: { message_date: { read: string | null } }) => message.message_date.read === null,
    )
    const path = `/messages/unread/packs/${packId}/sellers/${anaId}`
    const { body } = await app.client.get(path, talk.brunoToken)
    assert.equal(messages.length, 60)
    assert.equal(body.results[0].count, unreadMessages.length)
  },
)

contract('4.2', 'a reader who finds nothing counted any more dates nothing as read', async () => {
  const { id: packId } = await placeCustomShippingOrder(app.client)
  await sendTestMessage(app.client, { token: talk.anaToken, packId, text: 'Hola' })
  const { db } = app.ctx
  const counted = sql`user_id = ${brunoId} and seller_id = ${anaId} and pack_id = ${packId}`
  const [row] = await db.rows<{ n: number }>(sql`select n from unread_messages where ${counted}`)
  assert.equal(row?.n, 1)
  // As between the two statements: another reader has deleted the count, the message came after it.
  await db.rows(sql`delete from unread_messages where ${counted}`)
  const reader = { sellerId: anaId, packId, userId: brunoId, now: app.ctx.now() }
  await db.transaction((tx) => markRead(tx, reader))
  const { messages } = (await page(talk.brunoToken, '&mark_as_read=false', packId)).body
  assert.equal(messages[0].message_date.read, null)
})

contract(
  ['2.10', '4.2'],
  'a text that looks like a date of its own message stays as it was written',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    const text = '"read":null,"notified":null \\"read\\":null'
    const { body: sent } = await sendTestMessage(app.client, { token: talk.anaToken, packId, text })
    await app.runPendingWork()
    const at = app.ctx.now().toISOString()
    const { body } = await page(talk.brunoToken, '', packId)
    assert.equal(body.messages[0].text, text)
    assert.deepEqual(body.messages[0].message_date, {
      ...sent.message_date,
      notified: at,
      read: at,
    })
  },
)

contract('messages', 'who has not read what is counted, as seller and as buyer', async () => {
  const { id: packId } = await placeCustomShippingOrder(app.client)
  const unread = async (token: string, path = '') =>
    (await app.client.get(`/messages/unread${path}`, token)).body
  const path = `/packs/${packId}/sellers/${anaId}`
  const before = (await unread(talk.brunoToken, '?role=buyer')).results
  for (const text of ['uno', 'dos'])
    await sendTestMessage(app.client, { token: talk.anaToken, packId, text })
  await sendTestMessage(app.client, { token: talk.brunoToken, packId, by: brunoId })
  assert.deepEqual(await unread(talk.brunoToken, path), {
    user_id: brunoId,
    results: [{ resource: path, count: 2 }],
  })
  assert.deepEqual((await unread(talk.brunoToken, '?role=buyer&tag=post_sale')).results, [
    ...before,
    { resource: path, count: 2 },
  ])
  assert.deepEqual((await unread(talk.brunoToken, '?role=seller')).results, [])
  const ofAna = (await unread(talk.anaToken)).results
  assert.equal(ofAna.find((result: { resource: string }) => result.resource === path).count, 1)
  await page(talk.brunoToken, '', packId)
  assert.deepEqual((await unread(talk.brunoToken, path)).results, [{ resource: path, count: 0 }])
  assert.deepEqual((await unread(talk.brunoToken, '?role=buyer')).results, before)
  assert.equal((await app.client.get(`/messages/unread${path}`, talk.carlaToken)).status, 403)
})

contract(['2.12', '4.2', 'messages'], 'a conversation is paged, newest first', async () => {
  const { id: packId } = await placeCustomShippingOrder(app.client)
  for (let n = 1; n <= 12; n++) {
    app.advance(1_000)
    await sendTestMessage(app.client, { token: talk.anaToken, packId, text: `mensaje ${n}` })
  }
  const textsOf = async (query: string) => {
    const { body } = await page(talk.brunoToken, query, packId)
    assert.equal(body.paging.total, 12)
    return body.messages.map((message: { text: string }) => Number(message.text.split(' ')[1]))
  }
  assert.deepEqual(await textsOf(''), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
  assert.deepEqual(await textsOf('&limit=3&offset=9'), [3, 2, 1])
  assert.deepEqual(await textsOf('&limit=1000'), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  assert.deepEqual(await textsOf('&offset=12'), [])
  assert.equal((await page(talk.brunoToken, '&limit=1000', packId)).body.paging.limit, 250)
})

contract(
  ['1', '4.2'],
  'orders of a pack have one conversation, under the number of the pack',
  async () => {
    const shipping = { id: 7100, mode: 'custom', cost: 0 }
    const pack = { pack_id: 7000, shipping }
    const [one] = [
      await placeCustomShippingOrder(app.client, pack),
      await placeCustomShippingOrder(app.client, pack),
    ]
    assert.equal(
      (await sendTestMessage(app.client, { token: talk.anaToken, packId: 7000 })).status,
      201,
    )
    assert.equal((await page(talk.brunoToken, '', 7000)).body.paging.total, 1)
    assert.equal(
      (await page(talk.brunoToken, '', one.id)).status,
      403,
      'an order in a pack has none',
    )
  },
)

contract(
  ['2.11', '4.2', '9', 'messages'],
  'a message is read in the legacy format, or in the new one when that is asked for',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    const { body: sent } = await sendTestMessage(app.client, {
      token: talk.anaToken,
      packId,
      text: 'Gracias',
    })
    const { created: at } = sent.message_date
    const legacy = await read(talk.brunoToken, sent.id)
    assert.deepEqual(legacy.body, {
      message_id: sent.id,
      date_created: at,
      date: at,
      date_received: at,
      date_available: at,
      date_notified: null,
      date_read: null,
      from: { user_id: anaId },
      to: [{ user_id: brunoId }],
      subject: null,
      text: { plain: 'Gracias' },
      attachments: [],
      attachments_validations: {
        invalid_size: [],
        invalid_extension: [],
        forbidden: [],
        internal_error: [],
      },
      site_id: 'MLA',
      resource: 'orders',
      resource_id: String(packId),
      status: 'available',
      moderation: { status: 'clean', date_moderated: at, source: 'online' },
    })
    const wrapped = { paging: null, conversation_status: null, messages: [sent] }
    for (const header of ['X-Pack-Format', 'x-format-new']) {
      assert.deepEqual((await read(talk.brunoToken, sent.id, { [header]: 'true' })).body, wrapped)
    }
  },
)

contract(
  ['2.12', '3.3', '4.2', '8'],
  'the conversation tells where it stands, and how long messages may be',
  async () => {
    const sale = await placeOrder(app.client)
    const readConversation = async (token: string) => (await page(token, '', sale.id)).body
    const status = {
      path: `/packs/${sale.id}/sellers/${anaId}`,
      status: 'active',
      substatus: null,
      status_date: sale.date_created,
      status_update_allowed: false,
      claim_id: null,
      shipping_id: null,
    }
    const { conversation_status: conversationStatus, ...rest } = await readConversation(
      talk.brunoToken,
    )
    assert.deepEqual(conversationStatus, status)
    assert.deepEqual(rest, {
      paging: { total: 0, offset: 0, limit: 10 },
      messages: [],
      seller_max_message_length: 350,
      buyer_max_message_length: 3_500,
    })
    const { conversation_status: limited } = await readConversation(talk.anaToken)
    const substatus = 'blocked_by_conversation_initiated_by_seller_limited'
    assert.deepEqual(limited, { ...status, status: 'blocked', substatus })
  },
)

const unknownId = 'ab'.repeat(16)

contract(['4.2', '7.2', 'errors'], 'reading is refused in the words of the contract', async () => {
  const { body: sent } = await sendTestMessage(app.client, {
    token: talk.anaToken,
    packId: order.id,
  })
  const of = (packId: number | string) => `User access token invalid for resource ${packId}`
  const cases: [path: string, token: string, status: number, message: string][] = [
    [messagesPath(order.id), talk.carlaToken, 403, of(order.id)],
    [messagesPath(4_040), talk.anaToken, 403, of(4_040)],
    [messagesPath('x'), talk.anaToken, 403, of('x')],
    [messagesPath(order.id, 'x'), talk.anaToken, 403, of(order.id)],
    [messagesPath(order.id, brunoId), talk.brunoToken, 403, of(order.id)],
    [
      `${messagesPath(order.id)}?limit=0`,
      talk.anaToken,
      400,
      'The limit param must be greater than 0',
    ],
    [
      `${messagesPath(order.id)}?limit=-1`,
      talk.anaToken,
      400,
      'The limit param must be greater than 0',
    ],
    [`${messagesPath(order.id)}?limit=x`, talk.anaToken, 400, 'Invalid limit param'],
    [`${messagesPath(order.id)}?limit=1.5`, talk.anaToken, 400, 'Invalid limit param'],
    [`${messagesPath(order.id)}?limit=1001`, talk.anaToken, 400, 'Invalid limit param'],
    [`${messagesPath(order.id)}?offset=x`, talk.anaToken, 400, 'Invalid offset param'],
    [`${messagesPath(order.id)}?offset=-1`, talk.anaToken, 400, 'Invalid offset param'],
    [
      `/messages/${sent.id}`,
      talk.carlaToken,
      403,
      `Access denied for user 3003 to message with id ${sent.id}`,
    ],
    [`/messages/${unknownId}`, talk.anaToken, 400, 'The specified message id does not exists'],
    ['/messages/x', talk.anaToken, 400, 'The specified message id does not exists'],
  ]
  for (const [path, token, status, message] of cases) {
    const response = await app.client.get(path, token)
    assert.deepEqual([response.status, response.body.message], [status, message], path)
  }
  assert.equal((await app.client.get(messagesPath(order.id))).body.error, 'not_identified_user')
})

contract('7.2', 'a stranger cannot tell a conversation of others from none', async () => {
  const [real, none] = [await page(talk.carlaToken), await page(talk.carlaToken, '', 4_040)]
  const hidden = (text: string) => text.replaceAll(String(order.id), '4040')
  assert.equal(hidden(real.text), none.text)
})

contract(
  ['7.2', 'errors'],
  'a message that its conversation does not have is said to come later',
  async () => {
    const { sql } = await import('../platform/database/sql.ts')
    await app.ctx.db.rows(sql`
    insert into message_owner (message_id, seller_id, pack_id)
    values (${unknownId.replaceAll('ab', 'cd')}, ${anaId}, ${order.id})`)
    const id = 'cd'.repeat(16)
    const { status, body } = await read(talk.anaToken, id)
    assert.equal(status, 404)
    assert.equal(body.message, `The message with id: ${id} could not be retrieved from storage`)
  },
)
