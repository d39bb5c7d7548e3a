import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allowance,
  etaOf,
  nextReplayState,
  type Replay,
  type ReplayState,
  type SettableReplayState,
  settableReplayStates,
} from './replay.ts'

const at = (ms: number) => new Date(Date.UTC(2026, 2, 10) + ms)

const states: [state: ReplayState, after: Record<SettableReplayState, ReplayState | undefined>][] =
  [
    ['waiting', { paused: 'paused', running: 'waiting', cancelled: 'cancelled' }],
    ['running', { paused: 'paused', running: 'running', cancelled: 'cancelled' }],
    ['paused', { paused: 'paused', running: 'waiting', cancelled: 'cancelled' }],
    ['finished', { paused: undefined, running: undefined, cancelled: undefined }],
    ['cancelled', { paused: undefined, running: undefined, cancelled: undefined }],
  ]

for (const [state, after] of states) {
  test(`what may be asked of a replay that is ${state}`, () => {
    for (const order of settableReplayStates)
      assert.equal(nextReplayState(state, order), after[order], order)
  })
}

test('one goes at a time when the rate is used, and the next is put off by it', () => {
  const { count, nextAfter } = allowance({ nextAt: at(0), ratePerSecond: 10 }, at(0))
  assert.equal(count, 1)
  assert.deepEqual(nextAfter(1), at(100))
})

test('time that was not used is made up for, up to a second of it', () => {
  const cases: [ratePerSecond: number, idleMs: number, count: number, next: number][] = [
    [10, 500, 6, 600],
    [10, 1_000, 10, 1_000],
    [10, 3_600_000, 10, 3_600_000],
    [1, 999, 1, 1_000],
    [1, 5_000, 1, 5_000],
    [1_000, 250, 251, 251],
  ]
  for (const [ratePerSecond, idleMs, count, next] of cases) {
    const allowed = allowance({ nextAt: at(0), ratePerSecond }, at(idleMs))
    assert.equal(allowed.count, count)
    assert.deepEqual(allowed.nextAfter(count), at(next))
  }
})

test('looked at however often, the rate is kept over any span', () => {
  for (const ratePerSecond of [1, 7, 50, 333, 1_000]) {
    let nextAt = at(0)
    let sent = 0
    for (let ms = 0; ms <= 20_000; ms += 37) {
      if (nextAt > at(ms)) continue
      const { count, nextAfter } = allowance({ nextAt, ratePerSecond }, at(ms))
      sent += count
      nextAt = nextAfter(count)
    }
    assert.ok(sent <= ratePerSecond * 20 + 1, `${sent} at ${ratePerSecond}`)
    assert.ok(sent >= ratePerSecond * 20 * 0.95, `${sent} at ${ratePerSecond}`)
  }
})

test('the end is foretold by the pace so far, and no sooner than the rate lets', () => {
  const replay = { state: 'running', total: 100, done: 0, startedAt: at(0), ratePerSecond: 10 }
  const eta = (more: Partial<Replay>, now: number) =>
    etaOf({ ...replay, ...more } as Replay, at(now))
  assert.deepEqual(eta({}, 0), at(10_000))
  assert.deepEqual(eta({ done: 50 }, 5_000), at(10_000))
  assert.deepEqual(eta({ done: 50 }, 20_000), at(40_000), 'slower than its rate')
  assert.deepEqual(eta({ done: 50 }, 1_000), at(6_000), 'quicker than its rate')
  assert.deepEqual(eta({ done: 120 }, 20_000), at(20_000))
  for (const state of ['waiting', 'paused', 'finished', 'cancelled'] as const)
    assert.equal(eta({ state, done: 10 }, 5_000), null)
})
