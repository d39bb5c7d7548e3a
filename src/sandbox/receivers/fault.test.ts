import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import {
  type DeliveryAttempt,
  deliveryAttemptOf,
  faultsAffecting,
  type ReceiverFault,
  receiverFaultKinds,
} from './fault.ts'

const fault = (more: Partial<ReceiverFault>): ReceiverFault => ({
  applicationId: null,
  topic: null,
  kind: 'drop',
  share: 0.5,
  seed: 7,
  delayMs: 100,
  status: 500,
  ...more,
})
const telling = (sequence: number, more: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  applicationId: 10,
  topic: 'orders_v2',
  resource: '/orders/1',
  attempt: 1,
  sequence: String(sequence),
  ...more,
})
const met = (faults: ReceiverFault[], more: Partial<DeliveryAttempt> = {}) =>
  Array.from({ length: 1_000 }, (_, n) => faultsAffecting(telling(n, more), faults).length > 0)

test('the same seed meets the same notifications, another seed others', () => {
  assert.deepEqual(met([fault({})]), met([fault({})]))
  assert.notDeepEqual(met([fault({})]), met([fault({ seed: 8 })]))
  assert.notDeepEqual(met([fault({})]), met([fault({})], { attempt: 2 }), 'a retry is decided anew')
})

test('a share is the part of the notifications that is met', () => {
  for (const [share, from, to] of [
    [0, 0, 0],
    [0.1, 60, 140],
    [0.5, 430, 570],
    [1, 1_000, 1_000],
  ] as const) {
    const count = met([fault({ share })]).filter(Boolean).length
    assert.ok(count >= from && count <= to, `${share}: ${count}`)
  }
})

test('a fault meets its application and topic only', () => {
  const all = { share: 1 }
  const cases: [fault: Partial<ReceiverFault>, isMet: boolean][] = [
    [{}, true],
    [{ applicationId: 10 }, true],
    [{ applicationId: 11 }, false],
    [{ topic: 'orders_v2' }, true],
    [{ topic: 'items' }, false],
    [{ applicationId: 10, topic: 'items' }, false],
  ]
  for (const [more, isMet] of cases) {
    assert.equal(met([fault({ ...all, ...more })])[0], isMet, JSON.stringify(more))
  }
})

test('several kinds are met independently, in one order', () => {
  const faults = receiverFaultKinds.map((kind) => fault({ kind, share: 1 }))
  const kinds = (list: ReceiverFault[]) => faultsAffecting(telling(1), list).map(({ kind }) => kind)
  assert.deepEqual(kinds(faults.toReversed()), [...receiverFaultKinds])
  const [drops, delays] = [met([fault({})]), met([fault({ kind: 'delay' })])]
  assert.notDeepEqual(drops, delays)
})

contract('6.1', 'what a request tells is read off it, wrapped or not, and of nothing else', () => {
  const notification = { resource: '/orders/1', user_id: 1, topic: 'orders_v2', application_id: 10 }
  const headers = { 'x-feria-sequence': '5' }
  const expected = telling(5, { attempt: 3 })
  const plain = JSON.stringify({ ...notification, attempts: 3 })
  const wrapped = JSON.stringify({ messages: [{ _id: 'x', ...notification, attempts: 3 }] })
  for (const body of [plain, wrapped])
    assert.deepEqual(deliveryAttemptOf({ headers, body }), expected)
  for (const body of ['', 'x', 'null', '[]', '{}', '{"application_id":"10","topic":"x"}']) {
    assert.equal(deliveryAttemptOf({ headers, body }), undefined, body)
  }
})
