import { type ChangeRow, listChanges, takeChanges } from '../changes/store.ts'
import { listSubscribers } from '../identity/store.ts'
import type { Topic } from '../kernel/topics.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/database.ts'
import { ensureDays } from '../platform/database/partitions.ts'
import type { Notification } from './attempt.ts'
import { insertNotifications, reserveSeqs } from './store.ts'

/** The channel on which whoever delivers is woken. */
export const notificationsReady = 'notifications'

const batchSize = 500

/** What a room does once those whom its changes concern have been told of them, in the same
 * transaction. */
export type Told = (tx: Tx, changes: readonly ChangeRow[], at: Date) => Promise<void>

/**
 * One turn: takes recorded changes and writes one notification for every application that is to be
 * told (wire 4, "whom"). Taking and writing commit together, so a crash repeats a turn and loses
 * nothing; of two workers at the same changes, one gets them.
 */
export async function fanOutOnce(
  ctx: Pick<Context, 'db' | 'now' | 'random'>,
  afterwards: Partial<Record<Topic, Told>> = {},
): Promise<boolean> {
  const { db, now, random } = ctx
  const listed = await listChanges(db, batchSize)
  if (listed.length === 0) return false
  const subscribers = await listSubscribers(db, [...new Set(listed.flatMap((c) => c.userIds))])
  const at = now()
  await ensureDays(db, 'notifications', at)
  await db.transaction(async (tx) => {
    const taken = await takeChanges(tx, listed)
    const told = listed
      .filter((change) => taken.has(change.id))
      .flatMap((change) =>
        subscribers
          .filter(
            ({ userId, topics }) =>
              change.userIds.includes(userId) && topics.includes(change.topic),
          )
          .map(({ userId, applicationId }) => ({ ...change, userId, applicationId })),
      )
    // Lanes are locked in one order by everybody, so that two turns cannot wait for each other.
    const applicationIds = [...new Set(told.map((each) => each.applicationId))].sort(
      (a, b) => a - b,
    )
    for (const applicationId of applicationIds) {
      const mine = told.filter((each) => each.applicationId === applicationId)
      const { lastSeq, fannedAt } = await reserveSeqs(tx, {
        applicationId,
        count: mine.length,
        now: at,
      })
      const notifications = mine.map(
        ({ userId, topic, resource, at: received }, index): Notification => ({
          applicationId,
          seq: lastSeq - mine.length + 1 + index,
          id: notificationId(at, random.hex(8)),
          userId,
          topic,
          resource,
          received,
        }),
      )
      await insertNotifications(tx, notifications, fannedAt)
    }
    for (const [topic, followUp] of Object.entries(afterwards)) {
      const mine = listed.filter((each) => each.topic === topic && taken.has(each.id))
      if (mine.length > 0) await followUp(tx, mine, at)
    }
    if (told.length > 0) tx.hint(notificationsReady)
  })
  return listed.length === batchSize
}

/** 24 hex digits: seconds first, so that ids read in the order of time; then chance. */
function notificationId(at: Date, random: string): string {
  return (Math.floor(at.getTime() / 1000) % 2 ** 32).toString(16).padStart(8, '0') + random
}
