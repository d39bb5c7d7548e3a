import { secondMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import {
  attemptOutcome,
  decideRetry,
  type Notification,
  requestBody,
  requestHeaders,
} from '../attempt.ts'
import { signedHeaders } from '../signing/sign.ts'
import type { FinishedAttempt } from './store-outcomes.ts'

export type AttemptTools = Pick<Context, 'now' | 'random' | 'send' | 'config' | 'metrics' | 'log'>

export interface AttemptInput {
  url: string
  /** Signing secrets, newest first. */
  secrets: readonly string[]
  notification: Notification
  /** Number of this attempt, from 1. */
  attempt: number
  /** Until when the receiver held up its queue. What was recorded before waited for the receiver. */
  heldUpUntil?: Date
}

/** Makes one attempt and returns its outcome and what follows. It stores nothing: `recordOutcomes` does. */
export async function makeAttempt(
  { now, random, send, config, metrics, log }: AttemptTools,
  { url, secrets, notification, attempt, heldUpUntil }: AttemptInput,
): Promise<FinishedAttempt> {
  const sent = now()
  const body = requestBody(notification, { attempt, sent })
  const { id, seq } = notification
  const headers = { ...requestHeaders(body), ...signedHeaders({ id, seq, sent, body }, secrets) }
  const { timeoutMs } = config.delivery
  const response = await send({ url, headers, body, timeoutMs })
  const outcome = attemptOutcome(response)
  const finished = { attempt, now: now(), jitter: random.fraction() }
  const verdict = decideRetry(outcome, finished, config.delivery)
  metrics.deliveries.inc({ topic: notification.topic, outcome })
  if (attempt === 1) {
    const isHeldUp = heldUpUntil !== undefined && notification.received <= heldUpUntil
    const delay = (sent.getTime() - notification.received.getTime()) / secondMs
    metrics.deliveryDelay.observe({ cause: isHeldUp ? 'receiver' : 'feria' }, delay)
  }
  // Accepted attempts are in the feed; at level info they would be most of the log.
  const level = outcome === 'accepted' ? 'debug' : 'info'
  if (log.isLevelEnabled(level)) {
    const { applicationId: application, topic, resource } = notification
    const status = response.kind === 'answered' ? { status: response.status } : {}
    const fields = { application, notification: id, topic, resource, attempt, outcome }
    log[level]({ ...fields, ms: response.reqTimeMs, ...status, next: verdict.next }, 'notified')
  }
  return { notification, attempt, sent, url, headers, body, response: response, outcome, verdict }
}
