import { randomBytes } from 'node:crypto'
import pg from 'pg'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/**
 * Opens a migrated, empty database for one test file (see test/run.ts). Where databases cannot be cloned, a second one
 * that is open at the same time is the same one.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env['FERIA_TEST_SERVER']
  if (!serverUrl) throw new Error('run tests with: npm test [-- files]')
  const template = process.env['FERIA_TEST_TEMPLATE']
  if (!template) return openShared(serverUrl)
  const name = `feria_test_${process.pid}_${randomBytes(4).toString('hex')}`
  await query(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: async () => void (await query(serverUrl, `drop database ${name} with (force)`)),
  }
}

const sharedDatabase = { file: '', open: 0 }
let isReserved = false

async function openShared(url: string): Promise<TestDatabase> {
  const file = process.env['FERIA_TEST_FILE'] ?? ''
  if (!isReserved) await reserveDatabase(url)
  isReserved = true
  // A file that failed may have left its database open.
  if (sharedDatabase.file !== file) Object.assign(sharedDatabase, { file, open: 0 })
  if (sharedDatabase.open === 0) await emptyTables(url)
  sharedDatabase.open++
  return {
    url,
    async drop() {
      sharedDatabase.open--
    },
  }
}

/** Identifies the advisory lock on a shared database. */
const reservationKey = 27_182_818

/**
 * Locks a shared database for this process. A second run, or a worker that outlived its run, would delete the rows of
 * the file that runs. The worker before this one may still be closing its connections.
 */
export async function reserveDatabase(url: string, { waitMs = 30_000 } = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`set lock_timeout = ${waitMs}`)
  try {
    await client.query(`select pg_advisory_lock(${reservationKey})`)
  } catch (error) {
    await client.end()
    if ((error as pg.DatabaseError).code !== '55P03') throw error
    throw new Error(`Another test run uses the database ${new URL(url).pathname.slice(1)}`)
  }
  // The lock is held until the process ends, and does not keep it alive.
  ;(client as pg.Client & { unref(): void }).unref()
  return client
}

/** Why a test needs a database of its own; false where it gets one (`skip` of node:test). */
export const skipWithoutClones = (reason: string) =>
  process.env['FERIA_TEST_TEMPLATE'] ? false : reason

/** Does `work` while nobody may change the rows of a table, until so many connections wait: what they
 * read before they came to it they read together. */
export async function withLockedTable<T>(
  { url, table, waiting }: { url: string; table: string; waiting: number },
  work: () => Promise<T>,
): Promise<T> {
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  const ask = async (text: string) => (await holder.query(text)).rows
  try {
    await holder.query('begin')
    // Of the table and not of its rows: a cluster locks no rows of several shards at once.
    await holder.query(`lock table ${table} in exclusive mode`)
    const done = work()
    for (let turns = 0; (await countLockWaiters(ask)) < waiting; turns++) {
      if (turns > 5_000) throw new Error('nobody was held up')
    }
    await holder.query('rollback')
    return await done
  } finally {
    await holder.end()
  }
}

/** Returns how many connections to this database wait for a lock, on a cluster on whatever node. */
export async function countLockWaiters(
  ask: (text: string) => Promise<readonly object[]>,
): Promise<number> {
  const [cluster] = await ask(`select to_regclass('citus_stat_activity') is not null as "is"`)
  const isCluster = (cluster as { is: boolean }).is
  // Who is there is looked up once a transaction otherwise.
  await ask('select pg_stat_clear_snapshot()')
  const [connection, view] = isCluster
    ? ['global_pid', 'citus_stat_activity']
    : ['pid', 'pg_stat_activity']
  const [waiting] = await ask(`
    select count(distinct ${connection})::int as count from ${view}
    where datname = current_database() and wait_event_type = 'Lock'`)
  return (waiting as { count: number }).count
}

/** Deletes the rows of every table that has any. Truncating every table of a cluster takes half a minute. */
export async function emptyTables(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const filled: string[] = []
    for (const table of await tablesChildrenFirst(client)) {
      const { rowCount } = await client.query(`select 1 from ${table} limit 1`)
      if (rowCount) filled.push(table)
    }
    for (const table of filled) await client.query(`delete from ${table}`)
  } finally {
    await client.end()
  }
}

/** All tables but the record of migrations, those that refer to others by foreign keys before these. */
async function tablesChildrenFirst(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; parents: string[] }>(`
    select c.relname as name, array(select distinct k.confrelid::regclass::text from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as parents
    from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'schema_steps'
      and c.relnamespace = current_schema()::regnamespace`)
  const parentsOf = new Map(rows.map(({ name, parents }) => [name, parents]))
  const ordered = new Set<string>()
  const addWithParents = (name: string) => {
    if (ordered.has(name)) return
    for (const parent of parentsOf.get(name) ?? []) addWithParents(parent)
    ordered.add(name)
  }
  for (const { name } of rows) addWithParents(name)
  return [...ordered].reverse()
}

/** Whether this database is that of a coordinator of Citus. */
export async function isCluster(url: string): Promise<boolean> {
  const [row] = await query(url, `select to_regclass('pg_dist_partition') is not null as "is"`)
  return row.is
}

async function query(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(statement).finally(() => client.end())
  return rows
}
