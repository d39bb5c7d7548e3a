import type { Db, Tx } from '../../src/platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../../src/platform/database/sql.ts'

/** Statements and row types of which `test/sql-columns.test.ts` knows what is wrong with each. Nothing
 * runs them. */

// Right ---------------------------------------------------------------------------------------

export interface UserRow {
  id: number
  nickname: string
  status: 'active' | 'deactivated'
  dateCreated: Date
}

const columns = sql`id, nickname, status, date_created as "dateCreated"`

export function rightByPieces(
  db: Db,
  { ids, prefix, descends }: { ids: readonly number[]; prefix: string | null; descends: boolean },
): Promise<UserRow[]> {
  const conditions = [sql`id = any(${ids}::bigint[])`]
  if (prefix !== null) conditions.push(sql`nickname_folded like ${prefix}`)
  return db.rows(
    unnamed(sql`
      select ${columns} from users where ${joined(conditions, ' and ')}
      order by ${descends ? sql`id desc` : sql`id`}`),
  )
}

const orders = { price_asc: sql`total_amount`, date_asc: sql`date_created` }

export function rightByKey(db: Db, { by }: { by: keyof typeof orders }) {
  return db.rows<{ at: Date | string }>(sql`select ${orders[by]} as at from orders`)
}

/** The left side of the join may be missing, whatever its table says. */
export function rightOfOuterJoin(db: Db) {
  return db.rows<{ id: number; nickname: string | null; name: string }>(sql`
    select a.id, u.nickname, a.name from applications a left join users u on u.id = a.id`)
}

export function rightInTransaction(tx: Tx, ids: readonly number[]): void {
  const rows = ids.map((id) => sql`(${id}::bigint)`)
  tx.write(sql`delete from users where (id) in (${joined(rows, ', ')})`)
}

// Wrong ---------------------------------------------------------------------------------------

export function wrongName(db: Db) {
  return db.rows<{ nickname: string }>(sql`select nickname as nick from users`)
}

export function noSuchColumn(db: Db) {
  return db.rows<{ nickname: string }>(sql`select nicknam as nickname from users`)
}

export function missingInType(db: Db) {
  return db.row<{ id: number }>(sql`select id, nickname from users`)
}

export function textForBigint(db: Db) {
  return db.row<{ id: string }>(sql`select id from users`)
}

export function numberForNumeric(db: Db) {
  return db.row<{ total: number }>(sql`select total_amount as total from orders`)
}

/** Arrays of 64 bits are texts, unlike single ones. */
export function numbersForBigints(db: Db) {
  return db.row<{ userIds: number[] }>(sql`select user_ids as "userIds" from changes`)
}

export function objectForJson(db: Db) {
  return db.row<{ profile: { name: string } }>(sql`select profile from users`)
}

export function nullNotDeclared(db: Db) {
  return db.row<{ callbackUrl: string }>(sql`
    select callback_url as "callbackUrl" from applications`)
}

export function nullDeclared(db: Db) {
  return db.row<{ name: string | null }>(sql`select name from applications`)
}

export function neverGiven(db: Db) {
  return db.row<{ id: number | Date }>(sql`select id from users`)
}

/** One of four ways through it. */
export function wrongInOneCase(
  db: Db,
  { withName, isOld }: { withName: boolean; isOld: boolean },
): Promise<{ id: number; nickname?: string }[]> {
  const name = withName ? sql`, nickname` : sql``
  return db.rows(
    sql`select id ${name} from users where ${isOld ? sql`status = 'x'` : sql`stat = 'x'`}`,
  )
}

export function emptyList(db: Db, names: readonly string[]) {
  const conditions = names.length > 0 ? [sql`nickname = any(${names}::text[])`] : []
  return db.rows<{ id: number }>(sql`select id from users where ${joined(conditions, ' and ')}`)
}

interface Pieces {
  condition: Template
}

export function unknownPiece(db: Db, pieces: Pieces) {
  return db.rows<{ id: number }>(sql`select id from users where ${pieces.condition}`)
}

export function unknownText(db: Db, table: string) {
  return db.rows<{ id: number }>({
    text: 'select id from '.concat(table),
    name: undefined,
    values: [],
  })
}

export const neverSent = sql`select 1`
