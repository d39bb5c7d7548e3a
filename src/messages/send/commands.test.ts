import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { anaId, brunoId } from '../../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  messagesPath,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../../../test/harness/messaging.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let receiver: Receiver
let talk: MessagingTokens
// biome-ignore lint/suspicious/noExplicitAny: an order as JSON
let order: any

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  talk = await createMessagingMarket(app.client, receiver.url)
  order = await placeCustomShippingOrder(app.client)
})
after(async () => {
  await app.close()
  await receiver.close()
})

const [from, to] = [{ user_id: anaId }, { user_id: brunoId }]
const whole = { from, to, text: 'Hola' }
const send = (body: unknown, token: string | undefined = talk.anaToken, packId = order.id) =>
  app.client.send('POST', messagesPath(packId), { ...(token ? { token } : {}), body })

contract(
  ['1', '4.2', '7', '7.3', '7.4', '8', 'errors'],
  'creating is refused in the words of the contract, the first that fits',
  async () => {
    const denied = `Access denied for user ${anaId} to order`
    const relay = { user_id: 0, email: 'x@elsewhere.example' }
    const tooMany = Array.from({ length: 26 }, (_, n) => `${anaId}_${n}.png`)
    const cases: [body: unknown, status: number, message: string][] = [
      ['', 400, 'A JSON body is required'],
      ['null', 400, 'A JSON body is required'],
      ['[]', 400, 'A JSON body is required'],
      ['"x"', 400, 'A JSON body is required'],
      ['{', 400, 'body: expected valid JSON'],
      [{}, 400, "The field 'from' is required"],
      [{ from: {} }, 400, "The field 'from' is required"],
      [{ from: { user_id: null }, to }, 400, "The field 'from' is required"],
      [{ from }, 400, "The field 'to.user_id' is required"],
      [{ from, to: {} }, 400, "The field 'to.user_id' is required"],
      [{ from, to: { user_id: 'x' } }, 400, "Invalid 'to' user id"],
      [{ from, to: { user_id: -1 } }, 400, "Invalid 'to' user id"],
      [{ from, to: { user_id: 1.5 } }, 400, "Invalid 'to' user id"],
      [{ from, to: from }, 400, 'Sender and received must not be equals'],
      [{ from, to: { user_id: `${anaId}` } }, 400, 'Sender and received must not be equals'],
      [{ from, to: relay }, 400, "The field 'to.email' must be a secure email"],
      [{ from, to: { user_id: 0 } }, 400, "The field 'to.email' must be a secure email"],
      [
        { ...whole, from: { user_id: brunoId }, to: from },
        403,
        `Access denied for user ${brunoId} to order ${order.id}`,
      ],
      [{ ...whole, to: { user_id: 3003 } }, 403, `Receiver does not belong to order ${order.id}`],
      [{ ...whole, text: undefined }, 400, "The field 'text' is required"],
      [{ ...whole, text: '  \n' }, 400, "The field 'text' is required"],
      [{ ...whole, text: 7 }, 400, "The field 'text' is required"],
      [
        { ...whole, text: '€'.repeat(351) },
        400,
        'The text has character/s that is/are not supported.',
      ],
      [
        { ...whole, text: 'x'.repeat(351), attachments: tooMany },
        400,
        'The message content is too long, max characters allowed are 350',
      ],
      [
        { ...whole, attachments: tooMany },
        400,
        'The message exceeds the allowed number of attachments: 25',
      ],
      [{ ...whole, attachments: ['x'] }, 422, 'Attachment key is invalid or not found'],
      [
        { ...whole, attachments: 'x' },
        400,
        'attachments: expected a list of the ids that uploads answered',
      ],
      [{ ...whole, text: 'a\u0000b' }, 400, 'The text has character/s that is/are not supported.'],
      [
        '{"from":{"user_id":1001},"to":{"user_id":2002},"text":"\\ud800"}',
        400,
        'The text has character/s that is/are not supported.',
      ],
    ]
    for (const [body, status, message] of cases) {
      const response = await send(body)
      assert.deepEqual(
        [response.status, response.body.message],
        [status, message],
        JSON.stringify(body),
      )
      assert.deepEqual(Object.keys(response.body), ['status_code', 'code', 'message'])
    }
    const none = await send(whole, talk.anaToken, 4_040)
    assert.deepEqual([none.status, none.body.message], [403, `${denied} 4040`])
    const stranger = await send({ ...whole, from: { user_id: 3003 } }, talk.carlaToken)
    assert.equal(stranger.body.message, `Access denied for user 3003 to order ${order.id}`)
    const { body } = await app.client.get(messagesPath(order.id), talk.anaToken)
    assert.equal(body.paging.total, 0, 'nothing of it was kept')
  },
)

contract(['5', '7.3', 'errors'], 'who writes needs a token, and an application', async () => {
  const path = messagesPath(order.id)
  const bare = await app.client.send('POST', path, { body: whole })
  assert.deepEqual([bare.status, bare.body.message], [400, 'Access token is required'])
  const { status, body } = await send('', talk.tokenWithoutApplication)
  assert.deepEqual([status, body.message], [400, 'Application id is required'])
  const revoked = await app.client.send('POST', path, { token: 'x', body: whole })
  assert.deepEqual([revoked.status, revoked.body.code], [401, 'not_found'])
})

contract(
  ['4.2', '7.3', 'messages'],
  'ids are numbers or text, and a relayed address stands for the other party',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    const receivers: object[] = [
      { user_id: brunoId },
      { user_id: `${brunoId}` },
      { user_id: 0, email: 'Abc.1@relay.feria.example' },
    ]
    for (const receiver of receivers) {
      const { status, body } = await send({ ...whole, to: receiver }, talk.anaToken, packId)
      assert.deepEqual([status, body.to], [201, { user_id: brunoId }], JSON.stringify(body))
    }
  },
)

