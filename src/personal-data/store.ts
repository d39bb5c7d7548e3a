import type { Db, Tx } from '../platform/database/database.ts'
import { nameOf, sql, unnamed } from '../platform/database/sql.ts'
import type { RowKey } from '../platform/walks/store.ts'

export const erasureStates = ['running', 'finished'] as const

/** Numbers of erased rows, by what they are. */
export type ErasedCounts = Readonly<Record<string, number>>

/** The erasure of a user, and how far it is. */
export interface Erasure {
  userId: number
  state: (typeof erasureStates)[number]
  /** The step that comes next. */
  step: string
  /** The key of the last row that the step has passed; null at its beginning. */
  passedKey: RowKey | null
  /** The number of the pass through all steps, counted from 1. */
  pass: number
  /** Rows that this pass has erased. */
  found: number
  erased: ErasedCounts
  dateCreated: Date
  lastUpdated: Date
  dateFinished: Date | null
}

type ErasureRow = Omit<Erasure, 'passedKey' | 'erased'> & {
  passedKey: string | null
  erased: string
}

const columns = sql`user_id as "userId", state, step, passed_key as "passedKey", pass, found, erased,
  date_created as "dateCreated", last_updated as "lastUpdated", date_finished as "dateFinished"`

function erasureOf({ passedKey, erased, ...row }: ErasureRow): Erasure {
  return {
    ...row,
    passedKey: passedKey === null ? null : JSON.parse(passedKey),
    erased: JSON.parse(erased),
  }
}

export async function findErasure(db: Db, userId: number): Promise<Erasure | undefined> {
  const row = await db.row<ErasureRow>(sql`
    select ${columns} from user_erasures where user_id = ${userId}`)
  return row && erasureOf(row)
}

/** Locks an erasure until the transaction ends. */
export async function lockErasure(tx: Tx, userId: number): Promise<Erasure | undefined> {
  const row = await tx.row<ErasureRow>(sql`
    select ${columns} from user_erasures where user_id = ${userId} for update`)
  return row && erasureOf(row)
}

/** Lists the users whose erasure is running, first those that nobody has worked on for the longest time. */
export async function listRunningErasures(db: Db, limit: number): Promise<number[]> {
  const rows = await db.rows<{ userId: number }>(sql`
    select user_id as "userId" from user_erasures where state = 'running'
    order by last_updated limit ${limit}`)
  return rows.map(({ userId }) => userId)
}

/** Inserts the erasure of a user, unless there is one. */
export async function insertErasure(tx: Tx, erasure: Erasure): Promise<void> {
  await tx.rows(sql`
    insert into user_erasures (user_id, state, step, pass, found, erased, date_created, last_updated)
    values (${erasure.userId}, ${erasure.state}, ${erasure.step}, ${erasure.pass}, ${erasure.found},
      ${JSON.stringify(erasure.erased)}, ${erasure.dateCreated}, ${erasure.lastUpdated})
    on conflict (user_id) do nothing returning user_id`)
}

/** Inserts or replaces the erasure of a user. */
export function saveErasure(tx: Tx, erasure: Erasure): void {
  const passedKey = erasure.passedKey && JSON.stringify(erasure.passedKey)
  tx.write(sql`
    insert into user_erasures (user_id, state, step, passed_key, pass, found, erased, date_created,
      last_updated, date_finished)
    values (${erasure.userId}, ${erasure.state}, ${erasure.step}, ${passedKey}, ${erasure.pass},
      ${erasure.found}, ${JSON.stringify(erasure.erased)}, ${erasure.dateCreated},
      ${erasure.lastUpdated}, ${erasure.dateFinished})
    on conflict (user_id) do update set state = excluded.state, step = excluded.step,
      passed_key = excluded.passed_key, pass = excluded.pass, found = excluded.found,
      erased = excluded.erased, last_updated = excluded.last_updated,
      date_finished = excluded.date_finished`)
}

/** Whether the erasure of a user is finished in the copy of the tables in a schema. */
export async function isErasedInSchema(
  db: Db,
  { schema, userId }: { schema: string; userId: number },
): Promise<boolean> {
  const copy = await db.row<{ exists: boolean }>(sql`
    select to_regclass(${`${schema}.user_erasures`}) is not null as exists`)
  // Copies leave out empty tables.
  if (!copy?.exists) return false
  const row = await db.row(
    unnamed(sql`
      select user_id from ${nameOf(schema)}.user_erasures
      where user_id = ${userId} and state = 'finished'`),
  )
  return row !== undefined
}
