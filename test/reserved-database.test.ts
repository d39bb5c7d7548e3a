import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  openTestDatabase,
  reserveDatabase,
  skipWithoutClones,
  type TestDatabase,
} from './harness/database.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.drop())

test('a second run in a shared database is refused until the first one ends, and deletes nothing', {
  skip: skipWithoutClones('this process has reserved the database already'),
}, async () => {
  const first = await reserveDatabase(database.url)
  await assert.rejects(
    reserveDatabase(database.url, { waitMs: 50 }),
    /Another test run uses the database feria_test_/,
  )
  const second = reserveDatabase(database.url)
  await first.end()
  await (await second).end()
})
