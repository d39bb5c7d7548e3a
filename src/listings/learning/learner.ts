import {
  BrokenCheckpoint,
  encodeModel,
  storeCheckpoint,
} from '../../catalog/learning/checkpoints.ts'
import {
  appendTrainingExamples,
  createTrainingLog,
  lockLogHead,
  readLogHead,
  type TrainingLogHead,
} from '../../catalog/learning/store.ts'
import type { TrainedModels } from '../../catalog/learning/trained-models.ts'
import { type SiteModels, trainModel } from '../../catalog/learning/training-examples.ts'
import { dayMs } from '../../kernel/clock.ts'
import type { SiteId } from '../../kernel/sites.ts'
import { makeYielder, runInSlices, type SlicedWork } from '../../kernel/slices.ts'
import type { Tx } from '../../platform/database/database.ts'
import { listTrainingNotes, readAllStoredExamples } from './store.ts'
import { addTrainingExamples, type LearnerContext } from './train.ts'
import { weightInEra } from './training-example.ts'

/** Notes per transaction. */
const batchSize = 500
/**
 * Training examples between two saved models: 10,000, or a tenth of all listings when that is more. Reading the rest
 * of the log is then quick.
 */
const checkpointAfter = 10_000
const checkpointShare = 0.1
/** Listings per read when the model is trained again from the start. */
const pageSize = 2_000

/**
 * Writes the log of training examples. Only the process that locks the head of the log writes. It follows the log
 * first, because the weight of an example depends on what the model predicts.
 */
export class Learner {
  readonly #tools: LearnerContext
  readonly #knowledge: TrainedModels
  readonly #checkpointAfter: number | undefined

  /** `checkpointAfter` sets a fixed number of training examples between two saved models. */
  constructor(tools: LearnerContext, options: { checkpointAfter?: number } = {}) {
    this.#tools = tools
    this.#knowledge = tools.trainedModels
    this.#checkpointAfter = options.checkpointAfter
  }

  /** Writes the next batch or saves the model. Returns whether there may be more to do. */
  async turn(): Promise<boolean> {
    const { db, now } = this.#tools
    if (await this.#follow()) return true
    const { loadFailure, position } = this.#knowledge
    if (loadFailure === 'later') return false
    if (loadFailure) return db.transaction((tx) => this.#retrain(tx))
    const [head, notes] = await Promise.all([readLogHead(db), listTrainingNotes(db, batchSize)])
    if (!head) {
      if (notes.length > 0) await createTrainingLog(db, now())
      return notes.length > 0
    }
    if (notes.length > 0 || this.#isHalvingDue(head)) {
      return db.transaction((tx) => this.#write(tx, notes))
    }
    return head.position === position && this.#isCheckpointDue(head) && this.#saveCheckpoint()
  }

  async #follow(): Promise<boolean> {
    try {
      return await this.#knowledge.trainNextBatches()
    } catch (error) {
      if (error instanceof BrokenCheckpoint) return false
      throw error
    }
  }

  async #write(tx: Tx, notes: Awaited<ReturnType<typeof listTrainingNotes>>): Promise<boolean> {
    const head = await lockLogHead(tx)
    if (!head) return false
    // Another process has written meanwhile, which this one must follow first.
    if (head.position !== this.#knowledge.position) return true
    const now = this.#tools.now()
    if (this.#isHalvingDue(head)) {
      const next = { ...head, era: head.era + 1, eraBegan: this.#eraEnd(head) }
      appendTrainingExamples(tx, { head: next, entries: ['halve'], now })
    } else await addTrainingExamples(tx, this.#tools, { head, listed: notes })
    return true
  }

  #isHalvingDue(head: TrainingLogHead): boolean {
    return this.#eraEnd(head) <= this.#tools.now()
  }

  #eraEnd({ eraBegan }: TrainingLogHead): Date {
    return new Date(eraBegan.getTime() + this.#tools.config.learning.halvingDays * dayMs)
  }

  #isCheckpointDue({ trainingExamplesSince }: TrainingLogHead): boolean {
    let listings = 0
    for (const model of this.#knowledge.bySite.values()) listings += model.listings
    const defaultAfter = Math.max(checkpointAfter, checkpointShare * listings)
    return trainingExamplesSince >= (this.#checkpointAfter ?? defaultAfter)
  }

  /** Saves the models of the sites that changed. Returns false when another process has written meanwhile. */
  #saveCheckpoint(): Promise<boolean> {
    const { db } = this.#tools
    const knowledge = this.#knowledge
    return knowledge.runExclusive(async () => {
      const before = (await readLogHead(db))?.checkpoint.versions ?? {}
      const parts = new Map<SiteId, Uint8Array[]>()
      for (const [siteId, model] of knowledge.bySite) {
        const isChanged = knowledge.lastChangePosition(siteId) > (before[siteId] ?? 0)
        if (isChanged) parts.set(siteId, await encodeModel(model))
      }
      return db.transaction(async (tx) => {
        const head = await lockLogHead(tx)
        if (!head || head.position !== knowledge.position) return false
        const { position, checkpoint } = head
        await storeCheckpoint(tx, { position, versions: checkpoint.versions, parts })
        return true
      })
    })
  }

  /**
   * Trains the models again from the training examples of all listings. This is needed when the saved model cannot be
   * read, or when an earlier version saved it, which split titles differently.
   */
  async #retrain(tx: Tx): Promise<boolean> {
    const head = await lockLogHead(tx)
    if (!head) return false
    const sites: SiteModels = new Map()
    let after = { sellerId: 0, itemId: '' }
    for (let isFull = true; isFull; ) {
      const page = await readAllStoredExamples(tx, { after, limit: pageSize })
      const trainPage = function* (): SlicedWork<void> {
        for (const example of page) {
          const count = weightInEra(example, head.era)
          if (count > 0) trainModel(sites, { ...example, count })
          yield
        }
      }
      await runInSlices(trainPage(), makeYielder())
      after = page.at(-1) ?? after
      isFull = page.length === pageSize
    }
    const parts = new Map<SiteId, Uint8Array[]>()
    for (const [siteId, model] of sites) parts.set(siteId, await encodeModel(model))
    appendTrainingExamples(tx, { head, entries: ['anew'], now: this.#tools.now() })
    await storeCheckpoint(tx, { position: head.position + 1, versions: {}, parts })
    return true
  }
}
