import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { Database } from './database.ts'
import { isUnavailable, sqlState } from './errors.ts'
import { Signals } from './signals.ts'
import { sql } from './sql.ts'

let database: TestDatabase
let db: Database
let signals: Signals
let others: Signals

before(async () => {
  database = await openTestDatabase()
  signals = new Signals(database.url)
  others = new Signals(database.url)
  await Promise.all([signals.open(), others.open()])
  db = open()
  await db.rows(sql`create table things (id int primary key, n int not null)`)
  await db.rows(sql`insert into things values (1, 0), (2, 0)`)
})
after(async () => {
  await db.rows(sql`drop table things`)
  await Promise.all([db.close(), signals.close(), others.close()])
  await database.drop()
})

function open(options: { statementTimeoutMs?: number } = {}): Database {
  return new Database({
    url: database.url,
    poolSize: 4,
    statementTimeoutMs: 15_000,
    signals,
    ...options,
  })
}

const numberAt = async (id: number) =>
  (await db.row<{ n: number }>(sql`select n from things where id = ${id}`))?.n

test('what is thrown rolls everything back and reaches the caller', async () => {
  const thrown = new Error('no')
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.rows(sql`update things set n = 77 where id = 1`)
      throw thrown
    }),
    (error) => error === thrown,
  )
  assert.equal(await numberAt(1), 0)
})

test('a failed statement fails its transaction, and the connection is good for the next', async () => {
  for (let round = 0; round < 10; round++) {
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.rows(sql`update things set n = 77 where id = 1`)
        await tx.rows(sql`insert into things values (1, 1)`)
      }),
      (error) => sqlState(error) === '23505',
    )
  }
  assert.equal(await numberAt(1), 0)
  assert.equal(db.load.total, db.load.idle)
})

test('a transaction fails by what failed first, whatever was written behind it', async () => {
  const failing = (first: 'read' | 'write') =>
    db.transaction(async (tx) => {
      const divided = sql`select 1 / 0`
      const read = first === 'read' ? tx.rows(divided) : undefined
      if (first === 'write') tx.write(divided)
      tx.write(sql`select 1`)
      await (read ?? tx.rows(sql`select 2`))
    })
  for (const first of ['read', 'write'] as const) {
    await assert.rejects(failing(first), (error) => sqlState(error) === '22012', first)
  }
})

test('transactions that lock each other out are both done in the end', async () => {
  let runs = 0
  let waiting: (() => void) | undefined
  const bothHoldOne = new Promise<void>((resolve) => {
    waiting = resolve
  })
  const addTo = (first: number, second: number) =>
    db.transaction(async (tx) => {
      runs++
      await tx.rows(sql`update things set n = n + 1 where id = ${first}`)
      if (runs === 2) waiting?.()
      await bothHoldOne
      await tx.rows(sql`update things set n = n + 1 where id = ${second}`)
    })
  await Promise.all([addTo(1, 2), addTo(2, 1)])
  assert.ok(runs >= 3, `PostgreSQL ended one of the two, which was run again: ${runs} runs`)
  assert.deepEqual([await numberAt(1), await numberAt(2)], [2, 2])
})

test('a serialization failure is run again, from its beginning', async () => {
  const values: number[] = []
  await db.transaction(async (tx) => {
    await tx.rows(sql`set transaction isolation level serializable`)
    const row = await tx.row<{ n: number }>(sql`select n from things where id = 1`)
    values.push(row?.n ?? -1)
    if (values.length === 1) await db.rows(sql`update things set n = 40 where id = 1`)
    await tx.rows(sql`update things set n = ${(row?.n ?? 0) + 1} where id = 1`)
  })
  assert.deepEqual(values, [2, 40])
  assert.equal(await numberAt(1), 41)
})

test('what can never succeed is not run for ever', async () => {
  let runs = 0
  await assert.rejects(
    db.transaction(async (tx) => {
      runs++
      await tx.rows(sql`do $$ begin raise exception using errcode = '40001'; end $$`)
    }),
    (error) => sqlState(error) === '40001',
  )
  assert.equal(runs, 5)
})

test('other failures are not run again', async () => {
  let runs = 0
  await assert.rejects(
    db.transaction(async (tx) => {
      runs++
      await tx.rows(sql`select 1 / 0`)
    }),
  )
  assert.equal(runs, 1)
})

test('a connection that is ended between two statements fails its transaction only', async () => {
  await assert.rejects(
    db.transaction(async (tx) => {
      const { pid } = (await tx.row<{ pid: number }>(sql`select pg_backend_pid() as pid`)) ?? {}
      await db.rows(sql`select pg_terminate_backend(${pid}::int)`)
      await pollUntil('the end of the connection', async () => {
        const connections = await db.rows(sql`select 1 from pg_stat_activity where pid = ${pid}`)
        return connections.length === 0
      })
      // Whatever the ended connection has to say, it says while nobody waits for an answer of its.
      await new Promise((resolve) => setImmediate(resolve))
      await tx.rows(sql`update things set n = 1000 where id = 2`)
    }),
    isUnavailable,
  )
  assert.equal(await numberAt(2), 2)
})

test('a statement past its time is ended, and told as unavailable', async () => {
  const hasty = open({ statementTimeoutMs: 50 })
  try {
    await assert.rejects(hasty.rows(sql`select pg_sleep(30)`), isUnavailable)
  } finally {
    await hasty.close()
  }
})

test('an unreachable database is told as unavailable, a wrong statement is not', async () => {
  const nowhere = new Database({
    url: 'postgres://u:p@127.0.0.1:1/x',
    poolSize: 1,
    statementTimeoutMs: 1_000,
  })
  assert.ok(isUnavailable(await nowhere.writes.currentError()))
  await assert.rejects(nowhere.row(sql`select 1`), isUnavailable)
  await nowhere.close()
  await assert.rejects(db.rows(sql`select nonsense`), (error) => !isUnavailable(error))
})

