import type { SiteId } from '../../kernel/sites.ts'
import { fold } from '../../kernel/text.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql, unnamed } from '../../platform/database/sql.ts'
import { applicationColumns as columns, type RegisteredApplication } from '../applications/store.ts'
import type { User } from '../user.ts'

/** A range of a list by id: at most `limit` rows with ids greater than `after`. */
export interface IdPageInput {
  after: number
  limit: number
}

export async function listApplications(
  db: Db,
  { after, limit }: IdPageInput,
): Promise<RegisteredApplication[]> {
  return db.rows(sql`
    select ${columns} from applications where id > ${after} order by id limit ${limit}`)
}

/** Returns the applications of one owner, by ascending id. */
export async function listOwnedApplications(
  db: Db,
  { ownerId, after, limit }: IdPageInput & { ownerId: number },
): Promise<RegisteredApplication[]> {
  return db.rows(sql`
    select ${columns} from applications where owner_id = ${ownerId} and id > ${after}
    order by id limit ${limit}`)
}

export async function findRegisteredApplication(
  db: Db,
  id: number,
): Promise<RegisteredApplication | undefined> {
  return db.row(sql`select ${columns} from applications where id = ${id}`)
}

type UserRow = Pick<User, 'id' | 'siteId' | 'nickname' | 'status'> & { profile: string }

const userOf = ({ profile, ...named }: UserRow): User => ({ ...named, ...JSON.parse(profile) })

/** Returns users by ascending id, of one site or of all. */
export async function listUsers(
  db: Db,
  { siteId, after, limit }: IdPageInput & { siteId: SiteId | null },
): Promise<User[]> {
  const rows = await db.rows<UserRow>(sql`
    select id, site_id as "siteId", nickname, status, profile
    from users where id > ${after} and (${siteId}::text is null or site_id = ${siteId})
    order by id limit ${limit}`)
  return rows.map(userOf)
}

/** Returns users whose folded nickname begins with `nickname`, sorted by it. */
export async function listUsersByNickname(
  db: Db,
  { siteId, nickname, limit }: { siteId: SiteId | null; nickname: string; limit: number },
): Promise<User[]> {
  const prefix = `${fold(nickname).replace(/[\\%_]/g, '\\$&')}%`
  const rows = await db.rows<UserRow>(
    unnamed(sql`
      select id, site_id as "siteId", nickname, status, profile
      from users where nickname_folded like ${prefix}
        and (${siteId}::text is null or site_id = ${siteId})
      order by nickname_folded using ~<~, id limit ${limit}`),
  )
  return rows.map(userOf)
}
