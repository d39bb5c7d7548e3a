import type { AttemptOutcome } from '../attempt.ts'
import type { BucketEdges, SampledNotification } from './read-model.ts'

/** The state of a notification: the outcome of its latest attempt, waiting for the first one, or skipped. */
export type DeliveryState = AttemptOutcome | 'waiting' | 'passed_over'

/** A bucket holds the notifications of one application in one interval of time. Smaller ones are counted exactly. */
export const exactCountLimit = 100
/** Notifications read at each end of a larger bucket. The number is odd, so that there is a median. */
export const edgeSampleSize = 5

/**
 * Returns how many notifications a bucket has. Sequence numbers have no gap, so the difference between both ends
 * estimates a large bucket. The median of each end is used, because a change that was committed
 * late has a number far from its time.
 */
export function estimateCount({ first, last }: BucketEdges): number {
  if (first.length < exactCountLimit) return first.length
  const [low, high] = [median(first.slice(0, edgeSampleSize)), median(last)]
  return Math.max(exactCountLimit, high - low + edgeSampleSize)
}

/**
 * Returns at most `most` distinct sequence numbers, evenly spread over a bucket. In a large bucket they are computed
 * from the medians of both ends, which works because sequence numbers have no gap. A computed number may be that of a
 * late change of another bucket; the sample counts it all the same.
 */
export function sampleSeqs(received: BucketEdges, most: number): number[] {
  const { first, last } = received
  if (first.length < exactCountLimit)
    return evenIndexes(first.length, most).map((index) => first[index] ?? 0)
  const low = median(first.slice(0, edgeSampleSize))
  const step = (median(last) - low) / Math.max(1, most - 1)
  return [...new Set(Array.from({ length: most }, (_, n) => Math.round(low + n * step)))]
}

/** Returns at most `most` indexes, evenly spread over a list of this length. */
function evenIndexes(length: number, most: number): number[] {
  if (length <= most) return Array.from({ length }, (_, n) => n)
  return Array.from({ length: most }, (_, n) => Math.floor((n * length) / most))
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

/** Returns the state of a notification. Without an attempt it waits, or was skipped if the queue is past it. */
export function deliveryStateOf(
  { seq, outcome }: Pick<SampledNotification, 'seq' | 'outcome'>,
  cursorSeq: number,
): DeliveryState {
  return outcome ?? (seq > cursorSeq ? 'waiting' : 'passed_over')
}

/** A sampled notification that stands for `weight` notifications. */
export interface WeightedSample {
  fate: DeliveryState
  /** Milliseconds from the recorded change to the first attempt; null before it. */
  lagMs: number | null
  weight: number
}

export interface DeliveryMetrics {
  notifications: number
  outcomes: Partial<Record<DeliveryState, number>>
  lag_ms: { p50: number; p95: number; max: number } | null
}

/** Estimates counts and lag from a weighted sample. */
export function deliveryMetricsOf(sample: readonly WeightedSample[]): DeliveryMetrics {
  const outcomes: Partial<Record<DeliveryState, number>> = {}
  for (const { fate, weight } of sample) outcomes[fate] = (outcomes[fate] ?? 0) + weight
  const rounded = Object.entries(outcomes).map(([fate, n]) => [fate, Math.round(n)])
  return {
    notifications: Math.round(sample.reduce((sum, { weight }) => sum + weight, 0)),
    outcomes: Object.fromEntries(rounded),
    lag_ms: lagOf(sample),
  }
}

/** Returns the weighted percentiles of the lag in milliseconds, or null if nothing in the sample had an attempt. */
function lagOf(sample: readonly WeightedSample[]): DeliveryMetrics['lag_ms'] {
  const hasLag = (item: WeightedSample): item is WeightedSample & { lagMs: number } =>
    item.lagMs !== null
  const sorted = sample.filter(hasLag).toSorted((a, b) => a.lagMs - b.lagMs)
  if (sorted.length === 0) return null
  const totalWeight = sorted.reduce((sum, { weight }) => sum + weight, 0)
  const percentile = (share: number) => {
    let weightSoFar = 0
    for (const { lagMs, weight } of sorted) {
      weightSoFar += weight
      if (weightSoFar >= share * totalWeight) return lagMs
    }
    return sorted.at(-1)?.lagMs ?? 0
  }
  return { p50: percentile(0.5), p95: percentile(0.95), max: sorted.at(-1)?.lagMs ?? 0 }
}
