import type { SiteId } from '../../kernel/sites.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** The signed-in user of a browser. */
export interface SessionUser {
  id: number
  nickname: string
  siteId: SiteId
}

export async function insertSession(
  db: Db,
  session: { userId: number; digest: string; now: Date; expiresAt: Date },
): Promise<void> {
  await db.rows(sql`
    insert into sessions (user_id, digest, date_created, expires_at)
    values (${session.userId}, ${session.digest}, ${session.now}, ${session.expiresAt})`)
}

/** Returns the user of a session, if the session has not expired and the account is active. */
export async function findSession(
  db: Db,
  { userId, digest, now }: { userId: number; digest: string; now: Date },
): Promise<SessionUser | undefined> {
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

/** A browser that a user has signed in from. */
export interface Device {
  userId: number
  digest: string
}

export async function insertDevice(
  db: Db,
  { userId, digest, now, expiresAt }: Device & { now: Date; expiresAt: Date },
): Promise<void> {
  await db.rows(sql`
    insert into devices (user_id, digest, date_created, expires_at)
    values (${userId}, ${digest}, ${now}, ${expiresAt})`)
}

export async function isDevice(
  db: Db,
  { userId, digest, now }: Device & { now: Date },
): Promise<boolean> {
  const row = await db.row(sql`
    select user_id from devices
    where user_id = ${userId} and digest = ${digest} and expires_at > ${now}`)
  return row !== undefined
}

export async function keepDevice(
  db: Db,
  { userId, digest, expiresAt }: Device & { expiresAt: Date },
): Promise<void> {
  await db.rows(sql`
    update devices set expires_at = ${expiresAt} where user_id = ${userId} and digest = ${digest}`)
}

export function deleteDevicesOf(tx: Tx, userId: number): void {
  tx.write(sql`delete from devices where user_id = ${userId}`)
}

/** Counts an attempt under a key, of which `most` are allowed in a window. `endsAt` is the end of a window that begins
 * now. Returns false when none is left. */
export async function takeAttempt(
  db: Db,
  { key, most, now, endsAt }: { key: string; most: number; now: Date; endsAt: Date },
): Promise<boolean> {
  const rows = await db.rows(sql`
    insert into sign_in_attempts (key, n, ends_at) values (${key}, 1, ${endsAt})
    on conflict (key) do update set
      n = case when sign_in_attempts.ends_at <= ${now} then 1 else sign_in_attempts.n + 1 end,
      ends_at = case when sign_in_attempts.ends_at <= ${now} then excluded.ends_at
        else sign_in_attempts.ends_at end
    where sign_in_attempts.ends_at <= ${now} or sign_in_attempts.n < ${most}
    returning key`)
  return rows.length > 0
}

export async function findAttempts(
  db: Db,
  { key, now }: { key: string; now: Date },
): Promise<{ n: number; endsAt: Date } | undefined> {
  return db.row(sql`
    select n, ends_at as "endsAt" from sign_in_attempts where key = ${key} and ends_at > ${now}`)
}

/** Uncounts an attempt that turned out to be right. */
export async function giveAttemptBack(db: Db, key: string): Promise<void> {
  await db.rows(sql`update sign_in_attempts set n = n - 1 where key = ${key} and n > 0`)
}

export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.rows(sql`delete from sign_in_attempts where key = ${key}`)
}

/** Deletes sessions, devices and attempt counts that ended before `before`. */
export async function forgetSessions(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from sessions where expires_at < ${before}`)
  await db.rows(sql`delete from devices where expires_at < ${before}`)
  await db.rows(sql`delete from sign_in_attempts where ends_at < ${before}`)
}
