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
  await query(serverUrl, `create database ${name} template ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => query(serverUrl, `drop database ${name} with (force)`) }
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
