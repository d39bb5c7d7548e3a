import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { makeYielder, runInSlices, type SlicedWork } from './slices.ts'

/** So many steps that keep the process busy for a millisecond each. */
function* busy(steps: number): SlicedWork<string> {
  for (let step = 0; step < steps; step++) {
    const end = performance.now() + 1
    while (performance.now() < end) {}
    yield
  }
  return 'done'
}

test('long work lets everybody else have their turn in between, and tells what came of it', async () => {
  let turns = 0
  let isDone = false
  const others = (async () => {
    while (!isDone) {
      await setImmediate()
      turns++
    }
  })()
  assert.equal(await runInSlices(busy(80), makeYielder()), 'done')
  isDone = true
  await others
  assert.ok(turns >= 10, `${turns} turns in 80 ms`)
})

test('work that fails fails whoever waits for it', async () => {
  const failing = function* (): SlicedWork<never> {
    yield
    throw new Error('half way')
  }
  await assert.rejects(runInSlices(failing(), makeYielder()), /half way/)
})
