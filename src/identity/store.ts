import { grantScopes } from '../http/scopes.ts'
import { Failure } from '../kernel/failure.ts'
import type { SiteId } from '../kernel/sites.ts'
import { fold } from '../kernel/text.ts'
import type { BulkTx, Db, Tx } from '../platform/database/database.ts'
import { copyRecords } from '../platform/database/records.ts'
import { sql } from '../platform/database/sql.ts'
import type { DerivedRows } from '../platform/walks/row-walk.ts'
import type { User } from './user.ts'
import { partyTexts, partyTextVersion } from './view.ts'

/** Inserts or replaces users. Returns the ids of the new ones. Throws `user_erased`. */
export async function saveUsers(db: Db, users: readonly User[], now: Date): Promise<Set<number>> {
  const rows = users.map(rowOf)
  // `xmax = 0` tells an inserted row from an updated one.
  const saved = await db.rows<{ id: number; created: boolean }>(sql`
    insert into users (id, site_id, nickname, nickname_folded, status, profile, as_buyer,
      as_buyer_new, as_seller, text_version, date_created, last_updated)
    select id, site_id, nickname, nickname_folded, status, profile, as_buyer, as_buyer_new,
      as_seller, ${partyTextVersion}, ${now}, ${now}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (id bigint, site_id text,
      nickname text, nickname_folded text, status text, profile json, as_buyer text,
      as_buyer_new text, as_seller text)
    on conflict (id) do update set site_id = excluded.site_id, nickname = excluded.nickname,
      nickname_folded = excluded.nickname_folded, status = excluded.status,
      profile = excluded.profile, as_buyer = excluded.as_buyer,
      as_buyer_new = excluded.as_buyer_new, as_seller = excluded.as_seller,
      text_version = excluded.text_version, last_updated = excluded.last_updated
      where users.erased_at is null
    returning id, xmax = 0 as created`)
  const savedIds = new Set(saved.map(({ id }) => id))
  const erased = users.find(({ id }) => !savedIds.has(id))
  if (erased) throw new Failure('user_erased', String(erased.id))
  return new Set(saved.filter((row) => row.created).map((row) => row.id))
}

/** Copies many users into the table. All ids must be new. */
export async function copyUsers(tx: BulkTx, users: readonly User[], now: Date): Promise<void> {
  const rows = users.map((user) => ({
    ...rowOf(user),
    text_version: partyTextVersion,
    date_created: now,
    last_updated: now,
  }))
  await copyRecords(tx, 'users', rows)
}

/** Returns the columns of a user's row, the texts included that orders show of the user. */
function rowOf(user: User) {
  const { id, siteId, nickname, status = 'active', ...profile } = user
  const { asBuyer, asBuyerNew, asSeller } = partyTexts(user)
  return {
    id,
    site_id: siteId,
    nickname,
    nickname_folded: fold(nickname),
    status,
    profile,
    as_buyer: asBuyer,
    as_buyer_new: asBuyerNew,
    as_seller: asSeller,
  }
}

/** The derived columns of users: the texts that orders show, and the folded nickname. */
export const userTexts: DerivedRows = {
  name: 'user texts',
  table: 'users',
  version: partyTextVersion,
  async list(db, { after, limit }) {
    const rows = await db.rows<{ id: number; version: number }>(sql`
      select id, text_version as version from users where id > ${after?.[0] ?? 0}
      order by id limit ${limit}`)
    return rows.map(({ id, version }) => ({ key: [id], version }))
  },
  async renew(tx, keys) {
    const rows = await tx.rows<UserRow>(sql`
      select id, site_id as "siteId", nickname, status, profile from users
      where id = any(${keys.map(([id]) => id)}::bigint[]) order by id for update`)
    for (const row of rows.map(userOf).map(rowOf)) {
      tx.write(sql`
        update users set nickname_folded = ${row.nickname_folded}, as_buyer = ${row.as_buyer},
          as_buyer_new = ${row.as_buyer_new}, as_seller = ${row.as_seller},
          text_version = ${partyTextVersion}
        where id = ${row.id}`)
    }
  },
}

type UserRow = Pick<User, 'id' | 'siteId' | 'nickname' | 'status'> & { profile: string }

function userOf({ profile, ...named }: UserRow): User {
  return { ...named, ...JSON.parse(profile) }
}

export async function findUser(db: Db, id: number): Promise<User | undefined> {
  const row = await db.row<UserRow>(sql`
    select id, site_id as "siteId", nickname, status, profile from users where id = ${id}`)
  return row && userOf(row)
}

