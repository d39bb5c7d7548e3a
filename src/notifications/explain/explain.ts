import type { AttemptOutcome, Notification } from '../attempt.ts'
import type { QueueState } from '../queues/store.ts'

/** Why a notification did or did not arrive, in a closed set. */
export type Reason =
  | 'not_authorised'
  | 'not_subscribed'
  | 'no_callback'
  | 'settings_changed'
  | 'coalesced'
  | 'skipped'
  | 'waiting'
  | 'lane_paused'
  | 'lane_disabled'
  | 'lane_failing'
  | 'parked'
  | 'delivered'
  | 'lost'
  | 'no_change_known'

/** How the application stands now. */
export interface Settings {
  topics: readonly string[]
  callbackUrl: string | null
  /** Whether its notifications are followed from elsewhere than its callback. */
  isListened: boolean
  lastUpdated: Date
}

/** How its lane stands now. */
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

export interface Attempted {
  attempt: number
  sent: Date
  outcome: AttemptOutcome
  httpCode: number | null
}

/** What is known of one notification. */
export interface NotifiedChange {
  notification: Notification
  latest: Attempted | null
  /** The first attempt that was accepted. */
  accepted: Attempted | null
  /** When it is tried again; null for never. Undefined when it is not among those not accepted. */
  due: Date | null | undefined
  /** The id of the one that says the same, or null for none. Undefined when it was not passed over. */
  passedInto: string | null | undefined
}

/** What is known of a change of which the application has no notification. */
export interface UnnotifiedChange {
  topic: string
  resource: string
  at: Date
  /** Whether it has been fanned out. */
  isTaken: boolean
  /** Since when users whom it concerns have authorised the application. */
  authorised: readonly { userId: number; since: Date }[]
}

/** A reason with what there is to know of it; what does not belong to it is not there. */
export interface Verdict {
  reason: Reason
  since?: Date | null
  until?: Date
  /** How many are before it. */
  behind?: number
  /** The id of the notification that tells it. */
  into?: string
  attempt?: Attempted
}

/** Why this notification has or has not arrived. */
export function explainNotified(
  { notification: { seq }, latest, accepted, due, passedInto }: NotifiedChange,
  { settings, queue }: { settings: Settings; queue: QueuePosition },
): Verdict {
  const attempt = latest ? { attempt: latest } : {}
  if (accepted) return { reason: 'delivered', attempt: accepted }
  if (due instanceof Date) return { reason: 'parked', until: due, ...attempt }
  if (due === null) return { reason: 'lost', ...attempt }
  if (passedInto) return { reason: 'coalesced', into: passedInto, ...attempt }
  // What was lost is forgotten with its day.
  if (latest && seq <= queue.cursorSeq) return { reason: 'lost', ...attempt }
  if (passedInto === null || seq <= queue.cursorSeq) return { reason: 'skipped' }
  const behind = seq - queue.cursorSeq - 1
  return { ...delayReason({ settings, queue }), behind, ...attempt }
}

/** Why no notification came of this change. A later setting is all that is known: what it was at the
 * time is not kept. */
export function explainUnnotified(
  { topic, at, isTaken, authorised }: UnnotifiedChange,
  { settings, queue }: { settings: Settings; queue: QueuePosition },
): Verdict {
  const [earliest] = authorised.map(({ since }) => since).sort((a, b) => a.getTime() - b.getTime())
  if (!earliest) return { reason: 'not_authorised' }
  if (isTaken && earliest > at) return { reason: 'not_authorised', since: earliest }
  if (!settings.topics.includes(topic)) return { reason: 'not_subscribed' }
  if (settings.callbackUrl === null && !settings.isListened) return { reason: 'no_callback' }
  if (isTaken) return { reason: 'settings_changed', since: settings.lastUpdated }
  return { ...delayReason({ settings, queue }), behind: queue.lastSeq - queue.cursorSeq }
}

/** What keeps a lane from sending what waits in it. */
function delayReason({ settings, queue }: { settings: Settings; queue: QueuePosition }): Verdict {
  if (settings.callbackUrl === null) return { reason: 'no_callback' }
  if (queue.state === 'disabled') return { reason: 'lane_disabled', since: queue.stateSince }
  if (queue.state === 'paused') return { reason: 'lane_paused', since: queue.stateSince }
  if (queue.failingSince) return { reason: 'lane_failing', since: queue.failingSince }
  return { reason: 'waiting' }
}

const words: Record<Reason, string> = {
  not_authorised: 'No user whom the change concerns had authorised the application.',
  not_subscribed: 'The topic is not among those that the application is told of.',
  no_callback: 'The application has no callback address.',
  settings_changed:
    'As things stood then the application was not to be told; its topics, its callback or its authorisations have changed since.',
  coalesced: 'A later notification says the same and was sent in its place.',
  skipped: 'It was left out when the deliveries were resumed from a later point.',
  waiting: 'It waits for its turn.',
  lane_paused: 'Deliveries to the application are paused; it waits.',
  lane_disabled: 'Deliveries to the application are disabled; it waits.',
  lane_failing: 'The receiver has not accepted anything lately; it waits.',
  parked: 'It was not accepted, and is tried again.',
  delivered: 'It was accepted.',
  lost: 'It was not accepted, and is not tried again.',
  no_change_known:
    'No change of this resource is known that concerns a user of the application. Changes are known for two days, notifications as long as the feed shows them.',
}

export function wordsFor({ reason, since }: Verdict): string {
  if (reason === 'not_authorised' && since) {
    return 'The users whom the change concerns authorised the application only afterwards.'
  }
  return words[reason]
}
