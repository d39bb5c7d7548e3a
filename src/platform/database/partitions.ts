import { dayMs } from '../../kernel/clock.ts'
import type { Database, Db, Tx } from './database.ts'
import { sql } from './sql.ts'

/*
 * History tables are partitioned by day (UTC), so that dropping old history costs the same however much there is.
 * `attempts_20261121` is the partition of `attempts` for that day.
 */

/** Creates the partitions of `table` for the day of `now` and the next one, if they are missing. */
export async function ensureDayPartitions(db: Database, table: string, now: Date): Promise<void> {
  const { knownPartitions: existing } = db
  for (const ahead of [0, 1]) {
    const day = startOfDay(new Date(now.getTime() + ahead * dayMs))
    const part = partName(table, day)
    if (existing.has(part)) continue
    await db.prepareTables((tx) => createDay(tx, { table, part, day }))
    existing.add(part)
  }
}

/** Creates the partitions of `table` for these days, if they are missing. It does not rely on the known ones. */
export async function createDayPartitions(
  tx: Tx,
  table: string,
  days: readonly Date[],
): Promise<void> {
  for (const moment of days) {
    const day = startOfDay(moment)
    await createDay(tx, { table, part: partName(table, day), day })
  }
}

/** Drops the partitions of `table` that end before `before`. Returns their names. */
export async function dropPartitionsBefore(
  db: Database,
  table: string,
  before: Date,
): Promise<string[]> {
  const limit = partName(table, startOfDay(before))
  const old = (await partsOf(db, table)).filter((part) => part < limit)
  for (const part of old) {
    await db.rows(statement(`drop table if exists ${part}`))
    db.knownPartitions.delete(part)
  }
  return old
}

async function partsOf(db: Db, table: string): Promise<string[]> {
  const rows = await db.rows<{ part: string }>(sql`
    select c.relname as part from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass(${table}) order by c.relname`)
  return rows.map((row) => row.part)
}

/** Creates the partition of a day (UTC) unless it exists. */
async function createDay(tx: Tx, partition: { table: string; part: string; day: Date }) {
  const { table, part, day } = partition
  const from = day.toISOString()
  const to = new Date(day.getTime() + dayMs).toISOString()
  // Two processes may create the same day: the second waits for this lock and then finds it.
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

/** Returns a DDL statement. It takes no parameters, so its names and dates must never come from a request. */
function statement(text: string) {
  return { text, name: '', values: [] }
}

function startOfDay(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / dayMs) * dayMs)
}

function partName(table: string, day: Date): string {
  return `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`
}