/** Returns the site of a user. Undefined for an unknown id. */
export async function findUserSite(db: Db, id: number): Promise<SiteId | undefined> {
  const row = await db.row<{ siteId: SiteId }>(sql`
    select site_id as "siteId" from users where id = ${id}`)
  return row?.siteId
}

/** Returns which of these users are on these sites. */
export async function findUserIdsOnSites(
  db: Db,
  { ids, sites }: { ids: readonly number[]; sites: readonly SiteId[] },
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from users where id = any(${ids}::bigint[]) and site_id = any(${sites}::text[])`)
  return rows.map(({ id }) => id)
}

/** Returns the given ids that belong to users. */
export async function findUserIds(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db.rows<{ id: number }>(sql`
    select id from users where id = any(${ids}::bigint[])`)
  return rows.map(({ id }) => id)
}

/** Loads the nicknames of these users. Unknown ids are left out. */
export async function findNicknames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.rows<{ id: number; nickname: string }>(sql`
    select id, nickname from users where id = any(${ids}::bigint[])`)
  return new Map(rows.map(({ id, nickname }) => [id, nickname]))
}

/** Limit of users that a search by nickname returns. */
const mostNamesakes = 50

/**
 * Returns the ids of the users with this nickname, ascending and at most 50: nicknames are not unique. Accents count,
 * but neither case nor their encoding does.
 */
export async function findUserIdsByNickname(db: Db, nickname: string): Promise<number[]> {
  // The index on `nickname_folded` ignores accents, so the second condition compares them before the limit applies.
  // NFD separates letters from accents: `lower` then works in a database of any locale.
  const rows = await db.rows<{ id: number }>(sql`
    select id from users where nickname_folded = ${fold(nickname)}
      and lower(normalize(nickname, NFD)) = lower(normalize(${nickname}::text, NFD))
    order by id limit ${mostNamesakes}`)
  return rows.map(({ id }) => id)
}

/** Returns at most 50 users of a site with one of these nicknames, by id. The nicknames are folded (`fold`). */
export async function findUsersByNicknames(
  db: Db,
  siteId: SiteId,
  folded: readonly string[],
): Promise<{ id: number; nickname: string; folded: string }[]> {
  if (folded.length === 0) return []
  return db.rows(sql`
    select id, nickname, nickname_folded as folded from users
    where nickname_folded = any(${folded}::text[]) and site_id = ${siteId} order by id limit ${mostNamesakes}`)
}

export interface Application {
  id: number
  name: string
  callbackUrl: string | null
  topics: readonly string[]
}

export async function findApplication(db: Db, id: number): Promise<Application | undefined> {
  return db.row(sql`
    select id, name, callback_url as "callbackUrl", topics from applications where id = ${id}`)
}

export interface Authorization {
  userId: number
  applicationId: number
  scopes: readonly string[]
}

export async function saveAuthorization(
  db: Db,
  authorization: Authorization,
  now: Date,
): Promise<void> {
  await db.rows(sql`
    insert into authorizations (user_id, application_id, scopes, date_created)
    values (${authorization.userId}, ${authorization.applicationId}, ${authorization.scopes}, ${now})
    on conflict (user_id, application_id) do update set scopes = excluded.scopes`)
}

/** Who or what ended an authorization. `reuse`: a spent code or refresh token was presented again. */
export const revokers = ['user', 'application', 'operator', 'reuse'] as const
export type Revoker = (typeof revokers)[number]

/** Revokes tokens, refresh tokens and codes with scopes beyond `allowed`. Returns whether an access token was revoked. */
export async function revokeTokensBeyond(
  tx: Tx,
  allowed: Authorization,
  now: Date,
): Promise<boolean> {
  const revokedBy: Revoker = 'operator'
  const revoked = await tx.rows(sql`
    update tokens set revoked_at = ${now}
    where user_id = ${allowed.userId} and application_id = ${allowed.applicationId}
      and revoked_at is null and not scopes <@ ${allowed.scopes}::text[] returning user_id`)
  // Grant scopes such as `offline_access` do not extend what a token may do.
  const allowedScopes = [...allowed.scopes, ...grantScopes]
  tx.write(sql`
    update refresh_tokens set revoked_at = ${now}, revoked_by = ${revokedBy}, successor = null
    where user_id = ${allowed.userId} and application_id = ${allowed.applicationId}
      and revoked_at is null
      and not scopes <@ ${allowedScopes}::text[]`)
  tx.write(sql`
    update authorization_codes
    set used_at = coalesce(used_at, ${now}::timestamptz), revoked_by = ${revokedBy}
    where user_id = ${allowed.userId} and application_id = ${allowed.applicationId}
      and revoked_by is null
      and not scopes <@ ${allowedScopes}::text[]`)
  return revoked.length > 0
}

export async function findAuthorization(
  db: Db,
  { userId, applicationId }: { userId: number; applicationId: number },
): Promise<Authorization | undefined> {
  return db.row(sql`
    select user_id as "userId", application_id as "applicationId", scopes
    from authorizations where user_id = ${userId} and application_id = ${applicationId}`)
}

/** Deletes an authorization and revokes every token and code issued under it. Returns whether there was one. */
export async function deleteAuthorization(
  tx: Tx,
  ended: { userId: number; applicationId: number; revokedBy: Revoker; now: Date },
): Promise<boolean> {
  const { userId, applicationId, revokedBy, now } = ended
  const deleted = await tx.rows(sql`
    delete from authorizations where user_id = ${userId} and application_id = ${applicationId}
    returning user_id`)
  tx.write(sql`
    update tokens set revoked_at = ${now}
    where user_id = ${userId} and application_id = ${applicationId} and revoked_at is null`)
  tx.write(sql`
    update refresh_tokens set revoked_at = ${now}, revoked_by = ${revokedBy}, successor = null
    where user_id = ${userId} and application_id = ${applicationId} and revoked_at is null`)
  // The code is marked instead of deleted, so that its application learns who revoked it.
  tx.write(sql`
    update authorization_codes
    set used_at = coalesce(used_at, ${now}::timestamptz), revoked_by = ${revokedBy}
    where user_id = ${userId} and application_id = ${applicationId} and revoked_by is null`)
  return deleted.length > 0
}

export interface TokenRow {
  applicationId: number | null
  /** Whether the application got it by `client_credentials`, in the name of its owner. */
  isClientCredentials: boolean
  scopes: readonly string[]
  expiresAt: Date
}

export async function insertToken(
  db: Db,
  token: TokenRow & { userId: number; digest: string; grantId: string | null },
): Promise<void> {
  await db.rows(sql`
    insert into tokens (user_id, digest, application_id, scopes, expires_at, grant_id,
      is_client_credentials)
    values (${token.userId}, ${token.digest}, ${token.applicationId}, ${token.scopes},
      ${token.expiresAt}, ${token.grantId}, ${token.isClientCredentials})`)
}

/**
 * Returns a token that is not revoked. It may have expired. Rows older than 0018_client_credentials.sql have no
 * `is_client_credentials`: a token of an application without a grant counts as one.
 */
export async function findToken(
  db: Db,
  { userId, digest }: { userId: number; digest: string },
): Promise<TokenRow | undefined> {
  return db.row(sql`
    select application_id as "applicationId", scopes, expires_at as "expiresAt",
      coalesce(is_client_credentials, application_id is not null and grant_id is null)
        as "isClientCredentials"
    from tokens where user_id = ${userId} and digest = ${digest} and revoked_at is null`)
}

/** Revokes an access token. Returns false if it is unknown or revoked already. */
export async function revokeToken(
  tx: Tx,
  { userId, digest, now }: { userId: number; digest: string; now: Date },
): Promise<boolean> {
  const revoked = await tx.rows(sql`
    update tokens set revoked_at = ${now}
    where user_id = ${userId} and digest = ${digest} and revoked_at is null returning user_id`)
  return revoked.length > 0
}

/**
 * Returns the applications that these users authorized, with their topics. Applications without a callback URL
 * are left out unless somebody listens to them.
 */
export async function listSubscribers(
  db: Db,
  userIds: readonly number[],
): Promise<{ userId: number; applicationId: number; topics: readonly string[] }[]> {
  return db.rows(sql`
    select a.user_id as "userId", a.application_id as "applicationId", p.topics
    from authorizations a join applications p on p.id = a.application_id
    where a.user_id = any(${userIds}::bigint[])
      and (p.callback_url is not null or p.is_listened)`)
}

/** Stores whether an application is notified even without a callback URL. */
export function setListened(
  tx: Tx,
  { applicationId, isListened }: { applicationId: number; isListened: boolean },
): void {
  tx.write(sql`update applications set is_listened = ${isListened} where id = ${applicationId}`)
}

/** Deletes tokens that expired before `before`. */
export async function forgetTokens(db: Db, before: Date): Promise<void> {
  await db.rows(sql`delete from tokens where expires_at < ${before}`)
}
