import { hourMs } from '../../kernel/clock.ts'
import { largestId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Notification } from '../attempt.ts'
import type { FeedCursor, FeedPosition } from './cursor.ts'
import type { FeedPageRequest } from './filters.ts'
import { type AttemptRow, findLatestAttempts, findQueueCursor } from './store.ts'
import { type FeedRange, type FeedScan, findDownTo, findReceived } from './store-pages.ts'

export interface FeedEntry {
  notification: Notification
  attempt: AttemptRow
}

export interface FeedPage {
  entries: FeedEntry[]
  /** Where the next page begins; null on the last one. */
  next: FeedCursor | null
  /** How far back this page searched; null when it is full or the feed ended. */
  searchedUntil: Date | null
}

interface FeedPageInput extends FeedPageRequest {
  applicationId: number
  /** Null for the first page. */
  cursor: FeedCursor | null
}

/** Notifications that one read of a page loads at most. */
const maxBatch = 1_000

/**
 * Returns one page of a feed: notifications with their latest attempt, newest first. It reads one stretch of the
 * walk, so that a rare filter costs no more than a common one. If that does not fill the page, `next` says where to
 * continue. Skipped notifications have no attempt, so they are no entries.
 */
export async function readFeedPage(
  db: Db,
  walk: FeedScan,
  input: FeedPageInput,
): Promise<FeedPage> {
  const { applicationId, filters, limit, cursor } = input
  const [upTo, downTo] = await Promise.all([
    findQueueCursor(db, applicationId),
    findDownTo(db, applicationId, filters.from),
  ])
  let below: FeedPosition = cursor?.position ?? { seq: largestId, at: filters.to ?? new Date(0) }
  let skip = cursor?.skip ?? input.offset
  const stretch = (): FeedRange => ({ applicationId, filters, upTo, downTo, below })
  const end = await walk.findEnd(db, stretch(), walk.length + skip + limit)
  const entries: FeedEntry[] = []
  let batchSize = skip + limit + 1
  while (true) {
    batchSize = Math.min(batchSize, maxBatch)
    const notifications = await walk.list(db, stretch(), { end, limit: batchSize })
    const attempts = await findLatestOf(db, applicationId, notifications)
    for (const notification of notifications) {
      const attempt = attempts.get(notification.seq)
      const isEntry = attempt && (filters.outcome ?? attempt.outcome) === attempt.outcome
      if (isEntry && skip === 0 && entries.length === limit) {
        return { entries, next: { position: below, skip }, searchedUntil: null }
      }
      below = { seq: notification.seq, at: notification.received }
      if (!isEntry) continue
      if (skip > 0) skip--
      else entries.push({ notification, attempt })
    }
    if (notifications.length < batchSize) break
    batchSize *= 2
  }
  const at = end && (end.at ?? (await findReceived(db, { applicationId, seq: end.seq })))
  if (!at) return { entries, next: null, searchedUntil: null }
  const next = { position: { seq: end.seq, at }, skip }
  return { entries, next, searchedUntil: entries.length < limit ? at : null }
}

async function findLatestOf(db: Db, applicationId: number, notifications: readonly Notification[]) {
  const seqs = notifications.map(({ seq }) => seq)
  const received = notifications.map((notification) => notification.received.getTime())
  // An attempt follows the change, but the clocks of processes differ: allow an hour.
  const since = new Date(notifications.length === 0 ? 0 : Math.min(...received) - hourMs)
  return findLatestAttempts(db, { applicationId, seqs, since })
}
