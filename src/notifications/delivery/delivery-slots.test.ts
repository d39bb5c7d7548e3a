import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { pollUntil } from '../../../test/harness/wait.ts'
import { DeliverySlots, type RunInSlot } from './delivery-slots.ts'

const most = 64
const mostOfSilent = 4
const neverOld = { idle: 1e9, busy: 1e9 }

/** Keeps this process busy until it is told to stop. */
function busy(): () => void {
  let isOver = false
  const work = () => {
    const end = performance.now() + 5
    while (performance.now() < end);
    if (!isOver) setImmediate(work)
  }
  work()
  return () => {
    isOver = true
  }
}

/** Waits until this process has done nothing for so many times 20 ms. On a machine that is busy with other work
 * it may take longer: a process that has to wait for a processor looks busy to itself. */
async function idleMoments(count: number): Promise<void> {
  let idleCount = 0
  await pollUntil('a process that rests', async () => {
    const before = performance.eventLoopUtilization()
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (performance.eventLoopUtilization(before).utilization < 0.5) idleCount++
    return idleCount >= count
  })
}

/** Requests that are answered when told. */
function requests(takeTurn: RunInSlot, count: number) {
  const open: (() => void)[] = []
  let begunCount = 0
  const turns = Array.from({ length: count }, () =>
    takeTurn(async () => {
      begunCount++
      await new Promise<void>((resolve) => open.push(resolve))
      return false
    }),
  )
  return { turns, answer: () => open.shift()?.(), begunCount: () => begunCount }
}

test('a busy process has so many under way, and begins one for each that is answered', async () => {
  const rest = busy()
  const { turns, answer, begunCount } = requests(
    new DeliverySlots({ youngMs: neverOld }).addQueue(),
    3 * most,
  )
  for (let n = 0; n < 20; n++) await turnOfLoop()
  assert.equal(begunCount(), most)
  answer()
  answer()
  for (let n = 0; n < 5; n++) await turnOfLoop()
  assert.equal(begunCount(), most + 2)
  rest()
  for (let n = 0; n < 3 * most; n++) {
    await pollUntil('the next request', () => begunCount() > n)
    answer()
  }
  await Promise.all(turns)
})

test('receivers that hang hold up nobody: their places are given to others', async () => {
  const admission = new DeliverySlots()
  const hanging = requests(admission.addQueue(), 5 * most)
  await pollUntil('all that hang', () => hanging.begunCount() === 5 * most)
  const rest = busy()
  let done = 0
  const takeTurn = admission.addQueue()
  const others = Array.from({ length: 3 * most }, () =>
    takeTurn(async () => {
      await turnOfLoop()
      done++
      return false
    }),
  )
  await Promise.all(others)
  rest()
  assert.equal(done, 3 * most)
  for (let n = 0; n < 5 * most; n++) hanging.answer()
  await Promise.all(hanging.turns)
})

test('in a busy process, too, a receiver that is waited for and answers nothing holds few places', async () => {
  const admission = new DeliverySlots({ youngMs: { idle: 10, busy: 1e9 } })
  const hanging = admission.addQueue()
  const first = requests(hanging, 1)
  // Nothing is to be done, and nothing is answered, for longer than a receiver may be silent.
  await idleMoments(15)
  const rest = busy()
  const more = requests(hanging, 3 * most)
  const others = requests(admission.addQueue(), 3 * most)
  for (let n = 0; n < 20; n++) await turnOfLoop()
  assert.deepEqual([more.begunCount(), others.begunCount()], [mostOfSilent, most - mostOfSilent])
  // Once it has answered it has what it may.
  first.answer()
  for (let n = 0; n < 3 * most; n++) {
    await pollUntil('the next request', () => more.begunCount() > n)
    more.answer()
    others.answer()
  }
  rest()
  await Promise.all([...first.turns, ...more.turns, ...others.turns])
})

test('lanes take turns: one that came with much has no place before one that came later', async () => {
  const admission = new DeliverySlots({ youngMs: neverOld })
  const rest = busy()
  const much = requests(admission.addQueue(), 3 * most)
  const few = [requests(admission.addQueue(), 2), requests(admission.addQueue(), 2)]
  for (let n = 0; n < 6; n++) {
    await turnOfLoop()
    much.answer()
  }
  for (let n = 0; n < 5; n++) await turnOfLoop()
  assert.deepEqual(
    [much, ...few].map(({ begunCount }) => begunCount()),
    [most + 2, 2, 2],
  )
  rest()
  for (let n = 0; n < 3 * most; n++) {
    await pollUntil('the next request', () => much.begunCount() > n)
    for (const sender of [much, ...few]) sender.answer()
  }
  await Promise.all([much, ...few].flatMap(({ turns }) => turns))
})

test('whoever has much to send lets others come in between', async () => {
  const admission = new DeliverySlots({ youngMs: neverOld })
  const rest = busy()
  const order: string[] = []
  const sender = async (name: string, count: number) => {
    const takeTurn = admission.addQueue()
    for (let remaining = count; remaining > 0; ) {
      await takeTurn(async () => {
        order.push(name)
        remaining--
        await turnOfLoop()
        return remaining > 0
      })
    }
  }
  const many = Array.from({ length: most }, () => sender('much', 40))
  const one = sender('one', 1)
  await Promise.all([...many, one])
  rest()
  const before = order.indexOf('one')
  assert.ok(before >= most && before <= 10 * most, `${before} of ${order.length} came before`)
})

test('one that fails gives its place back', async () => {
  const takeTurn = new DeliverySlots().addQueue()
  const rest = busy()
  const failing = Array.from({ length: 3 * most }, () =>
    takeTurn(() => Promise.reject(new Error('no'))),
  )
  const ended = await Promise.allSettled(failing)
  rest()
  assert.ok(ended.every(({ status }) => status === 'rejected'))
  let isDone = false
  await takeTurn(async () => {
    isDone = true
    return false
  })
  assert.ok(isDone)
})
