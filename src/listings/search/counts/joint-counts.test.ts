import assert from 'node:assert/strict'

import fc from 'fast-check'
import { contract } from '../../../../test/harness/contract.ts'
import { addCounts, JointCounts, type SearchCounts } from './joint-counts.ts'

interface CountedListing {
  category: number
  trait: number
  band: number
}

const number = fc.integer({ min: 0, max: 4 })
const listings = fc.array(fc.record({ category: number, trait: number, band: number }), {
  maxLength: 60,
})

function counted(all: readonly CountedListing[]): SearchCounts {
  const by = (side: keyof CountedListing) => {
    const counts = new Map<number, number>()
    for (const listing of all) counts.set(listing[side], (counts.get(listing[side]) ?? 0) + 1)
    return counts
  }
  return {
    total: all.length,
    categories: by('category'),
    traits: by('trait'),
    priceBuckets: by('band'),
  }
}

function jointOf(all: readonly CountedListing[]): JointCounts {
  const pairs = (one: keyof CountedListing, other: keyof CountedListing) => {
    const groups = Map.groupBy(all, (listing) => `${listing[one]} ${listing[other]}`)
    return Int32Array.from(
      [...groups].flatMap(([key, some]) => [...key.split(' ').map(Number), some.length]),
    )
  }
  return new JointCounts({
    categoryTraits: pairs('category', 'trait'),
    categoryPriceBuckets: pairs('category', 'band'),
    traitPriceBuckets: pairs('trait', 'band'),
  })
}

contract('4.4', 'what is narrowed by traits or by price counts as if it were counted alone', () => {
  fc.assert(
    fc.property(listings, fc.subarray([0, 1, 2, 3, 4]), (all, some) => {
      const joint = jointOf(all)
      assert.deepEqual(joint.counts(), counted(all))
      assert.deepEqual(
        joint.narrowByPriceBucket((band) => some.includes(band)),
        counted(all.filter(({ band }) => some.includes(band))),
      )
      assert.deepEqual(
        joint.narrowByTraits((trait) => some.includes(trait)),
        counted(all.filter(({ trait }) => some.includes(trait))),
      )
    }),
  )
})

contract('4.4', 'counts of things that are apart add up', () => {
  fc.assert(
    fc.property(listings, listings, (one, other) => {
      assert.deepEqual(addCounts(counted(one), counted(other)), counted([...one, ...other]))
    }),
  )
})
