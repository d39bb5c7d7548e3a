import assert from 'node:assert/strict'

import fc from 'fast-check'
import { contract } from '../../../../test/harness/contract.ts'
import { type Counts, Joint, together } from './joint.ts'

interface One {
  category: number
  trait: number
  band: number
}

const number = fc.integer({ min: 0, max: 4 })
const listings = fc.array(fc.record({ category: number, trait: number, band: number }), {
  maxLength: 60,
})

function counted(all: readonly One[]): Counts {
  const by = (side: keyof One) => {
    const counts = new Map<number, number>()
    for (const each of all) counts.set(each[side], (counts.get(each[side]) ?? 0) + 1)
    return counts
  }
  return { total: all.length, categories: by('category'), traits: by('trait'), bands: by('band') }
}

function jointOf(all: readonly One[]): Joint {
  const pairs = (one: keyof One, other: keyof One) => {
    const groups = Map.groupBy(all, (each) => `${each[one]} ${each[other]}`)
    return Int32Array.from(
      [...groups].flatMap(([key, some]) => [...key.split(' ').map(Number), some.length]),
    )
  }
  return new Joint({
    categoryTraits: pairs('category', 'trait'),
    categoryBands: pairs('category', 'band'),
    traitBands: pairs('trait', 'band'),
  })
}

contract('4.4', 'what is narrowed by traits or by price counts as if it were counted alone', () => {
  fc.assert(
    fc.property(listings, fc.subarray([0, 1, 2, 3, 4]), (all, some) => {
      const joint = jointOf(all)
      assert.deepEqual(joint.counts(), counted(all))
      assert.deepEqual(
        joint.withBands((band) => some.includes(band)),
        counted(all.filter(({ band }) => some.includes(band))),
      )
      assert.deepEqual(
        joint.withTraits((trait) => some.includes(trait)),
        counted(all.filter(({ trait }) => some.includes(trait))),
      )
    }),
  )
})

contract('4.4', 'counts of things that are apart add up', () => {
  fc.assert(
    fc.property(listings, listings, (one, other) => {
      assert.deepEqual(together(counted(one), counted(other)), counted([...one, ...other]))
    }),
  )
})
