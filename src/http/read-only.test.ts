import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { OrNull } from '../kernel/schema.ts'
import { readOnlyStripper } from './read-only.ts'

const Line = Type.Object({ quantity: Type.Optional(Type.Integer()) })
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
  const strip = readOnlyStripper(body, resource)
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
  for (const [given, left] of cases) {
    const before = JSON.stringify(given)
    assert.deepEqual(strip?.(given), left, before)
    assert.equal(JSON.stringify(given), before, 'nothing is changed in place')
  }
})

test('a body that takes all of its resource is read as it is', () => {
  assert.equal(readOnlyStripper(resource, body), undefined)
  assert.equal(readOnlyStripper(body, undefined), undefined)
  assert.equal(readOnlyStripper(Type.Unknown(), resource), undefined)
})
