import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Notification } from '../attempt.ts'
import { type AttemptTools, makeAttempt } from '../delivery/attempting.ts'
import { readTarget } from '../delivery/store-queues.ts'
import type { FeedEntry } from '../feed/page.ts'
import { findCursor, findLatestAttempts } from '../feed/store.ts'
import { countAttempts } from '../replay/store-span.ts'
import { withSecret } from '../signing/commands.ts'
import { findById, recordOutcome } from './store.ts'

/**
 * Sends one notification now, once more, and answers its entry of the feed. It asks nothing of how the
 * lane stands and holds nothing up; what was brought home is not tried again, what failed once more is
 * due when it was. `permit` throws where the caller may not have it sent. Throws `not_found`,
 * `no_callback`, and `status_not_reachable` for one whose first delivery is still before it.
 */
export async function retryNow(
  ctx: AttemptTools & Pick<Context, 'db'>,
  { applicationId, id }: { applicationId: number; id: string },
  permit: (notification: Notification) => void,
): Promise<FeedEntry> {
  const { db, now } = ctx
  const notification = await findById(db, { applicationId, id })
  if (!notification) throw new Failure('not_found', `Notification not found: ${id}`)
  permit(notification)
  if (notification.seq > (await findCursor(db, applicationId))) {
    const expected = 'a notification that has had its first attempt, this one still waits for it'
    throw new Failure('status_not_reachable', `notification_id: expected ${expected}`)
  }
  const known = await readTarget(db, { applicationId, now: now() })
  const target = await withSecret(ctx, { applicationId, target: known })
  const { callbackUrl: url, secrets } = target
  if (!url) throw new Failure('no_callback')
  const notifications = [notification]
  const before = await countAttempts(db, { applicationId, notifications })
  const attempt = (before.get(notification.seq) ?? 0) + 1
  const settled = await makeAttempt(ctx, { url, secrets, notification, attempt })
  await recordOutcome(db, settled)
  const about = { applicationId, seqs: [notification.seq], since: settled.sent }
  const made = (await findLatestAttempts(db, about)).get(notification.seq)
  if (!made) throw new Error(`attempt ${attempt} at ${id} was not written down`)
  return { notification, attempt: made }
}
