import { secondMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import { type Notification, outcomeOf, requestBody, requestHeaders, verdictOn } from '../attempt.ts'
import type { Settled } from './store.ts'

export type AttemptTools = Pick<Context, 'now' | 'random' | 'send' | 'config' | 'metrics' | 'log'>

/** Makes one attempt at telling an application, and says what came of it and what follows. Writes
 * nothing down: see `settleBatch`. */
export async function makeAttempt(
  { now, random, send, config, metrics, log }: AttemptTools,
  { url, notification, attempt }: { url: string; notification: Notification; attempt: number },
): Promise<Settled> {
  const sent = now()
  const body = requestBody(notification, { attempt, sent })
  const { timeoutMs } = config.delivery
  const came = await send({ url, headers: requestHeaders(body), body, timeoutMs })
  const outcome = outcomeOf(came)
  const made = { attempt, now: now(), jitter: random.fraction() }
  const verdict = verdictOn(outcome, made, config.delivery)
  metrics.deliveries.inc({ topic: notification.topic, outcome })
  if (attempt === 1) {
    metrics.deliveryDelay.observe((sent.getTime() - notification.received.getTime()) / secondMs)
  }
  log.info(
    {
      application: notification.applicationId,
      notification: notification.id,
      topic: notification.topic,
      resource: notification.resource,
      attempt,
      outcome,
      ms: came.reqTimeMs,
      ...(came.kind === 'answered' ? { status: came.status } : {}),
      next: verdict.next,
    },
    'notified',
  )
  return { notification, attempt, sent, url, body, came, outcome, verdict }
}
