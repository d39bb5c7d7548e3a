import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Heartbeats } from './heartbeats.ts'

const leaseMs = 5_000
const at = (ms: number) => new Date(Date.parse('2026-03-10T15:00:00.000Z') + ms)

/** What heartbeats of one process say, seen at these moments, and what follows at the last one. */
const cases: [
  name: string,
  observed: [nowMs: number, aliveUntil: Date | undefined, isConnected?: boolean][],
  lastMs: number,
  is: { beating: boolean; silent: boolean },
][] = [
  ['seen once', [[0, at(5_000)]], 4_999, { beating: false, silent: false }],
  [
    'seen once, for the length of a lease',
    [[0, at(5_000)]],
    5_000,
    { beating: false, silent: true },
  ],
  ['seen once, with its lock', [[0, at(-60_000), true]], 4_999, { beating: true, silent: false }],
  [
    'that changes, by a clock that is behind',
    [
      [0, at(-60_000)],
      [1_500, at(-58_500)],
    ],
    6_499,
    { beating: true, silent: false },
  ],
  [
    'that changed a lease ago, by a clock that is ahead',
    [
      [0, at(65_000)],
      [1_500, at(66_500)],
      [3_000, at(66_500)],
    ],
    6_500,
    { beating: false, silent: true },
  ],
  [
    'of a clock that was set back',
    [
      [0, at(5_000)],
      [1_500, at(-3_600_000)],
    ],
    2_000,
    { beating: true, silent: false },
  ],
  [
    'that does not change, while the own clock is set back by an hour',
    [
      [3_600_000, at(5_000)],
      [0, at(5_000)],
    ],
    5_000,
    { beating: false, silent: true },
  ],
  [
    'that was deleted',
    [
      [0, at(5_000)],
      [1_500, undefined],
    ],
    9_000,
    { beating: false, silent: false },
  ],
]
for (const [name, observed, lastMs, is] of cases) {
  test(`a process with a heartbeat ${name}: ${JSON.stringify(is)}`, () => {
    const heartbeats = new Heartbeats(leaseMs)
    for (const [nowMs, aliveUntil, isConnected = false] of observed) {
      heartbeats.observe(aliveUntil ? [{ holder: 'a', aliveUntil, isConnected }] : [], nowMs)
    }
    assert.deepEqual(
      {
        beating: heartbeats.aliveHolders(lastMs).includes('a'),
        silent: heartbeats.deadHolders(lastMs).includes('a'),
      },
      is,
    )
  })
}
