import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { consoleName } from '../applications/console.ts'
import type { Authorization } from '../store.ts'

/** The authorization of an application by a user. */
export interface GrantedAuthorization extends Authorization {
  /** The name of the application. */
  name: string
  dateCreated: Date
}

type GrantFilter =
  | { userId: number; applicationId?: number }
  | { userId?: number; applicationId: number }

/** Returns a page of the authorizations of a user or an application, the oldest first, and their total. */
export async function listAuthorizations(
  db: Db,
  filter: GrantFilter & { limit?: number; offset?: number },
): Promise<{ granted: GrantedAuthorization[]; total: number }> {
  const { userId, applicationId, limit = 1_000, offset = 0 } = filter
  const ofUser = sql`a.user_id = ${userId}`
  const ofApplication = sql`a.application_id = ${applicationId}`
  const ofBoth = sql`${ofUser} and ${ofApplication}`
  const condition =
    userId === undefined ? ofApplication : applicationId === undefined ? ofUser : ofBoth
  const granted = await db.rows<GrantedAuthorization>(sql`
    select a.user_id as "userId", a.application_id as "applicationId", coalesce(p.name, ${consoleName}) as name, a.scopes,
      a.date_created as "dateCreated"
    from authorizations a left join applications p on p.id = a.application_id
    where ${condition}
    order by a.date_created, a.user_id, a.application_id limit ${limit} offset ${offset}`)
  const counted = await db.row<{ total: number }>(sql`
    select count(*) as total from authorizations a where ${condition}`)
  return { granted, total: counted?.total ?? 0 }
}

/**
 * Returns an authorization, locked until the transaction ends. Issuing tokens and ending an authorization both lock
 * it first, so that no token is issued under an ending one.
 */
export async function lockAuthorization(
  tx: Tx,
  { userId, applicationId }: { userId: number; applicationId: number },
): Promise<Authorization | undefined> {
  return tx.row(sql`
    select user_id as "userId", application_id as "applicationId", scopes from authorizations
    where user_id = ${userId} and application_id = ${applicationId} for update`)
}

/** Creates an authorization or adds scopes to it, and locks it. */
export async function widenAuthorization(tx: Tx, added: Authorization, now: Date): Promise<void> {
  await tx.rows(sql`
    insert into authorizations (user_id, application_id, scopes, date_created)
    values (${added.userId}, ${added.applicationId}, ${added.scopes}, ${now})
    on conflict (user_id, application_id) do nothing`)
  const before = await lockAuthorization(tx, added)
  const scopes = [...new Set([...(before?.scopes ?? []), ...added.scopes])].sort()
  tx.write(sql`
    update authorizations set scopes = ${scopes}
    where user_id = ${added.userId} and application_id = ${added.applicationId}`)
}
