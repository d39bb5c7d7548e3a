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

/** Notes that are looked at together. */
const batchSize = 500
/** Snapshots are made after so many lessons, or a tenth of what is known: reading the rest is quick. */
const snapshotAfter = 10_000
const snapshotShare = 0.1
/** What listings have taught is read so many at a time, where all is learned anew. */
const pageSize = 2_000

/**
 * Writes the log of lessons: one process at a time, whoever holds its head. It knows what the log says
 * before it adds to it, so that it can tell what would have been proposed.
 */
export class Learner {
  readonly #tools: Tools
  readonly #knowledge: Knowledge
  readonly #snapshotAfter: number | undefined

  /** `snapshotAfter` makes snapshots after so many lessons, however much is known. */
  constructor(tools: Tools, options: { snapshotAfter?: number } = {}) {
    this.#tools = tools
    this.#knowledge = knowledgeOf(tools)
    this.#snapshotAfter = options.snapshotAfter
  }

  /** One turn: the next batch, or a snapshot; returns whether there may be more. */
  async turn(): Promise<boolean> {
    const { db, now } = this.#tools
    if (await this.#follow()) return true
    const { obstacle, position } = this.#knowledge
    if (obstacle === 'later') return false
    if (obstacle) return db.transaction((tx) => this.#learnAnew(tx))
    const [head, listed] = await Promise.all([readHead(db), listNotes(db, batchSize)])
    if (!head) {
      if (listed.length > 0) await beginLog(db, now())
      return listed.length > 0
    }
    if (listed.length > 0 || this.#isHalvingDue(head)) {
      return db.transaction((tx) => this.#write(tx, listed))
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

  async #write(tx: Tx, listed: Awaited<ReturnType<typeof listNotes>>): Promise<boolean> {
    const head = await holdHead(tx)
    if (!head) return false
    // Somebody else has written meanwhile: first that is learned.
    if (head.position !== this.#knowledge.position) return true
    const now = this.#tools.now()
    if (this.#isHalvingDue(head)) {
      const next = { ...head, era: head.era + 1, eraBegan: this.#eraEnd(head) }
      appendTrainingExamples(tx, { head: next, entries: ['halve'], now })
    } else await addTrainingExamples(tx, this.#tools, { head, listed })
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
    for (const learned of this.#knowledge.sites.values()) listings += learned.listings
    const usual = Math.max(snapshotAfter, snapshotShare * listings)
    return trainingExamplesSince >= (this.#snapshotAfter ?? usual)
  }

  /** Writes down what is known, of the sites that changed. Another turn may follow, unless somebody else
   * is writing. */
  #takeSnapshot(): Promise<boolean> {
    const { db } = this.#tools
    const knowledge = this.#knowledge
    return knowledge.exclusively(async () => {
      const before = (await readHead(db))?.snapshot.versions ?? {}
      const parts = new Map<SiteId, Uint8Array[]>()
      for (const [siteId, learned] of knowledge.sites) {
        const isNew = knowledge.changedAt(siteId) > (before[siteId] ?? 0)
        if (isNew) parts.set(siteId, await writeDown(learned))
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

  /** Learns everything anew from what each listing has taught: where an older program wrote it down, which
   * took titles apart in another way, or where it cannot be read. */
  async #learnAnew(tx: Tx): Promise<boolean> {
    const head = await holdHead(tx)
    if (!head) return false
    const sites: Sites = new Map()
    let after = { sellerId: 0, itemId: '' }
    for (let isFull = true; isFull; ) {
      const page = await readAllTaught(tx, { after, limit: pageSize })
      const learnPage = function* (): Steps<void> {
        for (const taught of page) {
          const count = leftOf(taught, head.era)
          if (count > 0) learnOne(sites, { ...taught, count })
          yield
        }
      }
      await inSlices(learnPage(), makeBreathe())
      after = page.at(-1) ?? after
      isFull = page.length === pageSize
    }
    const parts = new Map<SiteId, Uint8Array[]>()
    for (const [siteId, learned] of sites) parts.set(siteId, await writeDown(learned))
    appendTrainingExamples(tx, { head, entries: ['anew'], now: this.#tools.now() })
    await storeSnapshot(tx, { position: head.position + 1, versions: {}, parts })
    return true
  }
}
