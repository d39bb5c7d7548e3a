import {
  type ChangeRow,
  emptyNextSlot,
  isTakingAlone,
  listChanges,
  readMark,
  saveMark,
  takeChanges,
} from '../changes/store.ts'
import { listSubscribers } from '../identity/store.ts'
import { dayMs, secondMs } from '../kernel/clock.ts'
import type { Topic } from '../kernel/topics.ts'
import type { Context } from '../platform/context.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { ensureDays } from '../platform/database/partitions.ts'
import type { Notification } from './attempt.ts'
import { insertNotifications, reserveSeqs } from './store.ts'

/** The channel on which whoever delivers is woken, about applications. */
export const notificationsReady = 'notifications'

/** So many because those of the last moments, taken or not, are looked at once a turn. */
export const batchSize = 4_000

/** What a room does once those whom its changes concern have been told of them, in the same
 * transaction. */
export type Told = (tx: Tx, changes: readonly ChangeRow[], at: Date) => Promise<void>

type Tools = Pick<Context, 'db' | 'now' | 'random'>
/** What rooms do afterwards, by topic. */
export type Followers = Partial<Record<Topic, Told>>

/** Commits come a little later than what they record happened: what was recorded since that long ago is
 * looked at again. What is later still is found by `LateChanges`. */
const lateMs = 100
/** How old the mark that others see may become before it is saved anew: with what is told, and by
 * itself. */
const markMs = secondMs
const idleMarkMs = 10 * secondMs

/** Turns what was recorded into notifications, one for every application that is to be told (wire 4,
 * "whom"). */
export class FanOut {
  readonly #ctx: Tools
  readonly #followers: Followers
  /** Up to when all changes are taken, as far as this process knows, and as it was last saved. */
  #mark: { reached: number; saved: number } | undefined
  /** How often it has forgotten that. */
  #forgotten = 0

  constructor(ctx: Tools, followers: Followers = {}) {
    this.#ctx = ctx
    this.#followers = followers
  }

  /** Begins again where it was last saved: the changes are others than before. */
  forget(): void {
    this.#mark = undefined
    this.#forgotten++
  }

  /**
   * Takes recorded changes and tells of them. Taking and writing commit together, so a crash repeats a
   * turn and loses nothing; of two workers at the same changes, one gets them. Returns whether there
   * may be more.
   */
  async turn(): Promise<boolean> {
    const { db, now } = this.#ctx
    const at = now()
    const forgotten = this.#forgotten
    const settledMs = at.getTime() - lateMs
    const known = this.#mark ?? (await savedMark(db))
    // A clock may have been moved back.
    const since = new Date(Math.min(known.reached, settledMs))
    const listed = await listChanges(db, { since, now: at, limit: batchSize })
    const isAll = listed.length < batchSize
    const lastMs = isAll ? settledMs : (listed.at(-1) as ChangeRow).at.getTime()
    const reached = Math.min(lastMs, settledMs)
    const movedMs = Math.abs(reached - known.saved)
    const saves = movedMs >= (listed.length > 0 ? markMs : idleMarkMs)
    const mark = saves && new Date(reached)
    if (listed.length > 0) {
      const about = { listed, at, followers: this.#followers, mark, onlyAlone: true }
      // Whoever is at it hears of what came later, too.
      if (!(await tell(this.#ctx, about))) return false
    } else if (mark) await db.transaction((tx) => saveMark(tx, mark))
    const isKnown = forgotten === this.#forgotten
    this.#mark = isKnown ? { reached, saved: saves ? reached : known.saved } : undefined
    return !isAll
  }
}

async function savedMark(db: Db): Promise<{ reached: number; saved: number }> {
  const mark = await readMark(db)
  return { reached: mark?.getTime() ?? 0, saved: mark?.getTime() ?? Number.NEGATIVE_INFINITY }
}

/** One turn of whoever knows nothing yet: see `FanOut`. */
export async function fanOutOnce(ctx: Tools, followers: Followers = {}): Promise<boolean> {
  return new FanOut(ctx, followers).turn()
}

/** Takes these changes, as far as nobody has, and tells of them; with `onlyAlone` unless somebody else
 * does just now, who would take the same. Returns whether it did. */
export async function tell(
  { db, random }: Tools,
  {
    listed,
    at,
    followers,
    mark,
    onlyAlone = false,
  }: {
    listed: readonly ChangeRow[]
    at: Date
    followers: Followers
    mark: Date | false
    onlyAlone?: boolean
  },
): Promise<boolean> {
  const subscribers = await listSubscribers(db, [...new Set(listed.flatMap((c) => c.userIds))])
  await ensureDays(db, 'notifications', at)
  return db.transaction(async (tx) => {
    if (onlyAlone && !(await isTakingAlone(tx))) return false
    if (mark) saveMark(tx, mark)
    const taken = await takeChanges(tx, listed)
    const told = toldOf(listed, { taken, subscribers })
    const lanes = await reserveSeqs(tx, [...new Set(told.map((each) => each.applicationId))], at)
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
    for (const [topic, followUp] of Object.entries(followers)) {
      const mine = listed.filter((each) => each.topic === topic && taken.has(each.id))
      if (mine.length > 0) await followUp(tx, mine, at)
    }
    if (told.length > 0) tx.hint(notificationsReady, lanes.keys())
    return true
  })
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

const chanceBytes = 8

/** 24 hex digits: seconds first, so that ids read in the order of time; then chance. */
function notificationId(at: Date, random: string): string {
  return (Math.floor(at.getTime() / 1000) % 2 ** 32).toString(16).padStart(8, '0') + random
}

/** One turn: empties what was fanned out two days ago and longer. */
export async function forgetChanges({ db, now }: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  return emptyNextSlot(db, { now: now(), before: new Date(now().getTime() - 2 * dayMs) })
}
