import type pg from 'pg'
import { splitStatements } from './statements.ts'

/** A table that a `*.distribute.sql` distributes over a cluster. */
export interface DistributedTable {
  table: string
  /** The distribution column. Null for a reference table, of which every node has a copy. */
  column: string | null
  /** The statement that distributes it. */
  statement: string
}

export interface ForeignKey {
  table: string
  name: string
  /** The text after the name in `add constraint`. */
  definition: string
}

/** The state of distribution of the tables of the applied steps. */
export interface Distribution {
  hasCitus: boolean
  /** Whether the table with dropped foreign keys exists. It may be empty. */
  hasRecord: boolean
  /** Whether any table is distributed. Then all of them must be. */
  isDistributed: boolean
  /** Existing tables that are not distributed yet, in the order to distribute them. */
  undistributed: readonly DistributedTable[]
  /** Foreign keys that an interrupted run dropped and did not restore. */
  missingKeys: readonly ForeignKey[]
}

/** The database cannot be distributed, or is distributed only in part. The message names the next step. */
export class DistributionRefused extends Error {
  override name = 'DistributionRefused'
}

type ReportProgress = (line: string) => void

/** Parses the tables of a `*.distribute.sql`. Throws for any other statement. */
export function readDistributedTables(text: string): DistributedTable[] {
  return splitStatements(text).map((statement) => {
    const match = /^select create_(distributed|reference)_table\('(\w+)'(?:, '(\w+)')?/.exec(
      statement,
    )
    const [, kind, table, column = null] = match ?? []
    if (!table || (kind === 'distributed') !== (column !== null)) {
      throw new Error(`nothing is distributed by: ${statement}`)
    }
    return { table, column, statement }
  })
}

/** Parses the foreign keys of a `*.keys.sql`. Throws for any other statement. */
export function readForeignKeys(text: string): ForeignKey[] {
  return splitStatements(text).map((statement) => {
    const match = /^alter table (\w+) add constraint (\w+)\s+(foreign key[\s\S]+)$/.exec(statement)
    const [, table, name, definition] = match ?? []
    if (!table || !name || !definition) {
      throw new Error(`not a statement that adds a foreign key: ${statement}`)
    }
    return { table, name, definition }
  })
}

/** Returns the state of distribution by comparing the database with the applied steps. It writes nothing. */
export async function readDistribution(
  client: pg.Client,
  { tables, keys }: { tables: readonly DistributedTable[]; keys: readonly ForeignKey[] },
): Promise<Distribution> {
  const { rows } = await client.query(`
    select to_regclass('pg_dist_partition') is not null as "hasCitus",
      to_regclass('schema_foreign_keys') is not null as "hasRecord"`)
  const { hasCitus, hasRecord } = rows[0] as { hasCitus: boolean; hasRecord: boolean }
  const recorded: ForeignKey[] = hasRecord
    ? (
        await client.query(`
          select table_name as "table", name, definition from schema_foreign_keys order by 1, 2`)
      ).rows
    : []
  if (!hasCitus) {
    return { hasCitus, hasRecord, isDistributed: false, undistributed: [], missingKeys: recorded }
  }
  const names = tables.map(({ table }) => table)
  const { rows: existing } = await client.query(
    `select name, exists (select from pg_dist_partition p where p.logicalrelid = to_regclass(name))
      as "isDistributed"
    from unnest($1::text[]) name where to_regclass(name) is not null`,
    [names],
  )
  const present = new Map<string, boolean>(existing.map((row) => [row.name, row.isDistributed]))
  const isRecorded = new Set(recorded.map(({ table, name }) => `${table} ${name}`))
  return {
    hasCitus,
    hasRecord,
    isDistributed: [...present.values()].includes(true),
    undistributed: tables.filter(({ table }) => present.get(table) === false),
    // Older releases dropped keys without recording them. Those keys are known from the migrations.
    missingKeys: [
      ...recorded,
      ...(await absentKeys(client, keys)).filter(
        ({ table, name }) => !isRecorded.has(`${table} ${name}`),
      ),
    ],
  }
}

/** Returns those of the foreign keys whose table exists without the key. */
async function absentKeys(client: pg.Client, keys: readonly ForeignKey[]): Promise<ForeignKey[]> {
  const { rows } = await client.query(
    `select "table", name from unnest($1::text[], $2::text[]) as k ("table", name)
    where to_regclass("table") is not null and not exists (select from pg_constraint c
      where c.conrelid = to_regclass("table") and c.conname = name)`,
    [keys.map(({ table }) => table), keys.map(({ name }) => name)],
  )
  const absent = new Set(rows.map((row) => `${row.table} ${row.name}`))
  return keys.filter(({ table, name }) => absent.has(`${table} ${name}`))
}

/** Describes the rest of an unfinished distribution, with the command to run. Undefined if there is none. */
export function unfinishedSentence(distribution: Distribution): string | undefined {
  const { hasCitus, isDistributed, undistributed, missingKeys } = distribution
  const unfinishedParts = [
    ...(isDistributed && undistributed.length > 0
      ? [`${undistributed.length} tables are on the coordinator only`]
      : []),
    ...(hasCitus && missingKeys.length > 0
      ? [`${missingKeys.length} foreign keys are missing`]
      : []),
  ]
  if (unfinishedParts.length === 0) return undefined
  return (
    `This database is distributed over a cluster only in part: ${unfinishedParts.join(', ')}. ` +
    'Stop all processes of Feria and run: feria migrate --distribute'
  )
}

/**
 * Distributes the tables, each in its own transaction. Tables with foreign keys cannot be distributed, so the keys are
 * recorded and dropped first, and added again at the end. After an interruption, the next call does the rest.
 */
export async function distributeTables(
  client: pg.Client,
  { undistributed, missingKeys }: Distribution,
  say: ReportProgress,
): Promise<void> {
  await dropKeys(client, { undistributed, missingKeys })
  for (const [index, { table, statement }] of undistributed.entries()) {
    say(`distributing ${table} (${index + 1} of ${undistributed.length})`)
    await client.query(statement)
  }
  await restoreKeys(client, say)
}

/** Records the foreign keys of these tables and the missing ones, and drops them, in one transaction. */
async function dropKeys(
  client: pg.Client,
  { undistributed, missingKeys }: Pick<Distribution, 'undistributed' | 'missingKeys'>,
): Promise<void> {
  await runInTransaction(client, async () => {
    await client.query(`create table if not exists schema_foreign_keys (
      table_name text not null, name text not null, definition text not null,
      primary key (table_name, name))`)
    const { rows } = await client.query(
      `select conrelid::regclass::text as "table", quote_ident(conname) as name,
        pg_get_constraintdef(oid) as definition
      from pg_constraint
      where contype = 'f' and conparentid = 0 and exists (
        select from unnest($1::text[]) t
        where to_regclass(t)::oid in (conrelid, confrelid))`,
      [undistributed.map(({ table }) => table)],
    )
    for (const { table, name, definition } of [...missingKeys, ...(rows as ForeignKey[])]) {
      await client.query(
        `insert into schema_foreign_keys (table_name, name, definition) values ($1, $2, $3)
        on conflict (table_name, name) do nothing`,
        [table, name, definition],
      )
    }
    for (const { table, name } of rows as ForeignKey[]) {
      await client.query(`alter table ${table} drop constraint ${name}`)
    }
  })
}

/** Adds every recorded foreign key that is missing, each in a transaction that also deletes its record. Throws
 * `DistributionRefused` at the end if PostgreSQL refused any. */
export async function restoreKeys(client: pg.Client, say: ReportProgress): Promise<void> {
  const { rows } = await client.query(`
    select table_name as "table", name, definition from schema_foreign_keys order by 1, 2`)
  const refusals: string[] = []
  for (const [index, key] of (rows as ForeignKey[]).entries()) {
    const { table, name } = key
    say(`adding the foreign key ${name} of ${table} (${index + 1} of ${rows.length})`)
    try {
      await runInTransaction(client, () => restoreKey(client, key))
    } catch (error) {
      if (!isRefusal(error)) throw error
      refusals.push(`${name} of ${table}: ${(error as Error).message}`)
    }
  }
  if (refusals.length > 0) {
    throw new DistributionRefused(
      `These foreign keys could not be added again:\n  ${refusals.join('\n  ')}\n` +
        'They stay recorded in the table schema_foreign_keys. Correct the rows and run: feria migrate --distribute',
    )
  }
  await client.query('drop table schema_foreign_keys')
}

/** Adds a foreign key that was dropped, unless the table has it, and forgets its note. */
async function restoreKey(
  client: pg.Client,
  { table, name, definition }: ForeignKey,
): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_constraint
    where conrelid = to_regclass($1) and quote_ident(conname) = $2`,
    [table, name],
  )
  if (rowCount === 0) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  }
  await client.query('delete from schema_foreign_keys where table_name = $1 and name = $2', [
    table,
    name,
  ])
}

/** Returns whether PostgreSQL refused the key, as opposed to a broken connection. */
function isRefusal(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' && /^(23|42|0A)/.test(code)
}

/** Runs `work` in a transaction: commits when it resolves, rolls back when it throws. */
export async function runInTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // A broken connection has rolled back already.
    await client.query('rollback').catch(() => {})
    throw error
  }
}
