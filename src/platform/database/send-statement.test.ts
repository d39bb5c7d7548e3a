import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { connectionOptions } from './database.ts'
import { sqlState } from './errors.ts'
import { sendStatement } from './send-statement.ts'
import { sql } from './sql.ts'

let database: TestDatabase
let client: pg.Client

before(async () => {
  database = await openTestDatabase()
  const options = { url: database.url, poolSize: 1, statementTimeoutMs: 15_000 }
  client = new pg.Client(connectionOptions(options))
  await client.connect()
})
after(async () => {
  await client.end()
  await database.drop()
})

const pair = (n: number) => sql`select ${n}::bigint as n, now() as "at", null::text as nothing`

test('an answer is described once on a connection, and read alike ever after', async () => {
  let descriptions = 0
  client.connection.on('rowDescription', () => descriptions++)
  for (const n of [1, 2, 3]) {
    const [row] = await sendStatement<{ n: number; at: Date; nothing: null }>(client, pair(n))
    assert.equal(row?.n, n)
    assert.ok(row?.at instanceof Date)
    assert.equal(row?.nothing, null)
  }
  assert.equal(descriptions, 1)
})

test('rows of one answer never show up in another of the same statement', async () => {
  const some = (n: number) => sendStatement(client, sql`select generate_series(1, ${n}::int) as n`)
  assert.deepEqual(await some(2), [{ n: 1 }, { n: 2 }])
  assert.deepEqual(await some(0), [])
  assert.deepEqual(await some(1), [{ n: 1 }])
})

test('what answers with no rows is sent again without a description', async () => {
  await client.query('create temporary table notes (id int primary key, note text)')
  const note = (id: number) => sendStatement(client, sql`insert into notes values (${id}, 'one')`)
  assert.deepEqual(await note(1), [])
  await assert.rejects(note(1), (error) => sqlState(error) === '23505')
  assert.deepEqual(await note(2), [])
})

test('an answer whose type has changed is refused, never misread', async () => {
  await client.query('create temporary table things (size int)')
  await client.query('insert into things values (7)')
  const read = () => sendStatement(client, sql`select size from things`)
  assert.deepEqual(await read(), [{ size: 7 }])
  await client.query('alter table things alter column size type text')
  await assert.rejects(read(), (error) => sqlState(error) === '0A000')
})
