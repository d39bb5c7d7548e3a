import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { Database } from './database.ts'
import { Signals } from './signals.ts'
import { sql } from './sql.ts'

let database: TestDatabase
let here: Signals
let there: Signals
let db: Database

before(async () => {
  database = await openTestDatabase()
  here = new Signals(database.url)
  there = new Signals(database.url)
  await Promise.all([here.open(), there.open()])
  db = new Database({ url: database.url, poolSize: 2, statementTimeoutMs: 5_000, signals: here })
})
after(async () => {
  await Promise.all([here.close(), there.close(), db.close()])
  await database.drop()
})

/** Ends every listening connection of this database, as a restart of the server would. */
async function killListeners(): Promise<void> {
  const killed = await db.rows(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'feria signals'`)
  assert.ok(killed.length > 0)
}

test('hints that come close together are told elsewhere as one', async () => {
  let heardHere = 0
  let heardThere = 0
  here.on('work', () => heardHere++)
  there.on('work', () => heardThere++)
  there.on('after', () => heardThere++)
  for (let hint = 0; hint < 100; hint++) here.hint('work')
  assert.equal(heardHere, 100, 'who is in the same process hears at once')
  await pollUntil('the hint elsewhere', () => heardThere > 0)
  here.hint('after')
  await pollUntil('a later hint', () => heardThere > 1)
  assert.equal(heardThere, 2)
})

test('who hints does not hear himself by way of the database', async () => {
  const heard: string[] = []
  here.on('own', () => heard.push('here'))
  there.on('own', () => heard.push('there'))
  here.hint('own')
  await pollUntil('the hint elsewhere', () => heard.includes('there'))
  assert.deepEqual(heard, ['here', 'there'])
})

test('a lost connection is noticed, told as a reset, and mended; then it hears again', async () => {
  const states: [what: string, listening: boolean][] = []
  there.on('reset', () => states.push(['reset', there.listening]))
  const heard: string[] = []
  there.on('mended', (payload) => heard.push(payload))

  assert.equal(there.listening, true)
  await killListeners()
  await pollUntil('the loss and the mending', () => states.length === 2 && here.listening)
  assert.deepEqual(states, [
    ['reset', false],
    ['reset', true],
  ])
  await db.transaction(async (tx) => tx.publish('mended', 'again'))
  await pollUntil('a message after it', () => heard.length > 0)
  assert.deepEqual(heard, ['again'])
})

test('a hint while nobody listens is lost without a failure', async () => {
  const alone = new Signals(database.url)
  let heard = 0
  alone.on('work', () => heard++)
  alone.hint('work')
  assert.equal(heard, 1)
  await alone.close()
})

test('after close it neither listens nor comes back', async () => {
  const brief = new Signals(database.url)
  await brief.open()
  let resets = 0
  brief.on('reset', () => resets++)
  await brief.close()
  assert.equal(brief.listening, false)
  await brief.open()
  assert.equal(brief.listening, false, 'not even when an opening was under way')
  assert.equal(resets, 0)
})

test('it cannot be opened without a database, and leaves nothing behind', async () => {
  const unreachable = new Signals('postgres://u:p@127.0.0.1:1/x')
  await assert.rejects(unreachable.open())
  assert.equal(unreachable.listening, false)
  await unreachable.close()
})

test('what others say on its channel can not break it', async () => {
  let heard = 0
  there.on('fine', () => heard++)
  for (const payload of ['', 'not json', '7', 'null', '{}', '[1,2,3]', '["x"]']) {
    await db.rows(sql`select pg_notify('feria', ${payload})`)
  }
  here.hint('fine')
  await pollUntil('the hint after the nonsense', () => heard > 0)
  assert.equal(there.listening, true)
})
