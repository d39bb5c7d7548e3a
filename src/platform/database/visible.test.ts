import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilVisible } from './visible.ts'

const cases: [reads: (string | undefined)[], row: string | undefined, pauses: number[]][] = [
  [['row'], 'row', []],
  [[undefined, 'row'], 'row', [1]],
  [[undefined, undefined, undefined, 'row'], 'row', [1, 2, 5]],
  [Array(10).fill(undefined), undefined, [1, 2, 5, 10, 20, 50, 100, 200, 400]],
  [[...Array(9).fill(undefined), 'row'], 'row', [1, 2, 5, 10, 20, 50, 100, 200, 400]],
]

for (const [reads, row, pauses] of cases) {
  test(`a row that read number ${reads.length} finds ${row ?? 'or never'} rests ${pauses.length} times`, async () => {
    const remaining = [...reads]
    const rested: number[] = []
    const row = await untilVisible(async () => remaining.shift(), {
      rest: async (ms) => void rested.push(ms),
    })
    assert.equal(row, row)
    assert.deepEqual(rested, pauses)
    assert.deepEqual(remaining, [])
  })
}

test('a read that fails is not tried again', async () => {
  let reads = 0
  const read = async () => {
    reads++
    throw new Error('refused')
  }
  await assert.rejects(untilVisible(read), /refused/)
  assert.equal(reads, 1)
})
