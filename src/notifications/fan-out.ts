import {
  type ChangeRow,
  emptyNextSlot,
  isTakingAlone,
  listWaitingChanges,
  takeChanges,
} from '../changes/store.ts'
import { listSubscribers } from '../identity/store.ts'
import { dayMs } from '../kernel/clock.ts'
import type { Topic } from '../kernel/topics.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/database.ts'
import { ensureDays } from '../platform/database/partitions.ts'
import type { Notification } from './attempt.ts'
import { insertNotifications, reserveSeqs } from './store.ts'

/** The channel on which whoever delivers is woken, about applications. */
export const notificationsReady = 'notifications'

/** How many changes one turn takes at most. */
export const batchSize = 4_000

/** What a room does once those whom its changes concern have been told of them, in the same
 * transaction. */
export type AfterFanOut = (tx: Tx, changes: readonly ChangeRow[], at: Date) => Promise<void>

type Tools = Pick<Context, 'db' | 'now' | 'random' | 'timers'>
/** What rooms do afterwards, by topic. */
export type Followers = Partial<Record<Topic, AfterFanOut>>

/** What was recorded since that long ago is looked at in every turn: commits come a little later than what they
 * record happened. */
const lateCommitMs = 100
/** How often all that waits is looked at, whenever it was recorded. More rarely where that takes long: rows
 * of what is fanned out stay in the way while a transaction is held open. One look that took long says nothing: the
 * server may have stood still. Several say little, so the pause is bounded: a late commit is notified within a
 * second even after a server was slow for a while. */
const wholeEveryMs = 250
const wholeMostMs = 500
const wholeShare = 0.1

/** Turns what was recorded into notifications, one for every application that is to be told (wire 4,
 * "whom"). */
export class FanOut {
  readonly #ctx: Tools
  readonly #followers: Followers
  /** From where the next turn looks: undefined for everything that waits. */
  #since: Date | undefined
  /** When it looks at everything again, by the machine's running time. */
  #wholeDue = 0
  /** How long the last look at everything took. */
  #wholeTookMs = 0

  constructor(ctx: Tools, followers: Followers = {}) {
    this.#ctx = ctx
    this.#followers = followers
  }

  /** Looks at everything next: the changes are others than before, or whoever had them is gone. */
  reset(): void {
    this.#wholeDue = 0
  }

  /**
   * Takes waiting changes and writes their notifications. Both commit together, so a crash repeats a
   * turn and loses nothing; of two processes, one does at a time. Returns whether there may be more.
   */
  async turn(): Promise<boolean> {
    const { db, now, timers } = this.#ctx
    const at = now()
    const began = timers.runningMs()
    const isWhole = began >= this.#wholeDue
    const since = isWhole ? undefined : this.#since
    const changes = await listWaitingChanges(db, { since, limit: batchSize })
    if (isWhole) {
      const ended = timers.runningMs()
      const usualMs = Math.min(ended - began, this.#wholeTookMs)
      this.#wholeTookMs = ended - began
      const pauseMs = Math.max(wholeEveryMs, usualMs / wholeShare)
      this.#wholeDue = ended + Math.min(pauseMs, wholeMostMs)
    }
    const isAll = changes.length < batchSize
    const settled = new Date(at.getTime() - lateCommitMs)
    if (changes.length > 0) {
      const work = { changes, at, followers: this.#followers, onlyAlone: true }
      // Whoever is at it hears of what came later, too.
      if (!(await fanOutChanges(this.#ctx, work))) return false
    }
    this.#since = isAll ? settled : changes.at(-1)?.at
    return !isAll
  }
}

/** One turn of whoever knows nothing yet: see `FanOut`. */
export async function fanOutOnce(ctx: Tools, followers: Followers = {}): Promise<boolean> {
  return new FanOut(ctx, followers).turn()
}

/**
 * Takes these changes, as far as nobody has, and writes their notifications; with `onlyAlone` unless another
 * process does so just now, which would take the same. Returns whether it did.
 */
export async function fanOutChanges(
  { db, random }: Pick<Tools, 'db' | 'random'>,
  {
    changes,
    at,
    followers,
    onlyAlone = false,
  }: { changes: readonly ChangeRow[]; at: Date; followers: Followers; onlyAlone?: boolean },
): Promise<boolean> {
  const subscribers = await listSubscribers(db, [...new Set(changes.flatMap((c) => c.userIds))])
  await ensureDays(db, 'notifications', at)
  return db.transaction(async (tx) => {
    if (onlyAlone && !(await isTakingAlone(tx))) return false
    const taken = await takeChanges(tx, changes)
    const mine = changes.filter(({ id }) => taken.has(id))
    const addressed = addressedTo(subscribers, mine)
    const queues = await reserveSeqs(
      tx,
      [...new Set(addressed.map(({ applicationId }) => applicationId))],
      at,
    )
    const chance = random.hex(chanceBytes * addressed.length)
    const notifications = addressed.map((change, index) => {
      const { applicationId, userId, topic, resource, at: received } = change
      const queue = queues.get(applicationId)
      if (!queue) throw new Error(`no lane of application ${applicationId}`)
      const id = notificationId(
        at,
        chance.slice(2 * chanceBytes * index, 2 * chanceBytes * (index + 1)),
      )
      const { fannedAt } = queue
      return { applicationId, seq: ++queue.seq, id, userId, topic, resource, received, fannedAt }
    })
    insertNotifications(tx, notifications)
    for (const [topic, followUp] of Object.entries(followers)) {
      const ofTopic = mine.filter((change) => change.topic === topic)
      if (ofTopic.length > 0) await followUp(tx, ofTopic, at)
    }
    if (addressed.length > 0) tx.hint(notificationsReady, queues.keys())
    return true
  })
}

type Subscriber = Awaited<ReturnType<typeof listSubscribers>>[number]
type AddressedChange = ChangeRow & Pick<Notification, 'applicationId' | 'userId'>

/** Whom to notify of what: an application for every user concerned that has authorized it. */
function addressedTo(
  subscribers: readonly Subscriber[],
  changes: readonly ChangeRow[],
): AddressedChange[] {
  const byUser = Map.groupBy(subscribers, ({ userId }) => userId)
  return changes.flatMap((change) =>
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
