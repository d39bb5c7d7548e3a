import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ClientSettings } from '../applications/store.ts'
import type { Application } from '../store.ts'
import type { User } from '../user.ts'

/** What is read at a time: so many, with greater ids than `after`. */
export interface Stretch {
  after: number
  limit: number
}

export type RegisteredApplication = Application &
  ClientSettings & { dateCreated: Date; lastUpdated: Date }

export async function listApplications(
  db: Db,
  { after, limit }: Stretch,
): Promise<RegisteredApplication[]> {
  return db.rows(sql`
    select id, name, callback_url as "callbackUrl", topics, redirect_uris as "redirectUris", scopes,
      requires_pkce as "requiresPkce", is_public as "isPublic", owner_id as "ownerId",
      date_created as "dateCreated", last_updated as "lastUpdated"
    from applications where id > ${after} order by id limit ${limit}`)
}

/** By their ids. */
export async function listUsers(db: Db, { after, limit }: Stretch): Promise<User[]> {
  type Row = Pick<User, 'id' | 'siteId' | 'nickname' | 'status'> & { profile: string }
  const rows = await db.rows<Row>(sql`
    select id, site_id as "siteId", nickname, status, profile
    from users where id > ${after} order by id limit ${limit}`)
  return rows.map(({ profile, ...named }) => ({ ...named, ...JSON.parse(profile) }))
}
