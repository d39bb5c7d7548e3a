import { beginSweep, findOldestChange, listChanges } from '../changes/store.ts'
import { hourMs, minuteMs, secondMs } from '../kernel/clock.ts'
import type { Context } from '../platform/context.ts'
import { batchSize, type Followers, tell } from './fan-out.ts'

/** How often to look how far back from where the fan-out is. */
const looks = [
  { everyMs: minuteMs, backMs: 2 * minuteMs },
  { everyMs: 10 * secondMs, backMs: 15 * secondMs },
  { everyMs: secondMs, backMs: 2 * secondMs },
] as const
/** Between two looks; a little less than a loop's rest, which is not exact. */
const leastMs = 0.8 * secondMs

/** What of everything that is kept is looked through at a time: as much as takes no longer than this. */
const budgetMs = 40
const shortestMs = 4 * secondMs
const longestMs = hourMs

type Tools = Pick<Context, 'db' | 'now' | 'random'>

/**
 * Finds changes that the fan-out has passed by: those whose commit took long, those recorded by a clock
 * that is behind, and whatever nobody foresees. The last moments are looked at often; besides, one
 * part after another of everything that is kept, so that no single look takes long. One process does,
 * of all.
 */
export class LateChanges {
  readonly #tools: Tools
  readonly #followers: Followers
  #spanMs = shortestMs
  /** How far this process has looked through everything, until that is written down. */
  #sweptTo: Date | undefined

  constructor(tools: Tools, followers: Followers = {}) {
    this.#tools = tools
    this.#followers = followers
  }

  async turn(): Promise<boolean> {
    const { db, now } = this.#tools
    const at = now()
    const was = await beginSweep(db, { now: at, everyMs: leastMs, sweptTo: this.#sweptTo })
    if (!was) return false
    this.#sweptTo = undefined
    const end = Math.min(was.reachedAt.getTime(), at.getTime())
    const hasPassed = ({ everyMs }: { everyMs: number }) =>
      Math.floor(at.getTime() / everyMs) !== Math.floor(was.sweptAt.getTime() / everyMs)
    const look = looks.find(hasPassed)
    if (look) await this.#lookAt(end - look.backMs, end)
    await this.#walk(was.sweptTo.getTime(), end)
    return false
  }

  /** Looks at the next part of everything that is kept. */
  async #walk(sweptTo: number, end: number): Promise<void> {
    const { db } = this.#tools
    const from = sweptTo < end ? sweptTo : await findOldestChange(db)
    if (from === undefined) return
    const until = Math.min(end, Number(from) + this.#spanMs)
    const began = performance.now()
    await this.#lookAt(Number(from), until)
    const tookMs = performance.now() - began
    this.#spanMs = Math.min(longestMs, tookMs < budgetMs / 2 ? 2 * this.#spanMs : this.#spanMs)
    if (tookMs > budgetMs) this.#spanMs = Math.max(shortestMs, this.#spanMs / 2)
    this.#sweptTo = new Date(until)
  }

  /** Tells of all that was recorded from then until then and that nobody has taken. */
  async #lookAt(from: number, to: number): Promise<void> {
    const { db, now } = this.#tools
    const [since, until] = [new Date(from), new Date(to)]
    for (let isFull = true; isFull; ) {
      const at = now()
      const listed = await listChanges(db, { since, until, now: at, limit: batchSize })
      const about = { listed, at, followers: this.#followers, mark: false } as const
      if (listed.length > 0) await tell(this.#tools, about)
      isFull = listed.length === batchSize
    }
  }
}
