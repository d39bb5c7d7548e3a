import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../../test/harness/contract.ts'
import { dayMs } from '../../../kernel/clock.ts'
import { searchFactors } from '../../../kernel/search-factors.ts'
import { readConfig } from '../../../platform/config.ts'
import { dayScore, reputationShare, type ScoreInput, scoreOf, tierOf } from './score.ts'

const { factors } = readConfig({}).search
const now = new Date('2026-03-10T15:00:00.000Z')
const plain: ScoreInput = {
  item: 5,
  dateCreated: now,
  sold: 0,
  left: 1,
  title: 'una mesa',
  hasFreeShipping: false,
  reputation: 0,
}
const ago = (days: number) => new Date(now.getTime() - days * dayMs)
const words = (count: number) => Array.from({ length: count }, () => 'mesa').join(' ')
const rated = (positive: number, negative: number, neutral = 0) =>
  reputationShare({ positive, negative, total: positive + negative + neutral })

/** Returns by how many days a listing scores above the plain one. */
function daysAbovePlain(input: Partial<ScoreInput>, weights = factors): number {
  return (scoreOf({ ...plain, ...input }, weights) - scoreOf(plain, weights)) / dayScore
}

const cases: readonly [input: Partial<ScoreInput>, days: number][] = [
  [{}, 0],
  [{ dateCreated: ago(10) }, -10],
  [{ sold: 1 }, 30],
  [{ sold: 3 }, 60],
  [{ sold: 63 }, 180],
  [{ left: 0 }, -365],
  [{ left: 0, sold: 1 }, -335],
  [{ title: words(6) }, 0],
  [{ title: words(7) }, -2],
  [{ title: `  ${words(9)} ` }, -6],
  [{ hasFreeShipping: true }, 15],
  [{ reputation: rated(0, 0) }, 0],
  [{ reputation: rated(1, 0) }, 1.82],
  [{ reputation: rated(10, 0) }, 10],
  [{ reputation: rated(190, 0) }, 19],
  [{ reputation: rated(0, 10) }, -10],
  [{ reputation: rated(5, 5) }, 0],
  [{ reputation: rated(8, 2, 10) }, 4],
  [{ reputation: rated(0, 0, 40) }, 0],
  [{ hasFreeShipping: true, sold: 1, reputation: rated(10, 0), title: words(7) }, 53],
]
for (const [input, days] of cases) {
  test(`a listing with ${JSON.stringify(input)} scores ${days} days above a plain one`, () => {
    assert.equal(daysAbovePlain(input), days)
  })
}

/** What a listing has of each factor, and which share of the weight it then gets. */
const shares = {
  sales: [{ sold: 1 }, 1],
  sold_out: [{ left: 0 }, -1],
  free_shipping: [{ hasFreeShipping: true }, 1],
  reputation: [{ reputation: rated(10, 0) }, 1 / 2],
  title_word: [{ title: words(7) }, -1],
} as const
for (const factor of searchFactors) {
  test(`the weight of ${factor} moves a listing that has it, from 0 days on, and no other`, () => {
    const [input, share] = shares[factor]
    for (const days of [0, 1, 50, 3_650]) {
      const weights = { ...factors, [factor]: days }
      assert.equal(daysAbovePlain(input, weights), 0 + days * share, `${days} days`)
      assert.equal(scoreOf(plain, weights), scoreOf(plain, factors))
    }
  })
}

test('a reputation is the share of good ratings less that of bad ones, damped for few', () => {
  assert.equal(reputationShare(undefined), 0)
  assert.deepEqual(
    [rated(0, 0), rated(1, 0), rated(10, 0), rated(0, 10), rated(8, 2, 10), rated(1e9, 0)],
    [0, 91, 500, -500, 200, 1_000],
  )
})

test('no weights and figures take a score beyond what its column holds', () => {
  const most = {
    sales: 3_650,
    sold_out: 3_650,
    free_shipping: 3_650,
    reputation: 3_650,
    title_word: 3_650,
  }
  const best = { sold: Number.MAX_SAFE_INTEGER, hasFreeShipping: true, reputation: rated(1e9, 0) }
  const worst = { left: 0, title: words(10_000), reputation: rated(0, 1e9) }
  for (const input of [best, worst]) {
    const score = scoreOf({ ...plain, ...input }, most)
    assert.ok(Number.isInteger(score) && Math.abs(score) < 2 ** 31, String(score))
  }
})

contract(
  ['4.4', 'catalog'],
  'a score grows with sales and with the day of listing, and falls when nothing is left',
  () => {
    const at = (input: Partial<ScoreInput>) => scoreOf({ ...plain, ...input }, factors)
    assert.ok(at({ sold: 1 }) > at({}))
    assert.ok(at({ sold: 100 }) > at({ sold: 10 }))
    assert.ok(at({ dateCreated: ago(10) }) < at({}))
    assert.equal(at({ sold: 1, dateCreated: ago(30) }), at({}), 'a sale is worth a month')
    assert.ok(at({ left: 0, sold: 1_000 }) < at({ dateCreated: ago(60) }))
    assert.ok(at({ title: 'una mesa de luz para niños muy linda y barata' }) < at({}))
  },
)

contract('4.4', 'tiers begin where they were measured', () => {
  const steps = [30, 20, 10]
  for (const [score, tier] of [
    [31, 0],
    [30, 0],
    [29, 1],
    [20, 1],
    [19, 2],
    [10, 2],
    [9, 3],
  ] as const) {
    assert.equal(tierOf(score, steps), tier)
  }
  assert.equal(tierOf(99, undefined), 3)
})
