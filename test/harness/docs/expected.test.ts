import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf } from './blocks.ts'
import { differenceOf, isShown, jsonValuesOf } from './expected.ts'

test('an answer that a page shows is compared as a part of the real one', () => {
  const answer = { id: 7, status: 'paid', tags: ['a', 'b', 'c'], buyer: { id: 1, name: 'Ana' } }
  const same: unknown[] = [
    {},
    { id: 7 },
    { id: '…', status: 'p…d' },
    { tags: ['a', 'b', 'c'] },
    { tags: ['b', '…'] },
    { tags: ['a', '…', 'c'], '…': '…' },
    { buyer: { name: '…' } },
    { buyer: '…' },
  ]
  for (const expected of same) assert.equal(differenceOf(expected, answer), undefined)
  const other: [unknown, RegExp][] = [
    [{ id: 8 }, /\.id: expected 8, got 7/],
    [{ id: '7' }, /\.id/],
    [{ total: '…' }, /has no "total"/],
    [{ status: 'x…' }, /\.status/],
    [{ tags: ['a'] }, /\.tags: expected 1 entries, got 3/],
    [{ tags: ['b', 'a', '…'] }, /\.tags/],
    [{ buyer: [] }, /\.buyer: expected a list/],
    [{ id: {} }, /\.id: expected an object/],
    [[], /the answer: expected a list/],
  ]
  for (const [expected, says] of other) assert.match(differenceOf(expected, answer) ?? '', says)
})

test('JSON is found among other lines of an output', () => {
  assert.deepEqual(jsonValuesOf('HTTP/1.1 200 OK\n\n{"a":1}\nnoise\n[2]\n'), [{ a: 1 }, [2]])
  assert.deepEqual(jsonValuesOf('{\n "a": 1\n}\n'), [{ a: 1 }])
  assert.ok(isShown('orders_v2 … 200', 'x orders_v2   /orders/1  200 4 ms'))
  assert.ok(!isShown('orders_v2 … 200', 'orders_v2\n200'))
})

test('blocks are read with the comments in front of them and the answer behind them', () => {
  const page = [
    '1. Do it:',
    '   <!-- refused: 403 -->',
    '   <!-- shows: no -->',
    '   ```sh',
    '   curl x',
    '   ```',
    '',
    '   ```json',
    '   {"a":1}',
    '   ```',
    '<!-- not run: it stops the machine -->',
    '```sh',
    'halt',
    '```',
    '## Another',
    '```json',
    '{}',
    '```',
  ].join('\n')
  const [first, answer, second, unrelated] = blocksOf('page.md', page)
  assert.deepEqual(first?.refused, [403])
  assert.deepEqual(first?.shows, ['no'])
  assert.equal(first?.text, 'curl x')
  assert.equal(first?.line, 4)
  assert.equal(first?.expected, answer)
  assert.equal(second?.notRun, 'it stops the machine')
  assert.equal(second?.expected, undefined)
  assert.equal(unrelated?.language, 'json')
  assert.throws(() => blocksOf('p', '<!-- not run: -->\n```sh\n```'), /needs a reason/)
  assert.throws(() => blocksOf('p', '<!-- not run: x -->\ntext'), /stands before no block/)
  assert.throws(() => blocksOf('p', '<!-- runs against: me -->\n```sh\n```'), /no target "me"/)
})
