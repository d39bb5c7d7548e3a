import { Type } from 'typebox'
import { Id, MapOf, OrNull, Timestamp } from '../../kernel/schema.ts'
import { topics } from '../../kernel/topics.ts'
import { attemptOutcomes } from '../attempt.ts'
import type { FeedEntry } from './page.ts'

export const FeedEntryAnswer = Type.Object({
  _id: Type.String(),
  resource: Type.String(),
  user_id: Id,
  topic: Type.Enum([...topics]),
  application_id: Id,
  attempts: Type.Integer(),
  sent: Timestamp,
  received: Timestamp,
  request: Type.Object({
    url: Type.String({ description: 'Address that the request was sent to' }),
    headers: MapOf(Type.Union([Type.String(), Type.Integer()]), {
      description: 'Headers that were sent, by name',
      examples: [{ 'content-type': 'application/json', 'content-length': 182 }],
    }),
    data: Type.String({ description: 'Body that was sent', examples: ['{"topic":"orders_v2"}'] }),
  }),
  response: Type.Object({
    req_time: Type.Integer(),
    http_code: OrNull(Type.Integer()),
    body: Type.String({ description: 'Body of the response', examples: ['ok'] }),
    headers: MapOf(Type.String(), {
      description: 'Headers of the response, by name',
      examples: [{ 'content-type': 'text/plain' }],
    }),
  }),
  outcome: Type.Enum([...attemptOutcomes]),
})

/** Renders a notification with its latest attempt. The headers are those that were sent, except that integrators
 * expect `content-length` as a number. */
export function entryView({ notification, attempt }: FeedEntry): object {
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
        ...(JSON.parse(attempt.requestHeaders) as object),
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
