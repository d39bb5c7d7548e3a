import { hourMs, secondMs } from '../kernel/clock.ts'
import type { Outcome } from '../platform/outbound/outbound.ts'

/** What is told to one application about one change (contract 6.1). `id` and `seq` stay the same
 * over all attempts. */
export interface Notification {
  applicationId: number
  /** Counts this application's notifications without a gap. */
  seq: number
  /** 24 hex digits, the `_id` of the feed. */
  id: string
  userId: number
  topic: string
  resource: string
  received: Date
}

/** How an attempt ended, in a closed set; the feed shows it. */
export const attemptOutcomes = [
  'accepted',
  'not_200',
  'timeout',
  'unreachable',
  'refused_address',
] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

export function outcomeOf(came: Outcome): AttemptOutcome {
  if (came.kind !== 'answered') return came.kind
  // Exactly 200 (contract 6.3): a 201 or 204 counts as not sent.
  return came.status === 200 ? 'accepted' : 'not_200'
}

/** Whether an attempt waited in vain for a receiver that hangs: it costs a place, where one that
 * refuses at once costs nothing. */
export function isHanging(came: Outcome): boolean {
  return came.kind !== 'answered' && came.reqTimeMs >= secondMs
}

export type Verdict = { next: 'done' } | { next: 'retry'; due: Date } | { next: 'lost' }

export interface RetryPlan {
  retryHours: number
  attempts: number
}

/**
 * What follows an attempt (contract 6.3, wire 4). The wait is the interval less up to a tenth of it
 * (`jitter` from 0 to 1): what failed together does not come back together, and after one whole
 * interval every retry has been made.
 */
export function verdictOn(
  outcome: AttemptOutcome,
  made: { attempt: number; now: Date; jitter: number },
  plan: RetryPlan,
): Verdict {
  if (outcome === 'accepted') return { next: 'done' }
  if (made.attempt >= plan.attempts) return { next: 'lost' }
  const waitMs = plan.retryHours * hourMs * (1 - 0.1 * made.jitter)
  return { next: 'retry', due: new Date(made.now.getTime() + waitMs) }
}

/** The exact text that is sent (contract 6.1; pictures are wrapped). Its keys stand in this order. `_id` is the
 * same on every attempt, so that a receiver that reads no headers can tell a repetition. */
export function requestBody(
  { id, resource, userId, topic, applicationId, received }: Notification,
  { attempt, sent }: { attempt: number; sent: Date },
): string {
  const times = { sent: sent.toISOString(), received: received.toISOString() }
  if (topic !== 'pictures') {
    // Written out: this is made for every attempt, and only the resource can need escaping.
    return (
      `{"_id":"${id}","resource":${JSON.stringify(resource)},"user_id":${userId},"topic":"${topic}",` +
      `"application_id":${applicationId},"attempts":${attempt},` +
      `"sent":"${times.sent}","received":"${times.received}"}`
    )
  }
  const told = { _id: id, application_id: applicationId, user_id: userId, resource, topic }
  const message = { ...told, ...times, attempts: attempt, created_at: times.received }
  return JSON.stringify({ messages: [message] })
}

/** What goes with it; the feed repeats these (contract 4.5). */
export function requestHeaders(body: string): Record<string, string> {
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }
}
