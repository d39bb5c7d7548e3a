import type { Db, Tx } from './database.ts'
import { createDayPartitions } from './partitions.ts'
import { sql } from './sql.ts'

/*
 * Copies all tables into a schema and back, as a backup and its restore do. It reads the names from the catalogs of
 * PostgreSQL, whichever module owns a table (docs/decisions/0032-one-owner-per-table.md).
 */

/** A table to copy. */
export interface Table {
  /** The name, quoted for a statement. */
  name: string
  columns: string
  /** The tables of its foreign keys. */
  refersTo: readonly string[]
  /** The column by which it is partitioned by day. Null if it is not. */
  day: string | null
}

/** Returns all tables except these and `schema_steps`. Each comes after the tables that it refers to. */
export async function listTables(
  db: Db,
  { except }: { except: readonly string[] },
): Promise<Table[]> {
  const excluded = ['schema_steps', ...except]
  const tables = await db.rows<Table>(sql`
    select quote_ident(c.relname) as name,
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and a.attgenerated = '') as columns,
      array(select distinct quote_ident(r.relname) from pg_constraint k
        join pg_class r on r.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and r.oid <> c.oid) as "refersTo",
      (select quote_ident(a.attname) from pg_partitioned_table p
        join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
        where p.partrelid = c.oid and p.partstrat = 'r'
          and a.atttypid = 'timestamptz'::regtype) as day
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and c.relname <> all(${excluded}::text[])
      and not exists (select 1 from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`)
  return inOrder(tables)
}

/** Sorts tables so that each comes after those that it refers to. */
function inOrder(tables: readonly Table[]): Table[] {
  const placed = new Map<string, Table>()
  const visit = (table: Table, way: readonly string[]): void => {
    if (placed.has(table.name) || way.includes(table.name)) return
    for (const other of tables) {
      if (table.refersTo.includes(other.name)) visit(other, [...way, table.name])
    }
    placed.set(table.name, table)
  }
  for (const table of tables) visit(table, [])
  return [...placed.values()]
}

/** Makes a transaction see the data of one moment: that of its next statement other than `lock table`. It must be the
 * first statement of its transaction. */
export async function useRepeatableRead(tx: Tx): Promise<void> {
  await run(tx, 'set transaction isolation level repeatable read')
  await removeStatementTimeout(tx)
}

/** Removes the time limit of statements in a transaction, because large tables take long to copy. */
export async function removeStatementTimeout(tx: Tx): Promise<void> {
  await run(tx, 'set local statement_timeout = 0')
}

/** Drops a schema with everything in it, if it exists. */
export async function dropSchema(tx: Tx, schema: string): Promise<void> {
  await run(tx, `drop schema if exists ${schema} cascade`)
}

/** Returns the tables that have rows. */
export async function tablesWithRows(db: Db, tables: readonly Table[]): Promise<Table[]> {
  const conditions = tables.map(({ name }) => `exists (select from ${name})`)
  const row = await db.row<{ has: boolean[] }>({
    ...plain,
    text: `select array[${conditions.join(', ')}] as has`,
  })
  return tables.filter((_, index) => row?.has[index])
}

/** Copies tables into a new schema, which replaces an old one. Returns the number of rows and their size in bytes. */
export async function copyOut(
  tx: Tx,
  { tables, schema }: { tables: readonly Table[]; schema: string },
): Promise<{ rows: number; bytes: number }> {
  await dropSchema(tx, schema)
  await run(tx, `create schema ${schema}`)
  for (const { name, columns } of tables) {
    await run(tx, `create table ${schema}.${name} as select ${columns} from ${name}`)
  }
  const counts = tables.map(({ name }) => `(select count(*) from ${schema}.${name})`)
  const text = `select ${['0', ...counts].join(' + ')} as n`
  const rows = await tx.row<{ n: number }>({ ...plain, text })
  const bytes = await tx.row<{ n: number }>(sql`
    select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as n from pg_class c
    where c.relnamespace = ${schema}::regnamespace and c.relkind = 'r'`)
  return { rows: Number(rows?.n ?? 0), bytes: bytes?.n ?? 0 }
}

/** Locks these tables exclusively until the transaction ends. */
export async function lockTables(tx: Tx, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => name).join(', ')
  await run(tx, `lock table ${names} in access exclusive mode`)
}

/** Replaces the rows of all tables by those in a schema. `savedTables` are the tables in that schema; all others become empty.
 * Partitions for `days` are created as well. */
export async function copyIn(
  tx: Tx,
  copy: {
    tables: readonly Table[]
    savedTables: readonly Table[]
    schema: string
    days: readonly Date[]
  },
): Promise<void> {
  const { tables, savedTables, schema, days } = copy
  const old = withReferring(await tablesWithRows(tx, tables), tables)
  if (old.length > 0) await run(tx, `truncate ${old.map(({ name }) => name).join(', ')}`)
  for (const { name, day } of tables) {
    if (!day) continue
    const isHeld = savedTables.some((table) => table.name === name)
    const used = isHeld ? await daysIn(tx, `${schema}.${name}`, day) : []
    await createDayPartitions(tx, name, [...used, ...days])
  }
  for (const { name, columns } of savedTables) {
    await run(tx, `insert into ${name} (${columns}) select ${columns} from ${schema}.${name}`)
  }
}

/** Returns these tables and all that refer to them, which must be truncated together. */
function withReferring(chosen: readonly Table[], tables: readonly Table[]): Table[] {
  const names = new Set(chosen.map(({ name }) => name))
  // A table comes after those that it refers to, so one pass is enough.
  for (const { name, refersTo } of tables) {
    if (refersTo.some((other) => names.has(other))) names.add(name)
  }
  return tables.filter(({ name }) => names.has(name))
}

async function daysIn(tx: Tx, table: string, column: string): Promise<Date[]> {
  const text = `select distinct date_trunc('day', ${column}, 'UTC') as day from ${table}`
  const rows = await tx.rows<{ day: Date }>({ ...plain, text })
  return rows.map(({ day }) => day)
}

/** Updates the statistics of the planner for these tables. */
export async function analyze(db: Db, tables: readonly Table[]): Promise<void> {
  if (tables.length === 0) return
  await db.rows({ ...plain, text: `analyze ${tables.map(({ name }) => name).join(', ')}` })
}

/** Statements without parameters. Their names come from the schema or from this module, never from a request. */
const plain = { name: undefined, values: [] }

async function run(tx: Tx, text: string): Promise<void> {
  await tx.rows({ ...plain, text })
}
