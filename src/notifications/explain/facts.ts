import type { Db } from '../../platform/database/database.ts'
import type { Notification } from '../attempt.ts'
import { findQueue } from '../queues/store.ts'
import {
  type NotifiedChange,
  noQueue,
  type QueuePosition,
  type Settings,
  type UnnotifiedChange,
} from './explain.ts'
import {
  type ExplainInput,
  findSettings,
  listAmongNewest,
  listAttempts,
  listAuthorised,
  listChangesOf,
  listDue,
  listIds,
  listNotificationsOf,
  listPassedOver,
  type StoredChange,
} from './store.ts'

export interface Facts {
  settings: Settings
  queue: QueuePosition
  told: NotifiedChange[]
  unnotified: UnnotifiedChange[]
}

/** So many of a resource's changes and notifications are explained. */
export const mostExplained = 50
/** What changes no longer tell of is looked for among so many of the newest notifications. */
const depth = 10_000

/** All that is known about a resource and an application; undefined when there is no such application. */
export async function gatherFacts(db: Db, asked: ExplainInput): Promise<Facts | undefined> {
  const [settings, queue, changes, newest] = await Promise.all([
    findSettings(db, asked.applicationId),
    findQueue(db, asked.applicationId),
    listChangesOf(db, asked, mostExplained),
    listAmongNewest(db, asked, { depth, limit: mostExplained }),
  ])
  if (!settings) return undefined
  const { applicationId } = asked
  const ofChanges = await listNotificationsOf(
    db,
    asked,
    changes.map(({ at }) => at),
  )
  const notifications = [...new Map([...ofChanges, ...newest].map((each) => [each.seq, each]))]
    .map(([, each]) => each)
    .sort((a, b) => b.seq - a.seq)
  const told = await notifiedChangeOf(db, { applicationId, notifications })
  const unnotified = await unnotifiedChangeOf(db, { asked, notifications, changes })
  return { settings, queue: queue ?? noQueue, told, unnotified }
}

async function notifiedChangeOf(
  db: Db,
  {
    applicationId,
    notifications,
  }: { applicationId: number; notifications: readonly Notification[] },
): Promise<NotifiedChange[]> {
  if (notifications.length === 0) return []
  const those = { applicationId, seqs: notifications.map(({ seq }) => seq) }
  const [attempts, dues, passedOver] = await Promise.all([
    listAttempts(db, those),
    listDue(db, those),
    listPassedOver(db, those),
  ])
  const into = passedOver.flatMap(({ intoSeq }) => intoSeq ?? [])
  const ids = into.length === 0 ? [] : await listIds(db, { applicationId, seqs: into })
  const idOf = new Map(ids.map(({ seq, id }) => [seq, id]))
  const dueOf = new Map(dues.map(({ seq, due }) => [seq, due]))
  const passedInto = new Map(
    passedOver.map(({ seq, intoSeq }) => [
      seq,
      intoSeq === null ? null : (idOf.get(intoSeq) ?? null),
    ]),
  )
  return notifications.map((notification) => {
    const mine = attempts.filter(({ seq }) => seq === notification.seq)
    return {
      notification,
      latest: mine.at(-1) ?? null,
      accepted: mine.find(({ outcome }) => outcome === 'accepted') ?? null,
      due: dueOf.get(notification.seq),
      passedInto: passedInto.get(notification.seq),
    }
  })
}

/** The changes that none of the notifications tells of. */
async function unnotifiedChangeOf(
  db: Db,
  {
    asked: { applicationId, userId },
    notifications,
    changes,
  }: {
    asked: ExplainInput
    notifications: readonly Notification[]
    changes: readonly StoredChange[]
  },
): Promise<UnnotifiedChange[]> {
  const key = (topic: string, at: Date) => `${topic} ${at.getTime()}`
  const known = new Set(notifications.map(({ topic, received }) => key(topic, received)))
  const unnotified = changes.filter(({ topic, at }) => !known.has(key(topic, at)))
  const concerned = ({ userIds }: StoredChange) =>
    userId === null ? userIds : userIds.filter((each) => each === userId)
  const userIds = [...new Set(unnotified.flatMap(concerned))]
  const authorised = await listAuthorised(db, { applicationId, userIds })
  return unnotified.map((change) => ({
    topic: change.topic,
    resource: change.resource,
    at: change.at,
    isTaken: change.isTaken,
    authorised: authorised.filter((each) => concerned(change).includes(each.userId)),
  }))
}
