import type { Db } from '../../platform/database/database.ts'
import type { Notification } from '../attempt.ts'
import { findQueue } from '../queues/store.ts'
import {
  type NotificationSettings,
  type NotifiedChange,
  noQueue,
  type QueuePosition,
  type UnnotifiedChange,
} from './explain.ts'
import {
  type ExplainInput,
  findNotificationSettings,
  listAmongNewest,
  listAttempts,
  listAuthorizationsOfChange,
  listChangesOf,
  listNotificationIds,
  listNotificationsOf,
  listRetryDueTimes,
  listSkipped,
  type StoredChange,
} from './read-model.ts'

export interface ExplanationFacts {
  settings: NotificationSettings
  queue: QueuePosition
  notified: NotifiedChange[]
  unnotified: UnnotifiedChange[]
}

/** The most changes and notifications that are explained at once. */
export const maxExplanations = 50
/** Notifications whose change is no longer kept are searched among this many of the newest. */
const depth = 10_000

/** Loads everything that explains the notifications of a resource; undefined for an unknown application. */
export async function loadExplanationFacts(
  db: Db,
  input: ExplainInput,
): Promise<ExplanationFacts | undefined> {
  const { applicationId } = input
  const [settings, queue, changes, newest] = await Promise.all([
    findNotificationSettings(db, applicationId),
    findQueue(db, applicationId),
    listChangesOf(db, input, maxExplanations),
    listAmongNewest(db, input, { depth, limit: maxExplanations }),
  ])
  if (!settings) return undefined
  const ofChanges = await listNotificationsOf(
    db,
    input,
    changes.map(({ at }) => at),
  )
  const bySeq = new Map(
    [...ofChanges, ...newest].map((notification) => [notification.seq, notification]),
  )
  const notifications = [...bySeq.values()].sort((a, b) => b.seq - a.seq)
  const notified = await loadNotified(db, { applicationId, notifications })
  const unnotified = await loadUnnotified(db, { input, notifications, changes })
  return { settings, queue: queue ?? noQueue, notified, unnotified }
}

/** Loads what became of notifications, in their order: the latest and the accepted attempt, when a retry is due, and
 * the id of the notification that was sent in place of a skipped one. `passedInto` is undefined for one that was not
 * skipped. It is null for a skipped one without a replacement, or with one that is no longer kept. */
async function loadNotified(
  db: Db,
  {
    applicationId,
    notifications,
  }: { applicationId: number; notifications: readonly Notification[] },
): Promise<NotifiedChange[]> {
  if (notifications.length === 0) return []
  const selection = { applicationId, seqs: notifications.map(({ seq }) => seq) }
  const [attempts, dues, skipped] = await Promise.all([
    listAttempts(db, selection),
    listRetryDueTimes(db, selection),
    listSkipped(db, selection),
  ])
  const replacementSeqs = skipped.flatMap(({ intoSeq }) => intoSeq ?? [])
  const ids =
    replacementSeqs.length === 0
      ? []
      : await listNotificationIds(db, { applicationId, seqs: replacementSeqs })
  const idOf = new Map(ids.map(({ seq, id }) => [seq, id]))
  const dueOf = new Map(dues.map(({ seq, due }) => [seq, due]))
  const passedInto = new Map(
    skipped.map(({ seq, intoSeq }) => [seq, intoSeq === null ? null : (idOf.get(intoSeq) ?? null)]),
  )
  return notifications.map((notification) => {
    const ownAttempts = attempts.filter(({ seq }) => seq === notification.seq)
    return {
      notification,
      latest: ownAttempts.at(-1) ?? null,
      accepted: ownAttempts.find(({ outcome }) => outcome === 'accepted') ?? null,
      due: dueOf.get(notification.seq),
      passedInto: passedInto.get(notification.seq),
    }
  })
}

/** Returns the changes without a notification among `notifications`. */
async function loadUnnotified(
  db: Db,
  {
    input: { applicationId, userId },
    notifications,
    changes,
  }: {
    input: ExplainInput
    notifications: readonly Notification[]
    changes: readonly StoredChange[]
  },
): Promise<UnnotifiedChange[]> {
  const key = (topic: string, at: Date) => `${topic} ${at.getTime()}`
  const notifiedKeys = new Set(notifications.map(({ topic, received }) => key(topic, received)))
  const unnotified = changes.filter(({ topic, at }) => !notifiedKeys.has(key(topic, at)))
  const concernedUsers = ({ userIds }: StoredChange) =>
    userId === null ? userIds : userIds.filter((id) => id === userId)
  const userIds = [...new Set(unnotified.flatMap(concernedUsers))]
  const authorised = await listAuthorizationsOfChange(db, { applicationId, userIds })
  return unnotified.map((change) => ({
    topic: change.topic,
    resource: change.resource,
    at: change.at,
    isTaken: change.isTaken,
    authorised: authorised.filter((grant) => concernedUsers(change).includes(grant.userId)),
  }))
}
