import {
  type ChangeRow,
  emptyNextSlot,
  listChanges,
  readMark,
  saveMark,
  takeChanges,
} from '../changes/store.ts'
import { listSubscribers } from '../identity/store.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../kernel/clock.ts'
import type { Topic } from '../kernel/topics.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/database.ts'
import { ensureDays } from '../platform/database/partitions.ts'
import type { Notification } from './attempt.ts'
import { insertNotifications, reserveSeqs } from './store.ts'

/** The channel on which whoever delivers is woken. */
export const notificationsReady = 'notifications'

/** So many because those of the last moments, taken or not, are looked at once a turn. */
const batchSize = 4_000

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
  const at = now()
  const reachedAt = await readMark(db)
  const { since, isDue } = lookFrom(reachedAt, at)
  const listed = await listChanges(db, { since, now: at, limit: batchSize })
  const isAll = listed.length < batchSize
  if (listed.length === 0 && !isDue) return false
  const reached = isAll ? at : (listed.at(-1) as ChangeRow).at
  const subscribers = await listSubscribers(db, [...new Set(listed.flatMap((c) => c.userIds))])
  await ensureDays(db, 'notifications', at)
  return db.transaction(async (tx) => {
    if (!reachedAt || Math.abs(reached.getTime() - reachedAt.getTime()) >= markMs) {
      saveMark(tx, reached)
    }
    const taken = await takeChanges(tx, listed)
    const told = toldOf(listed, { taken, subscribers })
    const lanes = await reserveSeqs(tx, countsOf(told), at)
    const chance = random.hex(chanceBytes * told.length)
    const notifications = told.map((telling, index) => {
      const { applicationId, userId, topic, resource, at: received } = telling
      const lane = lanes.get(applicationId)
      if (!lane) throw new Error(`no lane of application ${applicationId}`)
      const id = notificationId(
        at,
        chance.slice(2 * chanceBytes * index, 2 * chanceBytes * (index + 1)),
      )
      const { fannedAt } = lane
      return { applicationId, seq: ++lane.seq, id, userId, topic, resource, received, fannedAt }
    })
    insertNotifications(tx, notifications)
    for (const [topic, followUp] of Object.entries(afterwards)) {
      const mine = listed.filter((each) => each.topic === topic && taken.has(each.id))
      if (mine.length > 0) await followUp(tx, mine, at)
    }
    if (told.length > 0) tx.hint(notificationsReady)
    return !isAll
  })
}

/** Commits come a little later than what they record happened. All of that time is looked through at
 * every turn. */
const lateMs = 100
/** Further back, now and then: for commits that took long, for clocks that are behind, and for what
 * nobody can foresee. */
const sweeps = [
  { everyMs: hourMs, backMs: Number.POSITIVE_INFINITY },
  { everyMs: 10 * secondMs, backMs: 2 * minuteMs },
  { everyMs: secondMs, backMs: 5 * secondMs },
] as const
/** How old the mark may become before it is saved anew. */
const markMs = 200

/** From when on to look for changes, by how far the fan-out has come. `isDue` when it is time to save
 * how far that is, though nothing may be found. */
function lookFrom(reachedAt: Date | undefined, now: Date): { since: Date; isDue: boolean } {
  if (!reachedAt) return { since: new Date(0), isDue: true }
  const hasPassed = (everyMs: number) =>
    Math.floor(now.getTime() / everyMs) > Math.floor(reachedAt.getTime() / everyMs)
  const sweep = sweeps.find(({ everyMs }) => hasPassed(everyMs))
  const from = Math.min(reachedAt.getTime(), now.getTime())
  const since = new Date(Math.max(0, from - (sweep?.backMs ?? lateMs)))
  return { since, isDue: hasPassed(10 * secondMs) }
}

type Subscriber = Awaited<ReturnType<typeof listSubscribers>>[number]
type Telling = ChangeRow & Pick<Notification, 'applicationId' | 'userId'>

/** Whom to tell of what: an application for every user concerned that has authorised it. */
function toldOf(
  listed: readonly ChangeRow[],
  { taken, subscribers }: { taken: ReadonlySet<string>; subscribers: readonly Subscriber[] },
): Telling[] {
  const byUser = Map.groupBy(subscribers, ({ userId }) => userId)
  return listed
    .filter((change) => taken.has(change.id))
    .flatMap((change) =>
      change.userIds
        .flatMap((userId) => byUser.get(userId) ?? [])
        .filter(({ topics }) => topics.includes(change.topic))
        .map(({ userId, applicationId }) => ({ ...change, userId, applicationId })),
    )
}

function countsOf(told: readonly Telling[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { applicationId } of told) {
    counts.set(applicationId, (counts.get(applicationId) ?? 0) + 1)
  }
  return counts
}

const chanceBytes = 8

/** 24 hex digits: seconds first, so that ids read in the order of time; then chance. */
function notificationId(at: Date, random: string): string {
  return (Math.floor(at.getTime() / 1000) % 2 ** 32).toString(16).padStart(8, '0') + random
}

/** One turn: empties what was fanned out two days ago and longer. */
export async function forgetChanges({ db, now }: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  return emptyNextSlot(db, { now: now(), before: new Date(now().getTime() - 2 * dayMs) })
}
