import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { openTableWriter } from '../../bench/market/tables.ts'
import { openTestDatabase } from '../harness/database.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>

before(async () => {
  database = await openTestDatabase()
})
after(() => database.drop())

test('whoever fills a table that PostgreSQL takes no more of learns why, between rows and at the end', async () => {
  const put = await openTableWriter(database.url, new Map([['users', ['id']]]))
  const refused = { message: /invalid input syntax for type bigint: "no number"/ }
  await assert.rejects(async () => {
    for (let round = 0; round < 1_000; round++) {
      for (let row = 0; row < 20_000; row++) put.writeRow('users', 'no number\n')
      await put.waitForDrain()
      // Only then does the answer of the server arrive.
      await turnOfLoop()
    }
  }, refused)
  await assert.rejects(put.close(), refused)
})
