import assert from 'node:assert/strict'
import { contract } from '../../../../test/harness/contract.ts'
import { pollUntil } from '../../../../test/harness/wait.ts'
import { CountCache } from './count-cache.ts'

/** Counts that tell how often they were made; `hits` says how much each is. */
function counter(hits: number) {
  const calls = { n: 0, fails: false }
  const count = async () => {
    calls.n++
    if (calls.fails) throw new Error('no database')
    return { value: { n: calls.n }, hits, size: 1 }
  }
  return { calls, count }
}

contract(
  ['4.4', 'catalog'],
  'what is little is counted each time, and is always that of now',
  async () => {
    const remembered = new CountCache<{ n: number }>(10)
    const { count } = counter(9)
    assert.deepEqual(await remembered.get('a', count), { n: 1 })
    assert.deepEqual(await remembered.get('a', count), { n: 2 })
  },
)

contract('4.4', 'what is much is counted once while no listing changes', async () => {
  const remembered = new CountCache<{ n: number }>(10)
  const { calls, count } = counter(10)
  for (let n = 0; n < 3; n++) assert.deepEqual(await remembered.get('a', count), { n: 1 })
  assert.equal(calls.n, 1)
  assert.deepEqual(await remembered.precount('a', count), { ms: 0, isNew: false })
  assert.deepEqual(await remembered.get('b', count), { n: 2 }, 'of something else')
})

contract(
  ['4.4', 'catalog'],
  'once listings changed, answers come with the counts of before until those of now are there',
  async () => {
    const remembered = new CountCache<{ n: number }>(10)
    const { count } = counter(10)
    await remembered.get('a', count)
    remembered.markOutdated()
    await pollUntil('the counts of now', async () => (await remembered.get('a', count)).n === 2)
    assert.deepEqual(await remembered.get('a', count), { n: 2 })
  },
)

contract('4.4', 'those who ask at once wait for one count', async () => {
  const remembered = new CountCache<{ n: number }>(10)
  const { calls, count } = counter(10)
  await Promise.all([1, 2, 3].map(() => remembered.get('a', count)))
  assert.equal(calls.n, 1)
})

contract('4.4', 'a count that fails is told to who waits for it, and tried again', async () => {
  const remembered = new CountCache<{ n: number }>(10)
  const { calls, count } = counter(10)
  calls.fails = true
  await assert.rejects(remembered.get('a', count), /no database/)
  calls.fails = false
  assert.deepEqual(await remembered.get('a', count), { n: 2 })
  calls.fails = true
  remembered.markOutdated()
  await pollUntil('the counts of now', async () => {
    assert.deepEqual(await remembered.get('a', count), { n: 2 }, 'that of before does')
    return calls.n > 3
  })
  calls.fails = false
  await pollUntil('the counts of now', async () => (await remembered.get('a', count)).n > 2)
})

contract('4.4', 'what has become little is forgotten', async () => {
  const remembered = new CountCache<{ n: number }>(10)
  let hits = 10
  let n = 0
  const count = async () => ({ value: { n: ++n }, hits, size: 1 })
  await remembered.get('a', count)
  hits = 1
  remembered.markOutdated()
  await pollUntil('the counts of now', async () => (await remembered.get('a', count)).n > 2)
})
