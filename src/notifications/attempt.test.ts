import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../test/harness/contract.ts'
import type { SendOutcome } from '../platform/outbound/outbound.ts'
import {
  attemptOutcome,
  decideRetry,
  isHanging,
  type RetryDecision,
  requestBody,
  requestHeaders,
} from './attempt.ts'

const answeredWith = (status: number): SendOutcome => ({
  kind: 'answered',
  status,
  headers: {},
  body: '',
  reqTimeMs: 5,
})

contract(['4.5', '6.3'], 'exactly 200 is accepted; whatever else came is not', () => {
  assert.equal(attemptOutcome(answeredWith(200)), 'accepted')
  for (const status of [100, 199, 201, 202, 203, 204, 206, 299, 301, 302, 304, 400, 429, 500, 503])
    assert.equal(attemptOutcome(answeredWith(status)), 'not_200', String(status))
  assert.equal(attemptOutcome({ kind: 'timeout', reqTimeMs: 5 }), 'timeout')
  assert.equal(attemptOutcome({ kind: 'unreachable', why: '', reqTimeMs: 5 }), 'unreachable')
  assert.equal(
    attemptOutcome({ kind: 'refused_address', why: '', reqTimeMs: 5 }),
    'refused_address',
  )
})

contract(
  ['6.3', '8', 'notifications'],
  'a retry comes after 12 hours less at most a tenth; the fifth failure is the last',
  () => {
    const now = new Date('2026-03-10T12:00:00.000Z')
    const plan = { retryHours: 12, attempts: 5 }
    const retryAt = (time: string): RetryDecision => ({ next: 'retry', due: new Date(time) })
    const cases: [attempt: number, jitter: number, verdict: RetryDecision][] = [
      [1, 0, retryAt('2026-03-11T00:00:00.000Z')],
      [1, 0.5, retryAt('2026-03-10T23:24:00.000Z')],
      [4, 1, retryAt('2026-03-10T22:48:00.000Z')],
      [5, 0, { next: 'lost' }],
      [6, 0, { next: 'lost' }],
    ]
    for (const outcome of ['not_200', 'timeout', 'unreachable', 'refused_address'] as const)
      for (const [attempt, jitter, verdict] of cases)
        assert.deepEqual(decideRetry(outcome, { attempt, now, jitter }, plan), verdict)
    for (const attempt of [1, 5])
      assert.deepEqual(decideRetry('accepted', { attempt, now, jitter: 0 }, plan), { next: 'done' })
  },
)

const notification = {
  applicationId: 5503910054141466,
  seq: 9,
  id: '5da8a1b24be30a49eb66c52a',
  userId: 468424240,
  topic: 'orders_v2',
  resource: '/orders/2195160686',
  received: new Date('2019-10-30T16:19:20.106Z'),
}
const sent = new Date('2019-10-30T16:19:20.129Z')

contract(
  ['1', '2.17', '6.1', '6.3', 'notifications'],
  'the body has the keys and the order of the contract, byte for byte',
  () => {
    assert.equal(
      requestBody(notification, { attempt: 1, sent }),
      '{"_id":"5da8a1b24be30a49eb66c52a","resource":"/orders/2195160686",' +
        '"user_id":468424240,"topic":"orders_v2",' +
        '"application_id":5503910054141466,"attempts":1,"sent":"2019-10-30T16:19:20.129Z",' +
        '"received":"2019-10-30T16:19:20.106Z"}',
    )
  },
)

contract('6.1', 'what concerns pictures is wrapped', () => {
  const pictures = { ...notification, topic: 'pictures', resource: '/pictures/1-MLA2/errors' }
  assert.equal(
    requestBody(pictures, { attempt: 3, sent }),
    '{"messages":[{"_id":"5da8a1b24be30a49eb66c52a","application_id":5503910054141466,' +
      '"user_id":468424240,"resource":"/pictures/1-MLA2/errors","topic":"pictures",' +
      '"sent":"2019-10-30T16:19:20.129Z","received":"2019-10-30T16:19:20.106Z","attempts":3,' +
      '"created_at":"2019-10-30T16:19:20.106Z"}]}',
  )
})

contract(['4.5', 'notifications'], 'content-length counts bytes, not characters', () => {
  assert.deepEqual(requestHeaders('"añ"'), {
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': '5',
  })
})

test('who refuses at once does not hang; who is waited for in vain does', () => {
  const cases: [came: SendOutcome, hangs: boolean][] = [
    [{ kind: 'timeout', reqTimeMs: 20_000 }, true],
    [{ kind: 'unreachable', why: 'connect timeout', reqTimeMs: 10_000 }, true],
    [{ kind: 'unreachable', why: 'connection refused', reqTimeMs: 2 }, false],
    [{ kind: 'refused_address', why: '', reqTimeMs: 0 }, false],
    [{ ...answeredWith(500), reqTimeMs: 19_000 }, false],
  ]
  for (const [came, hangs] of cases) assert.equal(isHanging(came), hangs, JSON.stringify(came))
})
