import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tier } from '../harness/tier.ts'
import { plantedBugs, sourceWithBug } from './bugs.ts'
import { simulateMany } from './many.ts'
import { simulateSchedule } from './simulate.ts'

test('deliveries keep their guarantees in schedules of faults, restarts and slow receivers', async () => {
  assert.deepEqual(await simulateMany({ from: 1, count: tier === 'fast' ? 40 : 300 }), [])
})

test('a change that commits late after the server was slow for long is notified all the same', async () => {
  assert.deepEqual((await simulateSchedule(4_396)).breaches, [])
})

test('a lease whose acquisition a crash has forgotten is not mistaken for the one acquired after it', async () => {
  for (const seed of [10_327, 14_930]) assert.deepEqual((await simulateSchedule(seed)).breaches, [])
})

test('the same seed gives the same schedule, another one another', async () => {
  const traceOf = async (seed: number) => (await simulateSchedule(seed, { tells: true })).trace
  const trace = await traceOf(7)
  assert.ok(trace.length > 20)
  assert.deepEqual(await traceOf(7), trace)
  assert.notDeepEqual(await traceOf(8), trace)
})

test('each planted bug still changes one place of the source', () => {
  for (const bug of plantedBugs) assert.doesNotThrow(() => sourceWithBug(bug))
})
