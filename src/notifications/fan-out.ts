import {
  type ChangeRow,
  emptyNextSlot,
  listChanges,
  type Mark,
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
import { insertNotifications, isOnlyOne, reserveSeqs } from './store.ts'

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
  const look = lookFrom(await readMark(db), at)
  const listed = await listChanges(db, { since: look.since, now: at, limit: batchSize })
  const isAll = listed.length < batchSize
  const mark = { ...look.mark, reachedAt: isAll ? at : (listed.at(-1) as ChangeRow).at }
  if (listed.length === 0 && !look.isDue) return false
  const subscribers = await listSubscribers(db, [...new Set(listed.flatMap((c) => c.userIds))])
  await ensureDays(db, 'notifications', at)
  return db.transaction(async (tx) => {
    // Two at once would only wait for each other.
    if (!(await isOnlyOne(tx))) return false
    saveMark(tx, mark)
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

/** Commits come a little later than what they record happened. */
const lateMs = secondMs
const sweeps = {
  // For transactions that took long, and clocks that are behind.
  near: { everyMs: 10 * secondMs, backMs: 2 * minuteMs },
  // For what nobody can foresee.
  all: { everyMs: hourMs, backMs: 4 * dayMs },
}

/** From when on to look for changes. `isDue` when it is time to look further back than usual. */
function lookFrom(known: Mark | undefined, now: Date): { since: Date; mark: Mark; isDue: boolean } {
  const everything = { since: new Date(0), isDue: true }
  if (!known) {
    return { ...everything, mark: { reachedAt: now, sweptAt: now, sweptAllAt: now } }
  }
  const elapsed = (since: Date) => now.getTime() - since.getTime()
  if (elapsed(known.sweptAllAt) >= sweeps.all.everyMs) {
    return { ...everything, mark: { ...known, sweptAt: now, sweptAllAt: now } }
  }
  const isDue = elapsed(known.sweptAt) >= sweeps.near.everyMs
  const backMs = isDue ? sweeps.near.backMs : lateMs
  const since = new Date(Math.min(known.reachedAt.getTime(), now.getTime()) - backMs)
  return { since, isDue, mark: isDue ? { ...known, sweptAt: now } : known }
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
