import assert from 'node:assert/strict'
import type { SiteId } from '../../src/kernel/sites.ts'
import { Learner } from '../../src/listings/learning/learner.ts'
import { modelDigest } from '../../src/predictor/model/encoding.ts'
import { featuresOf } from '../../src/predictor/model/features.ts'
import { countPerListing } from '../../src/predictor/model/trained-model.ts'
import { significantWordsOf } from '../../src/predictor/title/words.ts'
import { openTestApp, type TestApp } from './app.ts'
import { openTestDatabase } from './database.ts'
import { anaId, createTestMarket, type ItemFields, type MarketTokens, putItem } from './market.ts'
import { drain } from './wait.ts'

/** Titles that one seller may teach for one category a day, in these processes. */
const maxTitlesPerDay = 20

/** Processes that learn from the listings of one database. */
export interface TrainingFixture {
  market: MarketTokens
  app: TestApp
  secondApp: TestApp
  /** One more process. */
  openApp(): Promise<TestApp>
  /** Registers a listing, or replaces it. */
  putListing(id: string, body: ItemFields): Promise<void>
  learnerOf(app: TestApp): Learner
  /** Has this process teach all that there is, and all of them learn it. */
  trainAll(app?: TestApp): Promise<void>
  queryRows(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** What a word counts, by the number of the category. */
  wordWeights(word: string, where?: { of?: TestApp; site?: SiteId }): Record<number, number>
  /** All processes know the same and have followed equally far. */
  assertSameModel(): void
  close(): Promise<void>
}

export async function openTrainingFixture(): Promise<TrainingFixture> {
  const database = await openTestDatabase()
  const opened: TestApp[] = []
  const open = async () => {
    const env = { FERIA_LEARNING_TITLES: String(maxTitlesPerDay) }
    const opening = await openTestApp({ databaseUrl: database.url, env })
    opened.push(opening)
    return opening
  }
  const [app, other] = [await open(), await open()]
  const market = await createTestMarket(app.client, null)
  const learners = new Map<TestApp, Learner>()
  const learnerOf = (each: TestApp) => {
    const learner = learners.get(each) ?? new Learner(each.ctx)
    learners.set(each, learner)
    return learner
  }
  return {
    app,
    secondApp: other,
    openApp: open,
    market,
    learnerOf,
    putListing: (id, body) => putItem(app.client, id, body),
    async trainAll(teaching = app) {
      await drain(() => learnerOf(teaching).turn())
      for (const instance of opened) await applyTrainingLog(instance)
    },
    queryRows: (text, values = []) => app.ctx.db.rows({ name: '', text, values }),
    wordWeights(word, { of: process = app, site = 'MLA' } = {}) {
      const learned = process.ctx.trainedModels.modelOf(site)
      const [feature] = featuresOf(significantWordsOf(word))
      const weights: Record<number, number> = {}
      if (!learned || !feature) return weights
      const { pairs, from, to } = learned.find(feature.hash)
      for (let at = from; at < to; at += 2) {
        const number = learned.numbers[pairs[at] as number] as number
        weights[number] = (pairs[at + 1] as number) / countPerListing
      }
      return weights
    },
    assertSameModel() {
      for (const instance of opened) assert.equal(learnedStateOf(instance), learnedStateOf(app))
    },
    async close() {
      for (const instance of opened) await instance.close()
      await database.drop()
    },
  }
}

/** Learns all that was written. */
export async function applyTrainingLog({ ctx }: TestApp): Promise<void> {
  await drain(() => ctx.trainedModels.trainNextBatches())
}

/** All that a process knows, and how far it has followed. */
export function learnedStateOf({ ctx }: TestApp): string {
  const knowledge = ctx.trainedModels
  const sites = [...knowledge.bySite].sort(([a], [b]) => (a < b ? -1 : 1))
  const parts = sites.map(([siteId, learned]) => `${siteId} ${modelDigest(learned)}`)
  return [knowledge.position, ...parts].join('\n')
}

let lastItemNumber = 700_000
export const nextItemId = () => `MLA${++lastItemNumber}`

export const trainingItemBody = (title: string, category: number) => ({
  seller_id: anaId,
  site_id: 'MLA' as const,
  title,
  category_id: `MLA${category}`,
  currency_id: 'ARS' as const,
  price: 10,
  available_quantity: 1,
})
