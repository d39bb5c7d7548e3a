import type { EventPageInput, HistoryEventRow } from '../../audit/history.ts'
import type { Db } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** The history of a user: what accounts, applications and erasures recorded, whichever module owns it. */

export const userEventKinds = [
  'user_created',
  'user_updated',
  'password_changed',
  'application_authorized',
  'application_created',
  'erasure_started',
  'erasure_finished',
] as const

/** Returns when a user was created; undefined when there is no such user. */
export async function findUserOrigin(
  db: Db,
  id: number,
): Promise<{ dateCreated: Date } | undefined> {
  return db.row(sql`select date_created as "dateCreated" from users where id = ${id}`)
}

/** Lists events of a user, the newest first. They have no personal values. */
export async function listUserEvents(
  db: Db,
  { id, before, key, limit }: EventPageInput & { id: number },
): Promise<HistoryEventRow[]> {
  return db.rows(sql`
    select at, kind, resource, details, key from (
      select at, kind, resource, details, step || ' ' || kind || ' ' || resource as key from (
        select date_created as at, 1 as step, 'user_created' as kind, '/users/' || id as resource,
          json_build_object('site_id', site_id)::text as details
        from users where id = ${id}
        union all
        select last_updated, 2, 'user_updated', '/users/' || id,
          json_build_object('status', status)::text
        from users where id = ${id} and last_updated <> date_created
        union all
        select changed_at, 3, 'password_changed', '/users/' || user_id, '{}'
        from passwords where user_id = ${id}
        union all
        select date_created, 4, 'application_authorized', '/applications/' || application_id,
          json_build_object('scopes', scopes)::text
        from authorizations where user_id = ${id}
        union all
        select date_created, 5, 'application_created', '/applications/' || id, '{}'
        from applications where owner_id = ${id}
        union all
        select date_created, 6, 'erasure_started', '/users/' || user_id, '{}'
        from user_erasures where user_id = ${id}
        union all
        select date_finished, 7, 'erasure_finished', '/users/' || user_id, '{}'
        from user_erasures where user_id = ${id} and date_finished is not null
      ) events
    ) keyed
    where (at, key) < (${before}, ${key})
    order by at desc, key desc limit ${limit}`)
}
