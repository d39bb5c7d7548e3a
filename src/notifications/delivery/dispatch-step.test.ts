import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SendOutcome } from '../../platform/outbound/outbound.ts'
import {
  afterBatch,
  type Batch,
  type DispatchState,
  type Next,
  type PlannedRead,
  planRead,
  planReadBehind,
} from './dispatch-step.ts'
import type { FinishedAttempt } from './store-outcomes.ts'
import type { LeasedQueue } from './store-queues.ts'

const settings = { inFlight: 4, disableHours: 24 }
const now = new Date('2026-03-10T15:00:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const hourMs = 3_600_000

const idle: LeasedQueue = {
  applicationId: 7,
  holder: '00000000-0000-0000-0000-000000000001',
  leaseEpoch: 3,
  cursorSeq: 10,
  cursorAt: ago(1_000),
  failures: 0,
  failingSince: null,
  retryDue: null,
  inFlight: null,
  ratePerSecond: null,
  coalesces: null,
  latestUpTo: 0,
  restsUntil: ago(86_400_000),
}
const stateOf = (changes: Partial<LeasedQueue> = {}): DispatchState => {
  const queue = { ...idle, ...changes }
  return { queue, saved: queue }
}

const notification = (seq: number) => ({
  applicationId: 7,
  seq,
  id: `${seq}`.padStart(24, '0'),
  userId: 1,
  topic: 'orders_v2',
  resource: `/orders/${seq}`,
  received: now,
  fannedAt: now,
  intoSeq: null,
  isPassedOver: false,
})
const batchOf = (seqs: readonly number[], changes: Partial<Batch> = {}): Batch => ({
  attempts: seqs.map((seq) => ({ notification: notification(seq), attempt: 1 })),
  skipped: [],
  end: { cursorSeq: seqs.at(-1) ?? idle.cursorSeq, cursorAt: now },
  isFull: true,
  isRetry: false,
  ...changes,
})

const accepted: SendOutcome = { kind: 'answered', status: 200, headers: {}, body: '', reqTimeMs: 5 }
const refused: SendOutcome = { ...accepted, status: 500 }
const hung: SendOutcome = { kind: 'timeout', reqTimeMs: 5_000 }
const outcomesOf = (batch: Batch, responses: readonly SendOutcome[]): FinishedAttempt[] =>
  responses.map((response, index) => ({
    notification: batch.attempts[index]?.notification ?? notification(0),
    attempt: 1,
    sent: now,
    url: 'http://127.0.0.1:9/',
    headers: {},
    body: '{}',
    response,
    outcome: response === accepted ? 'accepted' : response === hung ? 'timeout' : 'not_200',
    verdict: { next: 'done' },
  }))

const reads: [
  what: string,
  state: DispatchState,
  isFirst: boolean,
  afterRetries: boolean,
  PlannedRead,
][] = [
  ['at first one round', stateOf(), true, false, { kind: 'new', limit: 4 }],
  ['then sixteen', stateOf(), false, false, { kind: 'new', limit: 64 }],
  ['after a failure one round', stateOf({ failures: 1 }), false, false, { kind: 'new', limit: 4 }],
  ['with an open breaker one', stateOf({ failures: 10 }), false, false, { kind: 'new', limit: 1 }],
  [
    'at most a second of its rate',
    stateOf({ ratePerSecond: 3 }),
    false,
    false,
    { kind: 'new', limit: 3 },
  ],
  ['as many as the queue may', stateOf({ inFlight: 2 }), false, false, { kind: 'new', limit: 32 }],
  [
    'retries that are due',
    stateOf({ retryDue: now }),
    false,
    false,
    { kind: 'retries', limit: 64 },
  ],
  ['after retries new ones', stateOf({ retryDue: now }), false, true, { kind: 'new', limit: 64 }],
  [
    'no retry before it is due',
    stateOf({ retryDue: new Date(now.getTime() + 1) }),
    false,
    false,
    { kind: 'new', limit: 64 },
  ],
]
for (const [what, state, isFirst, afterRetries, expected] of reads) {
  test(`a queue reads next: ${what}`, () => {
    assert.deepEqual(planRead(state, { isFirst, afterRetries, now }, settings), expected)
  })
}

const behind: [
  what: string,
  changes: Partial<LeasedQueue>,
  batch: Batch,
  limit: number | undefined,
][] = [
  ['behind a full batch', {}, batchOf([11]), 64],
  ['not behind the last one', {}, batchOf([11], { isFull: false }), undefined],
  ['not behind retries', {}, batchOf([11], { isRetry: true }), undefined],
  ['not after a failure', { failures: 1 }, batchOf([11]), undefined],
  ['not while a retry is due', { retryDue: now }, batchOf([11]), undefined],
]
for (const [what, changes, batch, limit] of behind) {
  test(`a queue reads while it sends: ${what}`, () => {
    const planned = planReadBehind(stateOf(changes), batch, { now, settings })
    assert.equal(planned?.limit, limit)
    if (planned) assert.equal(planned.queue.cursorSeq, 11)
  })
}

interface StepCase {
  what: string
  changes?: Partial<LeasedQueue>
  batch?: Batch
  responses: readonly SendOutcome[]
  beganAt?: Date
  next: Next
  queue?: Partial<LeasedQueue>
  saves: boolean
}
const two = batchOf([11, 12])
const steps: StepCase[] = [
  {
    what: 'all accepted: read on, and the attempts alone tell how far it is',
    responses: [accepted, accepted],
    next: { kind: 'continue', isAsExpected: true },
    queue: { cursorSeq: 12, failures: 0 },
    saves: false,
  },
  {
    what: 'one refused: read anew, and save that it fails',
    responses: [accepted, refused],
    next: { kind: 'continue', isAsExpected: false },
    queue: { cursorSeq: 12, failures: 1, failingSince: now },
    saves: true,
  },
  {
    what: 'the last batch: nothing is left behind it',
    batch: batchOf([11, 12], { isFull: false }),
    responses: [accepted, accepted],
    next: { kind: 'drained' },
    saves: false,
  },
  {
    what: 'a stop sent a part: the cursor is at what was sent',
    responses: [accepted],
    next: { kind: 'continue', isAsExpected: false },
    queue: { cursorSeq: 11 },
    saves: false,
  },
  {
    what: 'a stop sent nothing: the cursor stays',
    responses: [],
    next: { kind: 'continue', isAsExpected: false },
    queue: { cursorSeq: 10 },
    saves: false,
  },
  {
    what: 'all hang: it rests for a second',
    responses: [hung, hung],
    next: { kind: 'rest', restMs: 1_000 },
    queue: { failures: 2 },
    saves: true,
  },
  {
    what: 'the breaker opens: it rests for half a minute',
    changes: { failures: 9, failingSince: ago(1_000) },
    responses: [refused, refused],
    next: { kind: 'rest', restMs: 30_000 },
    saves: true,
  },
  {
    what: 'it has failed for an hour: it rests for ten minutes',
    changes: { failures: 20, failingSince: ago(hourMs) },
    batch: batchOf([11]),
    responses: [refused],
    next: { kind: 'rest', restMs: 600_000 },
    saves: true,
  },
  {
    what: 'it has failed for a day: it is disabled',
    changes: { failures: 20, failingSince: ago(24 * hourMs) },
    batch: batchOf([11]),
    responses: [refused],
    next: { kind: 'disable' },
    saves: true,
  },
  {
    what: 'accepted again after a day: it works',
    changes: { failures: 20, failingSince: ago(24 * hourMs) },
    batch: batchOf([11]),
    responses: [accepted],
    next: { kind: 'continue', isAsExpected: true },
    queue: { failures: 0, failingSince: null },
    saves: true,
  },
  {
    what: 'two at one a second took half a second: it rests for the rest',
    changes: { ratePerSecond: 1 },
    responses: [accepted, accepted],
    beganAt: ago(500),
    next: { kind: 'rest', restMs: 1_500 },
    saves: false,
  },
  {
    what: 'retries do not move the cursor',
    batch: batchOf([3, 4], { isRetry: true, end: { cursorSeq: 10, cursorAt: now } }),
    responses: [accepted, accepted],
    next: { kind: 'continue', isAsExpected: true },
    queue: { cursorSeq: 10 },
    saves: false,
  },
  {
    what: 'the saved cursor is more than an hour behind: it is saved',
    changes: { cursorAt: ago(hourMs + 1) },
    responses: [accepted, accepted],
    next: { kind: 'continue', isAsExpected: true },
    saves: true,
  },
]
for (const { what, changes, batch = two, responses, beganAt = now, ...expected } of steps) {
  test(`after a batch: ${what}`, () => {
    const outcomes = outcomesOf(batch, responses)
    const step = afterBatch(stateOf(changes), { batch, outcomes, beganAt, now }, settings)
    assert.deepEqual(step.next, expected.next)
    assert.partialDeepStrictEqual(step.state.queue, expected.queue ?? {})
    assert.equal(step.work.saves, expected.saves)
    assert.deepEqual(step.work.queue, step.state.queue)
    assert.equal(step.state.saved === step.state.queue, expected.saves)
  })
}

test('after a batch: what is skipped is recorded up to the cursor, and the queue saved with it', () => {
  const skipped = [notification(11), notification(13)].map((row) => ({ ...row, intoSeq: 14 }))
  const batch = batchOf([12], { skipped, end: { cursorSeq: 12, cursorAt: now } })
  const outcomes = outcomesOf(batch, [accepted])
  const { work } = afterBatch(stateOf(), { batch, outcomes, beganAt: now, now }, settings)
  assert.deepEqual([work.passedOver.map(({ seq }) => seq), work.saves], [[11], true])
})
