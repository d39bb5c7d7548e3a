import { beginScan, findOldestChange, listUnlistedChanges } from '../changes/store.ts'
import { hourMs, minuteMs, secondMs } from '../kernel/clock.ts'
import type { Context } from '../platform/context.ts'
import { batchSize, type Followers, fanOutChanges } from './fan-out.ts'

/** How often the last changes are scanned, and how far back. */
const scans = [
  { everyMs: minuteMs, backMs: 2 * minuteMs },
  { everyMs: 10 * secondMs, backMs: 15 * secondMs },
  { everyMs: secondMs, backMs: 2 * secondMs },
] as const
/** Between two scans; a little less than a loop's rest, which is not exact. */
const leastMs = 0.8 * secondMs

/** How much of everything that is kept is scanned at a time: as much as takes no longer than this. */
const budgetMs = 40
const shortestMs = 4 * secondMs
const longestMs = hourMs

type Tools = Pick<Context, 'db' | 'now' | 'random' | 'timers'>

/**
 * Finds changes that are not fanned out and not in `waiting_changes`. Processes of an older release record such
 * changes while both releases run. The last moments are scanned often; besides, one part after another of
 * everything that is kept, so that no single scan takes long. One process scans at a time.
 */
export class UnlistedChanges {
  readonly #tools: Tools
  readonly #followers: Followers
  #spanMs = shortestMs
  /** How far this process has scanned everything, until that is written down. */
  #scannedTo: Date | undefined

  constructor(tools: Tools, followers: Followers = {}) {
    this.#tools = tools
    this.#followers = followers
  }

  async turn(): Promise<boolean> {
    const { db, now } = this.#tools
    const at = now()
    const before = await beginScan(db, { now: at, everyMs: leastMs, scannedTo: this.#scannedTo })
    if (!before) return false
    this.#scannedTo = undefined
    const end = at.getTime()
    const hasPassed = ({ everyMs }: { everyMs: number }) =>
      Math.floor(end / everyMs) !== Math.floor(before.scannedAt.getTime() / everyMs)
    const scan = scans.find(hasPassed)
    if (scan) await this.#scan(end - scan.backMs, end)
    await this.#scanNextPart(before.scannedTo.getTime(), end)
    return false
  }

  /** Scans the next part of everything that is kept. */
  async #scanNextPart(scannedTo: number, end: number): Promise<void> {
    const { db, timers } = this.#tools
    // The last moments have scans of their own: once it is there, it starts over.
    const isThrough = scannedTo > end - shortestMs
    const from = isThrough ? await findOldestChange(db) : scannedTo
    if (from === undefined) return
    const until = Math.min(end, Number(from) + this.#spanMs)
    const began = timers.runningMs()
    await this.#scan(Number(from), until)
    const tookMs = timers.runningMs() - began
    this.#spanMs = Math.min(longestMs, tookMs < budgetMs / 2 ? 2 * this.#spanMs : this.#spanMs)
    if (tookMs > budgetMs) this.#spanMs = Math.max(shortestMs, this.#spanMs / 2)
    this.#scannedTo = new Date(until)
  }

  /** Fans out all that was recorded from then until then and is not listed. */
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
