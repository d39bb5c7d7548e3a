import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { Id, OrNull, Timestamp } from '../../kernel/schema.ts'
import type { Db } from '../../platform/database/database.ts'
import { type Notification, requestHeaders } from '../attempt.ts'
import {
  type AttemptRow,
  type FeedQuery,
  findLatestAttempts,
  listAttempted,
  listUnaccepted,
} from './store.ts'

const Entry = Type.Object({
  _id: Type.String(),
  resource: Type.String(),
  user_id: Id,
  topic: Type.String(),
  application_id: Id,
  attempts: Type.Integer(),
  sent: Timestamp,
  received: Timestamp,
  request: Type.Object({
    url: Type.String(),
    headers: Type.Object({}),
    data: Type.String(),
  }),
  response: Type.Object({
    req_time: Type.Integer(),
    http_code: OrNull(Type.Integer()),
    body: Type.String(),
    headers: Type.Object({}),
  }),
  outcome: Type.String(),
})

const query = Type.Object({
  app_id: Type.Optional(Type.Integer()),
  topic: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
})

const usualLimit = 10

/** A feed differs from the other only in which notifications it lists. */
function feed(
  url: string,
  summary: string,
  list: (db: Db, query: FeedQuery) => Promise<Notification[]>,
): Route {
  return route({
    method: 'GET',
    url,
    scope: 'read',
    tag: 'Notifications',
    summary,
    description:
      'Contract 4.5. Newest first, with the request of the latest attempt and what came of it. `app_id` is the application of the token. `outcome` tells why an attempt was not accepted; `http_code` is null when no answer came.',
    query,
    answers: { 200: Type.Object({ messages: Type.Array(Entry) }) },
    async handle({ db }, { query, caller }) {
      const { app_id: applicationId, topic = null, limit = usualLimit, offset = 0 } = query
      if (applicationId === undefined) throw new Failure('feed_without_application')
      if (caller.applicationId !== applicationId) throw new Failure('access_denied')
      const listed = await list(db, { applicationId, topic, limit, offset })
      const attempts = await findLatestAttempts(db, {
        applicationId,
        seqs: listed.map((each) => each.seq),
      })
      const messages = listed.flatMap((each) => {
        const attempt = attempts.get(each.seq)
        return attempt ? [entry(each, attempt)] : []
      })
      return ok({ messages })
    },
  })
}

function entry(notification: Notification, attempt: AttemptRow): object {
  return {
    _id: notification.id,
    resource: notification.resource,
    user_id: notification.userId,
    topic: notification.topic,
    application_id: notification.applicationId,
    attempts: attempt.attempt,
    sent: attempt.sent.toISOString(),
    received: notification.received.toISOString(),
    request: {
      url: attempt.url,
      headers: {
        ...requestHeaders(attempt.requestBody),
        'content-length': Buffer.byteLength(attempt.requestBody),
      },
      data: attempt.requestBody,
    },
    response: {
      req_time: attempt.reqTimeMs,
      http_code: attempt.httpCode,
      body: attempt.responseBody,
      headers: JSON.parse(attempt.responseHeaders) as object,
    },
    outcome: attempt.outcome,
  }
}

export const notificationRoutes: Route[] = [
  feed('/myfeeds', 'The notifications of an application', listAttempted),
  feed('/missed_feeds', 'The notifications that were not accepted', listUnaccepted),
]
