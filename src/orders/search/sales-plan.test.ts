import assert from 'node:assert/strict'

import fc from 'fast-check'
import { contract } from '../../../test/harness/contract.ts'
import { dayMs } from '../../kernel/clock.ts'
import {
  cheapestPlan,
  conditionKind,
  firstDayOfPage,
  isFullScanCheaper,
  type SaleConditions,
  type SaleSearchCounts,
  splitIntoDays,
} from './sales-plan.ts'
import { parseOrderSort } from './sorts.ts'

const none: SaleConditions = { sellerId: 1, buyerId: null, dates: new Map(), item: null, q: null }
const day = (n: number) => new Date(n * dayMs)

contract('4.3', 'whole days and edges are every moment of a range, each once', () => {
  const near = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -2, max: 2 }))
  const side = fc.option(near.map(([days, ms]) => new Date(days * dayMs + ms)))
  fc.assert(
    fc.property(side, side, near, (from, to, [days, ms]) => {
      const moment = days * dayMs + ms
      const { days: whole, edges } = splitIntoDays({ from, to })
      const ofDay = Math.floor(moment / dayMs)
      const inDays =
        whole !== null &&
        (whole.first === null || ofDay >= whole.first) &&
        (whole.last === null || ofDay <= whole.last)
      const hits = edges.filter(([a, b]) => moment >= a.getTime() && moment <= b.getTime()).length
      const isIn = (!from || moment >= from.getTime()) && (!to || moment <= to.getTime())
      assert.equal(Number(inDays) + hits, Number(isIn))
    }),
    { numRuns: 3_000 },
  )
})

contract('4.3', 'what narrows is told apart, alone and together', () => {
  const dates = new Map([['created', { from: day(1), to: null }]] as const)
  const q = { words: [], prefix: null, named: 0, orderId: 5 }
  assert.equal(conditionKind(none), 'nothing')
  assert.equal(conditionKind({ ...none, dates }), 'created')
  assert.equal(conditionKind({ ...none, item: [] }), 'item')
  assert.equal(conditionKind({ ...none, q }), 'q')
  assert.equal(conditionKind({ ...none, buyerId: 7 }), 'buyer')
  assert.equal(conditionKind({ ...none, q, dates }), 'several')
})

/** A seller with a million orders in two facet groups, common and rare. */
function knownOf(
  matchCounts: Record<string, number>,
  more: Partial<SaleSearchCounts> = {},
): SaleSearchCounts {
  const total = Object.values(matchCounts).reduce((sum, n) => sum + n, 0)
  return {
    narrowing: none,
    sort: parseOrderSort('date_asc'),
    depth: 50,
    days: 0,
    ofGroup: new Map([
      ['common', 999_900],
      ['rare', 100],
    ]),
    all: 1_000_000,
    narrowed: 1_000_000,
    matchCounts: new Map(Object.entries(matchCounts)),
    total,
    ...more,
  }
}

contract('4.3', 'a page is never far away, whatever share of a million orders matches', () => {
  const march = { from: day(20_000), to: day(20_030) }
  const updated = { ...none, dates: new Map([['updated', march]] as const) }
  const created = { ...none, dates: new Map([['created', march]] as const) }
  const item = { ...none, item: ['mate'] }
  const named = (users: number): Partial<SaleSearchCounts> => ({
    narrowing: { ...none, q: { words: [], prefix: 'ana', named: users, orderId: 0 } },
  })
  const [late, byTotal] = [parseOrderSort('date_desc'), parseOrderSort('total_desc')]
  const cases: [
    found: Record<string, number>,
    more: Partial<SaleSearchCounts>,
    way: string,
    atMost: number,
  ][] = [
    [{ common: 999_900, rare: 100 }, {}, 'walk', 51],
    [{ common: 999_900 }, {}, 'walk', 51],
    [{ rare: 100 }, {}, 'merge_kinds', 60],
    [{ rare: 100 }, { depth: 10_000 }, 'gather', 100],
    [{ common: 999_900 }, { depth: 10_000 }, 'walk', 10_005],
    [{ rare: 100 }, { sort: byTotal }, 'gather', 100],
    [{ common: 999_900 }, { sort: byTotal }, 'walk', 51],
    [{ common: 80_000 }, { narrowing: created, narrowed: 80_008, days: 31 }, 'walk', 51],
    [
      { common: 80_000 },
      { narrowing: created, narrowed: 80_008, days: 31, sort: late },
      'merge_days',
      1_710,
    ],
    [{ common: 80_000 }, { narrowing: updated, narrowed: 80_008, days: 31 }, 'merge_days', 1_710],
    [{ common: 20 }, { narrowing: updated, narrowed: 20, days: 31 }, 'gather', 20],
    [{ common: 50_000 }, { narrowing: item, narrowed: 50_008 }, 'walk', 5_000],
    [{ common: 50 }, { narrowing: item, narrowed: 50 }, 'gather', 150],
    [{ common: 50 }, { ...named(20), narrowed: 50 }, 'gather', 250],
    [{ common: 15_000 }, { ...named(5_000), narrowed: 15_000 }, 'walk', 22_000],
  ]
  for (const [matchCounts, more, expected, atMost] of cases) {
    const { way, cost } = cheapestPlan(knownOf(matchCounts, more))
    assert.equal(way, expected, JSON.stringify([matchCounts, more]))
    assert.ok(cost <= atMost, `${way}: ${cost}`)
  }
})

contract(
  '4.3',
  'a nickname is looked for from its users, or in all orders where that is less',
  () => {
    const named = (users: number) => ({ words: [], prefix: 'ana', named: users, orderId: 0 })
    assert.equal(isFullScanCheaper(named(1_000), 10_000), false)
    assert.equal(isFullScanCheaper(named(5_000), 10_000), true)
    assert.equal(isFullScanCheaper(named(5_000), 1_000_000), false)
  },
)

contract('4.3', 'the day on which a page begins is found from either end', () => {
  const counts = [
    { day: 12, n: 1 },
    { day: 10, n: 3 },
    { day: 11, n: 5 },
  ]
  const at = (offset: number, descends = false) => firstDayOfPage(counts, { offset, descends })
  assert.deepEqual(at(0), { day: 10, offset: 0 })
  assert.deepEqual(at(2), { day: 10, offset: 2 })
  assert.deepEqual(at(3), { day: 11, offset: 0 })
  assert.deepEqual(at(8), { day: 12, offset: 0 })
  assert.equal(at(9), undefined)
  assert.deepEqual(at(0, true), { day: 12, offset: 0 })
  assert.deepEqual(at(1, true), { day: 11, offset: 0 })
  assert.deepEqual(at(8, true), { day: 10, offset: 2 })
})
