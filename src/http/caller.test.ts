import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../test/harness/contract.ts'
import { isOperator, tokenOf } from './caller.ts'

contract('5', 'a token comes in the header or in the query, and the header wins', () => {
  const cases: [header: string | undefined, query: object, token: string | undefined][] = [
    ['Bearer abc', {}, 'abc'],
    ['bearer abc', {}, 'abc'],
    ['Bearer   abc', {}, 'abc'],
    [undefined, { access_token: 'abc' }, 'abc'],
    ['Bearer abc', { access_token: 'def' }, 'abc'],
    [undefined, {}, undefined],
    [undefined, { access_token: '' }, undefined],
    [undefined, { access_token: ['a', 'b'] }, undefined],
    // A header that bears no token is a wrong token, not none: it is never passed over in silence.
    ['', {}, ''],
    ['Bearer', {}, ''],
    ['Bearer ', { access_token: 'abc' }, ''],
    ['Bearer a b', {}, ''],
    ['Basic dXNlcjpwYXNz', { access_token: 'abc' }, ''],
  ]
  for (const [authorization, query, token] of cases) {
    assert.equal(tokenOf({ headers: { authorization }, query }), token, String(authorization))
  }
})

test('the operator is known by the whole token, in the header only', () => {
  const token = 'the-token-of-the-operator'
  assert.ok(isOperator(`Bearer ${token}`, token))
  for (const header of [
    undefined,
    '',
    'Bearer',
    token,
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer ${token} x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token.toUpperCase()}`,
  ]) {
    assert.ok(!isOperator(header, token), String(header))
  }
})
