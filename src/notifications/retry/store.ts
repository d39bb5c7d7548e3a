import type { Database, Db } from '../../platform/database/database.ts'
import { ensureDays } from '../../platform/database/partitions.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Notification } from '../attempt.ts'
import { insertAttempts, type RecordedOutcome } from '../delivery/store-outcomes.ts'
import { updatePendingRetries } from '../replay/store-work.ts'
import { lastSeqOf } from '../store-standing.ts'

/** Notifications have no index by their id: the newest so many are looked through. */
export const farthestLook = 10_000

/** One of an application's by its id: any that was not accepted, or among the newest. */
export async function findById(
  db: Db,
  { applicationId, id }: { applicationId: number; id: string },
): Promise<Notification | undefined> {
  const columns = sql`application_id as "applicationId", seq, id, user_id as "userId", topic,
    resource, received`
  const waiting = await db.row<Notification>(sql`
    select ${columns} from unaccepted where application_id = ${applicationId} and id = ${id} limit 1`)
  if (waiting) return waiting
  return db.row(sql`
    select ${columns} from notifications
    where application_id = ${applicationId} and id = ${id}
      and seq > coalesce(
        (select ${lastSeqOf(applicationId)} from lanes l where application_id = ${applicationId}), 0) - ${farthestLook}
    limit 1`)
}

/** Writes down one attempt that was made by itself; when the next is due stays as it was. */
export async function recordOutcome(db: Database, settled: RecordedOutcome): Promise<void> {
  const { applicationId } = settled.notification
  await ensureDays(db, 'attempts', settled.sent)
  await db.transaction(async (tx) => {
    // Two may be asked for at once.
    insertAttempts(tx, [settled], { mayBeThere: true })
    await updatePendingRetries(tx, applicationId, [settled])
  })
}
