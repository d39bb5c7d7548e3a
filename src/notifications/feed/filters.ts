import { Type } from 'typebox'
import { parseTimestamp } from '../../kernel/clock.ts'
import { badField } from '../../kernel/failure.ts'
import { Bounded, Id, Timestamp } from '../../kernel/schema.ts'
import { type AttemptOutcome, attemptOutcomes } from '../attempt.ts'

/** Query parameters of a feed. Integrators rely on `topic`, `limit` and `offset`; Feria added the others. */
export const FeedQuery = {
  topic: Type.Optional(Bounded(100, 'Only this topic. Default: all')),
  resource: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'Only this resource, exactly as in the notification: `/orders/123`. Default: all',
    }),
  ),
  user_id: Type.Optional({ ...Id, description: 'Only about this user. Default: all users' }),
  outcome: Type.Optional(
    Type.Enum([...attemptOutcomes], {
      description:
        'Only this outcome of the latest attempt: `accepted`, `not_200` (another status), `timeout`, `unreachable` (no connection), `refused_address` (the address is not allowed). Default: all',
    }),
  ),
  from: Type.Optional({
    ...Timestamp,
    description: 'Earliest `received`, inclusive. Default: all that are kept',
  }),
  to: Type.Optional({ ...Timestamp, description: 'Latest `received`, inclusive. Default: now' }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'Notifications per page. Default: 10',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Notifications to skip, up to 10000. Default: 0. Use `cursor` to read further',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 500,
      description: '`next_cursor` of the previous page, with the same filters',
    }),
  ),
}

export interface FeedQueryInput {
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

/** Which notifications a feed returns. Null means no filter; `from` and `to` are inclusive. */
export interface NotificationFilters {
  topic: string | null
  resource: string | null
  userId: number | null
  outcome: AttemptOutcome | null
  from: Date | null
  to: Date | null
}

export interface FeedPageRequest {
  filters: NotificationFilters
  limit: number
  offset: number
}

const defaultLimit = 10
const maxOffset = 10_000

/** Returns the page that a query asks for. Throws `bad_request` with the name of the wrong field. */
export function parseFeedQuery(query: FeedQueryInput): FeedPageRequest {
  const { topic = null, resource = null, user_id: userId = null, outcome = null } = query
  const { limit = defaultLimit, offset = 0 } = query
  if (offset > maxOffset) {
    const expected = `a whole number from 0 to ${maxOffset}; to read further, pass the \`next_cursor\` of each page as \`cursor\``
    throw badField('offset', expected)
  }
  if (offset > 0 && query.cursor !== undefined) {
    throw badField('offset', '0 or no value together with `cursor`')
  }
  const from = parseDate(query.from)
  const to = parseDate(query.to)
  if (from && to && from > to) throw badField('from', 'a time that is not after `to`')
  return { filters: { topic, resource, userId, outcome, from, to }, limit, offset }
}

/** The schema has already checked the format. */
function parseDate(text: string | undefined): Date | null {
  return text === undefined ? null : (parseTimestamp(text) ?? null)
}
