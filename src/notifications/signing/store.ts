import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface SigningSecret {
  id: string
  secret: string
  dateCreated: Date
  /** When it stops signing; null for the newest secret. */
  expiresAt: Date | null
}

/** The most secrets in force: each of them signs every delivery. */
export const maxActiveSecrets = 5

/** Loads the secrets in force, newest first. An older release may have created more than `maxActiveSecrets`. */
export async function listSecrets(
  db: Db,
  { applicationId, now }: { applicationId: number; now: Date },
): Promise<SigningSecret[]> {
  return db.rows(sql`
    select id, secret, date_created as "dateCreated", expires_at as "expiresAt"
    from signing_secrets
    where application_id = ${applicationId} and (expires_at is null or expires_at > ${now})
    order by date_created desc, id limit ${maxActiveSecrets}`)
}

/** Lists the signing secrets of an application, ended ones included, without the secrets themselves. */
export async function listStoredSecrets(
  db: Db,
  applicationId: number,
): Promise<Omit<SigningSecret, 'secret'>[]> {
  return db.rows(sql`
    select id, date_created as "dateCreated", expires_at as "expiresAt"
    from signing_secrets where application_id = ${applicationId} order by date_created, id`)
}

/** Locks the delivery queue until the transaction ends, so that two processes cannot both create the first secret. */
export async function lockSecrets(tx: Tx, applicationId: number): Promise<void> {
  await tx.rows(sql`
    select application_id from lanes where application_id = ${applicationId} for update`)
}

export function insertSecret(
  tx: Tx,
  { applicationId, id, secret, dateCreated }: SigningSecret & { applicationId: number },
): void {
  tx.write(sql`
    insert into signing_secrets (application_id, id, secret, date_created, expires_at)
    values (${applicationId}, ${id}, ${secret}, ${dateCreated}, null)`)
}

/** Sets the expiry of all secrets in force, unless they expire earlier. */
export function expireSecrets(
  tx: Tx,
  { applicationId, at }: { applicationId: number; at: Date },
): void {
  tx.write(sql`
    update signing_secrets set expires_at = ${at}
    where application_id = ${applicationId} and (expires_at is null or expires_at > ${at})`)
}
