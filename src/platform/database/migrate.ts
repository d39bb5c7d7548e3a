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
  readDistributedTables,
  readDistribution,
  readForeignKeys,
  restoreKeys,
  runInTransaction,
  unfinishedSentence,
} from './distribution.ts'
import { sql } from './sql.ts'
import { splitStatements } from './statements.ts'

/** A step of the schema: `0001_name.sql` has tables and indexes, `0001_name.distribute.sql` distributes them over a
 * cluster (Citus only), and `0001_name.keys.sql` adds foreign keys. */
export interface Migration {
  version: number
  name: string
  tables: string
  distribute: string
  keys: string
}

/** The key of the advisory lock that lets one process migrate at a time. */
const lockKey = 4_607_182_418
const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/** A newer version of the program migrated the database. */
export class SchemaTooNew extends Error {
  override name = 'SchemaTooNew'
}

/** Reads the steps of the schema from a folder, in order. */
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

const onCoordinatorLine =
  'this database has the citus extension, but its tables are on the coordinator only: ' +
  'feria migrate --distribute spreads them over the workers'

/** The changes that `migrate` would make, in order. */
export interface MigrationPlan {
  steps: readonly Migration[]
  /** Tables that it would distribute. */
  tables: readonly DistributedTable[]
  /** Foreign keys of an interrupted run that it would add again. */
  missingKeys: readonly ForeignKey[]
  /** Why it would refuse, with the command to run instead. Null if it would not. */
  refusal: string | null
}

export interface MigrateOptions {
  /** Whether to distribute a database, or to complete an interrupted run. New tables of a distributed database are
   * distributed in any case. */
  distribute?: boolean
  /** Receives lines about the progress. */
  say?: (line: string) => void
  /** Interval of the lines while another process migrates. */
  waitReportIntervalMs?: number
  /** The folder of the migrations. */
  folder?: string
}

/** Returns the changes that `migrate` would make. It writes nothing. Throws `SchemaTooNew`. */
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
 * Migrates the schema to the version of this program and returns the steps that ran. Each step is a transaction. A lock
 * lets one process migrate while others wait. New tables of a distributed database are distributed as well. Throws
 * `SchemaTooNew` if a later program migrated the database, because an older one must not write to it. Throws
 * `DistributionRefused` if the database is distributed only in part and `distribute` is not set.
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
      // Finish an interrupted distribution in a database that was moved back to a single server.
      else if (distribution.hasRecord) await restoreKeys(client, say)
      for (const [index, step] of steps.entries()) {
        say(`migrating the schema: ${step.name} (${index + 1} of ${steps.length})`)
        await runStep(client, step, distributes)
      }
      if (distribution.hasCitus && !distributes) say(onCoordinatorLine)
      return steps
    } finally {
      // A broken connection holds no lock. Report the error that broke it, not this one.
      await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => {})
    }
  })
}

/** Distributes what is not distributed yet, which may be left from an interrupted migration. */
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

/** Explains why the migration must not run, with the next step. Undefined if it may. It asks the nodes only if they
 * would change. */
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

/** Takes the lock of migrations. While another process holds it, it reports the wait every `waitReportIntervalMs`. */
async function takeLock(
  client: pg.Client,
  { say = () => {}, waitReportIntervalMs = 10_000 }: MigrateOptions,
): Promise<void> {
  const attempt = await client.query('select pg_try_advisory_lock($1) as held', [lockKey])
  if (attempt.rows[0].held) return
  say('another process is migrating the schema, waiting for it …')
  const startedAt = performance.now()
  const report = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    say(`another process is still migrating the schema, waiting for ${seconds} s …`)
  }, waitReportIntervalMs)
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
  } finally {
    clearInterval(report)
  }
}

/** Runs work on a connection of its own and closes it. */
async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'feria migrate',
    // A server that accepts connections and does not answer is not PostgreSQL.
    connectionTimeoutMillis: 5_000,
  })
  // Without a listener, a broken connection would end the process. The failed query reports the cause.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Returns the last applied step, and whether the schema is distributed over a cluster. */
export async function readSchema(db: Db): Promise<{ step: number; isSpread: boolean }> {
  const row = await db.row<{ step: number; isSpread: boolean }>(sql`
    select max(version) as step, bool_or(distributed) as "isSpread" from schema_steps`)
  return { step: row?.step ?? 0, isSpread: row?.isSpread ?? false }
}

/** Returns the applied steps, the pending ones, and the state of distribution. */
async function readState(
  client: pg.Client,
  from: string = folder,
): Promise<{ applied: Migration[]; steps: Migration[]; distribution: Distribution }> {
  const migrations = await readMigrations(from)
  const appliedVersions = await readAppliedVersions(client)
  const newestApplied = Math.max(0, ...appliedVersions)
  const newestKnown = Math.max(0, ...migrations.map((step) => step.version))
  if (newestApplied > newestKnown) {
    throw new SchemaTooNew(
      `The database's schema is at step ${newestApplied}, this program knows steps up to ${newestKnown}. ` +
        'Run the newer version of Feria that migrated it, or restore a backup from before.',
    )
  }
  const applied = migrations.filter((step) => appliedVersions.has(step.version))
  const pending = migrations.filter((step) => !appliedVersions.has(step.version))
  const distribution = await readDistribution(client, {
    tables: applied.flatMap((step) => readDistributedTables(step.distribute)),
    keys: applied.flatMap((step) => readForeignKeys(step.keys)),
  })
  return { applied, steps: pending, distribution }
}

async function readAppliedVersions(client: pg.Client): Promise<Set<number>> {
  const { rows } = await client.query(`select to_regclass('schema_steps') is not null as there`)
  if (!rows[0].there) return new Set()
  const applied = await client.query('select version from schema_steps')
  return new Set(applied.rows.map((row) => row.version as number))
}

/** Runs a step in one transaction, so that an interrupted step leaves nothing behind. */
async function runStep(client: pg.Client, step: Migration, distributes: boolean): Promise<void> {
  try {
    await runInTransaction(client, async () => {
      // In one transaction, Citus cannot change a table in parallel and then a reference table.
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
