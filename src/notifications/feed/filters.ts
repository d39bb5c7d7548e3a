import { Type } from 'typebox'
import { parseTimestamp } from '../../kernel/clock.ts'
import { badField } from '../../kernel/failure.ts'
import { Bounded, Id, Timestamp } from '../../kernel/schema.ts'
import { type AttemptOutcome, attemptOutcomes } from '../attempt.ts'

/** What a feed can be asked for (contract 4.5; beyond `topic`, `limit` and `offset` our own). */
export const FeedQuery = {
  topic: Type.Optional(Bounded(100)),
  resource: Type.Optional(
    Type.String({ maxLength: 500, description: 'exactly as the notification names it' }),
  ),
  user_id: Type.Optional(Id),
  outcome: Type.Optional(
    Type.Enum([...attemptOutcomes], { description: 'what came of the latest attempt' }),
  ),
  from: Type.Optional({ ...Timestamp, description: '`received` from here on' }),
  to: Type.Optional({ ...Timestamp, description: '`received` up to here' }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, description: 'up to 10000; from there on by `cursor`' }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 500, description: '`next_cursor` of the page before' }),
  ),
}

export interface FeedFilters {
  topic?: string
  resource?: string
  user_id?: number
  outcome?: AttemptOutcome
  from?: string
  to?: string
  limit?: number
  offset?: number
  cursor?: string
}

/** Which notifications are asked for; null for all of them. Both moments count. */
export interface Filters {
  topic: string | null
  resource: string | null
  userId: number | null
  outcome: AttemptOutcome | null
  from: Date | null
  to: Date | null
}

export interface Page {
  filters: Filters
  limit: number
  offset: number
}

const usualLimit = 10
const farthestOffset = 10_000

/** Throws a `bad_request` that names what is wrong. */
export function pageOf(query: FeedFilters): Page {
  const { topic = null, resource = null, user_id: userId = null, outcome = null } = query
  const { limit = usualLimit, offset = 0 } = query
  if (offset > farthestOffset) {
    const expected = `a whole number from 0 to ${farthestOffset}; to read further, go on by \`cursor\` with the \`next_cursor\` of each page`
    throw badField('offset', expected)
  }
  if (offset > 0 && query.cursor !== undefined) {
    throw badField('offset', '0 beside a `cursor`, which knows where it is')
  }
  const [from, to] = [momentOf(query.from), momentOf(query.to)]
  if (from && to && from > to) throw badField('from', 'a moment that is not after `to`')
  return { filters: { topic, resource, userId, outcome, from, to }, limit, offset }
}

/** The schema has seen to it that it is one. */
function momentOf(text: string | undefined): Date | null {
  return text === undefined ? null : (parseTimestamp(text) ?? null)
}
