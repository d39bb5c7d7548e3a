import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { pollUntil } from '../../../test/harness/wait.ts'
import { migrate, planMigrations, readMigrations, SchemaTooNew } from './migrate.ts'

const serverUrl = process.env['FERIA_TEST_SERVER'] ?? ''
const skip = process.env['FERIA_TEST_TEMPLATE'] ? false : 'this server cannot make databases'
const databases: string[] = []
let names: string[]

before(async () => {
  names = (await readMigrations()).map((step) => step.name)
})
after(async () => {
  for (const name of databases) await query(serverUrl, `drop database ${name} with (force)`)
})

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

async function emptyDatabase(): Promise<string> {
  const name = `feria_migrate_${process.pid}_${randomBytes(4).toString('hex')}`
  await query(serverUrl, `create database ${name}`)
  databases.push(name)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

const tablesOf = async (url: string) =>
  (await query(url, `select tablename from pg_tables where schemaname = 'public' order by 1`)).map(
    (row) => row['tablename'],
  )

test('steps are read in order, each with its tables', async () => {
  const steps = await readMigrations()
  assert.ok(steps.length > 0)
  assert.deepEqual(
    steps.map((step) => step.version),
    steps.map((_, index) => index + 1),
  )
  for (const step of steps) assert.notEqual(step.tables, '', step.name)
})

test('the plan is what migrate then does; done twice, it does nothing', { skip }, async () => {
  const url = await emptyDatabase()
  const messages: string[] = []
  assert.deepEqual(
    (await planMigrations(url)).steps.map((step) => step.name),
    names,
  )
  assert.deepEqual(await tablesOf(url), [], 'a plan changes nothing')
  const ran = await migrate(url, { say: (step) => messages.push(step) })
  assert.deepEqual(
    ran.map((step) => step.name),
    names,
  )
  assert.equal(messages.length, names.length)
  const tables = await tablesOf(url)
  assert.ok(tables.includes('orders') && tables.includes('schema_steps'))

  assert.deepEqual((await planMigrations(url)).steps, [])
  assert.deepEqual(await migrate(url, { say: (step) => messages.push(step) }), [])
  assert.equal(messages.length, names.length)
  assert.deepEqual(await tablesOf(url), tables)
})

test('of several that migrate at once, one does it and the others find it done', {
  skip,
}, async () => {
  const url = await emptyDatabase()
  const ran = await Promise.all([migrate(url), migrate(url), migrate(url), migrate(url)])
  assert.deepEqual(ran.map((steps) => steps.length).sort(), [0, 0, 0, names.length])
})

test('who waits for the migration of another process says so at once and again and again', {
  skip,
}, async () => {
  const url = await emptyDatabase()
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  // The number under which every version of Feria queues up.
  await holder.query('select pg_advisory_lock(4607182418)')
  const messages: string[] = []
  const ran = migrate(url, { say: (step) => messages.push(step), waitReportIntervalMs: 5 })
  await pollUntil('three lines', () => messages.length >= 3)
  await holder.end()
  assert.equal((await ran).length, names.length)
  assert.match(messages[0] ?? '', /another process is migrating the schema, waiting/)
  assert.match(messages[1] ?? '', /still migrating the schema, waiting for \d+ s/)
  assert.match(messages.at(-1) ?? '', /migrating the schema: \d{4}/)
})

test('a schema of a later program is refused and left alone', { skip }, async () => {
  const url = await emptyDatabase()
  await migrate(url)
  await query(url, `insert into schema_steps values (9999, '9999_later', false, now())`)
  await assert.rejects(planMigrations(url), SchemaTooNew)
  await assert.rejects(migrate(url), (error) => {
    assert.ok(error instanceof SchemaTooNew)
    assert.match(error.message, /step 9999.*knows steps up to \d+/s)
    return true
  })
})

test('a step that fails half way leaves nothing, and can be run once its cause is gone', {
  skip,
}, async () => {
  const url = await emptyDatabase()
  await query(url, 'create table payments (mine text)')
  await assert.rejects(migrate(url), /migration 0001_\w+ failed: .*payments.*already exists/)
  assert.deepEqual(await tablesOf(url), ['payments'])
  await query(url, 'drop table payments')
  assert.equal((await migrate(url)).length, names.length)
})

test('to distribute asks for citus, and says so before it touches anything', { skip }, async () => {
  const url = await emptyDatabase()
  const [citus] = await query(url, `select 1 from pg_available_extensions where name = 'citus'`)
  if (citus) return
  await assert.rejects(migrate(url, { distribute: true }), /no citus extension/)
  assert.deepEqual(await tablesOf(url), [])
})
