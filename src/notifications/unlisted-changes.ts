import { beginScan, findOldestChange, listUnlistedChanges } from '../changes/store-unlisted.ts'
import { hourMs, minuteMs, secondMs } from '../kernel/clock.ts'
import type { Context } from '../platform/context.ts'
import { batchSize, type FollowUps, fanOutChanges } from './fan-out.ts'

/** How often recent changes are scanned, and how far back. */
const scans = [
  { everyMs: minuteMs, backMs: 2 * minuteMs },
  { everyMs: 10 * secondMs, backMs: 15 * secondMs },
  { everyMs: secondMs, backMs: 2 * secondMs },
] as const
/** Shortest time between two scans; a little less than the loop's pause, which is not exact. */
const scanPauseMs = 0.8 * secondMs

/** The scan of all kept changes reads spans that take about this long. */
const budgetMs = 40
/** Bounds of a span. The shortest one is also the time before now that has scans of its own. */
const minSpanMs = 4 * secondMs
const maxSpanMs = hourMs

type Tools = Pick<Context, 'db' | 'now' | 'random' | 'timers'>

/**
 * Fans out changes that are missing in `waiting_changes`: processes of an older release record them while both
 * releases run. Recent changes are scanned often. All kept changes are scanned span by span, so that no scan takes
 * long. One process scans at a time.
 */
export class UnlistedChanges {
  readonly #tools: Tools
  readonly #followers: FollowUps
  #spanMs = minSpanMs
  /** How far this process has scanned all kept changes; the next turn saves it. */
  #scannedTo: Date | undefined

  constructor(tools: Tools, followers: FollowUps = {}) {
    this.#tools = tools
    this.#followers = followers
  }

  /** Scans the recent changes that are due and the next span of all kept ones. It always returns false, so that the
   * loop pauses after it. */
  async turn(): Promise<boolean> {
    const { db, now } = this.#tools
    const at = now()
    const before = await beginScan(db, {
      now: at,
      everyMs: scanPauseMs,
      scannedTo: this.#scannedTo,
    })
    if (!before) return false
    this.#scannedTo = undefined
    const end = at.getTime()
    const isDue = ({ everyMs }: { everyMs: number }) =>
      Math.floor(end / everyMs) !== Math.floor(before.scannedAt.getTime() / everyMs)
    const scan = scans.find(isDue)
    if (scan) await this.#scan(end - scan.backMs, end)
    await this.#scanNextSpan(before.scannedTo.getTime(), end)
    return false
  }

  /** Scans the next span of all kept changes. */
  async #scanNextSpan(scannedTo: number, end: number): Promise<void> {
    const { db, timers } = this.#tools
    // Recent changes have scans of their own, so this scan starts over once it reaches them.
    const isComplete = scannedTo > end - minSpanMs
    const from = isComplete ? await findOldestChange(db) : scannedTo
    if (from === undefined) return
    const until = Math.min(end, Number(from) + this.#spanMs)
    const began = timers.runningMs()
    await this.#scan(Number(from), until)
    const tookMs = timers.runningMs() - began
    this.#spanMs = Math.min(maxSpanMs, tookMs < budgetMs / 2 ? 2 * this.#spanMs : this.#spanMs)
    if (tookMs > budgetMs) this.#spanMs = Math.max(minSpanMs, this.#spanMs / 2)
    this.#scannedTo = new Date(until)
  }

  /** Fans out the unlisted changes of a span. */
  async #scan(from: number, to: number): Promise<void> {
    const { db, now } = this.#tools
    const [since, until] = [new Date(from), new Date(to)]
    for (let isFull = true; isFull; ) {
      const at = now()
      const changes = await listUnlistedChanges(db, { since, until, limit: batchSize })
      if (changes.length > 0) {
        await fanOutChanges(this.#tools, { changes, at, followers: this.#followers })
      }
      isFull = changes.length === batchSize
    }
  }
}
