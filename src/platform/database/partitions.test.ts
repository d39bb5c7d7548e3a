import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { dayMs } from '../../kernel/clock.ts'
import { Database } from './database.ts'
import { sqlState } from './errors.ts'
import { dropPartitionsBefore, ensureDayPartitions } from './partitions.ts'
import { sql } from './sql.ts'

let database: TestDatabase
let db: Database
const opened: Database[] = []

before(async () => {
  database = await openTestDatabase()
  db = open()
  await db.rows(sql`
    create table days (id int not null, at timestamptz not null, primary key (id, at))
    partition by range (at)`)
})
after(async () => {
  await db.rows(sql`drop table days`)
  await Promise.all(opened.map((connection) => connection.close()))
  await database.drop()
})

/** As another process would: it does not know what was made before. */
function open(): Database {
  const connection = new Database({ url: database.url, poolSize: 4, statementTimeoutMs: 15_000 })
  opened.push(connection)
  return connection
}

const parts = async () =>
  (
    await db.rows<{ part: string }>(sql`
      select inhrelid::regclass::text as part from pg_inherits
      where inhparent = 'days'::regclass order by 1`)
  ).map((row) => row.part)

const insert = (id: number, at: string) => db.rows(sql`insert into days values (${id}, ${at})`)
const noon = new Date('2026-03-10T12:00:00Z')

test('today and tomorrow are there, in UTC, to the last microsecond and no further', async () => {
  await ensureDayPartitions(db, 'days', noon)
  assert.deepEqual(await parts(), ['days_20260310', 'days_20260311'])
  await insert(1, '2026-03-10T00:00:00Z')
  await insert(2, '2026-03-10T23:59:59.999999Z')
  await insert(3, '2026-03-11T00:00:00Z')
  const byPart = await db.rows(
    sql`select tableoid::regclass::text as part, id from days order by id`,
  )
  assert.deepEqual(byPart, [
    { part: 'days_20260310', id: 1 },
    { part: 'days_20260310', id: 2 },
    { part: 'days_20260311', id: 3 },
  ])
  for (const outside of ['2026-03-09T23:59:59.999999Z', '2026-03-12T00:00:00Z']) {
    await assert.rejects(insert(9, outside), (error) => sqlState(error) === '23514')
  }
})

test('made again, by whomever, nothing changes and nothing is lost', async () => {
  await ensureDayPartitions(db, 'days', noon)
  await ensureDayPartitions(open(), 'days', noon)
  assert.deepEqual(await parts(), ['days_20260310', 'days_20260311'])
  assert.equal((await db.rows(sql`select id from days`)).length, 3)
})

test('many that find the same days missing make them once', async () => {
  const later = new Date(noon.getTime() + 5 * dayMs)
  const processes = Array.from({ length: 6 }, open)
  await Promise.all(processes.map((connection) => ensureDayPartitions(connection, 'days', later)))
  assert.deepEqual((await parts()).slice(2), ['days_20260315', 'days_20260316'])
})

test('a part has the keys of its table', async () => {
  await assert.rejects(insert(1, '2026-03-10T00:00:00Z'), (error) => sqlState(error) === '23505')
})

test('only whole days that have passed are dropped', async () => {
  assert.deepEqual(await dropPartitionsBefore(db, 'days', new Date('2026-03-10T23:59:59Z')), [])
  const dropped = await dropPartitionsBefore(db, 'days', new Date('2026-03-12T00:00:00Z'))
  assert.deepEqual(dropped, ['days_20260310', 'days_20260311'])
  assert.deepEqual(await parts(), ['days_20260315', 'days_20260316'])
  assert.deepEqual(await dropPartitionsBefore(db, 'days', new Date('2026-03-12T00:00:00Z')), [])
})

test('a day that was dropped can be made again by the same process', async () => {
  await ensureDayPartitions(db, 'days', noon)
  await insert(4, '2026-03-10T00:00:00Z')
  assert.equal((await parts()).length, 4)
})

test('a month has ended where the days say so', async () => {
  await ensureDayPartitions(db, 'days', new Date('2028-02-28T23:59:59.999Z'))
  assert.deepEqual((await parts()).slice(-2), ['days_20280228', 'days_20280229'])
})
