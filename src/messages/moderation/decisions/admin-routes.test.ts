import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { brunoId } from '../../../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  placeCustomShippingOrder,
  sendTestMessage,
} from '../../../../test/harness/messaging.ts'
import { dayMs } from '../../../kernel/clock.ts'

let app: TestApp
let talk: MessagingTokens
before(async () => {
  app = await openTestApp()
  talk = await createMessagingMarket(app.client)
})
after(() => app.close())

const path = '/operator/moderation/decisions'

async function exported(query = '') {
  const answer = await app.client.operator('GET', `${path}${query}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
  assert.ok(answer.text === '' || answer.text.endsWith('\n'))
  return answer.text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

test('a period without decisions is exported as nothing', async () => {
  assert.deepEqual(await exported(), [])
})

test('each decision is a line with its rule, match and dates, the oldest first', async () => {
  const { id: packId } = await placeCustomShippingOrder(app.client)
  const send = async (text: string, token = talk.anaToken, by?: number) => {
    const writer = by === undefined ? {} : { by }
    const { body } = await sendTestMessage(app.client, { token, packId, text, ...writer })
    app.advance(1_000)
    return body
  }
  const from = app.ctx.now().toISOString()
  const first = await send('Escribime a ana@gmail.com')
  await send('Sale hoy')
  const second = await send('qué mierda', talk.brunoToken, brunoId)
  const released = await app.client.operator('POST', `/operator/messages/${first.id}/overrule`, {})
  assert.equal(released.status, 200)
  app.advance(1_000)
  const common = { site_id: 'MLA', seller_id: 1001, pack_id: packId }
  const lines = [
    {
      ...{ message_id: first.id, ...common, user_id: 1001, writer: 'seller' },
      ...{ reason: 'PERSONAL_DATA', rule: 'contact.email', from: 12, to: 25 },
      ...{ cause: 'ana@gmail.com', date_held: from },
      date_overruled: released.body.date_overruled,
    },
    {
      ...{ message_id: second.id, ...common, user_id: brunoId, writer: 'buyer' },
      ...{ reason: 'OUT_OF_PLACE_LANGUAGE', rule: 'language.vulgar', from: 4, to: 10 },
      ...{ cause: 'mierda', date_held: second.message_date.created, date_overruled: null },
    },
  ]
  assert.deepEqual(await exported(), lines)
  assert.deepEqual(await exported('?site_id=MLA&rule=language.vulgar'), [lines[1]])
  assert.deepEqual(await exported('?site_id=MLB'), [])
  assert.deepEqual(await exported(`?from=${second.message_date.created}`), [lines[1]])
  assert.deepEqual(await exported(`?to=${second.message_date.created}`), [lines[0]])
  app.advance(31 * dayMs)
  assert.deepEqual(await exported(), [], 'a month by default')
  assert.deepEqual(await exported(`?from=${from}`), lines)
})

test('a message that was held back before it was imported is exported without a rule', async () => {
  const { id: packId } = await placeCustomShippingOrder(app.client)
  const line = {
    ...{ type: 'message', id: 'ab'.repeat(16), pack_id: packId },
    ...{ from: { user_id: 1001 }, to: { user_id: brunoId }, text: 'Te paso mi mail' },
    ...{ status: 'moderated', reason: 'PERSONAL_DATA' },
    date_created: '2026-01-05T10:00:00.000Z',
  }
  const answer = await app.client.operator('POST', '/operator/import', JSON.stringify(line), {
    'content-type': 'application/x-ndjson',
  })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(await exported('?from=2026-01-01T00:00:00.000Z&to=2026-02-01T00:00:00.000Z'), [
    {
      ...{ message_id: line.id, site_id: 'MLA', seller_id: 1001, pack_id: packId, user_id: 1001 },
      ...{ writer: 'seller', reason: 'PERSONAL_DATA', rule: null, from: null, to: null },
      ...{ cause: null, date_held: line.date_created, date_overruled: null },
    },
  ])
})

test('a wrong query is refused before the stream begins', async () => {
  for (const query of [
    '?from=yesterday',
    '?site_id=XXX',
    '?from=2026-03-11T00:00:00.000Z&to=2026-03-10T00:00:00.000Z',
  ]) {
    const { status, body } = await app.client.operator('GET', `${path}${query}`)
    assert.deepEqual([status, body.error], [400, 'bad_request'], query)
  }
  assert.equal((await app.client.send('GET', path, { token: 'stranger' })).status, 401)
})
