import { emptyNextSlot } from '../changes/store.ts'
import { dayMs } from '../kernel/clock.ts'
import type { Context } from '../platform/context.ts'
import { dropPartitionsBefore } from '../platform/database/partitions.ts'
import { findOldestUnnotified } from './delivery-read-model.ts'
import { deleteLostNotifications, deleteOldQueueEvents, saveLastSeqs } from './store-history.ts'

/** Drops history older than `historyDays`: attempts, skipped notifications, notifications, what is left of those that
 * were given up (lost), and events of queues. Notifications before their first attempt are kept, so that moving a
 * sandbox's clock ahead does not lose them. Returns false: there is no more to do at once. */
export async function dropOldHistory({
  db,
  now,
  config,
}: Pick<Context, 'db' | 'now' | 'config'>): Promise<boolean> {
  const before = new Date(now().getTime() - config.historyDays * dayMs)
  await dropPartitionsBefore(db, 'attempts', before)
  await dropPartitionsBefore(db, 'passed_over', before)
  const unnotified = await findOldestUnnotified(db)
  // Before their notifications are dropped, because queues continue with these numbers.
  await saveLastSeqs(db, before)
  await dropPartitionsBefore(
    db,
    'notifications',
    unnotified && unnotified < before ? unnotified : before,
  )
  await deleteLostNotifications(db, before)
  await deleteOldQueueEvents(db, before)
  return false
}

/** Deletes changes that were fanned out more than two days ago. */
export async function deleteOldChanges({ db, now }: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  return emptyNextSlot(db, { now: now(), before: new Date(now().getTime() - 2 * dayMs) })
}
