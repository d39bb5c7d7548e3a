import type { SiteId } from '../../kernel/sites.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Whose browser it is. */
export interface SignedIn {
  id: number
  nickname: string
  siteId: SiteId
}

export async function insertSession(
  db: Db,
  given: { userId: number; digest: string; now: Date; expiresAt: Date },
): Promise<void> {
  await db.rows(sql`
    insert into sessions (user_id, digest, date_created, expires_at)
    values (${given.userId}, ${given.digest}, ${given.now}, ${given.expiresAt})`)
}

/** The user of a session that has not ended, whose account is open. */
export async function findSession(
  db: Db,
  { userId, digest, now }: { userId: number; digest: string; now: Date },
): Promise<SignedIn | undefined> {
  return db.row(sql`
    select u.id, u.nickname, u.site_id as "siteId"
    from sessions s join users u on u.id = s.user_id and u.status = 'active'
    where s.user_id = ${userId} and s.digest = ${digest} and s.expires_at > ${now}`)
}

export async function deleteSession(
  db: Db,
  { userId, digest }: { userId: number; digest: string },
): Promise<void> {
  await db.rows(sql`delete from sessions where user_id = ${userId} and digest = ${digest}`)
}

export function deleteSessionsOf(tx: Tx, userId: number): void {
  tx.write(sql`delete from sessions where user_id = ${userId}`)
}

/** Counts one more under a key, whose count begins anew after `lifeMs`. Returns how many that makes,
 * and when it ends. */
export async function countAttempt(
  db: Db,
  { key, now, endsAt }: { key: string; now: Date; endsAt: Date },
): Promise<{ n: number; endsAt: Date }> {
  const row = await db.row<{ n: number; endsAt: Date }>(sql`
    insert into sign_in_attempts (key, n, ends_at) values (${key}, 1, ${endsAt})
    on conflict (key) do update set
      n = case when sign_in_attempts.ends_at <= ${now} then 1 else sign_in_attempts.n + 1 end,
      ends_at = case when sign_in_attempts.ends_at <= ${now} then excluded.ends_at
        else sign_in_attempts.ends_at end
    returning n, ends_at as "endsAt"`)
  return row ?? { n: 1, endsAt }
}

export async function findAttempts(
  db: Db,
  { key, now }: { key: string; now: Date },
): Promise<{ n: number; endsAt: Date } | undefined> {
  return db.row(sql`
    select n, ends_at as "endsAt" from sign_in_attempts where key = ${key} and ends_at > ${now}`)
}

/** Takes one back that turned out to be no guess. */
export async function takeAttemptBack(db: Db, key: string): Promise<void> {
  await db.rows(sql`update sign_in_attempts set n = n - 1 where key = ${key} and n > 0`)
}

export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.rows(sql`delete from sign_in_attempts where key = ${key}`)
}

/** Forgets what has ended before `before`. */
export async function forgetSessions(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from sessions where expires_at < ${before}`)
  await db.rows(sql`delete from sign_in_attempts where ends_at < ${before}`)
}
