import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface SigningSecret {
  id: string
  secret: string
  dateCreated: Date
  /** Until when it signs beside newer ones; null for the one in force. */
  expiresAt: Date | null
}

/** Every secret in force signs every notification, so there are few. */
export const mostInForce = 5

/** Those that have not expired, the newest first. An older release may have made more than sign now. */
export async function listSecrets(
  db: Db,
  { applicationId, now }: { applicationId: number; now: Date },
): Promise<SigningSecret[]> {
  return db.rows(sql`
    select id, secret, date_created as "dateCreated", expires_at as "expiresAt"
    from signing_secrets
    where application_id = ${applicationId} and (expires_at is null or expires_at > ${now})
    order by date_created desc, id limit ${mostInForce}`)
}

/** Keeps the lane of an application as it is until the transaction ends, so that of two who see that
 * there is no secret one makes it. */
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

/** Lets the secrets in force expire then. */
export function expireSecrets(
  tx: Tx,
  { applicationId, at }: { applicationId: number; at: Date },
): void {
  tx.write(sql`
    update signing_secrets set expires_at = ${at}
    where application_id = ${applicationId} and (expires_at is null or expires_at > ${at})`)
}
