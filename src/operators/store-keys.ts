import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

export interface OperatorKey {
  id: number
  name: string
  role: string
  /** Null: all. */
  sites: string[] | null
  beginsWith: string
  allowedAddresses: string[]
  expiresAt: Date | null
  previousUntil: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
  dateCreated: Date
}

const columns = sql`
  id, name, role, sites, begins_with as "beginsWith", allowed_addresses as "allowedAddresses",
  expires_at as "expiresAt", previous_until as "previousUntil", last_used_at as "lastUsedAt",
  revoked_at as "revokedAt", date_created as "dateCreated"`

export async function listKeys(db: Db): Promise<OperatorKey[]> {
  return db.rows(sql`select ${columns} from operator_keys order by id`)
}

export async function findKey(db: Db, id: number): Promise<OperatorKey | undefined> {
  return db.row(sql`select ${columns} from operator_keys where id = ${id}`)
}

export function insertKey(
  tx: Tx,
  key: Pick<
    OperatorKey,
    | 'id'
    | 'name'
    | 'role'
    | 'sites'
    | 'beginsWith'
    | 'allowedAddresses'
    | 'expiresAt'
    | 'dateCreated'
  > & { digest: string },
): void {
  tx.write(sql`
    insert into operator_keys (id, name, role, sites, digest, begins_with, allowed_addresses,
      expires_at, date_created)
    values (${key.id}, ${key.name}, ${key.role}, ${key.sites}, ${key.digest}, ${key.beginsWith},
      ${key.allowedAddresses}, ${key.expiresAt}, ${key.dateCreated})`)
}

/** Replaces a key that is not revoked. The present one is accepted until `previousUntil`, and the one before it ends at
 * once. Returns false if there is no such key. */
export async function replaceKey(
  tx: Tx,
  key: { id: number; digest: string; beginsWith: string; previousUntil: Date },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    update operator_keys set previous_digest = digest, previous_until = ${key.previousUntil},
      digest = ${key.digest}, begins_with = ${key.beginsWith}
    where id = ${key.id} and revoked_at is null returning id`)
  return rows.length > 0
}

/** Revokes a key. Returns false if it is unknown or revoked already. */
export async function revokeKey(tx: Tx, { id, now }: { id: number; now: Date }): Promise<boolean> {
  const rows = await tx.rows(sql`
    update operator_keys set revoked_at = ${now}
    where id = ${id} and revoked_at is null returning id`)
  return rows.length > 0
}

/** A key as a request bears it. */
export interface PresentedKey {
  id: number
  name: string
  role: string
  /** The permissions of a role that operators created, or null. */
  permissions: string[] | null
  /** Null: all. */
  sites: string[] | null
  allowedAddresses: string[]
  /** When this form of the key ends, or null. */
  expiresAt: Date | null
  lastUsedAt: Date | null
}

/** Returns a key that is not revoked by the digest of its present or previous form. It may have expired. */
export async function findPresentedKey(db: Db, digest: string): Promise<PresentedKey | undefined> {
  return db.row(sql`
    select k.id, k.name, k.role, r.permissions, k.sites, k.allowed_addresses as "allowedAddresses",
      case when k.digest = ${digest} then k.expires_at
        else least(k.expires_at, k.previous_until) end as "expiresAt",
      k.last_used_at as "lastUsedAt"
    from operator_keys k left join operator_roles r on r.name = k.role
    where (k.digest = ${digest} or k.previous_digest = ${digest}) and k.revoked_at is null`)
}

/** Stores that a key was used, unless that was stored after `since`. */
export async function markKeyUsed(
  db: Db,
  { id, now, since }: { id: number; now: Date; since: Date },
): Promise<void> {
  await db.rows(sql`
    update operator_keys set last_used_at = ${now}
    where id = ${id} and (last_used_at is null or last_used_at < ${since})`)
}
