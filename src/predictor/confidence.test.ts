import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { confidenceDepth, probabilitiesByListings, probabilitiesByNames } from './confidence.ts'

const everySecond = Array.from({ length: confidenceDepth }, (_, rank) => (rank % 2 === 0 ? 0.9 : 0))
const bases: [what: string, probabilitiesOf: (scores: readonly number[]) => number[]][] = [
  ['by names in a large tree', (scores) => probabilitiesByNames(scores, 2_000)],
  ['by names in a small tree', (scores) => probabilitiesByNames(scores, 3)],
]
for (const listingsPerCategory of [0.001, 1, 5_000]) {
  for (const byNames of [[], everySecond]) {
    bases.push([
      `with ${listingsPerCategory} listings a category and ${byNames.length} names`,
      (scores) => probabilitiesByListings(scores, { listingsPerCategory, byNames }),
    ])
  }
}

for (const [what, probabilitiesOf] of bases) {
  test(`probabilities lie between 0 and 1 and fall with the rank, ${what}`, () => {
    const scores = fc
      .array(fc.double({ min: 0.001, max: 100, noNaN: true }), { maxLength: 12 })
      .map((all) => all.sort((one, other) => other - one))
    fc.assert(
      fc.property(scores, (all) => {
        const probabilities = probabilitiesOf(all)
        assert.equal(probabilities.length, Math.min(all.length, confidenceDepth))
        for (const [rank, probability] of probabilities.entries()) {
          assert.ok(probability >= 0 && probability <= (probabilities[rank - 1] ?? 1))
        }
      }),
    )
  })
}

test('proposals with the same score are equally probable', () => {
  const [one, other, last] = probabilitiesByNames([6, 6, 2], 2_000)
  assert.equal(one, other)
  assert.ok((last ?? 1) < (other ?? 0))
})

const byNames = (scores: number[]) => probabilitiesByNames(scores, 2_000)[0] ?? 0
const byListings = (named: number, scores: number[] = [1, 0.5]) =>
  probabilitiesByListings(scores, { listingsPerCategory: 1, byNames: [named] })[0] ?? 0
const surer: [why: string, more: number, less: number][] = [
  ['the second one is further away', byNames([12, 2]), byNames([12, 11])],
  ['the title matches its names better', byNames([12, 2]), byNames([3, 0.5])],
  ['listings say more', byListings(0.5, [2, 0.2]), byListings(0.5, [0.5, 0.2])],
  ['names say the same as few listings', byListings(0.9), byListings(0.1)],
]
for (const [why, more, less] of surer) {
  test(`the first proposal is more probable when ${why}`, () => {
    assert.ok(more > less + 0.05, `${more} ${less}`)
  })
}
