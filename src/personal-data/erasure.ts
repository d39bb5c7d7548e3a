import type { ShownErasure } from '../jobs/erasure.ts'
import type { RowKey } from '../platform/walks/store.ts'
import { keptData } from './kept-data.ts'
import type { ErasedCounts, Erasure } from './store.ts'

/** The steps of a pass, in their order. The ways into the account come first, what may have to wait comes last. */
export const erasureSteps = [
  'account',
  'applications',
  'snapshots',
  'items',
  'questions',
  'answers',
  'quotations',
  'purchases',
  'messages to sellers',
  'sales',
  'messages to buyers',
  'invoices',
  'attachments',
  'requests',
  'audit log',
  'job files',
  'deliveries',
  'ownership',
  'training examples',
] as const
export type ErasureStepName = (typeof erasureSteps)[number]

/** What one batch of a step did. */
export interface BatchResult {
  /** Numbers of erased rows, by what they are. */
  erased: ErasedCounts
  /** The key of the last row, after which the step goes on. `done`: the step is done. `wait`: it has to wait. */
  next: RowKey | 'done' | 'wait'
}

/** Returns a new erasure, or the one that goes on. A finished erasure begins again and keeps its counts. */
export function startedErasure(
  before: Erasure | undefined,
  { userId, now }: { userId: number; now: Date },
): Erasure {
  if (before?.state === 'running') return before
  return {
    userId,
    state: 'running',
    step: erasureSteps[0],
    passedKey: null,
    pass: 1,
    found: 0,
    erased: before?.erased ?? {},
    dateCreated: before?.dateCreated ?? now,
    lastUpdated: now,
    dateFinished: null,
  }
}

/**
 * Returns the erasure after a batch. After the last step, a pass that has found something is followed by another one:
 * requests that were under way may have written behind the first. A pass that finds nothing is the last.
 */
export function advancedErasure(
  erasure: Erasure,
  { erased, next }: BatchResult,
  now: Date,
): Erasure {
  const counted = { ...erasure, ...withCounts(erasure, erased), lastUpdated: now }
  if (next === 'wait') return counted
  if (next !== 'done') return { ...counted, passedKey: next }
  const step = erasureSteps[erasureSteps.indexOf(erasure.step as ErasureStepName) + 1]
  if (step) return { ...counted, step, passedKey: null }
  if (counted.found === 0) return { ...counted, state: 'finished', dateFinished: now }
  const nextPass = { step: erasureSteps[0], passedKey: null, pass: counted.pass + 1, found: 0 }
  return { ...counted, ...nextPass }
}

function withCounts(
  { found, erased: before }: Erasure,
  erased: ErasedCounts,
): Pick<Erasure, 'found' | 'erased'> {
  const sums = new Map(Object.entries(before))
  let foundNow = found
  for (const [kind, n] of Object.entries(erased)) {
    if (n === 0) continue
    sums.set(kind, (sums.get(kind) ?? 0) + n)
    foundNow += n
  }
  return { found: foundNow, erased: Object.fromEntries(sums) }
}

/** Returns an erasure as its job shows it: how many steps of how many passes are done, what was erased, what stays. */
export function jobOf({ userId, state, step, pass, erased, ...dates }: Erasure): ShownErasure {
  const steps = erasureSteps.length
  const index = erasureSteps.indexOf(step as ErasureStepName)
  return {
    userId,
    state,
    total: pass * steps,
    done: state === 'finished' ? pass * steps : (pass - 1) * steps + index,
    result: { ...erased, kept: keptData },
    dateCreated: dates.dateCreated,
    finishedAt: dates.dateFinished,
  }
}

/** Returns what the job of an erasure shows that is no longer stored. */
export function withoutErasure(userId: number, now: Date): ShownErasure {
  const figures = { total: 0, done: 0, result: null }
  return { userId, state: 'cancelled', ...figures, dateCreated: now, finishedAt: now }
}
