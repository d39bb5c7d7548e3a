import type { SiteId } from '../../kernel/sites.ts'
import { makeYielder, runInSlices } from '../../kernel/slices.ts'
import type { Context } from '../../platform/context.ts'
import { modelFormat } from '../../predictor/model/features.ts'
import type { TrainedModel } from '../../predictor/model/trained-model.ts'
import { BrokenCheckpoint, loadCheckpoint } from './checkpoints.ts'
import { readLogHead, readTrainingBatches } from './store.ts'
import {
  decodeEntries,
  type SiteModels,
  type TrainingLogEntry,
  trainModels,
} from './training-examples.ts'

declare module '../../platform/context.ts' {
  interface Context {
    readonly trainedModels: TrainedModels
  }
}

/** Batches per read: a few megabytes at most. */
const batchesAtOnce = 20

/**
 * The trained models of this process, by site. It loads the last checkpoint and follows the log of training examples
 * after it. Processes at the same position have equal models.
 */
export class TrainedModels {
  readonly #db: Context['db']
  #sites: SiteModels = new Map()
  /** The position of the last trained batch. Undefined before the checkpoint is loaded. */
  #position: number | undefined
  /** The position of the last batch that changed each site. */
  readonly #changed = new Map<SiteId, number>()
  #obstacle: 'older' | 'later' | 'broken' | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor({ db }: Pick<Context, 'db'>) {
    this.#db = db
  }

  /** Returns the model of a site. Undefined without training examples. During training it contains part of a batch. */
  modelOf(siteId: SiteId): TrainedModel | undefined {
    return this.#sites.get(siteId)
  }

  get bySite(): ReadonlyMap<SiteId, TrainedModel> {
    return this.#sites
  }

  get position(): number | undefined {
    return this.#position
  }

  /** Why the checkpoint cannot be loaded: an older or later format, or broken data. */
  get loadFailure(): 'older' | 'later' | 'broken' | undefined {
    return this.#obstacle
  }

  lastChangePosition(siteId: SiteId): number {
    return this.#changed.get(siteId) ?? 0
  }

  /** Trains the models with new batches. One turn of a loop: returns whether there may be more. */
  trainNextBatches(): Promise<boolean> {
    return this.runExclusive(() => this.#follow())
  }

  /** Loads the checkpoint again in the next turn, because the log was replaced. Until then the old models are used. */
  reload(): Promise<unknown> {
    return this.runExclusive(async () => this.#startOver())
  }

  /** Runs `work` while no training runs. */
  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  /** Trains with the next batches of the log. Starts over if the log was rewritten. Returns whether there may be
   * more. */
  async #follow(): Promise<boolean> {
    if (this.#position === undefined) await this.#load()
    if (this.#position === undefined) return false
    const from = Math.max(1, this.#position)
    const batches = await readTrainingBatches(this.#db, { from, limit: batchesAtOnce })
    // The last trained batch is read again. If it was dropped, batches after it may be missing as well.
    if (this.#position > 0 && batches.shift()?.position !== this.#position) return this.#startOver()
    for (const { position, written } of batches) {
      const entries = decodeEntries(written)
      const follows = position === this.#position + 1
      if (!follows || entries.includes('anew')) return this.#startOver()
      await this.#learn(position, entries)
    }
    return batches.length >= batchesAtOnce - 1
  }

  async #learn(position: number, entries: readonly TrainingLogEntry[]): Promise<void> {
    try {
      for (const siteId of await runInSlices(trainModels(this.#sites, entries), makeYielder())) {
        this.#changed.set(siteId, position)
      }
      this.#position = position
    } catch (error) {
      // An unknown part of the batch was trained.
      this.#startOver()
      throw error
    }
  }

  /** The old models are used until the checkpoint is loaded. */
  #startOver(): true {
    this.#position = undefined
    return true
  }

  /** Loads the last checkpoint and its position in the log. A checkpoint of another format is an obstacle. */
  async #load(): Promise<void> {
    const head = await readLogHead(this.#db)
    const checkpoint = head?.checkpoint ?? { position: 0, format: modelFormat, versions: {} }
    const { position, versions } = checkpoint
    this.#obstacle = undefined
    if (position > 0 && checkpoint.format !== modelFormat) {
      this.#obstacle = checkpoint.format < modelFormat ? 'older' : 'later'
      return
    }
    try {
      const sites = await loadCheckpoint(this.#db, checkpoint)
      if (!sites) return
      this.#sites = sites
      this.#position = position
      this.#changed.clear()
      for (const [siteId, version] of Object.entries(versions) as [SiteId, number][]) {
        this.#changed.set(siteId, version)
      }
    } catch (error) {
      if (error instanceof BrokenCheckpoint) this.#obstacle = 'broken'
      throw error
    }
  }
}
