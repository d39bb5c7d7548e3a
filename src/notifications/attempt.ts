import { hourMs, secondMs } from '../kernel/clock.ts'
import type { SendOutcome } from '../platform/outbound/outbound.ts'

/** Notifies one application of one change. `id` and `seq` stay the same in all attempts. */
export interface Notification {
  applicationId: number
  /** Sequence number among this application's notifications, without a gap. */
  seq: number
  /** `_id` in the feed: 24 hex digits. */
  id: string
  userId: number
  topic: string
  resource: string
  received: Date
}

/** How an attempt ended. The feed shows these values. */
export const attemptOutcomes = [
  'accepted',
  'not_200',
  'timeout',
  'unreachable',
  'refused_address',
] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

export function attemptOutcome(response: SendOutcome): AttemptOutcome {
  if (response.kind !== 'answered') return response.kind
  // Only 200 counts as accepted: integrators rely on a retry after 201 or 204.
  return response.status === 200 ? 'accepted' : 'not_200'
}

/** Returns whether a request failed after a second or more. Unlike a refused one, it occupied a connection. */
export function isHanging(response: SendOutcome): boolean {
  return response.kind !== 'answered' && response.reqTimeMs >= secondMs
}

export type RetryDecision = { next: 'done' } | { next: 'retry'; due: Date } | { next: 'lost' }

export interface RetryPlan {
  retryHours: number
  attempts: number
}

/**
 * Returns what follows an attempt: nothing, a retry, or the loss of the notification. A retry waits for the interval
 * less up to a tenth (`jitter` from 0 to 1). So failures of one moment spread out, and one interval later all retries
 * were made.
 */
export function decideRetry(
  outcome: AttemptOutcome,
  { attempt, now, jitter }: { attempt: number; now: Date; jitter: number },
  plan: RetryPlan,
): RetryDecision {
  if (outcome === 'accepted') return { next: 'done' }
  if (attempt >= plan.attempts) return { next: 'lost' }
  const waitMs = plan.retryHours * hourMs * (1 - 0.1 * jitter)
  return { next: 'retry', due: new Date(now.getTime() + waitMs) }
}

/**
 * Returns the exact JSON text that is sent. Its keys have a fixed order, and integrators expect `pictures` wrapped in
 * `messages`. `_id` stays the same in all attempts, so that receivers can detect duplicates without reading headers.
 */
export function requestBody(
  { id, resource, userId, topic, applicationId, received }: Notification,
  { attempt, sent }: { attempt: number; sent: Date },
): string {
  const times = { sent: sent.toISOString(), received: received.toISOString() }
  if (topic !== 'pictures') {
    // Built by hand because every attempt needs it; only the resource can need escaping.
    return (
      `{"_id":"${id}","resource":${JSON.stringify(resource)},"user_id":${userId},"topic":"${topic}",` +
      `"application_id":${applicationId},"attempts":${attempt},` +
      `"sent":"${times.sent}","received":"${times.received}"}`
    )
  }
  const fields = { _id: id, application_id: applicationId, user_id: userId, resource, topic }
  const message = { ...fields, ...times, attempts: attempt, created_at: times.received }
  return JSON.stringify({ messages: [message] })
}

/** Returns the unsigned headers of a delivery. The feed shows them. */
export function requestHeaders(body: string): Record<string, string> {
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }
}
