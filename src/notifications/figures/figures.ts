import type { AttemptOutcome } from '../attempt.ts'
import type { Received, Seen } from './store.ts'

/** What may have come of a notification: its latest attempt, or that there was none yet, or that it was
 * passed over. */
export type Fate = AttemptOutcome | 'waiting' | 'passed_over'

/** Up to so many in a bucket are counted one by one. */
export const few = 100
/** From so many at both ends the rest is told. An odd number has one in the middle. */
export const ends = 5

/**
 * How many notifications a bucket has. Numbers have no gap, so more than a few are told by the numbers at
 * both ends: by the middle one of five, as one that came late has a number far from its time.
 */
export function countOf({ first, last }: Received): number {
  if (first.length < few) return first.length
  const [low, high] = [middle(first.slice(0, ends)), middle(last)]
  return Math.max(few, high - low + ends)
}

/** The numbers of a bucket that are looked at more closely: at most `most`, evenly spread. */
export function sampleOf(received: Received, most: number): number[] {
  const { first, last } = received
  const count = countOf(received)
  if (count <= few && first.length < few)
    return spread(first.length, most).map((n) => first[n] ?? 0)
  const low = middle(first.slice(0, ends))
  const step = (middle(last) - low) / Math.max(1, most - 1)
  return [...new Set(Array.from({ length: most }, (_, n) => Math.round(low + n * step)))]
}

function spread(length: number, most: number): number[] {
  if (length <= most) return Array.from({ length }, (_, n) => n)
  return Array.from({ length: most }, (_, n) => Math.floor((n * length) / most))
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

export function fateOf({ seq, outcome }: Pick<Seen, 'seq' | 'outcome'>, cursorSeq: number): Fate {
  return outcome ?? (seq > cursorSeq ? 'waiting' : 'passed_over')
}

/** Something seen that stands for `weight` of its like. */
export interface Weighed {
  fate: Fate
  /** From what was recorded to the first attempt, in milliseconds; null before it. */
  lagMs: number | null
  weight: number
}

export interface Figures {
  notifications: number
  outcomes: Partial<Record<Fate, number>>
  lag_ms: { p50: number; p95: number; max: number } | null
}

/** What there is to say of all that was seen. */
export function figuresOf(seen: readonly Weighed[]): Figures {
  const outcomes: Partial<Record<Fate, number>> = {}
  for (const { fate, weight } of seen) outcomes[fate] = (outcomes[fate] ?? 0) + weight
  const rounded = Object.entries(outcomes).map(([fate, n]) => [fate, Math.round(n)])
  return {
    notifications: Math.round(seen.reduce((sum, { weight }) => sum + weight, 0)),
    outcomes: Object.fromEntries(rounded),
    lag_ms: lagOf(seen),
  }
}

function lagOf(seen: readonly Weighed[]): Figures['lag_ms'] {
  const sent = seen.filter((each): each is Weighed & { lagMs: number } => each.lagMs !== null)
  if (sent.length === 0) return null
  const sorted = sent.toSorted((a, b) => a.lagMs - b.lagMs)
  const all = sorted.reduce((sum, { weight }) => sum + weight, 0)
  const at = (share: number) => {
    let passed = 0
    for (const { lagMs, weight } of sorted) {
      passed += weight
      if (passed >= share * all) return lagMs
    }
    return sorted.at(-1)?.lagMs ?? 0
  }
  return { p50: at(0.5), p95: at(0.95), max: sorted.at(-1)?.lagMs ?? 0 }
}
