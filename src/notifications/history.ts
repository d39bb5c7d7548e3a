import { dayMs } from '../kernel/clock.ts'
import type { Context } from '../platform/context.ts'
import { dropDaysBefore } from '../platform/database/partitions.ts'
import { forgetNotes } from './queues/store.ts'
import { findOldestUnnotified, forgetLost, keepNumbers } from './store-history.ts'

/** Drops history older than `historyDays`. Notifications before their first attempt are kept, so that moving a
 * sandbox's clock ahead does not lose them. */
export async function dropOldHistory({
  db,
  now,
  config,
}: Pick<Context, 'db' | 'now' | 'config'>): Promise<boolean> {
  const before = new Date(now().getTime() - config.historyDays * dayMs)
  await dropDaysBefore(db, 'attempts', before)
  await dropDaysBefore(db, 'passed_over', before)
  const unnotified = await findOldestUnnotified(db)
  await keepNumbers(db, before)
  await dropDaysBefore(db, 'notifications', unnotified && unnotified < before ? unnotified : before)
  await forgetLost(db, before)
  await forgetNotes(db, before)
  return false
}
