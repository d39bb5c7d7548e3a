import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { Admission } from './admission.ts'

const most = 64
const neverOld = { idle: 1e9, busy: 1e9 }

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1))
}

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

/** Requests that are answered when told. */
function requests(admission: Admission, count: number) {
  const open: (() => void)[] = []
  let begun = 0
  const turns = Array.from({ length: count }, () =>
    admission.turn(async () => {
      begun++
      await new Promise<void>((resolve) => open.push(resolve))
      return false
    }),
  )
  return { turns, answer: () => open.shift()?.(), begun: () => begun }
}

test('a busy process has so many under way, and begins one for each that is answered', async () => {
  const rest = busy()
  const { turns, answer, begun } = requests(new Admission(neverOld), 3 * most)
  for (let n = 0; n < 20; n++) await turnOfLoop()
  assert.equal(begun(), most)
  answer()
  answer()
  for (let n = 0; n < 5; n++) await turnOfLoop()
  assert.equal(begun(), most + 2)
  rest()
  for (let n = 0; n < 3 * most; n++) {
    await until(() => begun() > n)
    answer()
  }
  await Promise.all(turns)
})

test('receivers that hang hold up nobody: their places are given to others', async () => {
  const admission = new Admission()
  const hanging = requests(admission, 5 * most)
  await until(() => hanging.begun() === 5 * most)
  const rest = busy()
  let done = 0
  const others = Array.from({ length: 3 * most }, () =>
    admission.turn(async () => {
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

test('whoever has much to send lets others come in between', async () => {
  const admission = new Admission(neverOld)
  const rest = busy()
  const order: string[] = []
  const sender = async (name: string, count: number) => {
    for (let left = count; left > 0; ) {
      await admission.turn(async () => {
        order.push(name)
        left--
        await turnOfLoop()
        return left > 0
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
  const admission = new Admission()
  const rest = busy()
  const failing = Array.from({ length: 3 * most }, () =>
    admission.turn(() => Promise.reject(new Error('no'))),
  )
  const ended = await Promise.allSettled(failing)
  rest()
  assert.ok(ended.every(({ status }) => status === 'rejected'))
  let isDone = false
  await admission.turn(async () => {
    isDone = true
    return false
  })
  assert.ok(isDone)
})
