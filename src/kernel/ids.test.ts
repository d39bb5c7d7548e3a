import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Failure } from './failure.ts'
import { firstId, largestId, parseId, pathId } from './ids.ts'

test('an id is a positive whole number that JSON can carry exactly', () => {
  const cases: [text: string, id: number | undefined][] = [
    ['1', 1],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', undefined],
    ['9007199254740993', undefined],
    ['99999999999999999999', undefined],
    ...[
      '0',
      '-1',
      '+1',
      '01',
      '1.0',
      '1.5',
      '1e3',
      '0x10',
      '1n',
      '1_000',
      '',
      ' 1',
      '1 ',
      '1\n',
    ].map((text): [string, undefined] => [text, undefined]),
    ...['null', 'NaN', 'Infinity', '١', '１'].map((text): [string, undefined] => [text, undefined]),
  ]
  for (const [text, id] of cases) assert.equal(parseId(text), id, JSON.stringify(text))
})

test('every id is read back as it was written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: largestId }), (id) => {
      assert.equal(parseId(String(id)), id)
    }),
  )
})

test('a path that names no id is refused by the name of its field', () => {
  assert.equal(pathId('order_id', '7'), 7)
  assert.throws(
    () => pathId('order_id', '9007199254740992'),
    (error) =>
      error instanceof Failure &&
      error.message === `order_id: expected a whole number from 1 to ${largestId}`,
  )
})

test('the kinds of ids begin far apart, with room to count in each', () => {
  const begins = Object.values(firstId).sort((a, b) => a - b)
  for (const [index, begin] of begins.entries()) {
    const room = (begins[index + 1] ?? largestId) - begin
    assert.ok(room >= 100_000_000, `${begin} has room for ${room}`)
  }
})