contract(['8', 'errors'], 'a buyer writes 3,500 characters', async () => {
  const { id: packId } = await placeCustomShippingOrder(app.client)
  const write = (text: string) =>
    sendTestMessage(app.client, { token: talk.brunoToken, packId, by: brunoId, text })
  assert.equal((await write('ñ'.repeat(3_500))).status, 201)
  const { body } = await write('ñ'.repeat(3_501))
  assert.equal(body.message, 'The message content is too long, max characters allowed are 3500')
})

contract(
  ['4.2', '5'],
  'the application is that of the token, whatever x-client-id says',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    const headers = { 'x-client-id': '1' }
    const call = { token: talk.anaToken, body: whole, headers }
    const { status, body } = await app.client.send('POST', messagesPath(packId), call)
    assert.deepEqual([status, body.client_id], [201, 700700])
  },
)

contract('4.2', 'messages sent at the same moment are all kept and all counted', async () => {
  const { id: packId } = await placeCustomShippingOrder(app.client)
  const sending = Array.from({ length: 20 }, (_, n) =>
    n % 2 === 0
      ? sendTestMessage(app.client, { token: talk.anaToken, packId, text: `de ana ${n}` })
      : sendTestMessage(app.client, {
          token: talk.brunoToken,
          packId,
          by: brunoId,
          text: `de bruno ${n}`,
        }),
  )
  const sent = await Promise.all(sending)
  assert.ok(sent.every(({ status }) => status === 201))
  assert.equal(sent.filter(({ body }) => body.conversation_first_message).length, 1)
  const unread = await app.client.get(
    `/messages/unread/packs/${packId}/sellers/${anaId}`,
    talk.brunoToken,
  )
  assert.equal(unread.body.results[0].count, 10)
  const { body } = await app.client.get(`${messagesPath(packId)}?limit=50`, talk.brunoToken)
  assert.deepEqual([body.paging.total, body.messages.length], [20, 20])
})

contract(
  ['3.2', '4.2', '6', '6.3'],
  'a message and the news of it commit together or not at all',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    await app.runPendingWork()
    await app.ctx.db.rows(sql`alter table changes rename to changes_away`)
    const failed = await sendTestMessage(app.client, { token: talk.anaToken, packId })
    await app.ctx.db.rows(sql`alter table changes_away rename to changes`)
    assert.equal(failed.status, 500)
    assert.equal(failed.body.message, 'Internal server error')
    const { body } = await app.client.get(messagesPath(packId), talk.anaToken)
    assert.deepEqual([body.paging.total, body.messages], [0, []])
  },
)

contract(
  ['2.11', '7.3', 'errors', 'messages'],
  'old clients say in the body what they write about',
  async () => {
    const { id } = await placeCustomShippingOrder(app.client)
    const legacy = (more: object, rest: object = {}) =>
      app.client.send('POST', '/messages?tag=post_sale', {
        token: talk.anaToken,
        body: {
          from,
          to: [{ user_id: brunoId, resource: 'orders', resource_id: id, site_id: 'MLA', ...more }],
          subject: 'Su compra',
          text: { plain: 'Hola' },
          ...rest,
        },
      })
    const sent = await legacy({})
    assert.equal(sent.status, 201)
    const { subject, text, resource, resource_id } = sent.body
    assert.deepEqual(
      { subject, text, resource, resource_id },
      {
        subject: 'Su compra',
        text: { plain: 'Hola' },
        resource: 'orders',
        resource_id: String(id),
      },
    )
    const cases: [more: object, status: number, message: string][] = [
      [{ resource: undefined }, 400, "The field 'to.resource' is required"],
      [{ resource: 'items' }, 400, "Invalid field 'to.resource'"],
      [{ resource_id: 'x' }, 400, "Invalid field 'to.resource'"],
      [{ site_id: undefined }, 400, "The field 'to.site_id' is required"],
      [{ site_id: 'XYZ' }, 400, "The field 'to.site_id' has an invalid value"],
      [{ site_id: 'MLB' }, 400, "The field 'to.site_id' has an invalid value"],
      [{ resource_id: 4_040 }, 403, `Access denied for user ${anaId} to order 4040`],
      [{ user_id: 3003 }, 403, `Receiver does not belong to order ${id}`],
    ]
    for (const [more, status, message] of cases) {
      const response = await legacy(more)
      assert.deepEqual([response.status, response.body.message], [status, message])
    }
  },
)

contract(
  ['2.11', '6.2', '6.3', 'notifications'],
  'whoever receives a message is told of it by its bare number, once',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    await app.runPendingWork()
    const { body: sent } = await sendTestMessage(app.client, { token: talk.anaToken, packId })
    const changes = await app.ctx.db.rows(sql`select topic, resource, user_ids from changes
    where resource = ${sent.id}`)
    assert.deepEqual(changes, [{ topic: 'messages', resource: sent.id, user_ids: [`${brunoId}`] }])
    await app.runPendingWork()
    const { body } = await app.client.get('/myfeeds?app_id=700700&topic=messages', talk.anaToken)
    const mine = body.messages.filter(
      (notification: { resource: string }) => notification.resource === sent.id,
    )
    assert.deepEqual(
      mine.map((notification: { user_id: number }) => notification.user_id),
      [brunoId],
    )
    const read = await app.client.get(`/messages/${sent.id}`, talk.brunoToken)
    assert.equal(read.body.date_notified, app.ctx.now().toISOString())
  },
)
