import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'

/** Lists sequence numbers of attempts of an application by ascending number, after one. */
export async function listAttemptSeqs(
  db: Db,
  { applicationId, after, limit }: { applicationId: number; after: number; limit: number },
): Promise<number[]> {
  const rows = await db.rows<{ seq: number }>(sql`
    select distinct seq from attempts where application_id = ${applicationId} and seq > ${after}
    order by seq limit ${limit}`)
  return rows.map(({ seq }) => seq)
}

/** Removes the address, the headers and what the receiver answered from attempts of an application. Returns how many
 * attempts had any. */
export async function eraseAttempts(
  tx: Tx,
  { applicationId, seqs }: { applicationId: number; seqs: readonly number[] },
): Promise<number> {
  const rows = await tx.rows(sql`
    update attempts set url = '', request_headers = '{}', response_headers = '{}',
      response_body = ''
    where application_id = ${applicationId} and seq = any(${seqs}::bigint[]) and url <> ''
    returning seq`)
  return rows.length
}

/** Deletes pending retries, listeners and signing secrets of an application. Returns their number. */
export async function deleteDeliverySettings(tx: Tx, applicationId: number): Promise<number> {
  const deleted = await Promise.all([
    tx.rows(sql`delete from unaccepted where application_id = ${applicationId} returning seq`),
    tx.rows(sql`delete from listeners where application_id = ${applicationId} returning name`),
    tx.rows(sql`delete from signing_secrets where application_id = ${applicationId} returning id`),
  ])
  return deleted.flat().length
}
