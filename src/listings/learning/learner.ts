import { type Knowledge, knowledgeOf } from '../../catalog/learning/knowledge.ts'
import { BrokenSnapshot, storeSnapshot, writeDown } from '../../catalog/learning/snapshots.ts'
import {
  appendTrainingExamples,
  beginLog,
  type Head,
  holdHead,
  readHead,
} from '../../catalog/learning/store.ts'
import { learnOne, type Sites } from '../../catalog/learning/training-examples.ts'
import { inSlices, makeBreathe, type Steps } from '../../catalog/tree/slices.ts'
import { dayMs } from '../../kernel/clock.ts'
import type { SiteId } from '../../kernel/sites.ts'
import type { Tx } from '../../platform/database/database.ts'
import { listNotes, readAllTaught } from './store.ts'
import { addTrainingExamples, type Tools } from './train.ts'
import { leftOf } from './training-example.ts'

/** Notes per transaction. */
const batchSize = 500
/**
 * Training examples between two saved models: 10,000, or a tenth of all listings when that is more. Reading the rest
 * of the log is then quick.
 */
const snapshotAfter = 10_000
const snapshotShare = 0.1
/** Listings per read when the model is trained again from the start. */
const pageSize = 2_000

/**
 * Writes the log of training examples. Only the process that locks the head of the log writes. It follows the log
 * first, because the weight of an example depends on what the model predicts.
 */
export class Learner {
  readonly #tools: Tools
  readonly #knowledge: Knowledge
  readonly #snapshotAfter: number | undefined

  /** `snapshotAfter` sets a fixed number of training examples between two saved models. */
  constructor(tools: Tools, options: { snapshotAfter?: number } = {}) {
    this.#tools = tools
    this.#knowledge = knowledgeOf(tools)
    this.#snapshotAfter = options.snapshotAfter
  }

  /** Writes the next batch or saves the model. Returns whether there may be more to do. */
  async turn(): Promise<boolean> {
    const { db, now } = this.#tools
    if (await this.#follow()) return true
    const { obstacle, position } = this.#knowledge
    if (obstacle === 'later') return false
    if (obstacle) return db.transaction((tx) => this.#retrain(tx))
    const [head, notes] = await Promise.all([readHead(db), listNotes(db, batchSize)])
    if (!head) {
      if (notes.length > 0) await beginLog(db, now())
      return notes.length > 0
    }
    if (notes.length > 0 || this.#isHalvingDue(head)) {
      return db.transaction((tx) => this.#write(tx, notes))
    }
    return head.position === position && this.#isSnapshotDue(head) && this.#takeSnapshot()
  }

  async #follow(): Promise<boolean> {
    try {
      return await this.#knowledge.follow()
    } catch (error) {
      if (error instanceof BrokenSnapshot) return false
      throw error
    }
  }

  async #write(tx: Tx, notes: Awaited<ReturnType<typeof listNotes>>): Promise<boolean> {
    const head = await holdHead(tx)
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

  #isHalvingDue(head: Head): boolean {
    return this.#eraEnd(head) <= this.#tools.now()
  }

  #eraEnd({ eraBegan }: Head): Date {
    return new Date(eraBegan.getTime() + this.#tools.config.learning.halvingDays * dayMs)
  }

  #isSnapshotDue({ trainingExamplesSince }: Head): boolean {
    let listings = 0
    for (const model of this.#knowledge.sites.values()) listings += model.listings
    const defaultAfter = Math.max(snapshotAfter, snapshotShare * listings)
    return trainingExamplesSince >= (this.#snapshotAfter ?? defaultAfter)
  }

  /** Saves the models of the sites that changed. Returns false when another process has written meanwhile. */
  #takeSnapshot(): Promise<boolean> {
    const { db } = this.#tools
    const knowledge = this.#knowledge
    return knowledge.exclusively(async () => {
      const before = (await readHead(db))?.snapshot.versions ?? {}
      const parts = new Map<SiteId, Uint8Array[]>()
      for (const [siteId, model] of knowledge.sites) {
        const isChanged = knowledge.changedAt(siteId) > (before[siteId] ?? 0)
        if (isChanged) parts.set(siteId, await writeDown(model))
      }
      return db.transaction(async (tx) => {
        const head = await holdHead(tx)
        if (!head || head.position !== knowledge.position) return false
        const { position, snapshot } = head
        await storeSnapshot(tx, { position, versions: snapshot.versions, parts })
        return true
      })
    })
  }

  /**
   * Trains the models again from the training examples of all listings. This is needed when the saved model cannot be
   * read, or when an earlier version saved it, which split titles differently.
   */
  async #retrain(tx: Tx): Promise<boolean> {
    const head = await holdHead(tx)
    if (!head) return false
    const sites: Sites = new Map()
    let after = { sellerId: 0, itemId: '' }
    for (let isFull = true; isFull; ) {
      const page = await readAllTaught(tx, { after, limit: pageSize })
      const trainPage = function* (): Steps<void> {
        for (const example of page) {
          const count = leftOf(example, head.era)
          if (count > 0) learnOne(sites, { ...example, count })
          yield
        }
      }
      await inSlices(trainPage(), makeBreathe())
      after = page.at(-1) ?? after
      isFull = page.length === pageSize
    }
    const parts = new Map<SiteId, Uint8Array[]>()
    for (const [siteId, model] of sites) parts.set(siteId, await writeDown(model))
    appendTrainingExamples(tx, { head, entries: ['anew'], now: this.#tools.now() })
    await storeSnapshot(tx, { position: head.position + 1, versions: {}, parts })
    return true
  }
}
