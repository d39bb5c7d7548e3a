import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AnswerFault,
  affectsRequestNumber,
  interferenceOf,
  matchesAnOrder,
  matchesRequest,
} from './fault.ts'

const fault: AnswerFault = {
  name: 'x',
  kind: 'failure',
  applicationId: null,
  method: null,
  path: null,
  share: 1,
  seed: 7,
  times: null,
  status: 503,
  retryAfter: 3,
  delayMs: 20,
  parts: [],
  isDone: false,
}
const read = {
  method: 'GET',
  route: '/orders/:order_id',
  path: '/orders/12',
  applicationId: 77,
  mayLackParts: true,
}

const matches: [says: string, fault: Partial<AnswerFault>, asked: Partial<typeof read>, boolean][] =
  [
    ['nothing said is any request', {}, {}, true],
    ['the application of the token', { applicationId: 77 }, {}, true],
    ['another application', { applicationId: 78 }, {}, false],
    ['the method', { method: 'POST' }, {}, false],
    ['an operation as it is written', { path: '/orders/{order_id}' }, {}, true],
    ['another operation', { path: '/orders/{order_id}/notes' }, {}, false],
    ['one path alone', { path: '/orders/12' }, {}, true],
    ['the whole of it', { path: '/orders/1' }, {}, false],
    ['anything behind', { path: '/orders/*' }, {}, true],
    ['anything between', { path: '/or*/1*' }, {}, true],
    ['a point is no wildcard', { path: '/orders/.2' }, {}, false],
    ['parts of what has none', { kind: 'parts' }, { mayLackParts: false }, false],
    ['parts of what has some', { kind: 'parts' }, {}, true],
  ]

for (const [says, of, request, expected] of matches) {
  test(`a fault is about ${says}: ${expected}`, () => {
    assert.equal(matchesRequest({ ...fault, ...of }, { ...read, ...request }), expected)
  })
}

test('a pattern is of orders if it matches the path of an order, whatever its id', () => {
  const cases: [path: string, expected: boolean][] = [
    ['/orders/{order_id}', true],
    ['/orders/2000001234', true],
    ['/orders/*', true],
    ['/or*/1*5', true],
    ['*', true],
    ['/*', true],
    ['*/7', true],
    ['/orders/search', false],
    ['/orders/search*', false],
    ['/orders/{order_id}/notes', false],
    ['/orders/*/notes', false],
    ['/orders', false],
    ['/packs/*', false],
    ['/items/MLA1', false],
  ]
  for (const [path, expected] of cases) assert.equal(matchesAnOrder(path), expected, path)
})

test('which requests are met follows from seed and number, about as many as were asked for', () => {
  const met = (seed: number) =>
    Array.from({ length: 1_000 }, (_, n) =>
      affectsRequestNumber({ ...fault, seed, share: 0.3 }, n + 1),
    )
  assert.deepEqual(met(7), met(7))
  assert.notDeepEqual(met(7), met(8))
  const count = met(7).filter(Boolean).length
  assert.ok(count > 250 && count < 350, String(count))
  assert.ok(
    !affectsRequestNumber({ ...fault, share: 0 }, 1) &&
      affectsRequestNumber({ ...fault, share: 1 }, 1),
  )
})

test('of several faults the longest wait holds and one end: a cut, a conflict, a limit, a failure', () => {
  const slow = { ...fault, name: 'slow', kind: 'slow' } as const
  const limit = { ...fault, name: 'limit', kind: 'limit' } as const
  const parts = { ...fault, name: 'parts', kind: 'parts', parts: ['buyer'] } as const
  assert.equal(interferenceOf([]), undefined)
  assert.deepEqual(interferenceOf([fault, limit, { ...slow, delayMs: 50 }, slow, parts]), {
    names: ['slow', 'slow', 'limit', 'x', 'parts'],
    delayMs: 50,
    reset: false,
    refusal: { status: 429, retryAfterSeconds: 3 },
    parts: ['buyer'],
    isDone: false,
  })
  const cut = interferenceOf([fault, { ...fault, kind: 'reset', isDone: true }])
  assert.deepEqual([cut?.reset, cut?.refusal, cut?.isDone], [true, undefined, true])
})
