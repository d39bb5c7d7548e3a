import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { pollUntil } from '../../test/harness/wait.ts'
import { OutageLog } from './database/outage-log.ts'
import { Signals } from './database/signals.ts'
import { makeLog } from './log.ts'
import { type Loop, type RunningLoop, startLoop } from './loop.ts'
import { makeMetrics } from './metrics.ts'
import { systemTimers } from './timers.ts'

const running: RunningLoop[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((loop) => loop.stop()))
})

/** A rest that no test would outlive: what ends it is something else. */
const longMs = 3_600_000

function start(turn: Loop['turn'], idleMs = longMs) {
  // Never opened: signals within one process need no database.
  const signals = new Signals('postgres://127.0.0.1:1/x')
  const metrics = makeMetrics()
  const loop = { name: 'tried', turn, idleMs, wakes: ['work', 'more'] }
  const log = makeLog('silent')
  const started = startLoop(loop, {
    log,
    outageLog: new OutageLog({ log, currentWriteError: async () => undefined }),
    metrics,
    signals,
    timers: systemTimers,
  })
  running.push(started)
  const failures = async () => (await metrics.loopFailures.get()).values[0]?.value ?? 0
  return { signals, failures, stop: started.stop }
}

test('as long as there may be more, it turns again at once', async () => {
  let turns = 0
  start(async () => ++turns < 50)
  await pollUntil('all of the work', () => turns === 50)
})

test('with nothing to do it rests, and a signal ends the rest', async () => {
  let turns = 0
  const { signals } = start(async () => {
    turns++
    return false
  })
  await pollUntil('the first turn', () => turns === 1)
  for (const [channel, expected] of [
    ['work', 2],
    ['more', 3],
  ] as const) {
    // Only once the turn has ended and the rest begun is there a rest to end.
    await new Promise((resolve) => setImmediate(resolve))
    signals.deliver(channel)
    await pollUntil(`a turn after ${channel}`, () => turns === expected)
  }
  signals.deliver('another')
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(turns, 3)
})

test('a rest ends by itself', async () => {
  let turns = 0
  start(async () => {
    turns++
    return false
  }, 1)
  await pollUntil('several turns', () => turns > 3)
})

test('a signal during a turn is not lost: another turn follows', async () => {
  let turns = 0
  const { signals, failures } = start(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    if (++turns === 1) signals.deliver('work')
    return false
  })
  await pollUntil('the second turn', () => turns === 2)
  assert.equal(await failures(), 0)
})

test('a turn that fails is counted and tried again', async () => {
  let turns = 0
  const { failures } = start(async () => {
    if (++turns < 3) throw new Error('not today')
    return false
  })
  await pollUntil('the turn that succeeds', () => turns === 3)
  assert.equal(await failures(), 2)
})

test('stop waits for the turn under way and lets no other begin', async () => {
  let turns = 0
  let endTurn = () => {}
  const { stop } = start(
    () =>
      new Promise((resolve) => {
        turns++
        endTurn = () => resolve(true)
      }),
  )
  await pollUntil('the turn to begin', () => turns === 1)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(stopped, false)
  endTurn()
  await stopping
  assert.equal(turns, 1)
})

test('stop ends a rest', async () => {
  let turns = 0
  const { stop } = start(async () => {
    turns++
    return false
  })
  await pollUntil('the first turn', () => turns === 1)
  await stop()
  assert.equal(turns, 1)
})
