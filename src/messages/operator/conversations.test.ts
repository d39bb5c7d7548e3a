import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
import { pdf, uploadFile } from '../../../test/harness/upload.ts'

let app: TestApp
let talk: MessagingTokens

before(async () => {
  app = await openTestApp()
  talk = await createMessagingMarket(app.client)
})
after(() => app.close())

const rude = 'Escribime a ventas@example.org'
const read = (packId: number, query = '') =>
  app.client.operator('GET', `/operator/conversations/packs/${packId}/sellers/${anaId}${query}`)
const list = (query: string) => app.client.operator('GET', `/operator/conversations?${query}`)
type OperatorMessage = { id: string; text: string; status: string; finding: object | null }

/** Ana says one thing that is held back, and then something else. */
async function talked() {
  const { id: packId } = await placeCustomShippingOrder(app.client)
  await sendTestMessage(app.client, { token: talk.anaToken, packId, text: rude })
  app.advance(1_000)
  await sendTestMessage(app.client, {
    token: talk.brunoToken,
    packId,
    by: brunoId,
    text: '¿Cuándo sale?',
  })
  app.advance(1_000)
  return packId
}

contract(
  'messages',
  'the operator reads a conversation whole, with what was held back and why',
  async () => {
    const packId = await talked()
    const { status, body, text } = await read(packId)
    assert.equal(status, 200, text)
    assert.deepEqual([body.seller_id, body.buyer_id, body.order_ids], [anaId, brunoId, [packId]])
    const messages: OperatorMessage[] = body.messages
    assert.deepEqual(
      messages.map((message) => [message.text, message.status, message.finding === null]),
      [
        ['¿Cuándo sale?', 'available', true],
        [rude, 'moderated', false],
      ],
    )
    assert.equal(body.status_for_seller.status, 'active')
    assert.equal(body.status_for_buyer.path, `/packs/${packId}/sellers/${anaId}`)
    assert.equal(body.next, null)
  },
)

contract('messages', 'what the operator reads stays unread for its receiver', async () => {
  const packId = await talked()
  await read(packId)
  const unread = await app.client.get(
    `/messages/unread/packs/${packId}/sellers/${anaId}`,
    talk.anaToken,
  )
  assert.equal(unread.body.results[0].count, 1)
})

contract(
  ['2.12', 'messages'],
  'both parties’ standing is what each of them is answered',
  async () => {
    const packId = await talked()
    const path = `/operator/conversations/packs/${packId}/sellers/${anaId}`
    await app.client.operator('PATCH', path, { block: 'blocked_by_buyer' })
    const { body } = await read(packId)
    for (const [own, token] of [
      ['status_for_seller', talk.anaToken],
      ['status_for_buyer', talk.brunoToken],
    ] as const) {
      const page = await app.client.get(`${messagesPath(packId)}?mark_as_read=false`, token)
      assert.deepEqual(body[own], page.body.conversation_status)
    }
    assert.equal(body.block, 'blocked_by_buyer')
    assert.equal(body.status_for_seller.substatus, 'blocked_by_buyer')
  },
)

contract('messages', 'a long conversation is read page by page, to its end', async () => {
  const { id: packId } = await placeCustomShippingOrder(app.client)
  for (let n = 0; n < 5; n++) {
    await sendTestMessage(app.client, { token: talk.anaToken, packId, text: `Aviso ${n}` })
    if (n !== 2) app.advance(1_000)
  }
  const texts: string[] = []
  let after = ''
  do {
    const { body } = await read(packId, `?limit=2${after && `&after=${after}`}`)
    texts.push(...body.messages.map((message: OperatorMessage) => message.text))
    after = body.next
    assert.ok(texts.length <= 5, 'the pages come to an end')
  } while (after)
  assert.deepEqual(
    texts.toSorted(),
    [0, 1, 2, 3, 4].map((n) => `Aviso ${n}`),
  )
  assert.equal(texts[0], 'Aviso 4')
  const wrong = await read(packId, '?after=yesterday')
  assert.equal(wrong.status, 400)
  assert.match(wrong.body.message, /after/)
})

test('a sale of which nothing was said is read too; one that is none is not', async () => {
  const { id: packId } = await placeCustomShippingOrder(app.client)
  assert.deepEqual((await read(packId)).body.messages, [])
  assert.equal((await read(987_654_321)).status, 404)
})

contract(
  'messages',
  'the conversations of a seller are listed, the newest packs first, page by page',
  async () => {
    const packs = [await talked(), await talked(), await talked()].toSorted((a, b) => b - a)
    const first = (await list(`seller_id=${anaId}&limit=2`)).body
    assert.deepEqual(
      first.conversations.map(({ pack_id }: { pack_id: number }) => pack_id),
      packs.slice(0, 2),
    )
    const [newest] = first.conversations
    assert.deepEqual(
      [newest.buyer_nickname, newest.messages, newest.block],
      ['BRUNO_COMPRA', 1, null],
    )
    assert.equal(first.next_before, packs[1])
    const rest = (await list(`seller_id=${anaId}&before=${first.next_before}`)).body
    assert.equal(rest.conversations[0].pack_id, packs[2])
    assert.equal(rest.next_before, null)
    assert.deepEqual((await list(`seller_id=${brunoId}`)).body.conversations, [])
    const missing = await list('limit=2')
    assert.equal(missing.status, 400)
    assert.match(missing.body.message, /seller_id/)
  },
)

contract(
  'messages',
  'the operator opens an attachment of a message that was held back',
  async () => {
    const { id: packId } = await placeCustomShippingOrder(app.client)
    const file = await uploadFile(app.address, {
      token: talk.anaToken,
      filename: 'factura.pdf',
      content: pdf,
    })
    const sent = await sendTestMessage(app.client, {
      token: talk.anaToken,
      packId,
      text: rude,
      more: { attachments: [file] },
    })
    assert.equal(sent.body.status, 'moderated')
    const path = `/operator/messages/attachments/${file}`
    const answer = await app.client.request('GET', path)
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(pdf))
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment/)
    assert.equal((await app.client.get(path, talk.anaToken)).status, 401)
    const none = await app.client.operator('GET', '/operator/messages/attachments/1_x.pdf')
    assert.equal(none.status, 404)
  },
)
