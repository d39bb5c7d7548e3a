import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { noContent, ok, okJsonText, type RouteResponse } from '../route.ts'
import { keepFields } from './select.ts'

const requestFor = (attributes: unknown, method = 'GET') =>
  ({ method, query: { attributes } }) as never

contract('leniency', 'attributes keeps the named top fields of an answer and nothing else', () => {
  const body = { id: 1, status: 'paid', buyer: { id: 2, email: 'x' } }
  const cases: [attributes: unknown, expected: unknown][] = [
    ['id', { id: 1 }],
    ['id,buyer', { id: 1, buyer: { id: 2, email: 'x' } }],
    ['buyer,id', { id: 1, buyer: { id: 2, email: 'x' } }],
    ['nothing', {}],
    ['email', {}],
    [',', {}],
    ['__proto__,constructor,toString', {}],
    ['', body],
    [undefined, body],
    [['id', 'status'], { id: 1, status: 'paid' }],
  ]
  for (const [attributes, expected] of cases) {
    assert.deepEqual(
      keepFields(ok(body), requestFor(attributes)).body,
      expected,
      String(attributes),
    )
  }
})

contract('leniency', 'of a list, each element is cut', () => {
  const list = [{ id: 1, name: 'a' }, { id: 2, name: 'b' }, 7, null]
  assert.deepEqual(keepFields(ok(list), requestFor('id')).body, [{ id: 1 }, { id: 2 }, 7, null])
})

test('an answer that lies ready as JSON text is cut as well', () => {
  const answer = keepFields(okJsonText('{"id":1,"status":"paid"}'), requestFor('status'))
  assert.deepEqual(answer, { status: 200, body: { status: 'paid' } })
})

test('what is no JSON answer to a GET stays whole', () => {
  const figures: RouteResponse = {
    status: 200,
    text: 'a 1',
    headers: { 'content-type': 'text/plain' },
  }
  const refusal: RouteResponse = { status: 404, body: { message: 'x', error: 'y' } }
  const created: RouteResponse = { status: 201, body: { id: 1, name: 'a' } }
  assert.equal(keepFields(figures, requestFor('id')), figures)
  assert.equal(keepFields(refusal, requestFor('message')), refusal)
  assert.equal(keepFields(created, requestFor('id', 'POST')), created)
  assert.deepEqual(keepFields(noContent(), requestFor('id')), noContent())
})
