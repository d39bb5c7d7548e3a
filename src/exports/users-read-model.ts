import type { User } from '../identity/user.ts'
import { prefixPattern } from '../orders/search/conditions-read-model.ts'
import type { Db } from '../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../platform/database/sql.ts'
import type { DateFilter } from './filters.ts'
import type { KeyRange } from './kind.ts'

/** Users by id. */

export type UserKey = readonly [id: number]

export interface UserExportFilter {
  siteId: string | null
  statuses: readonly string[] | null
  /** The beginning of the nickname, folded. */
  prefix: string | null
  created: DateFilter
  updated: DateFilter
}

export async function findUserWindowEnd(
  db: Db,
  { after, size }: { after: UserKey; size: number },
): Promise<UserKey | undefined> {
  const row = await db.row<{ id: number }>(sql`
    select id from users where id > ${after[0]} order by id offset ${size - 1} limit 1`)
  return row && [row.id]
}

/** Counts all users. */
export async function countUsers(db: Db): Promise<number> {
  const row = await db.row<{ count: number }>(sql`select count(*) as count from users`)
  return row?.count ?? 0
}

export type ExportedUserRow = Pick<User, 'id' | 'siteId' | 'nickname' | 'status'> & {
  /** The other fields, as JSON. */
  profile: string
}

export async function readExportedUsers(
  db: Db,
  filter: UserExportFilter,
  range: KeyRange<UserKey>,
): Promise<ExportedUserRow[]> {
  return db.rows(
    unnamed(sql`
      select id, site_id as "siteId", nickname, status, profile from users
      where ${joined(conditionsOf(filter, range), ' and ')} order by id limit ${range.limit}`),
  )
}

function conditionsOf(
  { siteId, statuses, prefix, created, updated }: UserExportFilter,
  { after, until }: KeyRange<UserKey>,
): Template[] {
  const matches = [sql`id > ${after[0]}`]
  if (until) matches.push(sql`id <= ${until[0]}`)
  if (siteId !== null) matches.push(sql`site_id = ${siteId}`)
  if (statuses !== null) matches.push(sql`status = any(${statuses}::text[])`)
  if (prefix !== null) matches.push(sql`nickname_folded like ${prefixPattern(prefix)}`)
  if (created.from) matches.push(sql`date_created >= ${created.from}`)
  if (created.to) matches.push(sql`date_created <= ${created.to}`)
  if (updated.from) matches.push(sql`last_updated >= ${updated.from}`)
  if (updated.to) matches.push(sql`last_updated <= ${updated.to}`)
  return matches
}
