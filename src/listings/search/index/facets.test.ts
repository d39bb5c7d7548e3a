import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { itemConditions } from '../../../kernel/item-conditions.ts'
import { shippingModes } from '../../../kernel/shipping-modes.ts'
import {
  packFacets,
  priceBucketBound,
  priceBucketCount,
  priceBucketOf,
  priceBucketsIn,
  splitPriceBuckets,
  traitFilters,
  unpackFacets,
} from './facets.ts'

const facets = fc.record({
  category: fc.integer({ min: 0, max: 2 ** 23 - 1 }),
  condition: fc.constantFrom(...itemConditions),
  shippingMode: fc.constantFrom(...shippingModes),
  hasFreeShipping: fc.boolean(),
  hasLocalPickUp: fc.boolean(),
  isClassified: fc.boolean(),
})

test('facets are packed into 31 bits and come out as they were', () => {
  fc.assert(
    fc.property(facets, (one) => {
      const number = packFacets(one)
      assert.ok(number >= 0 && number < 2 ** 31)
      assert.deepEqual(unpackFacets(number), { ...one })
    }),
  )
})

test('a category with a number too large to pack is none', () => {
  const one = { category: 2 ** 23, condition: 'new', shippingMode: 'me2' }
  const flags = { hasFreeShipping: false, hasLocalPickUp: false, isClassified: false }
  assert.equal(unpackFacets(packFacets({ ...one, ...flags })).category, 0)
})

test('no two traits have an id in common', () => {
  const ids = Object.values(traitFilters).flatMap((tests) => Object.keys(tests))
  assert.equal(new Set(ids).size, ids.length)
})

const price = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }),
  fc.integer({ min: 0, max: 1_000_000_000_000_000 }),
  fc.constantFrom(0, 99, 100, 101, 200, 500, 1_000, 2_000, 5_000, 50_000),
)

test('price buckets follow each other as prices do, and a bound is a bucket of its own', () => {
  fc.assert(
    fc.property(price, price, (a, b) => {
      if (a <= b) assert.ok(priceBucketOf(a) <= priceBucketOf(b))
      const [bound, below] = [
        priceBucketBound(priceBucketOf(a)),
        priceBucketBound(priceBucketOf(a) - 1),
      ]
      assert.ok(priceBucketOf(a) < priceBucketCount)
      if (priceBucketOf(a) % 2 === 1) assert.equal(a, bound)
      else {
        if (bound !== null) assert.ok(a < bound)
        if (below !== null && priceBucketOf(a) > 0) assert.ok(a > below)
      }
    }),
  )
})

test('a range cuts the price buckets at its ends, unless it ends at their bounds', () => {
  fc.assert(
    fc.property(fc.option(price), fc.option(price), price, (one, other, value) => {
      const isTurned = one !== null && other !== null && one > other
      const [from, to] = isTurned ? [other, one] : [one, other]
      const { whole, cut } = splitPriceBuckets({ from, to })
      const isIn = (from === null || value >= from) && (to === null || value <= to)
      if (whole.has(priceBucketOf(value))) assert.ok(isIn)
      else if (isIn) assert.ok(cut.includes(priceBucketOf(value)))
    }),
    { numRuns: 2_000 },
  )
})

test('the price buckets of a range hold every price of it, and whole ones no other', () => {
  fc.assert(
    fc.property(fc.option(price), fc.option(price), price, (one, other, value) => {
      const isTurned = one !== null && other !== null && one > other
      const [from, to] = isTurned ? [other, one] : [one, other]
      const { priceBuckets, isWhole } = priceBucketsIn({ from, to })
      const isIn = (from === null || value >= from) && (to === null || value <= to)
      if (isIn) assert.ok(priceBuckets.includes(priceBucketOf(value)))
      else if (isWhole) assert.ok(!priceBuckets.includes(priceBucketOf(value)))
    }),
    { numRuns: 2_000 },
  )
})
