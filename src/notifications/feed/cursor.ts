import { createHmac, timingSafeEqual } from 'node:crypto'
import { badField } from '../../kernel/failure.ts'
import type { Filters } from './filters.ts'

/** The last entry of a page, or how far it was searched: the next one goes on behind it. */
export interface FeedPosition {
  seq: number
  /** Its `received`. */
  at: Date
}

/** Where a feed goes on: behind `place`, after as many entries as are still to be left out. */
export interface FeedCursor {
  place: FeedPosition
  skip: number
}

/** What a cursor is good for: one feed of one application with one set of filters. */
export interface FeedSelection {
  feed: string
  applicationId: number
  filters: Filters
}

const macLength = 16

/** A mark as callers carry it from page to page, sealed: made by nobody else, and for nothing else. */
export function cursorOf({ place, skip }: FeedCursor, reading: FeedSelection, key: string): string {
  const text = [place.seq, place.at.getTime(), skip].join('.')
  return Buffer.from(`${text}.${seal(text, reading, key)}`).toString('base64url')
}

export function decodeFeedCursor(cursor: string, reading: FeedSelection, key: string): FeedCursor {
  const [seq, at, skip, mac = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  const text = [seq, at, skip].join('.')
  const sealed = Buffer.from(seal(text, reading, key))
  const given = Buffer.from(mac)
  if (given.length !== sealed.length || !timingSafeEqual(given, sealed)) {
    throw badField('cursor', 'the `next_cursor` of a page of this feed, with the same filters')
  }
  return { place: { seq: Number(seq), at: new Date(Number(at)) }, skip: Number(skip) }
}

function seal(text: string, { feed, applicationId, filters }: FeedSelection, key: string): string {
  const { topic, resource, userId, outcome, from, to } = filters
  const about = JSON.stringify([feed, applicationId, topic, resource, userId, outcome, from, to])
  const mac = createHmac('sha256', key).update(`feed cursor\n${about}\n${text}`).digest('base64url')
  return mac.slice(0, macLength)
}
