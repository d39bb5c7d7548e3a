import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretOf, signedHeaders } from '../src/notifications/signing/sign.ts'
import { contract } from '../test/harness/contract.ts'
import { NotGenuine, verifyNotification } from './notification.ts'

/** Signed by the program's own hand, and by the published example of Standard Webhooks. */
const [older, newer, other] = ['11', '22', '33'].map((hex) => secretOf(hex.repeat(32))) as [
  string,
  string,
  string,
]
const sent = new Date('2026-03-10T15:00:00.000Z')
const now = () => sent.getTime()
const body = JSON.stringify({
  resource: '/orders/7',
  user_id: 1001,
  topic: 'orders_v2',
  application_id: 77,
  attempts: 2,
  sent: sent.toISOString(),
  received: sent.toISOString(),
  comment: 'ñandú 🎈',
})
const headers = signedHeaders({ id: 'msg_1', seq: 12, sent, body }, [newer, older])

contract('6.1', 'a notification that any secret in force has signed is read', () => {
  for (const secrets of [newer, older, [other, older], [newer, older]]) {
    const read = verifyNotification(headers, body, secrets, { now })
    assert.deepEqual(
      { ...read, body: undefined },
      {
        id: 'msg_1',
        topic: 'orders_v2',
        resource: '/orders/7',
        userId: 1001,
        applicationId: 77,
        attempts: 2,
        sequence: 12,
        body: undefined,
      },
    )
    assert.equal(read.body['comment'], 'ñandú 🎈')
  }
})

test('headers are taken as frameworks hand them out, bodies as text and as bytes', () => {
  const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])
  const ways = [headers, new Headers(headers), Object.fromEntries(upper)]
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  for (const way of [...ways, lists]) {
    for (const payload of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
      assert.equal(verifyNotification(way, payload, newer, { now }).id, 'msg_1')
    }
  }
})

test('the published example of Standard Webhooks is genuine', () => {
  const example = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const at = { now: () => 1_614_265_330_000 }
  assert.equal(verifyNotification(example, '{"test": 2432232314}', secret, at).sequence, undefined)
})

test('what is not genuine is refused, and in words that say what is wrong with it', () => {
  const without = (name: string) => ({ ...headers, [name]: undefined })
  const signature = headers['webhook-signature'] ?? ''
  const cases: [what: string, headers: object, body: string, says: RegExp][] = [
    ['another body', headers, body.replace('1001', '1002'), /no signature matches/],
    ['a space more', headers, `${body} `, /no signature matches/],
    ['another id', { ...headers, 'webhook-id': 'msg_2' }, body, /no signature matches/],
    ['another time', { ...headers, 'webhook-timestamp': '1773154801' }, body, /no signature/],
    [
      'cut short',
      { ...headers, 'webhook-signature': signature.slice(0, 20) },
      body,
      /no signature/,
    ],
    [
      'another version',
      { ...headers, 'webhook-signature': signature.replaceAll('v1,', 'v2,') },
      body,
      /no signature/,
    ],
    ['no id', without('webhook-id'), body, /missing/],
    ['no time', without('webhook-timestamp'), body, /missing/],
    ['no signature', without('webhook-signature'), body, /missing/],
    ['a strange time', { ...headers, 'webhook-timestamp': 'now' }, body, /not a time/],
  ]
  for (const [what, caseHeaders, text, says] of cases) {
    assert.throws(
      () => verifyNotification(caseHeaders as Record<string, string>, text, older, { now }),
      (error) => error instanceof NotGenuine && says.test(error.message),
      what,
    )
  }
  assert.throws(() => verifyNotification(headers, body, other, { now }), NotGenuine)
  assert.throws(() => verifyNotification(headers, body, [], { now }), NotGenuine)
  assert.throws(() => verifyNotification(headers, body, 'whsec_', { now }), TypeError)
})

test('one that is too old is refused, and so is one from a time to come', () => {
  const at = (seconds: number) => ({ now: () => sent.getTime() + seconds * 1000 })
  for (const seconds of [-300, 0, 300]) verifyNotification(headers, body, newer, at(seconds))
  for (const seconds of [-301, 301]) {
    assert.throws(() => verifyNotification(headers, body, newer, at(seconds)), NotGenuine)
  }
  const patient = { ...at(3000), toleranceSeconds: 3600 }
  assert.equal(verifyNotification(headers, body, newer, patient).id, 'msg_1')
})

contract('6.1', 'a faulty picture, which is told in a list of one, is read as any other', () => {
  const notification = {
    resource: '/pictures/P/errors',
    user_id: 5,
    topic: 'pictures',
    application_id: 7,
  }
  const text = JSON.stringify({ messages: [{ _id: 'f', ...notification, attempts: 1 }] })
  const signed = signedHeaders({ id: 'msg_3', seq: 1, sent, body: text }, [newer])
  const { topic, resource, userId } = verifyNotification(signed, text, newer, { now })
  assert.deepEqual([topic, resource, userId], ['pictures', '/pictures/P/errors', 5])
})
