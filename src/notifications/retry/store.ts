import type { Database, Db } from '../../platform/database/database.ts'
import { ensureDayPartitions } from '../../platform/database/partitions.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Notification } from '../attempt.ts'
import { type FinishedAttempt, insertAttempts } from '../delivery/store-outcomes.ts'
import { updatePendingRetries } from '../replay/store-steps.ts'
import { lastSeqOf } from '../store-queue-position.ts'

/** Notifications have no index by id, so only this many of the newest are searched. */
export const maxSearchedNotifications = 10_000

/** Loads a notification by id: any that was not accepted, or one of the newest. */
export async function findNotificationById(
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
        (select ${lastSeqOf(applicationId)} from lanes l where application_id = ${applicationId}), 0) - ${maxSearchedNotifications}
    limit 1`)
}

/** Records an attempt outside of the delivery queue. The next retry stays due when it was. */
export async function recordManualAttempt(db: Database, outcome: FinishedAttempt): Promise<void> {
  const { applicationId } = outcome.notification
  await ensureDayPartitions(db, 'attempts', outcome.sent)
  await db.transaction(async (tx) => {
    // Two concurrent retries may record the same attempt number in the same millisecond.
    insertAttempts(tx, [outcome], { mayBeThere: true })
    await updatePendingRetries(tx, applicationId, [outcome])
  })
}
