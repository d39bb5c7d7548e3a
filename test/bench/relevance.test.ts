import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleHash } from '../../bench/relevance/judgments.ts'
import { kappaOf, ndcgOf, precisionOf } from '../../bench/relevance/scores.ts'

const close = (actual: number | undefined, expected: number | undefined, message: string) => {
  if (expected === undefined) return assert.equal(actual, undefined, message)
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-4, `${message}: ${actual}`)
}

// Gains: 3 → 7, 2 → 3, 1 → 1. Discounts of the first ranks: 1, 1.58496, 2.
const rankings: [name: string, results: number[], judged: number[], ndcg: number | undefined][] = [
  ['the ideal order', [3, 2, 1], [1, 2, 3], 1],
  ['the worst first', [0, 3], [3, 0], 1 / 1.58496],
  [
    'the other way round',
    [1, 2, 3],
    [1, 2, 3],
    (1 + 3 / 1.58496 + 7 / 2) / (7 + 3 / 1.58496 + 0.5),
  ],
  ['a relevant title that was not found', [2], [3, 2], 3 / (7 + 3 / 1.58496)],
  ['grades between two steps', [2.5], [3, 2.5], (2 ** 2.5 - 1) / (7 + (2 ** 2.5 - 1) / 1.58496)],
  ['nothing found', [], [3, 1], 0],
  ['nothing relevant', [0, 0], [0, 0], undefined],
  ['nothing judged', [0], [], undefined],
  ['only the first ten count', [...Array(10).fill(0), 3], [3], 0],
  ['only ten can be ideal', Array(10).fill(3), Array(12).fill(3), 1],
]
test('nDCG weighs gains by rank and compares with all judged titles', () => {
  for (const [name, results, judged, expected] of rankings) {
    close(ndcgOf(results, judged), expected, name)
  }
})

const precisions: [name: string, results: number[], judged: number[], share: number | undefined][] =
  [
    ['all of five', [3, 3, 2, 2, 1.5], [3, 3, 2, 2, 1.5], 1],
    ['a grade below 1.5 is not relevant', [3, 3, 2, 2, 1], [3, 3, 2, 2, 1], 0.8],
    ['the sixth does not count', [0, 0, 0, 0, 3, 3], [3, 3], 0.2],
    ['two results, of two relevant', [3, 2], [3, 2, 0], 1],
    ['two results, of many relevant', [3, 2], Array(9).fill(3), 0.4],
    ['one of two results, of three relevant', [0, 3], [3, 3, 3], 1 / 3],
    ['nothing found', [], [3], 0],
    ['nothing relevant', [1, 1], [1, 1, 1.4], undefined],
  ]
test('precision counts relevant titles among five, or among those that there are', () => {
  for (const [name, results, judged, expected] of precisions) {
    close(precisionOf(results, judged), expected, name)
  }
})

const agreements: [name: string, pairs: [number, number][], kappa: number][] = [
  [
    'agree on all',
    [
      [0, 0],
      [3, 3],
      [1, 1],
    ],
    1,
  ],
  [
    'always opposite',
    [
      [0, 3],
      [3, 0],
    ],
    -1,
  ],
  [
    'by chance',
    [
      [0, 0],
      [0, 3],
      [3, 0],
      [3, 3],
    ],
    0,
  ],
  // By chance, the squared differences of four pairs would be 16 and 18.
  [
    'a step apart costs less',
    [
      [0, 0],
      [3, 3],
      [3, 2],
      [0, 0],
    ],
    1 - 1 / 16,
  ],
  [
    'three steps apart cost more',
    [
      [0, 0],
      [3, 3],
      [3, 0],
      [0, 0],
    ],
    1 - 9 / 18,
  ],
]
test('kappa is what two judges agree beyond chance, by squared differences', () => {
  for (const [name, pairs, expected] of agreements) close(kappaOf(pairs), expected, name)
  assert.equal(kappaOf([[2, 2]]), Number.NaN, 'grades without any spread say nothing')
})

test('titles that differ in case and accents only have the same hash', () => {
  assert.match(titleHash('Azúcar 1 kg'), /^[0-9a-f]{16}$/)
  assert.equal(titleHash('Azúcar 1 kg'), titleHash('AZUCAR 1 KG'))
  assert.notEqual(titleHash('Azúcar 1 kg'), titleHash('Azúcar 2 kg'))
})
