import type { Db, Tx } from './database.ts'
import { createDays } from './partitions.ts'
import { sql } from './sql.ts'

/*
 * Copies of all tables at once, into a schema and back, as a backup and its restore would: by the names that the
 * catalogs of PostgreSQL have, whoever owns a table (docs/decisions/0032-one-owner-per-table.md).
 */

/** A table as it is copied. */
export interface Table {
  /** As it is written in a statement. */
  name: string
  columns: string
  /** Those that its foreign keys lead to. */
  refersTo: readonly string[]
  /** The column by which it is cut into days, if it is. */
  day: string | null
}

/** Returns all tables but these and the steps of the schema, each behind those that it refers to. */
export async function listTables(
  db: Db,
  { except }: { except: readonly string[] },
): Promise<Table[]> {
  const others = ['schema_steps', ...except]
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
      and not c.relispartition and c.relname <> all(${others}::text[])
      and not exists (select 1 from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`)
  return inOrder(tables)
}

function inOrder(tables: readonly Table[]): Table[] {
  const placed = new Map<string, Table>()
  const place = (table: Table, way: readonly string[]): void => {
    if (placed.has(table.name) || way.includes(table.name)) return
    for (const other of tables) {
      if (table.refersTo.includes(other.name)) place(other, [...way, table.name])
    }
    placed.set(table.name, table)
  }
  for (const table of tables) place(table, [])
  return [...placed.values()]
}

/** Sees everything as it is at one moment: that of the next statement but `lock table`. Must be the first in its
 * transaction. */
export async function freezeView(tx: Tx): Promise<void> {
  await run(tx, 'set transaction isolation level repeatable read')
  await unhurried(tx)
}

/** Tables may be large: statements that copy them are not cut short. */
export async function unhurried(tx: Tx): Promise<void> {
  await run(tx, 'set local statement_timeout = 0')
}

/** Removes a schema with all that is in it, if it is there. */
export async function dropSchema(tx: Tx, schema: string): Promise<void> {
  await run(tx, `drop schema if exists ${schema} cascade`)
}

/** Those that have any rows. */
export async function filled(db: Db, tables: readonly Table[]): Promise<Table[]> {
  const each = tables.map(({ name }) => `exists (select from ${name})`)
  const row = await db.row<{ has: boolean[] }>({
    ...plain,
    text: `select array[${each.join(', ')}] as has`,
  })
  return tables.filter((_, index) => row?.has[index])
}

/** Copies tables that have any rows into a schema of their own; returns how much that is. */
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

/** Keeps everybody from these tables until the transaction ends. */
export async function lockTables(tx: Tx, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => name).join(', ')
  await run(tx, `lock table ${names} in access exclusive mode`)
}

/** Puts what lies in a schema into the place of what there is. Of all tables, `held` are those that lie
 * there; the others are empty then. `days` are needed besides. */
export async function copyIn(
  tx: Tx,
  of: {
    tables: readonly Table[]
    held: readonly Table[]
    schema: string
    days: readonly Date[]
  },
): Promise<void> {
  const { tables, held, schema, days } = of
  const old = withReferring(await filled(tx, tables), tables)
  if (old.length > 0) await run(tx, `truncate ${old.map(({ name }) => name).join(', ')}`)
  for (const { name, day } of tables) {
    if (!day) continue
    const isHeld = held.some((each) => each.name === name)
    const used = isHeld ? await daysIn(tx, `${schema}.${name}`, day) : []
    await createDays(tx, name, [...used, ...days])
  }
  for (const { name, columns } of held) {
    await run(tx, `insert into ${name} (${columns}) select ${columns} from ${schema}.${name}`)
  }
}

/** These, and those that refer to one of them: they are emptied together. */
function withReferring(chosen: readonly Table[], tables: readonly Table[]): Table[] {
  const names = new Set(chosen.map(({ name }) => name))
  // Each stands behind those that it refers to.
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

/** Tells the planner what there is now. */
export async function analyze(db: Db, tables: readonly Table[]): Promise<void> {
  if (tables.length === 0) return
  await db.rows({ ...plain, text: `analyze ${tables.map(({ name }) => name).join(', ')}` })
}

/** Names of tables are made by the schema, and those of schemas here: never by a caller. */
const plain = { name: undefined, values: [] }

async function run(tx: Tx, text: string): Promise<void> {
  await tx.rows({ ...plain, text })
}
