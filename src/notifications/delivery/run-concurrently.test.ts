import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { makeManualTimers } from '../../../test/harness/manual-timers.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { systemTimers as timers } from '../../platform/timers.ts'
import { DeliverySlots } from './delivery-slots.ts'
import { runConcurrently } from './run-concurrently.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/** Work that is done when told. */
function openWork() {
  const started: number[] = []
  const ends: (() => void)[] = []
  const work = (n: number) =>
    new Promise<number>((resolve) => {
      started.push(n)
      ends.push(() => resolve(n))
    })
  return { started, ends, work }
}

test('few are begun by few; who takes long soon has as many as there are', async () => {
  const { started, ends, work } = openWork()
  const timers = makeManualTimers()
  const all = runConcurrently(numbers(16), {
    most: 16,
    isOver: () => false,
    takeTurn: new DeliverySlots().addQueue(),
    timers,
    work,
  })
  assert.deepEqual(started, [0, 1])
  for (const count of [4, 8, 16]) {
    timers.advance(250)
    await pollUntil(`${count} of them`, () => started.length === count)
  }
  for (const end of ends) end()
  assert.deepEqual(
    (await all).toSorted((a, b) => a - b),
    numbers(16),
  )
})

test('no more are begun while those that are wait for their turn', async () => {
  const { started, ends, work } = openWork()
  const turns: (() => void)[] = []
  const timers = makeManualTimers()
  let isQueue = true
  const takeTurn = async (step: () => Promise<boolean>) => {
    if (isQueue) await new Promise<void>((resolve) => turns.push(resolve))
    await step()
  }
  const all = runConcurrently(numbers(16), {
    most: 16,
    isOver: () => false,
    takeTurn,
    timers,
    work,
  })
  for (let times = 0; times < 3; times++) {
    timers.advance(250)
    await turnOfLoop()
  }
  assert.equal(turns.length, 2)
  isQueue = false
  for (const turn of turns) turn()
  await pollUntil('all sixteen', () => {
    timers.advance(250)
    return started.length === 16
  })
  for (const end of ends) end()
  assert.equal((await all).length, 16)
})

test('more than may be at a time are begun by as many as may be, and never by more', async () => {
  const { started, ends, work } = openWork()
  const all = runConcurrently(numbers(320), {
    most: 10,
    isOver: () => false,
    takeTurn: new DeliverySlots().addQueue(),
    timers,
    work,
  })
  assert.deepEqual(started, numbers(10))
  for (let n = 0; n < 320; n++) {
    await pollUntil('the next one', () => ends.length > n)
    ends[n]?.()
  }
  assert.equal((await all).length, 320)
})

test('they are begun in their order, and none of nothing', async () => {
  const started: number[] = []
  const work = async (n: number) => void started.push(n)
  await runConcurrently(numbers(50), {
    most: 4,
    isOver: () => false,
    takeTurn: new DeliverySlots().addQueue(),
    timers,
    work,
  })
  assert.deepEqual(started, numbers(50))
  assert.deepEqual(
    await runConcurrently([], {
      most: 4,
      isOver: () => false,
      takeTurn: new DeliverySlots().addQueue(),
      timers,
      work,
    }),
    [],
  )
})

test('once it is over none is begun, and what is under way is waited for', async () => {
  let isOver = false
  const timers = makeManualTimers()
  const { started, ends, work } = openWork()
  const all = runConcurrently(numbers(96), {
    most: 96,
    isOver: () => isOver,
    takeTurn: new DeliverySlots().addQueue(),
    timers,
    work,
  })
  assert.deepEqual(started, numbers(6))
  isOver = true
  timers.advance(250)
  await turnOfLoop()
  for (const end of ends) end()
  assert.deepEqual(await all, numbers(6))
  assert.deepEqual(started, numbers(6))
})

test('one that fails fails all, and leaves nothing behind that nobody waits for', async () => {
  const work = async (n: number) => {
    if (n % 2 === 1) throw new Error(`not ${n}`)
  }
  const all = runConcurrently(numbers(8), {
    most: 8,
    isOver: () => false,
    takeTurn: new DeliverySlots().addQueue(),
    timers,
    work,
  })
  await assert.rejects(all, /not 1/)
  // A rejection that nobody handles ends the process in the next turn of its loop.
  await turnOfLoop()
})
