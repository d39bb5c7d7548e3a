import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairQueue } from './fair-queue.ts'

/** A queue of these items; the first letter is the caller. */
function queueOf(items: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>()
  for (const item of items) queue.push(item.slice(0, 1), item)
  return queue
}

function drain(queue: FairQueue<string>): string[] {
  const items: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  return items
}

test('callers take turns, and each is served in the order in which it came', () => {
  for (const [came, served] of [
    [[], []],
    [
      ['a1', 'a2', 'a3'],
      ['a1', 'a2', 'a3'],
    ],
    [
      ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'],
      ['a1', 'b1', 'c1', 'a2', 'c2', 'a3'],
    ],
  ] as const) {
    const queue = queueOf(came)
    assert.equal(queue.size, came.length)
    assert.deepEqual(drain(queue), served)
    assert.equal(queue.size, 0)
  }
})

test('room is made by the newest item of the caller with the most, never by one with as few', () => {
  for (const [came, caller, evicted, remaining] of [
    [['a1', 'a2', 'b1'], 'b', undefined, ['a1', 'b1', 'a2']],
    [['a1', 'a2', 'b1'], 'c', 'a2', ['a1', 'b1']],
    [['a1', 'b1'], 'c', undefined, ['a1', 'b1']],
    [['a1', 'a2', 'a3', 'b1'], 'b', 'a3', ['a1', 'b1', 'a2']],
    [['a1', 'a2', 'a3'], 'a', undefined, ['a1', 'a2', 'a3']],
  ] as const) {
    const queue = queueOf(came)
    assert.equal(queue.makeRoomFor(caller), evicted)
    assert.equal(queue.size, remaining.length)
    assert.deepEqual(drain(queue), remaining)
  }
})

test('an item that was removed is not served, and its caller loses no turn', () => {
  const queue = queueOf(['a1', 'b1', 'a2'])
  queue.remove('a', 'a1')
  queue.remove('b', 'b1')
  queue.remove('b', 'b1')
  queue.remove('c', 'c1')
  assert.equal(queue.size, 1)
  assert.deepEqual(drain(queue), ['a2'])
})
