import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contract } from '../../../test/harness/contract.ts'
import {
  deliveryMetricsOf,
  deliveryStateOf,
  edgeSampleSize,
  estimateCount,
  exactCountLimit,
  sampleSeqs,
  type WeightedSample,
} from './figures.ts'
import type { BucketEdges } from './read-model.ts'

/** A bucket as the store looks into it, of notifications in the order in which they were received. */
function bucketOf(seqs: readonly number[]): BucketEdges {
  return { bucket: 0, first: seqs.slice(0, exactCountLimit), last: seqs.slice(-edgeSampleSize) }
}
const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, n) => from + n)

contract(
  'notifications',
  'what was received in a bucket is counted exactly, however much it is',
  () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 1e9 }),
        (n, from) => {
          assert.equal(estimateCount(bucketOf(numbered(n, from))), n)
        },
      ),
    )
  },
)

test('one that came late does not spoil the count of a full bucket', () => {
  const all = numbered(3_000, 700)
  for (const at of [0, 2, 2_997, 2_999]) {
    const late = all.with(at, 9_999_999)
    assert.ok(Math.abs(estimateCount(bucketOf(late)) - 3_000) <= 1, `at ${at}`)
  }
})

const samples: [what: string, count: number, most: number, expected: number][] = [
  ['fewer than asked for: all of them', 7, 60, 7],
  ['as many as asked for', 60, 60, 60],
  ['more, still counted one by one', 99, 60, 60],
  ['far more than were looked at', 4_000, 60, 60],
  ['of many applications four each', 4_000, 4, 4],
]
for (const [what, count, most, expected] of samples) {
  test(`a sample is spread over the bucket: ${what}`, () => {
    const sample = sampleSeqs(bucketOf(numbered(count, 10)), most)
    assert.equal(sample.length, expected)
    assert.equal(new Set(sample).size, expected)
    assert.ok(sample.every((seq) => Number.isInteger(seq) && seq >= 10 && seq < 10 + count))
    const middle = 10 + count / 2
    assert.ok(sample.some((seq) => seq < middle) && sample.some((seq) => seq >= middle))
  })
}

test('what had no attempt waits, or was passed over where the lane is further on', () => {
  assert.equal(deliveryStateOf({ seq: 8, outcome: null }, 7), 'waiting')
  assert.equal(deliveryStateOf({ seq: 7, outcome: null }, 7), 'passed_over')
  assert.equal(deliveryStateOf({ seq: 7, outcome: 'timeout' }, 7), 'timeout')
})

const sampleOf = (
  fate: WeightedSample['fate'],
  lagMs: number | null,
  weight = 1,
): WeightedSample => ({
  fate,
  lagMs,
  weight,
})

test('figures weigh what was seen by what it stands for', () => {
  const figures = deliveryMetricsOf([
    sampleOf('accepted', 10, 90),
    sampleOf('not_200', 400, 8),
    sampleOf('timeout', 9_000, 2),
    sampleOf('waiting', null, 50),
  ])
  assert.deepEqual(figures, {
    notifications: 150,
    outcomes: { accepted: 90, not_200: 8, timeout: 2, waiting: 50 },
    lag_ms: { p50: 10, p95: 400, max: 9_000 },
  })
  assert.deepEqual(deliveryMetricsOf([]), { notifications: 0, outcomes: {}, lag_ms: null })
  assert.equal(deliveryMetricsOf([sampleOf('waiting', null)]).lag_ms, null)
})
