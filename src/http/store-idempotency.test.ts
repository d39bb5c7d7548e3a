import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  countLockWaiters,
  openTestDatabase,
  type TestDatabase,
} from '../../test/harness/database.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import { dayMs } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { Database } from '../platform/database/database.ts'
import { deleteIdempotencyKeys, runIdempotent } from './store-idempotency.ts'

let database: TestDatabase
let db: Database
const now = new Date('2026-03-10T15:00:00Z')

before(async () => {
  database = await openTestDatabase()
  db = new Database({ url: database.url, poolSize: 6, statementTimeoutMs: 15_000 })
})
after(async () => {
  await db.close()
  await database.drop()
})

function run(key: string | undefined, request: unknown, work: () => Promise<string>) {
  return db.transaction((tx) => runIdempotent(tx, { key, request, now }, work))
}

const refusal = (code: string) => (error: unknown) =>
  error instanceof Failure && error.code === code

test('a repetition gets the first result and does nothing', async () => {
  let runs = 0
  const work = async () => `made ${++runs}`
  assert.deepEqual(await run('k1', { a: 1 }, work), { result: 'made 1', repeated: false })
  assert.deepEqual(await run('k1', { a: 1 }, work), { result: 'made 1', repeated: true })
  assert.equal(runs, 1)
})

test('without a key everything is done every time', async () => {
  let runs = 0
  const work = async () => `made ${++runs}`
  await run(undefined, { a: 1 }, work)
  assert.deepEqual(await run(undefined, { a: 1 }, work), { result: 'made 2', repeated: false })
})

test('the same key with another request is refused', async () => {
  await run('k2', { a: 1 }, async () => 'made')
  for (const request of [{ a: 2 }, { a: 1, b: 1 }, [{ a: 1 }], null]) {
    await assert.rejects(
      run('k2', request, async () => 'never'),
      refusal('idempotency_key_reused'),
    )
  }
})

test('the same key at the same time runs once: the second waits for the first to end', async () => {
  let runs = 0
  let endFirst = () => {}
  const mayEnd = new Promise<void>((resolve) => {
    endFirst = resolve
  })
  const work = async () => {
    runs++
    await mayEnd
    return `made ${runs}`
  }
  const all = Array.from({ length: 4 }, () => run('k3', 'same', work))
  const ask = (text: string) => db.rows<object>({ text, name: undefined, values: [] })
  await pollUntil(
    'three to wait for the one that runs',
    async () => (await countLockWaiters(ask)) === 3,
  )
  assert.equal(runs, 1)
  endFirst()
  const done = await Promise.all(all)
  assert.equal(runs, 1)
  assert.deepEqual(new Set(done.map(({ result }) => result)), new Set(['made 1']))
  assert.equal(done.filter(({ repeated }) => !repeated).length, 1)
})

test('a key whose work failed is free again, also for one who waited for it', async () => {
  let fail: (() => void) | undefined
  const work = () =>
    new Promise<string>((_resolve, reject) => {
      fail = () => reject(new Error('no'))
    })
  const refused = assert.rejects(run('k4', 'same', work), /no/)
  await pollUntil('the first to run', () => fail !== undefined)
  const second = run('k4', 'same', async () => 'made by the second')
  fail?.()
  await refused
  assert.deepEqual(await second, { result: 'made by the second', repeated: false })
})

test('a key has 1 to 255 characters', async () => {
  for (const key of ['', 'x'.repeat(256)]) {
    await assert.rejects(
      run(key, 'a', async () => 'never'),
      refusal('bad_request'),
    )
  }
  assert.equal((await run('x'.repeat(255), 'a', async () => 'made')).result, 'made')
})

test('keys are forgotten once they are old enough, and not before', async () => {
  await run('k5', 'a', async () => 'first')
  await deleteIdempotencyKeys(db, now)
  assert.equal((await run('k5', 'a', async () => 'second')).result, 'first')
  await deleteIdempotencyKeys(db, new Date(now.getTime() + dayMs))
  assert.equal((await run('k5', 'a', async () => 'second')).result, 'second')
})
