import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { clusterRefusal, readCluster } from './cluster.ts'
import type { Db } from './database.ts'
import {
  type DistributedTable,
  type Distribution,
  DistributionRefused,
  distributeTables,
  type ForeignKey,
  inTransaction,
  readDistributedTables,
  readDistribution,
  readForeignKeys,
  restoreKeys,
  unfinishedSentence,
} from './distribution.ts'
import { sql } from './sql.ts'
import { splitStatements } from './statements.ts'

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

export async function readMigrations(from: string = folder): Promise<Migration[]> {
  const files = await readdir(from)
  const read = async (file: string) =>
    files.includes(file) ? readFile(join(from, file), 'utf8') : ''
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

/** What `migrate` would do, in order. */
export interface MigrationPlan {
  steps: readonly Migration[]
  /** Tables that it would distribute. */
  tables: readonly DistributedTable[]
  /** Foreign keys that an interrupted run has dropped and that it would add again. */
  missingKeys: readonly ForeignKey[]
  /** Why it would refuse, and the command to run instead; null where it would not. */
  refusal: string | null
}

export interface MigrateOptions {
  /** Distributes a database that is not distributed yet, or completes a run that was interrupted. A database
   * that is distributed gets its new tables distributed in any case. */
  distribute?: boolean
  say?: (line: string) => void
  /** How often a process that waits for another one to migrate says so. */
  tellWaitMs?: number
  /** Where the migrations lie. */
  folder?: string
}

/** What `migrate` would do. Reads only. Throws `SchemaTooNew`. */
export async function planMigrations(
  url: string,
  { distribute = false, folder }: Pick<MigrateOptions, 'distribute' | 'folder'> = {},
): Promise<MigrationPlan> {
  return withClient(url, async (client) => {
    const { steps, distribution } = await readState(client, folder)
    const { isDistributed, undistributed, missingKeys, hasCitus } = distribution
    const distributes = (distribute && hasCitus) || isDistributed
    const refusal = await refusalOf(client, { distribute, steps, distribution })
    return {
      steps,
      tables: distributes
        ? [...undistributed, ...steps.flatMap((step) => readDistributedTables(step.distribute))]
        : [],
      missingKeys,
      refusal: refusal ?? null,
    }
  })
}

/**
 * Brings the schema up to this program, one transaction a step, under a lock that lets one process
 * migrate while others wait. Returns what was run. On a distributed database new tables are distributed, too.
 * Throws `SchemaTooNew` when the database was migrated by a later program: an older one must not write into it.
 * Throws `DistributionRefused` when the database is distributed only in part and `distribute` is not set.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<Migration[]> {
  const { distribute = false, say = () => {} } = options
  return withClient(url, async (client) => {
    await takeLock(client, options)
    try {
      const { applied, steps, distribution } = await readState(client, options.folder)
      const refusal = await refusalOf(client, { distribute, steps, distribution })
      if (refusal !== undefined) throw new DistributionRefused(refusal)
      const distributes = distribute || distribution.isDistributed
      if (distribute && applied.length > 0) await finishDistribution(client, distribution, say)
      // The rest of a distribution that was interrupted, in a database that was moved back to one server.
      else if (distribution.hasRecord) await restoreKeys(client, say)
      for (const [index, step] of steps.entries()) {
        say(`migrating the schema: ${step.name} (${index + 1} of ${steps.length})`)
        await runStep(client, step, distributes)
      }
      return steps
    } finally {
      // A connection that broke holds no lock, and what broke it is the error to report.
      await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => {})
    }
  })
}

async function finishDistribution(
  client: pg.Client,
  distribution: Distribution,
  say: (line: string) => void,
): Promise<void> {
  const { undistributed, missingKeys, hasRecord } = distribution
  if (undistributed.length > 0 || missingKeys.length > 0 || hasRecord) {
    await distributeTables(client, distribution, say)
  }
  await client.query('update schema_steps set distributed = true where not distributed')
}

/** Why nothing is to be run, and what to do; undefined where nothing hinders. The nodes are asked only where
 * something changes on them. */
async function refusalOf(
  client: pg.Client,
  {
    distribute,
    steps,
    distribution,
  }: { distribute: boolean; steps: readonly Migration[]; distribution: Distribution },
): Promise<string | undefined> {
  const { hasCitus, isDistributed } = distribution
  if (distribute && !hasCitus) {
    return (
      'This database has no citus extension. Run `create extension citus` in it on every node ' +
      'and add the workers, then try again.'
    )
  }
  const unfinished = distribute ? undefined : unfinishedSentence(distribution)
  if (unfinished !== undefined) return unfinished
  if (!distribute && !(isDistributed && steps.length > 0)) return undefined
  return clusterRefusal(await readCluster(client))
}

/** Waits while another process migrates, and says so at once and every `tellWaitMs`. */
async function takeLock(
  client: pg.Client,
  { say = () => {}, tellWaitMs = 10_000 }: MigrateOptions,
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

/** Reads which steps ran, which are to run, and how far those that ran are distributed. */
async function readState(
  client: pg.Client,
  from: string = folder,
): Promise<{ applied: Migration[]; steps: Migration[]; distribution: Distribution }> {
  const known = await readMigrations(from)
  const done = await readAppliedVersions(client)
  const newest = Math.max(0, ...done)
  const mine = Math.max(0, ...known.map((step) => step.version))
  if (newest > mine) {
    throw new SchemaTooNew(
      `The database's schema is at step ${newest}, this program knows steps up to ${mine}. ` +
        'Run the newer version of Feria that migrated it, or restore a backup from before.',
    )
  }
  const applied = known.filter((step) => done.has(step.version))
  const distribution = await readDistribution(client, {
    tables: applied.flatMap((step) => readDistributedTables(step.distribute)),
    keys: applied.flatMap((step) => readForeignKeys(step.keys)),
  })
  return { applied, steps: known.filter((step) => !done.has(step.version)), distribution }
}

async function readAppliedVersions(client: pg.Client): Promise<Set<number>> {
  const { rows } = await client.query(`select to_regclass('schema_steps') is not null as there`)
  if (!rows[0].there) return new Set()
  const applied = await client.query('select version from schema_steps')
  return new Set(applied.rows.map((row) => row.version as number))
}

/** Runs a step in one transaction: interrupted at any statement, all of it is taken back. */
async function runStep(client: pg.Client, step: Migration, distributes: boolean): Promise<void> {
  try {
    await inTransaction(client, async () => {
      // Citus cannot change a table in parallel and a reference table after it in one transaction.
      if (distributes) await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
      await client.query(`create table if not exists schema_steps (
        version int primary key, name text not null, distributed boolean not null,
        applied_at timestamptz not null default now())`)
      const statements = [step.tables, ...(distributes ? [step.distribute] : []), step.keys]
      for (const statement of statements.flatMap(splitStatements)) await client.query(statement)
      await client.query(
        'insert into schema_steps (version, name, distributed) values ($1, $2, $3)',
        [step.version, step.name, distributes],
      )
    })
  } catch (error) {
    throw new Error(`migration ${step.name} failed: ${(error as Error).message}`, { cause: error })
  }
}
