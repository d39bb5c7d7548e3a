import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { OrNull } from '../kernel/schema.ts'
import { readOnlyFields } from './read-only.ts'

const Line = Type.Object({
  id: Type.Optional(Type.Integer()),
  quantity: Type.Optional(Type.Integer()),
})
const body = Type.Object({
  title: Type.Optional(Type.String()),
  place: Type.Optional(OrNull(Type.Object({ city: Type.String() }))),
  lines: Type.Optional(Type.Array(Line)),
})
const resource = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  place: Type.Object({ city: Type.String(), country: Type.String() }),
  lines: Type.Array(Type.Object({ ...Line.properties, sold: Type.Integer() })),
})

test('what a resource answers and its body does not take is left out at every depth, the rest stays', () => {
  const fields = readOnlyFields(body, resource)
  const cases: [given: unknown, left: unknown][] = [
    [
      { id: 1, title: 'a', other: 1 },
      { title: 'a', other: 1 },
    ],
    [{ place: { city: 'x', country: 'y', other: 1 } }, { place: { city: 'x', other: 1 } }],
    [{ lines: [{ quantity: 1, sold: 2 }, null, 3] }, { lines: [{ quantity: 1 }, null, 3] }],
    [
      { place: null, lines: { sold: 1 } },
      { place: null, lines: { sold: 1 } },
    ],
    [[{ id: 1 }], [{ id: 1 }]],
    [null, null],
    ['id', 'id'],
  ]
  for (const [value, stripped] of cases) {
    const before = JSON.stringify(value)
    assert.deepEqual(fields?.strip(value), stripped, before)
    assert.equal(JSON.stringify(value), before, 'nothing is changed in place')
  }
})

test('a body that takes all of its resource is read as it is', () => {
  assert.equal(readOnlyFields(resource, body), undefined)
  assert.equal(readOnlyFields(body, undefined), undefined)
  assert.equal(readOnlyFields(Type.Unknown(), resource), undefined)
})

test('a field that cannot be changed is named when it has another value than is stored', () => {
  const stored = {
    id: 1,
    place: { city: 'x', country: 'y' },
    lines: [
      { id: 1, quantity: 1, sold: 5 },
      { id: 2, quantity: 2, sold: 6 },
    ],
  }
  const cases: [given: unknown, changed: string[]][] = [
    [stored, []],
    [{ title: 'b', id: 1 }, []],
    [{ id: 2 }, ['id']],
    [{ id: '1' }, ['id']],
    [{ id: null, place: { city: 'z', country: 'z' } }, ['id', 'place.country']],
    [{ place: null, lines: {} }, []],
    [{ lines: [{ id: 2, quantity: 9, sold: 6 }] }, []],
    [{ lines: [{ sold: 5 }, { sold: 6 }] }, []],
    [
      {
        lines: [
          { id: 2, sold: 5 },
          { id: 3, sold: 7 },
        ],
      },
      ['lines.sold'],
    ],
    [null, []],
  ]
  const fields = readOnlyFields(body, resource)
  for (const [value, changed] of cases) {
    assert.deepEqual([...(fields?.changedIn(value, stored) ?? [])], changed, JSON.stringify(value))
  }
  const all = fields?.changedIn(stored, undefined)
  assert.deepEqual([...(all ?? [])], ['id', 'place.country', 'lines.sold'])
})
