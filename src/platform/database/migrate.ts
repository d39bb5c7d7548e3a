import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Db } from './database.ts'
import { sql } from './sql.ts'

/** One step of the schema: `0001_house.sql` holds tables and indexes, `0001_house.distribute.sql`
 * spreads them over a cluster (Citus only), `0001_house.keys.sql` adds foreign keys. */
export interface Migration {
  version: number
  name: string
  tables: string
  distribute: string
  keys: string
}

/** The one number under which every migrating process queues up. */
const lockKey = 4_607_182_418
const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))

export class SchemaTooNew extends Error {
  override name = 'SchemaTooNew'
}

export async function readMigrations(): Promise<Migration[]> {
  const files = await readdir(folder)
  const read = async (file: string) =>
    files.includes(file) ? readFile(`${folder}/${file}`, 'utf8') : ''
  const steps = files.filter((file) => /^\d{4}_[a-z_]+\.sql$/.test(file)).sort()
  return Promise.all(
    steps.map(async (file) => {
      const name = file.replace(/\.sql$/, '')
      return {
        version: Number(name.slice(0, 4)),
        name,
        tables: await read(file),
        distribute: await read(`${name}.distribute.sql`),
        keys: await read(`${name}.keys.sql`),
      }
    }),
  )
}

/** What `migrate` would run, in order. Reads only. Throws `SchemaTooNew`. */
export async function planMigrations(url: string): Promise<Migration[]> {
  return withClient(url, (client) => pending(client))
}

/**
 * Brings the schema up to this program, one transaction a step, under a lock that lets one process
 * migrate while others wait. Returns what was run. Throws `SchemaTooNew` when the database was
 * migrated by a later program: an older one must not write into it.
 */
export async function migrate(
  url: string,
  options: { distribute?: boolean; say?: (step: string) => void; tellWaitMs?: number } = {},
): Promise<Migration[]> {
  return withClient(url, async (client) => {
    await takeLock(client, options)
    try {
      if (options.distribute) await requireCitus(client)
      const steps = await pending(client)
      for (const step of steps) {
        options.say?.(`migrating the schema: ${step.name}`)
        await runStep(client, step, options.distribute ?? false)
      }
      if (options.distribute) await distributeLater(client, options.say)
      return steps
    } finally {
      await client.query('select pg_advisory_unlock($1)', [lockKey])
    }
  })
}

/** Waits while another process migrates, and says so at once and every `tellWaitMs`. */
async function takeLock(
  client: pg.Client,
  { say = () => {}, tellWaitMs = 10_000 }: { say?: (step: string) => void; tellWaitMs?: number },
): Promise<void> {
  const tried = await client.query('select pg_try_advisory_lock($1) as held', [lockKey])
  if (tried.rows[0].held) return
  say('another process is migrating the schema, waiting for it …')
  const startedAt = performance.now()
  const telling = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    say(`another process is still migrating the schema, waiting for ${seconds} s …`)
  }, tellWaitMs)
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
  } finally {
    clearInterval(telling)
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'feria migrate',
    // What accepts connections and says nothing is no PostgreSQL.
    connectionTimeoutMillis: 5_000,
  })
  // Without a listener, a connection that breaks would end the process; the query that fails says why.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Returns the step that the schema is at, and whether it is spread over a cluster. */
export async function readSchema(db: Db): Promise<{ step: number; isSpread: boolean }> {
  const row = await db.row<{ step: number; isSpread: boolean }>(sql`
    select max(version) as step, bool_or(distributed) as "isSpread" from schema_steps`)
  return { step: row?.step ?? 0, isSpread: row?.isSpread ?? false }
}

async function pending(client: pg.Client): Promise<Migration[]> {
  const known = await readMigrations()
  const { rows } = await client.query(`select to_regclass('schema_steps') is not null as there`)
  if (!rows[0].there) return known
  const applied = await client.query('select version, name from schema_steps')
  const newest = Math.max(0, ...applied.rows.map((row) => row.version as number))
  const mine = Math.max(0, ...known.map((step) => step.version))
  if (newest > mine) {
    throw new SchemaTooNew(
      `The database's schema is at step ${newest}, this program knows steps up to ${mine}. ` +
        'Run the newer version of Feria that migrated it, or restore a backup from before.',
    )
  }
  const done = new Set(applied.rows.map((row) => row.version as number))
  return known.filter((step) => !done.has(step.version))
}

async function runStep(client: pg.Client, step: Migration, distribute: boolean): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`create table if not exists schema_steps (
      version int primary key, name text not null, distributed boolean not null,
      applied_at timestamptz not null default now())`)
    await client.query(step.tables)
    if (distribute && step.distribute) await client.query(step.distribute)
    if (step.keys) await client.query(step.keys)
    await client.query(
      'insert into schema_steps (version, name, distributed) values ($1, $2, $3)',
      [step.version, step.name, distribute],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migration ${step.name} failed: ${(error as Error).message}`, { cause: error })
  }
}

async function requireCitus(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select 1 from pg_extension where extname = 'citus'`)
  if (rows.length > 0) return
  throw new Error(
    'This database has no citus extension. Run `create extension citus` in it on every node ' +
      'and add the workers, then try again.',
  )
}

/**
 * Spreads the steps that ran before there was a cluster. A table with foreign keys cannot be
 * distributed, so they are taken off, and put back as they were.
 */
async function distributeLater(client: pg.Client, say?: (step: string) => void): Promise<void> {
  const { rows } = await client.query('select version from schema_steps where not distributed')
  if (rows.length === 0) return
  const late = new Set(rows.map((row) => row.version as number))
  const keys = await client.query(`
    select conrelid::regclass::text as "table", quote_ident(conname) as name,
      pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`)
  for (const key of keys.rows)
    await client.query(`alter table ${key.table} drop constraint ${key.name}`)
  for (const step of await readMigrations()) {
    if (!late.has(step.version)) continue
    say?.(`distributing ${step.name}`)
    if (step.distribute) await client.query(step.distribute)
    await client.query('update schema_steps set distributed = true where version = $1', [
      step.version,
    ])
  }
  for (const key of keys.rows) {
    await client.query(`alter table ${key.table} add constraint ${key.name} ${key.definition}`)
  }
}
