import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { consoleName } from '../applications/console.ts'
import type { Authorization } from '../store.ts'

/** That a user lets an application act in the user's name. */
export interface Granted extends Authorization {
  /** Of the application. */
  name: string
  dateCreated: Date
}

type Whose = { userId: number; applicationId?: number } | { userId?: number; applicationId: number }

/** The authorisations of a user, or of an application, the oldest first; and how many there are. */
export async function listGranted(
  db: Db,
  asked: Whose & { limit?: number; offset?: number },
): Promise<{ granted: Granted[]; total: number }> {
  const { userId, applicationId, limit = 1_000, offset = 0 } = asked
  const ofUser = sql`a.user_id = ${userId}`
  const ofApplication = sql`a.application_id = ${applicationId}`
  const ofBoth = sql`${ofUser} and ${ofApplication}`
  const whose = userId === undefined ? ofApplication : applicationId === undefined ? ofUser : ofBoth
  const granted = await db.rows<Granted>(sql`
    select a.user_id as "userId", a.application_id as "applicationId", coalesce(p.name, ${consoleName}) as name, a.scopes,
      a.date_created as "dateCreated"
    from authorizations a left join applications p on p.id = a.application_id
    where ${whose}
    order by a.date_created, a.user_id, a.application_id limit ${limit} offset ${offset}`)
  const counted = await db.row<{ total: number }>(sql`
    select count(*) as total from authorizations a where ${whose}`)
  return { granted, total: counted?.total ?? 0 }
}

/**
 * An authorisation, locked until the transaction ends: whatever hands out tokens under one, or ends
 * one, locks it first, so that none is handed out under one that is ending.
 */
export async function lockAuthorization(
  tx: Tx,
  { userId, applicationId }: { userId: number; applicationId: number },
): Promise<Authorization | undefined> {
  return tx.row(sql`
    select user_id as "userId", application_id as "applicationId", scopes from authorizations
    where user_id = ${userId} and application_id = ${applicationId} for update`)
}

/** Adds scopes to what a user lets an application do, and locks that. */
export async function widenAuthorization(tx: Tx, given: Authorization, now: Date): Promise<void> {
  await tx.rows(sql`
    insert into authorizations (user_id, application_id, scopes, date_created)
    values (${given.userId}, ${given.applicationId}, ${given.scopes}, ${now})
    on conflict (user_id, application_id) do nothing`)
  const before = await lockAuthorization(tx, given)
  const scopes = [...new Set([...(before?.scopes ?? []), ...given.scopes])].sort()
  tx.write(sql`
    update authorizations set scopes = ${scopes}
    where user_id = ${given.userId} and application_id = ${given.applicationId}`)
}