test('codes of the operating system are not taken for codes of PostgreSQL', () => {
  const epipe = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  assert.equal(sqlState(epipe), undefined)
  assert.ok(isUnavailable(epipe))
  assert.ok(!isUnavailable(new Error('anything else')))
  assert.ok(!isUnavailable('text'))
})

test('a hint is given after the commit, here and elsewhere, and not after a rollback', async () => {
  const heard: [where: string, committed: number | undefined][] = []
  const hear = (where: string) => async () => {
    heard.push([where, await numberAt(1)])
  }
  signals.on('hinted', hear('here'))
  others.on('hinted', hear('there'))
  await assert.rejects(
    db.transaction(async (tx) => {
      tx.hint('hinted')
      await tx.rows(sql`update things set n = 50 where id = 1`)
      throw new Error('no')
    }),
  )
  await db.transaction(async (tx) => {
    tx.hint('hinted')
    tx.hint('hinted')
    await tx.rows(sql`update things set n = 51 where id = 1`)
    assert.deepEqual(heard, [])
  })
  await pollUntil('both to hear', () => heard.length === 2)
  assert.deepEqual(heard.sort(), [
    ['here', 51],
    ['there', 51],
  ])
})

test('what is published travels with the commit, and not with a rollback', async () => {
  const heard: string[] = []
  signals.on('published', (payload) => heard.push(`here ${payload}`))
  others.on('published', (payload) => heard.push(`there ${payload}`))
  await assert.rejects(
    db.transaction(async (tx) => {
      tx.publish('published', 'never')
      throw new Error('no')
    }),
  )
  await db.transaction(async (tx) => {
    tx.publish('published', 'one')
    tx.publish('published', 'two, with "quotes" and ñ')
  })
  await pollUntil('both to hear', () => heard.length === 4)
  assert.deepEqual(heard.sort(), [
    'here one',
    'here two, with "quotes" and ñ',
    'there one',
    'there two, with "quotes" and ñ',
  ])
})

test('numbers of 64 bits come back as numbers, decimals as exact text, JSON as its text', async () => {
  const row = await db.row(sql`
    select 9007199254740991::bigint as id, 0.10::numeric as amount, '{"a": 1}'::jsonb as b,
      '{"a":  1}'::json as j, '2026-01-31T13:45:00.123Z'::timestamptz as at`)
  assert.deepEqual(row, {
    id: Number.MAX_SAFE_INTEGER,
    amount: '0.10',
    b: '{"a": 1}',
    j: '{"a":  1}',
    at: new Date('2026-01-31T13:45:00.123Z'),
  })
})

test('a transaction does not wait behind reads, however many there are', async () => {
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('select pg_advisory_lock(7)')
  const read = () => db.rows(sql`select pg_advisory_xact_lock(7)`)
  const reads = Array.from({ length: 20 }, read)
  assert.equal(await db.transaction(async () => 'committed'), 'committed')
  await pollUntil('the others to wait', () => db.load.waiting === 18)
  await holder.end()
  await Promise.all(reads)
  assert.equal(db.load.waiting, 0)
})

test('values never become part of a statement', async () => {
  const odd = `'; drop table things; -- $1 \\ "`
  assert.deepEqual(await db.row(sql`select ${odd}::text as said`), { said: odd })
  const statement = sql`select ${1}, ${2}`
  assert.deepEqual([statement.text, statement.values], ['select $1, $2', [1, 2]])
})

test('a broken client of the pool does not end the process', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  client.on('error', () => {})
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name = 'feria'`)
  await client.end()
  if (db.load.idle > 0) await pollUntil('idle connections to be dropped', () => db.load.idle === 0)
  assert.equal(await numberAt(1), 51)
})

test('moments are read to the millisecond, whatever the time zone they are told in', async () => {
  const texts = [
    '2026-11-22 00:03:20+00',
    '2026-11-22 00:03:20.6+00',
    '2026-11-22 00:03:20.123456+00',
    '1969-12-31 23:59:59.999+00',
    '0044-03-15 12:00:00+00 BC',
  ]
  for (const zone of ['UTC', 'America/Caracas']) {
    await db.transaction(async (tx) => {
      await tx.rows({ text: `set local time zone '${zone}'`, name: undefined, values: [] })
      for (const text of texts) {
        const row = await tx.row<{ at: Date; ms: string }>(sql`
          select ${text}::timestamptz as at,
            floor(extract(epoch from ${text}::timestamptz) * 1000)::text as ms`)
        assert.equal(row?.at.getTime(), Number(row?.ms), `${text} in ${zone}`)
      }
      const row = await tx.row(sql`select 'infinity'::timestamptz as at`)
      assert.deepEqual(row, { at: Number.POSITIVE_INFINITY })
    })
  }
})

test('a process whose requests can get no connection does not take writes, whatever its check has', async () => {
  const opened: pg.Pool[] = []
  const limited = new Database({
    url: database.url,
    poolSize: 4,
    statementTimeoutMs: 15_000,
    makePool: (config) => {
      // That of requests comes first.
      const port = opened.length === 0 ? { port: 1, connectionString: undefined } : {}
      const pool = new pg.Pool({ ...config, ...port })
      opened.push(pool)
      return pool
    },
  })
  try {
    const [, , check] = opened
    await check?.query('select 1')
    assert.match(`${await limited.writes.currentError()}`, /ECONNREFUSED/)
  } finally {
    await limited.close()
  }
})
