import type { Db, Tx } from '../platform/database/database.ts'
import { nameOf, sql, unnamed } from '../platform/database/sql.ts'
import type { User } from './user.ts'
import type { PartyTexts } from './view.ts'

/** Returns which of these users were erased. */
export async function findErasedUserIds(db: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from users where id = any(${ids}::bigint[]) and erased_at is not null`)
  return rows.map(({ id }) => id)
}

/** The columns of a user without a person. */
export interface ErasedUserRow extends PartyTexts {
  id: number
  nickname: string
  nicknameFolded: string
  /** JSON. */
  profile: string
  textVersion: number
}

/** Returns the user and locks the row until the transaction ends. */
export async function lockUser(
  tx: Tx,
  id: number,
): Promise<Pick<User, 'siteId' | 'nickname'> | undefined> {
  return tx.row(sql`
    select site_id as "siteId", nickname from users where id = ${id} for update`)
}

/** Replaces what a row says of its user. Returns false if it says so already. */
export async function saveErasedUser(tx: Tx, user: ErasedUserRow, now: Date): Promise<boolean> {
  const rows = await tx.rows(sql`
    update users set nickname = ${user.nickname}, nickname_folded = ${user.nicknameFolded},
      profile = ${user.profile}, status = 'deactivated', as_buyer = ${user.asBuyer},
      as_buyer_new = ${user.asBuyerNew}, as_seller = ${user.asSeller},
      text_version = ${user.textVersion}, last_updated = ${now},
      erased_at = coalesce(erased_at, ${now}::timestamptz)
    where id = ${user.id} and (erased_at is null or nickname <> ${user.nickname}
      or profile::text <> ${user.profile})
    returning id`)
  return rows.length > 0
}

/** Deletes the counts of sign-in attempts at the account. `logins` are the digests of what a user signs in with. */
export async function deleteSignInAttempts(
  tx: Tx,
  { userId, logins }: { userId: number; logins: readonly string[] },
): Promise<number> {
  const devices = await tx.rows<{ digest: string }>(sql`
    select digest from devices where user_id = ${userId}`)
  const names = [
    ...logins.map((digest) => `%account ${digest}%`),
    ...devices.map(({ digest }) => `device ${digest} %`),
  ]
  const rows = await tx.rows(sql`
    delete from sign_in_attempts where key like any(${names}::text[]) returning key`)
  return rows.length
}

/** Deletes the password, the sessions, the browsers, the tokens and the authorizations of a user. */
export async function deleteAccess(tx: Tx, userId: number): Promise<number> {
  const deleted = await Promise.all([
    tx.rows(sql`delete from passwords where user_id = ${userId} returning user_id`),
    tx.rows(sql`delete from sessions where user_id = ${userId} returning user_id`),
    tx.rows(sql`delete from devices where user_id = ${userId} returning user_id`),
    tx.rows(sql`delete from tokens where user_id = ${userId} returning user_id`),
    tx.rows(sql`delete from refresh_tokens where user_id = ${userId} returning user_id`),
    tx.rows(sql`delete from authorization_codes where user_id = ${userId} returning user_id`),
    tx.rows(sql`delete from authorizations where user_id = ${userId} returning user_id`),
    tx.rows(sql`delete from test_users where user_id = ${userId} returning user_id`),
  ])
  return deleted.flat().length
}

/** Returns the next application of this owner after an id. */
export async function findOwnedApplicationId(
  db: Db,
  { ownerId, after }: { ownerId: number; after: number },
): Promise<number | undefined> {
  const row = await db.row<{ id: number }>(sql`
    select id from applications where owner_id = ${ownerId} and id > ${after} order by id limit 1`)
  return row?.id
}

/** Lists users who have authorized an application. */
export async function listAuthorizingUsers(
  db: Db,
  { applicationId, limit }: { applicationId: number; limit: number },
): Promise<number[]> {
  const rows = await db.rows<{ userId: number }>(sql`
    select user_id as "userId" from authorizations where application_id = ${applicationId}
    order by user_id limit ${limit}`)
  return rows.map(({ userId }) => userId)
}

/** Replaces what an application says, with all its addresses and secrets. It cannot do anything any more. Its owner
 * stays, so that the application can be found until `removeOwner`. */
export function saveErasedApplication(
  tx: Tx,
  { id, name, now }: { id: number; name: string; now: Date },
): void {
  tx.write(sql`
    update applications set name = ${name}, description = null, secret_hash = '',
      callback_url = null, topics = '{}', is_listened = false, redirect_uris = '{}', scopes = '{}',
      previous_secret_hash = null, previous_secret_until = null, last_updated = ${now}
    where id = ${id}`)
  tx.write(sql`delete from application_networks where application_id = ${id}`)
  tx.write(sql`delete from sign_in_attempts where key like ${`token % application ${id}`}`)
}

/** Removes a user as the owner of applications. */
export function removeOwner(tx: Tx, ownerId: number): void {
  tx.write(sql`update applications set owner_id = null where owner_id = ${ownerId}`)
}

/** Whether the copy of the tables in a schema has a user. */
export async function isUserInSchema(
  db: Db,
  { schema, userId }: { schema: string; userId: number },
): Promise<boolean> {
  const copy = await db.row<{ exists: boolean }>(sql`
    select to_regclass(${`${schema}.users`}) is not null as exists`)
  // Copies leave out empty tables.
  if (!copy?.exists) return false
  const row = await db.row(
    unnamed(sql`select id from ${nameOf(schema)}.users where id = ${userId}`),
  )
  return row !== undefined
}

/** Lists what a user can sign in with, whom the user has let in and the test users that the user created, as JSON:
 * without secrets, by kind and id. */
export async function listAccess(
  db: Db,
  { userId, after, limit }: { userId: number; after: readonly [string, string]; limit: number },
): Promise<{ kind: string; id: string; data: string }[]> {
  const [kind, id] = after
  return db.rows(sql`
    select kind, id, data::text from (
      select 'password' as kind, '' as id, json_build_object('date_changed', changed_at) as data
      from passwords where user_id = ${userId}
      union all
      select 'session', digest,
        json_build_object('date_created', date_created, 'date_expires', expires_at)
      from sessions where user_id = ${userId}
      union all
      select 'browser', digest,
        json_build_object('date_created', date_created, 'date_expires', expires_at)
      from devices where user_id = ${userId}
      union all
      select 'token', digest, json_build_object('application_id', application_id,
        'scopes', scopes, 'date_expires', expires_at, 'date_revoked', revoked_at)
      from tokens where user_id = ${userId}
      union all
      select 'refresh_token', digest, json_build_object('application_id', application_id,
        'scopes', scopes, 'date_expires', expires_at, 'date_revoked', revoked_at)
      from refresh_tokens where user_id = ${userId}
      union all
      select 'authorization', application_id::text, json_build_object('application_id',
        application_id, 'scopes', scopes, 'date_created', date_created)
      from authorizations where user_id = ${userId}
      union all
      select 'test_user_of', '', json_build_object('user_id', account_id, 'date_created', date_created)
      from test_users where user_id = ${userId}
      union all
      select 'test_user', user_id::text, json_build_object('user_id', user_id,
        'date_created', date_created)
      from test_users where account_id = ${userId}) access
    where (kind, id) > (${kind}, ${id}) order by kind, id limit ${limit}`)
}

/** Lists the networks from which an application got tokens lately. */
export async function listNetworks(
  db: Db,
  applicationId: number,
): Promise<{ network: string; expiresAt: Date }[]> {
  return db.rows(sql`
    select network, expires_at as "expiresAt" from application_networks
    where application_id = ${applicationId} order by network`)
}
