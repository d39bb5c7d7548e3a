import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import { hourMs, minuteMs, secondMs } from '../../kernel/clock.ts'
import {
  breakerThreshold,
  type Health,
  healthAfter,
  isBreakerOpen,
  restMsAfter,
  shouldDisable,
} from './health.ts'

const start = new Date('2026-03-10T15:00:00.000Z')
const later = (ms: number) => new Date(start.getTime() + ms)
const well: Health = { failures: 0, failingSince: null }
const accepted = { accepted: true, hung: false }
const failed = { accepted: false, hung: false }
const hung = { accepted: false, hung: true }
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

test('failures in a row are counted from the first; one that is accepted ends them', () => {
  assert.deepEqual(healthAfter(well, [failed, failed], start), { failures: 2, failingSince: start })
  const failing = { failures: 9, failingSince: start }
  assert.deepEqual(healthAfter(failing, [failed], later(5)), { failures: 10, failingSince: start })
  assert.deepEqual(healthAfter(failing, [failed, accepted], later(5)), well)
  assert.deepEqual(healthAfter(failing, [accepted, hung], later(5)), {
    failures: 1,
    failingSince: later(5),
  })
  assert.deepEqual(healthAfter(failing, [], later(5)), failing)
})

contract('notifications', 'the breaker opens at the tenth failure in a row', () => {
  assert.equal(isBreakerOpen({ failures: breakerThreshold - 1, failingSince: start }), false)
  assert.equal(isBreakerOpen({ failures: breakerThreshold, failingSince: start }), true)
})

for (const [what, health, outcomes, now, rest] of [
  ['what went well', well, [accepted], start, 0],
  ['a few that failed', { failures: 3, failingSince: start }, times(3, failed), start, 0],
  ['a batch that hung', { failures: 1, failingSince: start }, [hung], start, secondMs],
  [
    'one more that hung',
    { failures: 2, failingSince: start },
    [hung],
    later(24 * secondMs),
    6 * secondMs,
  ],
  ['a whole batch that hung', { failures: 16, failingSince: start }, [hung], start, 30 * secondMs],
  ['hanging among others', { failures: 2, failingSince: start }, [hung, failed], start, 0],
  ['an open breaker', { failures: 10, failingSince: start }, [failed], start, 30 * secondMs],
  [
    'after four minutes',
    { failures: 12, failingSince: start },
    [failed],
    later(4 * minuteMs),
    minuteMs,
  ],
  [
    'after a day',
    { failures: 99, failingSince: start },
    [failed],
    later(24 * hourMs),
    10 * minuteMs,
  ],
] as const) {
  test(`how long a lane rests: ${what}`, () => {
    assert.equal(restMsAfter(health, outcomes, now), rest)
  })
}

test('a lane is given up when nothing was accepted for so many hours, and not by a few failures', () => {
  const failing = { failures: 10, failingSince: start }
  assert.equal(shouldDisable(failing, later(120 * hourMs - 1), 120), false)
  assert.equal(shouldDisable(failing, later(120 * hourMs), 120), true)
  assert.equal(shouldDisable({ ...failing, failures: 9 }, later(999 * hourMs), 120), false)
  assert.equal(shouldDisable(well, later(999 * hourMs), 120), false)
})
