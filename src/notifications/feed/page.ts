import { hourMs } from '../../kernel/clock.ts'
import { largestId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Notification } from '../attempt.ts'
import type { FeedCursor, FeedPosition } from './cursor.ts'
import type { Page } from './filters.ts'
import { type AttemptRow, findCursor, findLatestAttempts } from './store.ts'
import { findDownTo, findReceived, type Stretch, type Walk } from './store-pages.ts'

export interface FeedEntry {
  notification: Notification
  attempt: AttemptRow
}

export interface FeedPage {
  entries: FeedEntry[]
  /** Where the next page goes on; null at the end. */
  next: FeedCursor | null
  /** Down to when this one was searched, when it stopped before it was full. */
  searchedUntil: Date | null
}

interface FeedPageInput extends Page {
  applicationId: number
  /** Where it goes on; null at the beginning. */
  mark: FeedCursor | null
}

const mostAtOnce = 1_000

/**
 * One page of a feed: notifications with their latest attempt, the newest first. It reads one stretch
 * of the walk, and says where to go on when that has not filled the page. What was passed over or left
 * out has had no attempt and is no entry.
 */
export async function readPage(db: Db, walk: Walk, asked: FeedPageInput): Promise<FeedPage> {
  const { applicationId, filters, limit, mark } = asked
  const [upTo, downTo] = await Promise.all([
    findCursor(db, applicationId),
    findDownTo(db, applicationId, filters.from),
  ])
  let below: FeedPosition = mark?.place ?? { seq: largestId, at: filters.to ?? new Date(0) }
  let skip = mark?.skip ?? asked.offset
  const stretch = (): Stretch => ({ applicationId, filters, upTo, downTo, below })
  const end = await walk.findEnd(db, stretch(), walk.length + skip + limit)
  const entries: FeedEntry[] = []
  let take = skip + limit + 1
  while (true) {
    take = Math.min(take, mostAtOnce)
    const listed = await walk.list(db, stretch(), { end, limit: take })
    const attempts = await attemptsAt(db, applicationId, listed)
    for (const notification of listed) {
      const attempt = attempts.get(notification.seq)
      const isEntry = attempt && (filters.outcome ?? attempt.outcome) === attempt.outcome
      if (isEntry && skip === 0 && entries.length === limit) {
        return { entries, next: { place: below, skip }, searchedUntil: null }
      }
      below = { seq: notification.seq, at: notification.received }
      if (!isEntry) continue
      if (skip > 0) skip--
      else entries.push({ notification, attempt })
    }
    if (listed.length < take) break
    take *= 2
  }
  const at = end && (end.at ?? (await findReceived(db, { applicationId, seq: end.seq })))
  if (!at) return { entries, next: null, searchedUntil: null }
  const next = { place: { seq: end.seq, at }, skip }
  return { entries, next, searchedUntil: entries.length < limit ? at : null }
}

async function attemptsAt(db: Db, applicationId: number, listed: readonly Notification[]) {
  const seqs = listed.map(({ seq }) => seq)
  const received = listed.map((each) => each.received.getTime())
  // Nothing is sent before it is recorded, but clocks differ.
  const since = new Date(listed.length === 0 ? 0 : Math.min(...received) - hourMs)
  return findLatestAttempts(db, { applicationId, seqs, since })
}
