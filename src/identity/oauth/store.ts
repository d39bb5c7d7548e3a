import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Revoker } from '../store.ts'

/** An authorization code and the consent that it stands for. */
export interface AuthorizationCode {
  userId: number
  digest: string
  applicationId: number
  redirectUri: string
  challenge: string | null
  scopes: readonly string[]
  grantId: string
  expiresAt: Date
  /** When the code was exchanged or revoked. */
  usedAt: Date | null
  revokedBy: Revoker | null
}

export function insertCode(tx: Tx, code: Omit<AuthorizationCode, 'usedAt' | 'revokedBy'>): void {
  tx.write(sql`
    insert into authorization_codes (user_id, digest, application_id, redirect_uri, challenge,
      scopes, grant_id, expires_at)
    values (${code.userId}, ${code.digest}, ${code.applicationId}, ${code.redirectUri},
      ${code.challenge}, ${code.scopes}, ${code.grantId}, ${code.expiresAt})`)
}

type CodeKey = Pick<AuthorizationCode, 'userId' | 'digest' | 'applicationId'>

/** Returns the code, if it belongs to this application. */
export async function findCode(db: Db, key: CodeKey): Promise<AuthorizationCode | undefined> {
  return db.row(sql`
    select user_id as "userId", digest, application_id as "applicationId",
      redirect_uri as "redirectUri", challenge, scopes, grant_id as "grantId",
      expires_at as "expiresAt", used_at as "usedAt", revoked_by as "revokedBy"
    from authorization_codes
    where user_id = ${key.userId} and digest = ${key.digest}
      and application_id = ${key.applicationId}`)
}

export function spendCode(tx: Tx, { userId, digest }: CodeKey, now: Date): void {
  tx.write(sql`
    update authorization_codes set used_at = ${now}
    where user_id = ${userId} and digest = ${digest}`)
}

export interface RefreshToken {
  userId: number
  digest: string
  applicationId: number
  scopes: readonly string[]
  grantId: string
  expiresAt: Date
  usedAt: Date | null
  revokedAt: Date | null
  /** Null if the token is not revoked, or an older release revoked it. */
  revokedBy: Revoker | null
  /** The encrypted answer to its exchange (`successor.ts`). Null once it may not be repeated. */
  successor: string | null
}

export function insertRefresh(
  tx: Tx,
  token: Omit<RefreshToken, 'usedAt' | 'revokedAt' | 'revokedBy' | 'successor'>,
): void {
  tx.write(sql`
    insert into refresh_tokens (user_id, digest, application_id, scopes, grant_id, expires_at)
    values (${token.userId}, ${token.digest}, ${token.applicationId}, ${token.scopes},
      ${token.grantId}, ${token.expiresAt})`)
}

/** Returns a refresh token of any application. */
export async function findRefresh(
  db: Db,
  { userId, digest }: { userId: number; digest: string },
): Promise<RefreshToken | undefined> {
  return db.row(sql`
    select user_id as "userId", digest, application_id as "applicationId", scopes,
      grant_id as "grantId", expires_at as "expiresAt", used_at as "usedAt",
      revoked_at as "revokedAt", revoked_by as "revokedBy", successor
    from refresh_tokens where user_id = ${userId} and digest = ${digest}`)
}

/** Marks a refresh token as spent. The stored answer to the token before it is deleted. */
export function spendRefresh(
  tx: Tx,
  token: Pick<RefreshToken, 'userId' | 'digest' | 'grantId' | 'successor'> & { now: Date },
): void {
  const { userId, digest, grantId, successor, now } = token
  tx.write(sql`
    update refresh_tokens set successor = null
    where user_id = ${userId} and grant_id = ${grantId} and successor is not null`)
  tx.write(sql`
    update refresh_tokens set used_at = ${now}, successor = ${successor}
    where user_id = ${userId} and digest = ${digest}`)
}

/** Deletes the stored answers to refresh tokens that were spent before `before`. */
export async function forgetSuccessors(db: Db, before: Date): Promise<void> {
  await db.rows(sql`
    update refresh_tokens set successor = null
    where successor is not null and used_at <= ${before}`)
}

/** Revokes every token and refresh token of one consent. */
export function revokeGrant(
  tx: Tx,
  ended: { userId: number; grantId: string; revokedBy: Revoker; now: Date },
): void {
  const { userId, grantId, revokedBy, now } = ended
  tx.write(sql`
    update tokens set revoked_at = ${now}
    where user_id = ${userId} and grant_id = ${grantId} and revoked_at is null`)
  tx.write(sql`
    update refresh_tokens set revoked_at = ${now}, revoked_by = ${revokedBy}, successor = null
    where user_id = ${userId} and grant_id = ${grantId} and revoked_at is null`)
}

/** Returns the application of an access token, revoked or not. */
export async function findTokenApplication(
  db: Db,
  { userId, digest }: { userId: number; digest: string },
): Promise<{ applicationId: number | null } | undefined> {
  return db.row(sql`
    select application_id as "applicationId" from tokens
    where user_id = ${userId} and digest = ${digest}`)
}

/** Returns until when a network is trusted for this application. */
export async function findApplicationNetwork(
  db: Db,
  { applicationId, network }: { applicationId: number; network: string },
): Promise<Date | undefined> {
  const row = await db.row<{ expiresAt: Date }>(sql`
    select expires_at as "expiresAt" from application_networks
    where application_id = ${applicationId} and network = ${network}`)
  return row?.expiresAt
}

export async function saveApplicationNetwork(
  db: Db,
  trusted: { applicationId: number; network: string; expiresAt: Date },
): Promise<void> {
  await db.rows(sql`
    insert into application_networks (application_id, network, expires_at)
    values (${trusted.applicationId}, ${trusted.network}, ${trusted.expiresAt})
    on conflict (application_id, network) do update set expires_at = excluded.expires_at`)
}

/** Deletes codes, refresh tokens and networks that expired before `before`. */
export async function forgetGrants(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from authorization_codes where expires_at < ${before}`)
  await db.rows(sql`delete from refresh_tokens where expires_at < ${before}`)
  await db.rows(sql`delete from application_networks where expires_at < ${before}`)
}
