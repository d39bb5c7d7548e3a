import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Failure } from '../../kernel/failure.ts'
import { HashQueue } from './hash-queue.ts'

/** A queue whose work ends when the test says so. */
function openQueue(bounds: { concurrency: number; longest: number }) {
  const queue = new HashQueue(bounds)
  const startedNames: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const run = (name: string, isStranger: boolean) => {
    const work = () => {
      startedNames.push(name)
      return new Promise<void>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve()))
      })
    }
    return queue.run(work, { isStranger })
  }
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await setImmediate()
  }
  return { startedNames, run, end }
}

test('two hashes run at a time, whoever asks, and a failed one makes room too', async () => {
  const { startedNames, run, end } = openQueue({ concurrency: 2, longest: 9 })
  const all = ['a', 'b', 'c', 'd'].map((name) => run(name, name > 'b'))
  const outcomes = Promise.allSettled(all)
  assert.deepEqual(startedNames, ['a', 'b'])
  await end('a', new Error('out of memory'))
  assert.deepEqual(startedNames, ['a', 'b', 'c'])
  await end('c')
  await end('b')
  await end('d')
  const states = (await outcomes).map(({ status }) => status)
  assert.deepEqual(states, ['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
})

test('owners on their devices go ahead of strangers, of whom a bounded number waits', async () => {
  const { startedNames, run, end } = openQueue({ concurrency: 1, longest: 2 })
  const all = [run('first', true), run('second', true), run('third', true)]
  const refused = (error: unknown) => error instanceof Failure && error.code === 'unavailable'
  await assert.rejects(run('one too many', true), refused)
  all.push(run('owner', false), run('another owner', false))
  const order = ['first', 'owner', 'another owner', 'second', 'third']
  for (const name of order) await end(name)
  await Promise.all(all)
  assert.deepEqual(startedNames, order)
  const again = run('later', true)
  await end('later')
  await again
})
