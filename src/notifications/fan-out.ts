import {
  type ChangeRow,
  listWaitingChanges,
  markFannedOut,
  tryLockFanOut,
} from '../changes/store.ts'
import { listSubscribers } from '../identity/store.ts'
import type { Topic } from '../kernel/topics.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/database.ts'
import { ensureDayPartitions } from '../platform/database/partitions.ts'
import type { Notification } from './attempt.ts'
import { insertNotifications, reserveSeqs } from './store.ts'

/** The signal that wakes deliveries; its payload is the application ids. */
export const notificationsReady = 'notifications'

/** The most changes of one turn. */
export const batchSize = 4_000

/** What a module does after the fan-out of its changes, in the same transaction. */
type FollowUp = (tx: Tx, changes: readonly ChangeRow[], at: Date) => Promise<void>

type Tools = Pick<Context, 'db' | 'now' | 'random' | 'timers'>
/** Follow-ups by topic. */
export type FollowUps = Partial<Record<Topic, FollowUp>>

/** Every turn rereads this much time: a change becomes visible with its commit, a little after `recorded_at`. */
const lateCommitMs = 100
/**
 * Pause between two late-commit scans, which read all waiting changes whenever they were recorded. A scan may take at
 * most a tenth of the time: dead rows pile up and slow it down while a transaction stays open. Its time is the
 * smaller of the last two, because the server may have stalled once. The pause is bounded, so that a late commit is
 * notified within a second.
 */
const fullScanPauseMs = 250
const maxFullScanPauseMs = 500
const maxFullScanShare = 0.1

/** Writes a notification of each change for every application that a user concerned has authorized, if it subscribes to
 * the topic. */
export class FanOut {
  readonly #ctx: Tools
  readonly #followers: FollowUps
  /** The next turn reads changes recorded since then; undefined for all of them. */
  #since: Date | undefined
  /** When the next full scan is due (running time). */
  #fullScanDue = 0
  #lastFullScanMs = 0

  constructor(ctx: Tools, followers: FollowUps = {}) {
    this.#ctx = ctx
    this.#followers = followers
  }

  /** Makes the next turn a full scan: the data were replaced or the clock was moved. */
  reset(): void {
    this.#fullScanDue = 0
  }

  /**
   * Takes waiting changes and writes their notifications in one transaction, so a crash loses nothing. One process
   * does so at a time. Returns whether more changes may be waiting.
   */
  async turn(): Promise<boolean> {
    const { db, now, timers } = this.#ctx
    const at = now()
    const began = timers.runningMs()
    const isFullScan = began >= this.#fullScanDue
    const since = isFullScan ? undefined : this.#since
    const changes = await listWaitingChanges(db, { since, limit: batchSize })
    if (isFullScan) {
      const ended = timers.runningMs()
      const usualMs = Math.min(ended - began, this.#lastFullScanMs)
      this.#lastFullScanMs = ended - began
      const pauseMs = Math.max(fullScanPauseMs, usualMs / maxFullScanShare)
      this.#fullScanDue = ended + Math.min(pauseMs, maxFullScanPauseMs)
    }
    const hasMore = changes.length === batchSize
    const watermark = new Date(at.getTime() - lateCommitMs)
    if (changes.length > 0) {
      const work = { changes, at, followers: this.#followers, onlyAlone: true }
      // Another process is fanning out; the signal of later changes wakes it too.
      if (!(await fanOutChanges(this.#ctx, work))) return false
    }
    this.#since = hasMore ? changes.at(-1)?.at : watermark
    return hasMore
  }
}

/** Runs one turn of a new `FanOut`, which is a full scan. */
export async function fanOutOnce(ctx: Tools, followers: FollowUps = {}): Promise<boolean> {
  return new FanOut(ctx, followers).turn()
}

/**
 * Takes those of these changes that are not taken yet, and writes their notifications. With `onlyAlone` it does nothing
 * and returns false while another process fans out, which would take the same changes.
 */
export async function fanOutChanges(
  { db, random }: Pick<Tools, 'db' | 'random'>,
  {
    changes,
    at,
    followers,
    onlyAlone = false,
  }: { changes: readonly ChangeRow[]; at: Date; followers: FollowUps; onlyAlone?: boolean },
): Promise<boolean> {
  const subscribers = await listSubscribers(db, [...new Set(changes.flatMap((c) => c.userIds))])
  await ensureDayPartitions(db, 'notifications', at)
  return db.transaction(async (tx) => {
    if (onlyAlone && !(await tryLockFanOut(tx))) return false
    const takenIds = await markFannedOut(tx, changes)
    const takenChanges = changes.filter(({ id }) => takenIds.has(id))
    const addressed = addressChanges(subscribers, takenChanges)
    const queues = await reserveSeqs(
      tx,
      [...new Set(addressed.map(({ applicationId }) => applicationId))],
      at,
    )
    const randomHex = random.hex(randomBytes * addressed.length)
    const notifications = addressed.map((change, index) => {
      const { applicationId, userId, topic, resource, at: received } = change
      const queue = queues.get(applicationId)
      if (!queue) throw new Error(`application ${applicationId} has no delivery queue`)
      const id = notificationId(
        at,
        randomHex.slice(2 * randomBytes * index, 2 * randomBytes * (index + 1)),
      )
      const { fannedAt } = queue
      return { applicationId, seq: ++queue.seq, id, userId, topic, resource, received, fannedAt }
    })
    insertNotifications(tx, notifications)
    for (const [topic, followUp] of Object.entries(followers)) {
      const topicChanges = takenChanges.filter((change) => change.topic === topic)
      if (topicChanges.length > 0) await followUp(tx, topicChanges, at)
    }
    if (addressed.length > 0) tx.hint(notificationsReady, queues.keys())
    return true
  })
}

type Subscriber = Awaited<ReturnType<typeof listSubscribers>>[number]
type AddressedChange = ChangeRow & Pick<Notification, 'applicationId' | 'userId'>

/** Returns each change once per user concerned and application that this user has authorized. */
function addressChanges(
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

/** Random bytes of a notification's id. */
const randomBytes = 8

/** Returns 24 hex digits: 8 of the Unix time in seconds, so that ids sort by time, and 16 random ones. */
function notificationId(at: Date, randomHex: string): string {
  return (Math.floor(at.getTime() / 1000) % 2 ** 32).toString(16).padStart(8, '0') + randomHex
}
