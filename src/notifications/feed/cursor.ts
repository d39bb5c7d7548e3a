import { createHmac, timingSafeEqual } from 'node:crypto'
import { badField } from '../../kernel/failure.ts'
import type { NotificationFilters } from './filters.ts'

/** The last entry that a page read. The next page begins with older ones. */
export interface FeedPosition {
  seq: number
  /** `received` of the entry. */
  at: Date
}

/** Where the next page begins: after `position` and `skip` further entries (the rest of an `offset`). */
export interface FeedCursor {
  position: FeedPosition
  skip: number
}

/** The only feed, application and filters with which a cursor is valid. */
export interface FeedSelection {
  feed: string
  applicationId: number
  filters: NotificationFilters
}

const macLength = 16

/** Returns the `next_cursor` of a page. Its MAC keeps callers from making one or using it with other filters. */
export function cursorOf(
  { position, skip }: FeedCursor,
  selection: FeedSelection,
  key: string,
): string {
  const text = [position.seq, position.at.getTime(), skip].join('.')
  return Buffer.from(`${text}.${seal(text, selection, key)}`).toString('base64url')
}

/** Returns what `cursorOf` encoded. Throws `bad_request` for any other text or selection. */
export function decodeFeedCursor(
  cursor: string,
  selection: FeedSelection,
  key: string,
): FeedCursor {
  const [seq, at, skip, mac = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  const text = [seq, at, skip].join('.')
  const expectedMac = Buffer.from(seal(text, selection, key))
  const givenMac = Buffer.from(mac)
  if (givenMac.length !== expectedMac.length || !timingSafeEqual(givenMac, expectedMac)) {
    throw badField('cursor', 'the `next_cursor` of a page of this feed, with the same filters')
  }
  return { position: { seq: Number(seq), at: new Date(Number(at)) }, skip: Number(skip) }
}

function seal(text: string, { feed, applicationId, filters }: FeedSelection, key: string): string {
  const { topic, resource, userId, outcome, from, to } = filters
  const about = JSON.stringify([feed, applicationId, topic, resource, userId, outcome, from, to])
  const mac = createHmac('sha256', key).update(`feed cursor\n${about}\n${text}`).digest('base64url')
  return mac.slice(0, macLength)
}
