import type { SiteId } from '../../kernel/sites.ts'
import type { Context } from '../../platform/context.ts'
import { format } from '../predictor/learned/features.ts'
import type { TrainedModel } from '../predictor/learned/learned.ts'
import { inSlices, makeBreathe } from '../tree/slices.ts'
import { BrokenSnapshot, loadSnapshot } from './snapshots.ts'
import { readHead, readTrainingExamples } from './store.ts'
import { type Entry, learn, readEntries, type Sites } from './training-examples.ts'

/** Batches that are read together: a few megabytes at most. */
const batchesAtOnce = 20

/**
 * What listings have taught, as far as this process has followed the log of lessons: the snapshots, and
 * every batch behind them in its order. All who have followed to the same position know the same.
 */
export class Knowledge {
  readonly #db: Context['db']
  #sites: Sites = new Map()
  /** Of the last batch that was learned; undefined before the snapshots are read. */
  #position: number | undefined
  /** By site: the last batch that changed it. */
  readonly #changed = new Map<SiteId, number>()
  #obstacle: 'older' | 'later' | 'broken' | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor({ db }: Pick<Context, 'db'>) {
    this.#db = db
  }

  /** What the listings of a site have taught; undefined where none has. While lessons are learned it has
   * some of them. */
  learnedOf(siteId: SiteId): TrainedModel | undefined {
    return this.#sites.get(siteId)
  }

  get sites(): ReadonlyMap<SiteId, TrainedModel> {
    return this.#sites
  }

  get position(): number | undefined {
    return this.#position
  }

  /** Why the snapshots cannot be read: written by an older or a later program, or not what was written. */
  get obstacle(): 'older' | 'later' | 'broken' | undefined {
    return this.#obstacle
  }

  changedAt(siteId: SiteId): number {
    return this.#changed.get(siteId) ?? 0
  }

  /** One turn: learns what was written since the last, and returns whether there may be more. */
  follow(): Promise<boolean> {
    return this.exclusively(() => this.#follow())
  }

  /** Reads the snapshots again with the next turn: the log is another one. What is known goes on to be
   * used until then. */
  startOver(): Promise<unknown> {
    return this.exclusively(async () => this.#startOver())
  }

  /** Does something while nothing is learned. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async #follow(): Promise<boolean> {
    if (this.#position === undefined) await this.#load()
    if (this.#position === undefined) return false
    const from = Math.max(1, this.#position)
    const batches = await readTrainingExamples(this.#db, { from, limit: batchesAtOnce })
    // The one that was learned last is read again: where it is gone, so may be some behind it.
    if (this.#position > 0 && batches.shift()?.position !== this.#position) return this.#startOver()
    for (const { position, written } of batches) {
      const entries = readEntries(written)
      const follows = position === this.#position + 1
      if (!follows || entries.includes('anew')) return this.#startOver()
      await this.#learn(position, entries)
    }
    return batches.length >= batchesAtOnce - 1
  }

  async #learn(position: number, entries: readonly Entry[]): Promise<void> {
    try {
      for (const siteId of await inSlices(learn(this.#sites, entries), makeBreathe())) {
        this.#changed.set(siteId, position)
      }
      this.#position = position
    } catch (error) {
      // Half a batch is known now, and nobody knows which half.
      this.#startOver()
      throw error
    }
  }

  /** What is known goes on to be used until the snapshots are read. */
  #startOver(): true {
    this.#position = undefined
    return true
  }

  async #load(): Promise<void> {
    const head = await readHead(this.#db)
    const snapshot = head?.snapshot ?? { position: 0, format, versions: {} }
    const { position, versions } = snapshot
    this.#obstacle = undefined
    if (position > 0 && snapshot.format !== format) {
      this.#obstacle = snapshot.format < format ? 'older' : 'later'
      return
    }
    try {
      const sites = await loadSnapshot(this.#db, snapshot)
      if (!sites) return
      this.#sites = sites
      this.#position = position
      this.#changed.clear()
      for (const [siteId, version] of Object.entries(versions) as [SiteId, number][]) {
        this.#changed.set(siteId, version)
      }
    } catch (error) {
      if (error instanceof BrokenSnapshot) this.#obstacle = 'broken'
      throw error
    }
  }
}

const known = new WeakMap<object, Knowledge>()

/** What this process knows of listings. */
export function knowledgeOf(ctx: Pick<Context, 'db'>): Knowledge {
  let knowledge = known.get(ctx)
  if (!knowledge) {
    knowledge = new Knowledge(ctx)
    known.set(ctx, knowledge)
  }
  return knowledge
}
