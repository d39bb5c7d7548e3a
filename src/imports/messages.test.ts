import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import {
  type ImportLineResult,
  pastOrderLine,
  postImportLines,
} from '../../test/harness/import-lines.ts'
import { anaId, brunoId } from '../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  messagesPath,
  sendTestMessage,
} from '../../test/harness/messaging.ts'
import { dayMs, hourMs } from '../kernel/clock.ts'
import { messageStatuses } from '../messages/message.ts'
import { moderationReasons } from '../moderation/reason.ts'

let app: TestApp
let talk: MessagingTokens
let lastId = 9_000
let serial = 0
before(async () => {
  app = await openTestApp()
  talk = await createMessagingMarket(app.client)
})
after(() => app.close())

const path = (packId: number) => `${messagesPath(packId)}?tag=post_sale&mark_as_read=false`
const ago = (hours: number) => new Date(app.ctx.now().getTime() - hours * hourMs).toISOString()

/** The line of a recent sale that bruno and ana must begin to talk of by the action guide. */
function sale(more: object = {}) {
  const id = ++lastId
  const shipping = { id: 600_000 + id, mode: 'me2', logistic_type: 'drop_off', status: 'delivered' }
  const payments = [{ id: 500_000 + id, status: 'approved', transaction_amount: 200 }]
  return pastOrderLine(id, { date_created: ago(100), shipping, payments, ...more })
}

/** The line of a message of `by`, so many hours ago. */
function message(packId: number, by: 'ana' | 'bruno', hours: number, more: object = {}) {
  const [from, to] = by === 'ana' ? [anaId, brunoId] : [brunoId, anaId]
  serial += 1
  return {
    type: 'message',
    id: serial.toString(16).padStart(32, 'e'),
    pack_id: packId,
    from: { user_id: from },
    to: { user_id: to },
    text: `${by} ${hours}`,
    date_created: ago(hours),
    ...more,
  }
}

async function bring(...lines: object[]): Promise<ImportLineResult> {
  const results = await postImportLines(app, lines)
  const refused = results.filter(({ line }) => line !== undefined)
  return { ...results.at(-1), messages: refused.map((line) => line.message) }
}

async function page(packId: number, token: string): Promise<ImportLineResult> {
  const { status, body, text } = await app.client.get(path(packId), token)
  assert.equal(status, 200, text)
  return body
}

async function unread(packId: number, who: 'ana' | 'bruno'): Promise<number> {
  const { body } = await app.client.get(
    `/messages/unread${path(packId).replace('/messages', '')}`,
    talk[`${who}Token`],
  )
  return body.results[0]?.count ?? 0
}

const texts = ({ messages }: ImportLineResult) => messages.map(({ text }: { text: string }) => text)
const firsts = ({ messages }: ImportLineResult) =>
  texts({ messages: messages.filter((line: ImportLineResult) => line.conversation_first_message) })

contract(
  ['2.10', '3.2', '4.2'],
  'messages of the past are shown, counted and unread as if they had been sent here',
  async () => {
    const sold = sale()
    const read = { date_read: ago(5) }
    const lines = [
      message(sold.id, 'ana', 8, { ...read, subject: 'Su compra' }),
      message(sold.id, 'bruno', 9, read),
      message(sold.id, 'bruno', 3, { date_available: ago(2), date_notified: ago(1) }),
      message(sold.id, 'ana', 4, { date_notified: null }),
    ]
    assert.equal((await bring(sold, ...lines)).imported, 5)
    for (const who of ['ana', 'bruno'] as const) {
      const conversation = await page(sold.id, talk[`${who}Token`])
      assert.equal(conversation.paging.total, 4)
      assert.deepEqual(texts(conversation), ['bruno 3', 'ana 4', 'ana 8', 'bruno 9'])
      assert.deepEqual(firsts(conversation), ['bruno 9'])
      assert.deepEqual(conversation.conversation_status.status, 'active')
      assert.equal(conversation.conversation_status.status_date, ago(2))
      assert.equal(await unread(sold.id, who), 1)
    }
    const [last, middle, old] = (await page(sold.id, talk.anaToken)).messages
    assert.deepEqual(last.message_date, {
      received: ago(3),
      created: ago(3),
      available: ago(2),
      notified: ago(1),
      read: null,
    })
    assert.deepEqual([middle.message_date.available, middle.message_date.notified], [ago(4), null])
    assert.deepEqual([old.subject, last.subject], ['Su compra', null])
    assert.deepEqual(last.message_moderation, {
      status: 'non_moderated',
      reason: null,
      source: null,
      moderation_date: null,
    })
  },
)

