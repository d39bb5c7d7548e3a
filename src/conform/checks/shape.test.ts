import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences, either, oneOf, orNull, type Shape } from './shape.ts'

test('a shape says what of a value differs, and where', () => {
  const order: Shape = {
    id: 'a whole number',
    closed: orNull('a timestamp'),
    'note?': 'text',
    items: [{ price: 'a number', kind: oneOf('new', 'used') }],
  }
  const right = { id: 7, closed: null, items: [{ price: 1.5, kind: 'new', more: 1 }], other: [] }
  const cases: [value: unknown, differs: (string | RegExp)[]][] = [
    [right, []],
    [{ ...right, closed: '2026-03-10T12:00:00.000-04:00' }, []],
    [{ ...right, note: 'x' }, []],
    [{ ...right, items: [] }, []],
    [{ ...right, id: '7' }, ['body.id: expected a whole number, found "7"']],
    [{ ...right, id: null }, ['body.id: expected a whole number, found null']],
    [{ ...right, id: undefined }, ['body.id: missing']],
    [{ ...right, note: 1 }, ['body.note: expected text, found 1']],
    [{ ...right, closed: '2026-03-10T12:00:00Z' }, [/^body\.closed: expected a timestamp/]],
    [{ ...right, items: {} }, ['body.items: expected a list, found {}']],
    [
      { ...right, items: [right.items[0], { price: 'x', kind: 'old' }] },
      [
        'body.items[1].price: expected a number, found "x"',
        'body.items[1].kind: expected one of new, used, found "old"',
      ],
    ],
    [[], ['body: expected an object, found []']],
    [undefined, ['body: expected an object, found nothing']],
  ]
  for (const [value, differs] of cases) {
    const reported = differences(order, value)
    assert.equal(reported.length, differs.length, `${reported}`)
    for (const [n, expected] of differs.entries()) {
      if (expected instanceof RegExp) assert.match(reported[n] ?? '', expected)
      else assert.equal(reported[n], expected)
    }
  }
})

test('of several ways that a value may look, the closest tells what is wrong', () => {
  const party = either({ id: 'a whole number', nickname: 'text', email: 'text' }, { id: 'text' })
  assert.deepEqual(differences(party, { id: 1, nickname: 'a', email: 'b' }), [])
  assert.deepEqual(differences(party, { id: '1' }), [])
  assert.deepEqual(differences(party, { id: 1, nickname: 'a' }), ['body.email: missing'])
})

test('no more is told than can be read', () => {
  const many = Array.from({ length: 100 }, () => 'x')
  assert.equal(differences(['a number'], many).length, 5)
  const [long = ''] = differences('a number', 'x'.repeat(500))
  assert.ok(long.length < 130, long)
})
