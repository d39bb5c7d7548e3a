import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredOwner } from './preferred-owner.ts'

const holders = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
const applications = Array.from({ length: 4_000 }, (_, index) => 7_000_000 + index)

test('every process gets about as many lanes as any other', () => {
  const counts = Map.groupBy(applications, (id) => preferredOwner(holders, id))
  assert.equal(counts.size, 4)
  for (const [holder, those] of counts) {
    assert.ok(those.length > 850 && those.length < 1_150, `${holder} has ${those.length}`)
  }
})

test('when a process goes, only its lanes move, and to all of the others', () => {
  const [departed, ...rest] = holders
  const moved = applications.filter(
    (id) => preferredOwner(holders, id) !== preferredOwner(rest, id),
  )
  assert.deepEqual(
    moved,
    applications.filter((id) => preferredOwner(holders, id) === departed),
  )
  assert.equal(new Set(moved.map((id) => preferredOwner(rest, id))).size, 3)
})

test('the order in which processes are known changes nothing, and where none is there is no choice', () => {
  const other = holders.toReversed()
  for (const id of applications.slice(0, 100)) {
    assert.equal(preferredOwner(other, id), preferredOwner(holders, id))
  }
  assert.equal(preferredOwner([], 1), undefined)
})