contract(
  ['2.10', '3.2', '4.2'],
  'what was held back is its writer’s alone, is unread by nobody and opens nothing',
  async () => {
    const sold = sale()
    const moderated = [
      message(sold.id, 'bruno', 9, { status: 'moderated', reason: 'PERSONAL_DATA' }),
      message(sold.id, 'bruno', 8, { status: 'rejected', reason: 'LINK_SHORT_URL' }),
      message(sold.id, 'bruno', 7, { status: 'pending_translation' }),
      message(sold.id, 'ana', 6, { status: 'moderated', reason: 'AUTOMATIC_MESSAGE' }),
    ]
    assert.equal((await bring(sold, ...moderated)).imported, 5)
    const buyers = await page(sold.id, talk.brunoToken)
    assert.deepEqual(texts(buyers), ['bruno 7', 'bruno 8', 'bruno 9'])
    assert.equal(buyers.paging.total, 3)
    const sellers = await page(sold.id, talk.anaToken)
    assert.deepEqual([texts(sellers), sellers.paging.total], [['ana 6'], 1])
    assert.deepEqual(
      buyers.messages.map((message: ImportLineResult) => [
        message.status,
        message.message_moderation.status,
        message.message_moderation.reason,
        message.message_date.available,
      ]),
      [
        ['pending_translation', 'pending', null, null],
        ['rejected', 'rejected', 'LINK_SHORT_URL', null],
        ['moderated', 'rejected', 'PERSONAL_DATA', null],
      ],
    )
    assert.deepEqual([await unread(sold.id, 'ana'), await unread(sold.id, 'bruno')], [0, 0])
    const other = await app.client.get(`/messages/${moderated[0]?.id}?tag=post_sale`, talk.anaToken)
    assert.equal(other.status, 403)
    const { substatus } = sellers.conversation_status
    assert.equal(substatus, 'blocked_by_conversation_initiated_by_seller_limited')
    const passed = await app.client.operator(
      'POST',
      `/operator/messages/${moderated[0]?.id}/overrule`,
    )
    assert.equal(passed.body.status, 'available')
    assert.equal((await page(sold.id, talk.anaToken)).conversation_status.status, 'active')
  },
)

contract(
  '3.3',
  'a seller who must begin by the guide writes freely once a buyer’s answer was imported',
  async () => {
    const sold = sale()
    await bring(sold, message(sold.id, 'ana', 20))
    const wanted = { token: talk.anaToken, packId: sold.id, by: anaId }
    assert.equal((await sendTestMessage(app.client, wanted)).status, 403)
    await bring(message(sold.id, 'bruno', 10))
    assert.equal((await sendTestMessage(app.client, wanted)).status, 201)
    assert.equal((await page(sold.id, talk.brunoToken)).paging.total, 3)
  },
)

contract(
  '2.10',
  'the earliest message began the conversation, in whatever order they come',
  async () => {
    const [one, other, pack] = [sale(), sale({ pack_id: 95_001 }), sale({ pack_id: 95_001 })]
    const middle = message(one.id, 'bruno', 5)
    await bring(one, other, pack, message(95_001, 'ana', 3), middle, message(one.id, 'ana', 4))
    await bring(message(one.id, 'ana', 2), message(one.id, 'bruno', 7), message(95_001, 'ana', 1))
    assert.deepEqual(firsts(await page(one.id, talk.anaToken)), ['bruno 7'])
    assert.deepEqual(firsts(await page(95_001, talk.anaToken)), ['ana 3'])
    const legacy = await app.client.get(`/messages/${middle.id}?tag=post_sale`, talk.anaToken)
    assert.equal(legacy.status, 200)
    const wrapped = await app.client.send('GET', `/messages/${middle.id}?tag=post_sale`, {
      token: talk.anaToken,
      headers: { 'x-format-new': 'true' },
    })
    assert.equal(wrapped.body.messages[0].conversation_first_message, false)
  },
)

contract(
  '2.10',
  'a conversation in which nothing was said yet begins with what is imported',
  async () => {
    const sold = sale()
    await bring(sold)
    const conversation = `/operator/conversations/packs/${sold.id}/sellers/${anaId}`
    for (const block of ['blocked_by_buyer', null]) {
      assert.equal((await app.client.operator('PATCH', conversation, { block })).status, 200)
    }
    await bring(message(sold.id, 'bruno', 2, { status: 'moderated', reason: 'PERSONAL_DATA' }))
    await bring(message(sold.id, 'bruno', 1))
    assert.deepEqual(firsts(await page(sold.id, talk.brunoToken)), ['bruno 1'])
  },
)

test('a second import of the same messages changes nothing', async () => {
  const sold = sale()
  const lines = [message(sold.id, 'bruno', 9), message(sold.id, 'ana', 8)]
  await bring(sold, ...lines)
  const before = [await page(sold.id, talk.anaToken), await page(sold.id, talk.brunoToken)]
  const again = await bring(...lines, { ...lines[0], text: 'something else' })
  assert.deepEqual([again.imported, again.unchanged], [0, 3])
  assert.deepEqual(
    [await page(sold.id, talk.anaToken), await page(sold.id, talk.brunoToken)],
    before,
  )
  assert.deepEqual([await unread(sold.id, 'ana'), await unread(sold.id, 'bruno')], [1, 1])
})

