import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

export interface OperatorSession {
  id: string
  accountId: number
  network: string
  userAgent: string | null
  dateCreated: Date
  lastUsedAt: Date
  verifiedAt: Date
  expiresAt: Date
}

export function insertSession(tx: Tx, session: OperatorSession & { digest: string }): void {
  tx.write(sql`
    insert into operator_sessions (id, account_id, digest, network, user_agent, date_created,
      last_used_at, verified_at, expires_at)
    values (${session.id}, ${session.accountId}, ${session.digest}, ${session.network},
      ${session.userAgent}, ${session.dateCreated}, ${session.lastUsedAt}, ${session.verifiedAt},
      ${session.expiresAt})`)
}

/** Lists the sessions of an account that have not ended, the newest first. They may have expired. */
export async function listSessions(db: Db, accountId: number): Promise<OperatorSession[]> {
  return db.rows(sql`
    select id, account_id as "accountId", network, user_agent as "userAgent",
      date_created as "dateCreated", last_used_at as "lastUsedAt", verified_at as "verifiedAt",
      expires_at as "expiresAt"
    from operator_sessions where account_id = ${accountId} and ended_at is null
    order by date_created desc, id`)
}

/** Returns the id of the session with this digest. */
export async function findSessionId(db: Db, digest: string): Promise<string | undefined> {
  const row = await db.row<{ id: string }>(sql`
    select id from operator_sessions where digest = ${digest} and ended_at is null`)
  return row?.id
}

/** Ends a session of the account. Returns false if there is none. */
export async function endSession(
  tx: Tx,
  { accountId, id, now }: { accountId: number; id: string; now: Date },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    update operator_sessions set ended_at = ${now}
    where account_id = ${accountId} and id = ${id} and ended_at is null returning id`)
  return rows.length > 0
}

/** Ends all sessions of the account but `exceptId`. */
export function endSessions(
  tx: Tx,
  { accountId, now, exceptId = '' }: { accountId: number; now: Date; exceptId?: string },
): void {
  tx.write(sql`
    update operator_sessions set ended_at = ${now}
    where account_id = ${accountId} and id <> ${exceptId} and ended_at is null`)
}

/** Stores that the person of a session entered the password or a code. */
export function markSessionVerified(tx: Tx, { id, now }: { id: string; now: Date }): void {
  tx.write(sql`update operator_sessions set verified_at = ${now} where id = ${id}`)
}

/** Returns whether the account has signed in from this network after `since`. */
export async function hasSignedInFrom(
  db: Db,
  { accountId, network, since }: { accountId: number; network: string; since: Date },
): Promise<boolean> {
  const row = await db.row(sql`
    select id from operator_sessions
    where account_id = ${accountId} and network = ${network} and date_created > ${since} limit 1`)
  return row !== undefined
}

/** A session as a request bears it. */
export interface PresentedSession {
  id: string
  accountId: number
  name: string
  role: string
  /** The permissions of a role that operators created, or null. */
  permissions: string[] | null
  /** The sites of the account. Null: all. */
  sites: string[] | null
  lastUsedAt: Date
  verifiedAt: Date
  expiresAt: Date
}

/** Returns a session that has not ended, of an active account. It may have expired. */
export async function findPresentedSession(
  db: Db,
  digest: string,
): Promise<PresentedSession | undefined> {
  return db.row(sql`
    select s.id, s.account_id as "accountId", a.name, a.role, r.permissions, a.sites,
      s.last_used_at as "lastUsedAt", s.verified_at as "verifiedAt", s.expires_at as "expiresAt"
    from operator_sessions s
    join operator_accounts a on a.id = s.account_id and a.status = 'active'
    left join operator_roles r on r.name = a.role
    where s.digest = ${digest} and s.ended_at is null`)
}

/** Stores that a session was used, unless that was stored after `since`. */
export async function markSessionUsed(
  db: Db,
  { id, now, since }: { id: string; now: Date; since: Date },
): Promise<void> {
  await db.rows(sql`
    update operator_sessions set last_used_at = ${now}
    where id = ${id} and last_used_at < ${since}`)
}

/** Deletes sessions that expired before `before`. */
export async function forgetOperatorSessions(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from operator_sessions where expires_at < ${before}`)
}
