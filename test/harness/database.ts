import { randomBytes } from 'node:crypto'
import pg from 'pg'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A migrated, empty database for one test file (see test/run.ts). */
export async function openTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env['FERIA_TEST_SERVER']
  if (!serverUrl) throw new Error('run tests with: npm test [-- files]')
  const template = process.env['FERIA_TEST_TEMPLATE']
  if (!template) {
    await emptyTables(serverUrl)
    return { url: serverUrl, drop: async () => {} }
  }
  const name = `feria_test_${process.pid}_${randomBytes(4).toString('hex')}`
  await query(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => query(serverUrl, `drop database ${name} with (force)`) }
}

/** Does `work` while nobody may change the rows of a table, until so many connections wait: what they
 * read before they came to it they read together. */
export async function heldUp<T>(
  { url, table, waiting }: { url: string; table: string; waiting: number },
  work: () => Promise<T>,
): Promise<T> {
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query(`select 1 from ${table} for update`)
    const done = work()
    const count = `select count(distinct l.pid)::int as n from pg_locks l
      join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
      where not l.granted`
    for (let turns = 0; (await holder.query(count)).rows[0].n < waiting; turns++) {
      if (turns > 5_000) throw new Error('nobody was held up')
      // Who is there is looked up once a transaction otherwise.
      await holder.query('select pg_stat_clear_snapshot()')
    }
    await holder.query('rollback')
    return await done
  } finally {
    await holder.end()
  }
}

async function emptyTables(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(`
      select c.relname as name from pg_class c
      where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'schema_steps'
        and c.relnamespace = current_schema()::regnamespace`)
    for (const { name } of rows) await client.query(`truncate ${name} cascade`)
  } finally {
    await client.end()
  }
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
