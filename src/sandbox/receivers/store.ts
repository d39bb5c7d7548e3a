import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ReceiverFault, ReceiverFaultKind } from './fault.ts'

/** Lists the faults that a sandbox simulates when it delivers notifications. The table stores 0 for every application
 * and an empty text for every topic, because both belong to its unique key; they are returned as null. */
export async function listReceiverFaults(db: Db): Promise<ReceiverFault[]> {
  return db.rows(sql`
    select nullif(application_id, 0) as "applicationId", nullif(topic, '') as topic, kind, share,
      seed, delay_ms as "delayMs", status
    from sandbox_receiver_faults order by application_id, topic, kind`)
}

/** Blocks other changes of faults until the transaction ends. */
export async function lockReceiverFaults(tx: Tx): Promise<void> {
  await tx.rows(sql`lock table sandbox_receiver_faults in share row exclusive mode`)
}

/** Saves a fault, replacing the one of the same application, topic and kind. */
export function saveReceiverFault(tx: Tx, fault: ReceiverFault): void {
  tx.write(sql`
    insert into sandbox_receiver_faults (application_id, topic, kind, share, seed, delay_ms, status)
    values (${fault.applicationId ?? 0}, ${fault.topic ?? ''}, ${fault.kind}, ${fault.share},
      ${fault.seed}, ${fault.delayMs}, ${fault.status})
    on conflict (application_id, topic, kind) do update set share = excluded.share,
      seed = excluded.seed, delay_ms = excluded.delay_ms, status = excluded.status`)
}

/** Deletes the faults of this application and kind. Null matches any. */
export async function deleteReceiverFaults(
  tx: Tx,
  { applicationId, kind }: { applicationId: number | null; kind: ReceiverFaultKind | null },
): Promise<void> {
  await tx.rows(sql`
    delete from sandbox_receiver_faults
    where (${applicationId}::bigint is null or application_id = ${applicationId})
      and (${kind}::text is null or kind = ${kind})`)
}
