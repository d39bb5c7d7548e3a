import type { AttemptOutcome, Notification } from '../attempt.ts'
import type { QueueState } from '../queues/store.ts'

/** Why a notification did or did not arrive. */
export const explanationReasons = [
  'not_authorised',
  'not_subscribed',
  'no_callback',
  'settings_changed',
  'coalesced',
  'skipped',
  'waiting',
  'lane_paused',
  'lane_disabled',
  'lane_failing',
  'parked',
  'delivered',
  'lost',
  'no_change_known',
] as const
export type ExplanationReason = (typeof explanationReasons)[number]

/** The present settings of the application. */
export interface NotificationSettings {
  topics: readonly string[]
  callbackUrl: string | null
  /** Whether it has a listener. */
  isListened: boolean
  lastUpdated: Date
}

/** The present state of its delivery queue. */
export interface QueuePosition {
  state: QueueState
  stateSince: Date | null
  failingSince: Date | null
  cursorSeq: number
  lastSeq: number
}

export const noQueue: QueuePosition = {
  state: 'open',
  stateSince: null,
  failingSince: null,
  cursorSeq: 0,
  lastSeq: 0,
}

export interface AttemptSummary {
  attempt: number
  sent: Date
  outcome: AttemptOutcome
  httpCode: number | null
}

/** A notification with everything that explains its delivery. */
export interface NotifiedChange {
  notification: Notification
  latest: AttemptSummary | null
  /** The first attempt that was accepted. */
  accepted: AttemptSummary | null
  /** When it is retried; null for never (lost). Undefined when no failure is stored. */
  due: Date | null | undefined
  /** `_id` of the notification sent in its place; null for none. Undefined when it was not skipped. */
  passedInto: string | null | undefined
}

/** A change without a notification for the application. */
export interface UnnotifiedChange {
  topic: string
  resource: string
  at: Date
  /** Whether it has been fanned out. */
  isTaken: boolean
  /** The users concerned who have authorized the application, and since when. */
  authorised: readonly { userId: number; since: Date }[]
}

/** A reason with the fields that belong to it. */
export interface Explanation {
  reason: ExplanationReason
  since?: Date | null
  until?: Date
  /** How many notifications wait before it. */
  behind?: number
  /** `_id` of the notification that was sent in its place. */
  into?: string
  attempt?: AttemptSummary
}

/** Returns why a notification has or has not arrived. */
export function explainNotified(
  { notification: { seq }, latest, accepted, due, passedInto }: NotifiedChange,
  { settings, queue }: { settings: NotificationSettings; queue: QueuePosition },
): Explanation {
  const attempt = latest ? { attempt: latest } : {}
  if (accepted) return { reason: 'delivered', attempt: accepted }
  if (due instanceof Date) return { reason: 'parked', until: due, ...attempt }
  if (due === null) return { reason: 'lost', ...attempt }
  if (passedInto) return { reason: 'coalesced', into: passedInto, ...attempt }
  // Lost notifications are deleted with old history, so a failed attempt before the cursor means lost.
  if (latest && seq <= queue.cursorSeq) return { reason: 'lost', ...attempt }
  if (passedInto === null || seq <= queue.cursorSeq) return { reason: 'skipped' }
  const behind = seq - queue.cursorSeq - 1
  return { ...delayReason({ settings, queue }), behind, ...attempt }
}

/** Returns why a change has no notification. It reasons from the present settings, because earlier ones are not kept. */
export function explainUnnotified(
  { topic, at, isTaken, authorised }: UnnotifiedChange,
  { settings, queue }: { settings: NotificationSettings; queue: QueuePosition },
): Explanation {
  const [earliest] = authorised.map(({ since }) => since).sort((a, b) => a.getTime() - b.getTime())
  if (!earliest) return { reason: 'not_authorised' }
  if (isTaken && earliest > at) return { reason: 'not_authorised', since: earliest }
  if (!settings.topics.includes(topic)) return { reason: 'not_subscribed' }
  if (settings.callbackUrl === null && !settings.isListened) return { reason: 'no_callback' }
  if (isTaken) return { reason: 'settings_changed', since: settings.lastUpdated }
  return { ...delayReason({ settings, queue }), behind: queue.lastSeq - queue.cursorSeq }
}

/** Returns why a queue does not send its waiting notifications. */
function delayReason({
  settings,
  queue,
}: {
  settings: NotificationSettings
  queue: QueuePosition
}): Explanation {
  if (settings.callbackUrl === null) return { reason: 'no_callback' }
  if (queue.state === 'disabled') return { reason: 'lane_disabled', since: queue.stateSince }
  if (queue.state === 'paused') return { reason: 'lane_paused', since: queue.stateSince }
  if (queue.failingSince) return { reason: 'lane_failing', since: queue.failingSince }
  return { reason: 'waiting' }
}

const texts: Record<ExplanationReason, string> = {
  not_authorised:
    'No user concerned by the change had authorized the application. Ask the user to authorize it.',
  not_subscribed: 'The application does not subscribe to this topic. Add it to its topics.',
  no_callback: 'The application has no callback URL. Set one, or listen with `feria listen`.',
  settings_changed:
    'When the change happened, the application was not to be notified. Its topics, callback URL or authorizations have changed since.',
  coalesced: 'A later notification of the same resource was sent in its place.',
  skipped: 'It was skipped when deliveries were resumed. Create a replay to send it.',
  waiting: 'It waits for its turn.',
  lane_paused: 'Deliveries to the application are paused. Resume them to send it.',
  lane_disabled:
    'Deliveries to the application are disabled because the receiver accepted nothing for too long. Resume them to send it.',
  lane_failing:
    'The receiver has not accepted anything lately. It is sent once the receiver answers 200.',
  parked: 'The receiver did not accept it. It is retried later.',
  delivered: 'The receiver accepted it.',
  lost: 'The receiver did not accept it, and it is not retried any more. Create a replay to send it again.',
  no_change_known:
    'No change of this resource is known that concerns a user of the application. Changes are kept for two days, and notifications as long as the feed shows them.',
}

/** Returns the text for the reader of an explanation. */
export function explanationText({ reason, since }: Explanation): string {
  if (reason === 'not_authorised' && since) {
    return 'The users concerned by the change authorized the application only afterwards.'
  }
  return texts[reason]
}
