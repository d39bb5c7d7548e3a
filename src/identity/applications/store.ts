import { clientScopes } from '../../http/scopes.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Application } from '../store.ts'
import { consoleApplicationId, consoleClient } from './console.ts'

/** The OAuth settings of an application. */
export interface ClientSettings {
  description: string | null
  /** Addresses that the authorization page may redirect to. They are compared as text. */
  redirectUris: readonly string[]
  /** The scopes that it may ask users for. */
  scopes: readonly string[]
  requiresPkce: boolean
  /** Whether it cannot keep a secret, as an application in a browser or on a phone. */
  isPublic: boolean
  /** The user for whom it acts with `client_credentials`. */
  ownerId: number | null
}

/** An application as an OAuth client. */
export interface OAuthClient extends ClientSettings {
  id: number
  name: string
  secretHash: string
  previousSecretHash: string | null
  previousSecretUntil: Date | null
}

export async function findClient(db: Db, id: number): Promise<OAuthClient | undefined> {
  if (id === consoleApplicationId) return consoleClient
  return db.row(sql`
    select id, name, description, redirect_uris as "redirectUris", scopes, requires_pkce as "requiresPkce",
      is_public as "isPublic", owner_id as "ownerId", secret_hash as "secretHash",
      previous_secret_hash as "previousSecretHash",
      previous_secret_until as "previousSecretUntil"
    from applications where id = ${id}`)
}

export type SavedApplication = Application & {
  secretHash: string
  keepsSecret?: boolean
  client?: Partial<ClientSettings>
  now: Date
}

/** Inserts or replaces an application. An existing one keeps its secret if `keepsSecret`, and the client settings
 * that are undefined. Returns whether it is new. */
export async function saveApplication(
  db: Db,
  {
    id,
    name,
    callbackUrl,
    topics,
    secretHash,
    keepsSecret = false,
    client: { description, redirectUris, scopes, requiresPkce, isPublic, ownerId } = {},
    now,
  }: SavedApplication,
): Promise<boolean> {
  const row = await db.row<{ created: boolean }>(sql`
    insert into applications (id, name, description, secret_hash, callback_url, topics,
      redirect_uris, scopes, requires_pkce, is_public, owner_id, date_created, last_updated)
    values (${id}, ${name}, ${description}, ${secretHash}, ${callbackUrl}, ${topics},
      coalesce(${redirectUris}::text[], '{}'),
      coalesce(${scopes}::text[], ${clientScopes}::text[]),
      coalesce(${requiresPkce}::boolean, false), coalesce(${isPublic}::boolean, false),
      ${ownerId}, ${now}, ${now})
    on conflict (id) do update set name = excluded.name, callback_url = excluded.callback_url,
      topics = excluded.topics, last_updated = excluded.last_updated,
      redirect_uris = coalesce(${redirectUris}::text[], applications.redirect_uris),
      scopes = coalesce(${scopes}::text[], applications.scopes),
      requires_pkce = coalesce(${requiresPkce}::boolean, applications.requires_pkce),
      is_public = coalesce(${isPublic}::boolean, applications.is_public),
      description = case when ${description === undefined} then applications.description
        else excluded.description end,
      owner_id = case when ${ownerId === undefined} then applications.owner_id
        else excluded.owner_id end,
      previous_secret_hash = case when ${keepsSecret} then applications.previous_secret_hash end,
      previous_secret_until = case when ${keepsSecret} then applications.previous_secret_until end,
      secret_hash = case when ${keepsSecret} then applications.secret_hash
        else excluded.secret_hash end
    returning xmax = 0 as created`)
  return row?.created ?? false
}

/** Revokes the `client_credentials` tokens of an application. Returns the ids of their users. */
export async function revokeClientCredentials(
  tx: Tx,
  { id, ownerId, now }: { id: number; ownerId: number; now: Date },
): Promise<number[]> {
  const revoked = await tx.rows<{ userId: number }>(sql`
    update tokens set revoked_at = ${now}
    where user_id = ${ownerId} and application_id = ${id} and revoked_at is null
      and coalesce(is_client_credentials, grant_id is null)
    returning user_id as "userId"`)
  return revoked.map(({ userId }) => userId)
}

/** Revokes the tokens of an application that have other scopes than these. Returns the ids of their users. */
export async function revokeTokensBeyondScopes(
  tx: Tx,
  { id, scopes, now }: { id: number; scopes: readonly string[]; now: Date },
): Promise<number[]> {
  const revoked = await tx.rows<{ userId: number }>(sql`
    update tokens set revoked_at = ${now}
    where application_id = ${id} and revoked_at is null and not scopes <@ ${scopes}::text[]
    returning user_id as "userId"`)
  return revoked.map(({ userId }) => userId)
}

/** Replaces the secret of an application. The replaced one works until `until`, and one replaced before it ends now. No
 * token is revoked. Returns false if the application does not exist. */
export async function replaceSecret(
  db: Db,
  { id, secretHash, until, now }: { id: number; secretHash: string; until: Date; now: Date },
): Promise<boolean> {
  const row = await db.row(sql`
    update applications set previous_secret_hash = secret_hash, previous_secret_until = ${until},
      secret_hash = ${secretHash}, last_updated = ${now}
    where id = ${id} returning id`)
  return row !== undefined
}

export type RegisteredApplication = Application &
  ClientSettings & { secretHash: string; dateCreated: Date; lastUpdated: Date }

/** The columns of a `RegisteredApplication`. */
export const applicationColumns = sql`
  id, name, description, callback_url as "callbackUrl", topics, redirect_uris as "redirectUris", scopes,
  requires_pkce as "requiresPkce", is_public as "isPublic", owner_id as "ownerId",
  secret_hash as "secretHash", date_created as "dateCreated", last_updated as "lastUpdated"`

/** Loads an application and locks it until the transaction ends. Rows that refer to it can be added meanwhile. */
export async function lockApplication(
  tx: Tx,
  id: number,
): Promise<RegisteredApplication | undefined> {
  return tx.row(
    sql`select ${applicationColumns} from applications where id = ${id} for no key update`,
  )
}

/** Returns the owner of an application, or null, and whether it is public. Undefined if it does not exist. */
export async function findOwnership(
  db: Db,
  id: number,
): Promise<{ ownerId: number | null; isPublic: boolean } | undefined> {
  return db.row(sql`
    select owner_id as "ownerId", is_public as "isPublic" from applications where id = ${id}`)
}
