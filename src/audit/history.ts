import { type Static, Type } from 'typebox'
import type { AuditTarget } from '../kernel/audit.ts'
import { dayMs, parseTimestamp, timestamp } from '../kernel/clock.ts'
import { badField } from '../kernel/failure.ts'
import { OrNull, Timestamp } from '../kernel/schema.ts'
import { scrollFields, scrollIdOf } from '../kernel/scroll.ts'
import type { Database } from '../platform/database/database.ts'
import { type AuditEntryRow, listEntriesOf } from './store.ts'
import { AuditEntryAnswer, type HistoryReader, renderEntriesFor } from './view.ts'

/**
 * Pages of the history of a listing, a user or a conversation: what the database knows to have happened, and what
 * operators changed, the newest first.
 */

/** An event in the history of a thing, derived from the dates that the database has of it. */
export interface HistoryEventRow {
  at: Date
  kind: string
  /** The path of what the event is about, such as `/questions/1`. */
  resource: string
  /** JSON. Its fields depend on the kind. */
  details: string
  /** Orders events of the same time. */
  key: string
}

/** Events before a time, and those of that time with a smaller key. */
export interface EventPageInput {
  readonly before: Date
  readonly key: string
  readonly limit: number
}

/** Where a page ends. Of the same time, entries of the audit log come before events. */
interface HistoryPosition {
  readonly at: Date
  readonly source: 'entry' | 'event'
  readonly key: string
}

export const HistoryQuery = Type.Object({
  cursor: Type.Optional(
    Type.String({ maxLength: 1_000, description: '`next_cursor` of the previous page' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, description: 'Results per page. Default: 50' }),
  ),
})

/** What the descriptions of all histories say about the values of entries. */
export const valuesInHistory =
  'The values of an entry take the permission of its operation, or the one to read what it writes, or `audit:read`; without them, `before` and `after` are null and `personal` is empty.'

/** The kind of what operators changed. */
const operatorChange = 'operator_change'
const defaultPageSize = 50
const endOfTime = new Date('9999-12-31T00:00:00.000Z')

/** Returns the schema of a page of a history with events of these kinds. */
export function historyAnswerOf(kinds: readonly string[]) {
  return Type.Object({
    results: Type.Array(
      Type.Object({
        at: Timestamp,
        kind: Type.Enum([...kinds, operatorChange], {
          description: 'What happened. `operator_change`: an operator changed something',
        }),
        resource: OrNull(
          Type.String({ description: 'What the event is about. Null for `operator_change`' }),
        ),
        details: Type.Object({}, { description: 'Their fields depend on `kind`' }),
        audit: OrNull(AuditEntryAnswer),
      }),
    ),
    next_cursor: OrNull(
      Type.String({
        description: 'Send it as `cursor` to get the next page. Null on the last page',
      }),
    ),
  })
}

export interface HistorySource {
  /** What a cursor belongs to, such as `/operator/users/1`. */
  readonly subject: string
  readonly dateCreated: Date
  /** The targets in the audit log that belong to the history. */
  readonly targets: readonly AuditTarget[]
  /** Lists events, the newest first, by time and key. */
  listEvents(page: EventPageInput): Promise<HistoryEventRow[]>
}

type HistoryResult =
  | { source: 'event'; at: Date; key: string; event: HistoryEventRow }
  | { source: 'entry'; at: Date; key: string; entry: AuditEntryRow }

/** Reads a page of a history. Throws `bad_request` for a cursor of another history. */
export async function readHistory(
  db: Database,
  { subject, dateCreated, targets, listEvents }: HistorySource,
  {
    query: { cursor, limit = defaultPageSize },
    ...reader
  }: HistoryReader & { query: Static<typeof HistoryQuery> },
): Promise<{ results: object[]; next_cursor: string | null }> {
  const position = cursor === undefined ? undefined : positionOf(cursor, subject)
  const [events, entries] = await Promise.all([
    listEvents({ ...eventsAfter(position), limit: limit + 1 }),
    listEntriesOf(db, targets, {
      // Earlier days have no entries. The entry of the creation is a moment older than what it created.
      from: new Date(dateCreated.getTime() - dayMs),
      after: entriesAfter(position),
      limit: limit + 1,
    }),
  ])
  const results = [
    ...entries.map((entry): HistoryResult => {
      return { source: 'entry', at: entry.recordedAt, key: entry.id, entry }
    }),
    ...events.map((event): HistoryResult => {
      return { source: 'event', at: event.at, key: event.key, event }
    }),
    // Sorting is stable: each source keeps its own order, and entries come first.
  ].toSorted((one, other) => other.at.getTime() - one.at.getTime())
  const page = results.slice(0, limit)
  const last = results.length > limit ? page.at(-1) : undefined
  return {
    results: await renderResults(db, page, reader),
    next_cursor: last ? scrollIdOf([subject], [timestamp(last.at), last.source, last.key]) : null,
  }
}

/** Returns which events come after a position. */
function eventsAfter(position: HistoryPosition | undefined): Omit<EventPageInput, 'limit'> {
  if (!position) return { before: endOfTime, key: '' }
  const { at, source, key } = position
  // Dates have whole milliseconds, so this includes all events of the time of the entry.
  return source === 'event' ? { before: at, key } : { before: new Date(at.getTime() + 1), key: '' }
}

/** Returns the entry after which the entries of the next page come. */
function entriesAfter(
  position: HistoryPosition | undefined,
): Pick<AuditEntryRow, 'recordedAt' | 'id'> | undefined {
  if (!position) return undefined
  // No id is smaller than the empty one: entries of the time of an event came before it.
  return { recordedAt: position.at, id: position.source === 'entry' ? position.key : '' }
}

async function renderResults(
  db: Database,
  page: readonly HistoryResult[],
  reader: HistoryReader,
): Promise<object[]> {
  const entries = page.flatMap((result) => (result.source === 'entry' ? [result.entry] : []))
  const rendered = new Map(
    (await renderEntriesFor(db, entries, reader)).map((entry) => [entry.id, entry]),
  )
  return page.map((result) => {
    const at = timestamp(result.at)
    if (result.source === 'entry') {
      const audit = rendered.get(result.entry.id)
      return { at, kind: operatorChange, resource: null, details: {}, audit }
    }
    const { kind, resource, details } = result.event
    return { at, kind, resource, details: JSON.parse(details), audit: null }
  })
}

function positionOf(cursor: string, subject: string): HistoryPosition {
  const [text, source, key] = scrollFields(cursor, [subject])
  const at = parseTimestamp(String(text))
  const isSource = source === 'entry' || source === 'event'
  if (at && isSource && typeof key === 'string') return { at, source, key }
  throw badField('cursor', 'the `next_cursor` of a page of the same history')
}
