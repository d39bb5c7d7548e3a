import { dayMs } from '../../kernel/clock.ts'
import type { Database, Db, Tx } from './database.ts'
import { sql } from './sql.ts'

/**
 * History tables are cut by day (UTC), so that dropping old history costs the same however much
 * there is. Names: `attempts_20261121` is the part of `attempts` for that day.
 */
const known = new WeakMap<object, Set<string>>()

/** Sees to it that the parts of `table` for the day of `now` and the next one exist. */
export async function ensureDays(db: Database, table: string, now: Date): Promise<void> {
  const seen = known.get(db) ?? new Set()
  known.set(db, seen)
  for (const ahead of [0, 1]) {
    const day = startOfDay(new Date(now.getTime() + ahead * dayMs))
    const part = partName(table, day)
    if (seen.has(part)) continue
    await db.transaction((tx) => createDay(tx, { table, part, day }))
    seen.add(part)
  }
}

/** Sees to it that the parts of `table` for these days exist, whatever this process knows of them. */
export async function createDays(tx: Tx, table: string, days: readonly Date[]): Promise<void> {
  for (const each of days) {
    const day = startOfDay(each)
    await createDay(tx, { table, part: partName(table, day), day })
  }
}

/** Forgets which parts there are: somebody else may have dropped them. */
export function forgetDays(db: Database): void {
  known.delete(db)
}

/** Drops the parts of `table` that lie wholly before `before`; returns their names. */
export async function dropDaysBefore(db: Database, table: string, before: Date): Promise<string[]> {
  const limit = partName(table, startOfDay(before))
  const gone = (await partsOf(db, table)).filter((part) => part < limit)
  for (const part of gone) {
    await db.rows(statement(`drop table if exists ${part}`))
    known.get(db)?.delete(part)
  }
  return gone
}

async function partsOf(db: Db, table: string): Promise<string[]> {
  const rows = await db.rows<{ part: string }>(sql`
    select c.relname as part from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass(${table}) order by c.relname`)
  return rows.map((row) => row.part)
}

async function createDay(tx: Tx, made: { table: string; part: string; day: Date }) {
  const { table, part, day } = made
  const from = day.toISOString()
  const to = new Date(day.getTime() + dayMs).toISOString()
  // Two processes may find the same day missing: the second waits here and then sees it.
  await tx.rows(sql`select pg_advisory_xact_lock(hashtext(${part}))`)
  if ((await partsOf(tx, table)).includes(part)) return
  // Attaching takes a lighter lock on the parent than `create table … partition of`.
  await tx.rows(statement(`create table ${part} (like ${table} including all)`))
  await tx.rows(
    statement(
      `alter table ${table} attach partition ${part} for values from ('${from}') to ('${to}')`,
    ),
  )
}

/** DDL takes no parameters; its names and dates are made here, never by a caller. */
function statement(text: string) {
  return { text, name: '', values: [] }
}

function startOfDay(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / dayMs) * dayMs)
}

function partName(table: string, day: Date): string {
  return `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`
}
