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

let app: TestApp
let talk: MessagingTokens

before(async () => {
  app = await openTestApp()
  talk = await createMessagingMarket(app.client)
})
after(() => app.close())

const rude = 'Llamame al 11 4444-5566 o escribime a ventas@example.org'
const queue = async (query = '') =>
  (await app.client.operator('GET', `/operator/messages/moderated${query}`)).body
const overrule = (id: string) =>
  app.client.operator('POST', `/operator/messages/${id}/overrule`, {})

async function heldBack(by = anaId) {
  const { id: packId } = await placeCustomShippingOrder(app.client)
  const token = by === anaId ? talk.anaToken : talk.brunoToken
  const { status, body } = await sendTestMessage(app.client, { token, packId, by, text: rude })
  assert.equal(status, 201)
  return { packId, message: body }
}

contract(
  ['2.10', '3.2', '4.2', '7.2'],
  'what is held back is answered with its reason, and seen by its writer alone',
  async () => {
    const { packId, message } = await heldBack()
    const { received } = message.message_date
    assert.equal(message.status, 'moderated')
    assert.equal(message.message_date.available, null)
    assert.deepEqual(message.message_moderation, {
      ...{
        status: 'rejected',
        reason: 'PERSONAL_DATA',
        source: 'online',
        moderation_date: received,
      },
    })
    const seenBy = async (token: string) => (await app.client.get(messagesPath(packId), token)).body
    const [own, other] = [await seenBy(talk.anaToken), await seenBy(talk.brunoToken)]
    assert.deepEqual([own.paging.total, own.messages.length], [1, 1])
    assert.deepEqual([other.paging.total, other.messages.length], [0, 0])
    const read = (token: string) => app.client.get(`/messages/${message.id}`, token)
    assert.deepEqual(
      [(await read(talk.anaToken)).status, (await read(talk.brunoToken)).status],
      [200, 403],
    )
    const unread = await app.client.get(
      `/messages/unread/packs/${packId}/sellers/${anaId}`,
      talk.brunoToken,
    )
    assert.equal(unread.body.results[0].count, 0)
    assert.doesNotMatch(own.messages[0].message_moderation.reason, /rule|finding/)
  },
)

contract(
  '2.10',
  'the operator sees which rule held a message back, and for which words',
  async () => {
    const { message } = await heldBack()
    const { finding } = (await app.client.operator('GET', `/operator/messages/${message.id}`)).body
    assert.ok(finding.rule.length > 0)
    assert.equal(finding.text, rude.slice(finding.from, finding.to))
    assert.match(finding.text, /4444|@/)
    const missing = await app.client.operator('GET', `/operator/messages/${'ef'.repeat(16)}`)
    assert.equal(missing.status, 404)
  },
)

contract(
  ['3.2', '6.2', '6.3'],
  'a message that is overruled becomes available, is counted and notifies',
  async () => {
    const { packId, message } = await heldBack(brunoId)
    await app.runPendingWork()
    app.advance(60_000)
    const at = app.ctx.now().toISOString()
    const { status, body } = await overrule(message.id)
    assert.equal(status, 200)
    assert.deepEqual(
      [
        body.status,
        body.message_date.available,
        body.message_moderation.status,
        body.date_overruled,
      ],
      ['available', at, 'clean', at],
    )
    assert.ok(body.finding, 'what was found stays')
    const { body: page } = await app.client.get(
      `${messagesPath(packId)}?mark_as_read=false`,
      talk.anaToken,
    )
    assert.deepEqual([page.paging.total, page.messages[0].id], [1, message.id])
    const unread = await app.client.get(
      `/messages/unread/packs/${packId}/sellers/${anaId}`,
      talk.anaToken,
    )
    assert.equal(unread.body.results[0].count, 1)
    await app.runPendingWork()
    const { body: feed } = await app.client.get(
      '/myfeeds?app_id=700700&topic=messages',
      talk.anaToken,
    )
    assert.ok(
      feed.messages.some(
        (notification: { resource: string }) => notification.resource === message.id,
      ),
    )
  },
)

contract('3.2', 'a message is let pass once, also by two at a time', async () => {
  const { packId, message } = await heldBack()
  const answers = await Promise.all([overrule(message.id), overrule(message.id)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const { body } = await app.client.get(messagesPath(packId), talk.brunoToken)
  assert.deepEqual([body.paging.total, body.messages.length], [1, 1])
})

contract(
  '2.10',
  'the queue holds what waits for the operator, newest first, page after page',
  async () => {
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      app.advance(1_000)
      ids.unshift((await heldBack()).message.id)
    }
    const idsOf = (page: { messages: { id: string }[] }) => page.messages.map(({ id }) => id)
    const first = await queue('?limit=2')
    const second = await queue(`?limit=2&after=${first.next}`)
    assert.deepEqual([...idsOf(first), ...idsOf(second)], ids.slice(0, 4))
    await overrule(ids[0] ?? '')
    assert.deepEqual(idsOf(await queue('?limit=2')), ids.slice(1, 3))
    const wrong = await app.client.operator('GET', '/operator/messages/moderated?after=x')
    assert.deepEqual([wrong.status, wrong.body.message.split(':')[0]], [400, 'after'])
  },
)
