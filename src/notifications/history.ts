import { dayMs } from '../kernel/clock.ts'
import type { Context } from '../platform/context.ts'
import { dropPartitionsBefore } from '../platform/database/partitions.ts'
import {
  deleteLostNotifications,
  deleteOldQueueEvents,
  findOldestUnnotified,
  saveLastSeqs,
} from './store-history.ts'

/** Drops history older than `historyDays`. Notifications before their first attempt are kept, so that moving a
 * sandbox's clock ahead does not lose them. */
export async function dropOldHistory({
  db,
  now,
  config,
}: Pick<Context, 'db' | 'now' | 'config'>): Promise<boolean> {
  const before = new Date(now().getTime() - config.historyDays * dayMs)
  await dropPartitionsBefore(db, 'attempts', before)
  await dropPartitionsBefore(db, 'passed_over', before)
  const unnotified = await findOldestUnnotified(db)
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