test('an import into a conversation that both write in at that moment loses nothing', async () => {
  const sold = sale()
  await bring(sold)
  const times = 12
  const lines = Array.from({ length: times }, (_, index) => [
    message(sold.id, 'bruno', 50 - index),
    message(sold.id, 'ana', 30 - index),
  ])
  const send = (by: number, token: string) =>
    sendTestMessage(app.client, { token, packId: sold.id, by })
  await send(brunoId, talk.brunoToken)
  const done = await Promise.all(
    lines.flatMap((pair) => [
      bring(...pair).then(({ imported }) => imported === 2),
      send(anaId, talk.anaToken).then(({ status }) => status === 201),
      send(brunoId, talk.brunoToken).then(({ status }) => status === 201),
    ]),
  )
  assert.deepEqual(
    done.filter((isDone) => !isDone),
    [],
  )
  const written = 4 * times + 1
  const all = await app.client.get(`${path(sold.id)}&limit=100`, talk.anaToken)
  assert.equal(all.body.paging.total, written)
  assert.equal(all.body.messages.length, written)
  assert.deepEqual(firsts(all.body), ['bruno 50'])
  assert.equal((await page(sold.id, talk.brunoToken)).paging.total, written)
  assert.equal(await unread(sold.id, 'ana'), 2 * times + 1)
  assert.equal(await unread(sold.id, 'bruno'), 2 * times)
})

contract('6.2', 'imported messages are told to nobody', async () => {
  const sold = sale()
  const line = message(sold.id, 'bruno', 3, { date_notified: null })
  await bring(sold, line)
  await app.runPendingWork()
  const { body } = await app.client.get(
    '/myfeeds?app_id=700700&topic=messages&limit=100',
    talk.anaToken,
  )
  const resources = body.messages.map(({ resource }: { resource: string }) => resource)
  assert.ok(!resources.includes(line.id))
  assert.equal((await page(sold.id, talk.anaToken)).messages[0].message_date.notified, null)
})

test('a line of a message that cannot be is refused, and its field named', async () => {
  const sold = sale({ date_created: new Date(app.ctx.now().getTime() - 20 * dayMs).toISOString() })
  await bring(sold)
  const cases: [more: object, says: RegExp][] = [
    [{ status: 'deleted' }, new RegExp(`^status: expected .*${messageStatuses[3]}`)],
    [
      { status: 'moderated' },
      new RegExp(`^reason: expected one of ${moderationReasons.join(', ')}`),
    ],
    [{ status: 'rejected', reason: null }, /^reason: expected one of OUT_OF_PLACE_LANGUAGE, /],
    [{ status: 'moderated', reason: 'RUDE' }, /^reason: expected /],
    [{ reason: 'PERSONAL_DATA' }, /^reason: expected none, for a message that is available$/],
    [
      { status: 'pending_translation', reason: 'PERSONAL_DATA' },
      /^reason: expected none, for a message that is pending_translation$/,
    ],
    [{ date_available: null }, /^date_available: expected a timestamp/],
    [{ date_available: 'soon' }, /^date_available: expected /],
    [{ date_available: ago(6) }, /^date_available: expected a moment from date_created on$/],
    [{ date_notified: ago(6) }, /^date_notified: expected a moment from date_available on$/],
    [{ date_available: ago(2), date_read: ago(3) }, /^date_read: expected a moment from date_avai/],
    [{ date_read: ago(6) }, /^date_read: expected a moment from date_available on$/],
    [{ subject: '' }, /^subject: expected /],
    [{ subject: 'x'.repeat(201) }, /^subject: expected /],
    [{ text: '' }, /^text: expected /],
    [{ moderation: {} }, /^moderation: expected no such field$/],
    ...(['date_available', 'date_notified', 'date_read'] as const).map(
      (field): [object, RegExp] => [
        { status: 'moderated', reason: 'PERSONAL_DATA', [field]: ago(1) },
        new RegExp(`^${field}: expected none, for a message that is moderated$`),
      ],
    ),
  ]
  const { messages, imported } = await bring(
    ...cases.map(([more]) => message(sold.id, 'bruno', 5, more)),
    message(sold.id, 'bruno', 5, { status: 'moderated', reason: 'PERSONAL_DATA', date_read: null }),
  )
  assert.equal(imported, 1)
  assert.equal(messages.length, cases.length)
  for (const [index, [more, says]] of cases.entries()) {
    assert.match(messages[index], says, JSON.stringify(more))
  }
})
