import { hourMs } from '../../kernel/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql, unnamed } from '../../platform/database/sql.ts'
import type { Notification } from '../attempt.ts'

/** Which applications the parties of an order authorize, and their notifications of it. */

export interface AuthorizedApplication {
  id: number
  name: string
}

/** Loads the applications that these users authorize; beyond `limit`, those authorized most recently. */
export async function listAuthorizedApplications(
  db: Db,
  userIds: readonly number[],
  limit: number,
): Promise<AuthorizedApplication[]> {
  return db.rows(sql`
    select id, name from applications where id in (
      select application_id from authorizations where user_id = any(${userIds}::bigint[])
      order by date_created desc limit ${limit})
    order by id`)
}

export interface OrderNotificationsInput {
  applicationId: number
  resources: readonly string[]
  userIds: readonly number[]
  /** Only notifications received since then. */
  since: Date
  /** How many of the application's newest notifications since then are searched. */
  depth: number
  limit: number
}

/** Loads an application's notifications of these resources to these users, newest first. */
export async function listNotificationsOfResources(
  db: Db,
  input: OrderNotificationsInput,
): Promise<Notification[]> {
  const { applicationId, resources, userIds, since, depth, limit } = input
  return db.rows(
    unnamed(sql`
      select application_id as "applicationId", seq, id, user_id as "userId", topic, resource, received
      from (
        select application_id, seq, id, user_id, topic, resource, received from notifications
        where application_id = ${applicationId} and received >= ${since}
          and fanned_at >= ${new Date(since.getTime() - hourMs)}
        order by received desc, seq desc limit ${depth}) newest
      where resource = any(${resources}::text[]) and user_id = any(${userIds}::bigint[])
      order by seq desc limit ${limit}`),
  )
}
