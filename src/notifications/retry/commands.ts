import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Notification } from '../attempt.ts'
import { type AttemptTools, makeAttempt } from '../delivery/make-attempt.ts'
import { readDeliveryTarget } from '../delivery-read-model.ts'
import type { FeedEntry } from '../feed/page.ts'
import { findLatestAttempts, findQueueCursor } from '../feed/store.ts'
import { countAttempts } from '../replay/store-span.ts'
import { withSigningSecrets } from '../signing/commands.ts'
import { findNotificationById, recordManualAttempt } from './store.ts'

/**
 * Sends a notification again now and returns its feed entry. It ignores the state of the delivery queue. If it is
 * accepted, no retry follows; otherwise the next retry stays due when it was. `permit` throws when the caller may not
 * retry it. Throws `not_found`, `no_callback`, and `status_not_reachable` before its first attempt.
 */
export async function retryNotification(
  ctx: AttemptTools & Pick<Context, 'db'>,
  { applicationId, id }: { applicationId: number; id: string },
  permit: (notification: Notification) => void,
): Promise<FeedEntry> {
  const { db, now } = ctx
  const notification = await findNotificationById(db, { applicationId, id })
  if (!notification) throw new Failure('not_found', `Notification not found: ${id}`)
  permit(notification)
  if (notification.seq > (await findQueueCursor(db, applicationId))) {
    const expected = 'a notification after its first attempt; this one still waits for it'
    throw new Failure('status_not_reachable', `notification_id: expected ${expected}`)
  }
  const target = await readDeliveryTarget(db, { applicationId, now: now() })
  const { callbackUrl: url, secrets } = await withSigningSecrets(ctx, { applicationId, target })
  if (!url) throw new Failure('no_callback')
  const notifications = [notification]
  const attemptCounts = await countAttempts(db, { applicationId, notifications })
  const attempt = (attemptCounts.get(notification.seq) ?? 0) + 1
  const outcome = await makeAttempt(ctx, { url, secrets, notification, attempt })
  await recordManualAttempt(db, outcome)
  const seqs = [notification.seq]
  const latest = await findLatestAttempts(db, { applicationId, seqs, since: outcome.sent })
  const attemptRow = latest.get(notification.seq)
  if (!attemptRow) throw new Error(`attempt ${attempt} at ${id} was not recorded`)
  return { notification, attempt: attemptRow }
}
