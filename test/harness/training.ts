import assert from 'node:assert/strict'
import { knowledgeOf } from '../../src/catalog/learning/knowledge.ts'
import { digestOf } from '../../src/catalog/predictor/learned/encoding.ts'
import { featuresOf } from '../../src/catalog/predictor/learned/features.ts'
import { whole } from '../../src/catalog/predictor/learned/learned.ts'
import { wordsOf } from '../../src/catalog/predictor/words.ts'
import type { SiteId } from '../../src/kernel/sites.ts'
import type { ItemBody } from '../../src/listings/admin-routes.ts'
import { Learner } from '../../src/listings/learning/learner.ts'
import { openTestApp, type TestApp } from './app.ts'
import { openTestDatabase } from './database.ts'
import { ana, type Market, openMarket } from './sale.ts'

/** Titles that one seller may teach for one category a day, in these processes. */
export const titlesADay = 20

/** Processes that learn from the listings of one database. */
export interface School {
  market: Market
  app: TestApp
  other: TestApp
  /** One more process. */
  open(): Promise<TestApp>
  /** Registers a listing, or replaces it. */
  put(id: string, body: ItemBody): Promise<void>
  learnerOf(app: TestApp): Learner
  /** Has this process teach all that there is, and all of them learn it. */
  learn(app?: TestApp): Promise<void>
  ask(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** What a word counts, by the number of the category. */
  known(word: string, where?: { of?: TestApp; site?: SiteId }): Record<number, number>
  /** All processes know the same and have followed equally far. */
  assertAgreed(): void
  close(): Promise<void>
}

export async function openSchool(): Promise<School> {
  const database = await openTestDatabase()
  const opened: TestApp[] = []
  const open = async () => {
    const env = { FERIA_LEARNING_TITLES: String(titlesADay) }
    const opening = await openTestApp({ databaseUrl: database.url, env })
    opened.push(opening)
    return opening
  }
  const [app, other] = [await open(), await open()]
  const market = await openMarket(app.client, null)
  const learners = new Map<TestApp, Learner>()
  const learnerOf = (each: TestApp) => {
    const learner = learners.get(each) ?? new Learner(each.ctx)
    learners.set(each, learner)
    return learner
  }
  return {
    app,
    other,
    open,
    market,
    learnerOf,
    async put(id, body) {
      const { status, text } = await app.client.operator('PUT', `/operator/items/${id}`, body)
      assert.ok(status === 200 || status === 201, text)
    },
    async learn(teaching = app) {
      while (await learnerOf(teaching).turn()) {}
      for (const each of opened) await follow(each)
    },
    ask: (text, values = []) => app.ctx.db.rows({ name: '', text, values }),
    known(word, { of: process = app, site = 'MLA' } = {}) {
      const learned = knowledgeOf(process.ctx).learnedOf(site)
      const [feature] = featuresOf(wordsOf(word))
      const found: Record<number, number> = {}
      if (!learned || !feature) return found
      const { pairs, from, to } = learned.find(feature.hash)
      for (let at = from; at < to; at += 2) {
        const number = learned.numbers[pairs[at] as number] as number
        found[number] = (pairs[at + 1] as number) / whole
      }
      return found
    },
    assertAgreed() {
      for (const each of opened) assert.equal(digest(each), digest(app))
    },
    async close() {
      for (const each of opened) await each.close()
      await database.drop()
    },
  }
}

/** Learns all that was written. */
export async function follow({ ctx }: TestApp): Promise<void> {
  while (await knowledgeOf(ctx).follow()) {}
}

/** All that a process knows, and how far it has followed. */
export function digest({ ctx }: TestApp): string {
  const knowledge = knowledgeOf(ctx)
  const sites = [...knowledge.sites].sort(([a], [b]) => (a < b ? -1 : 1))
  const parts = sites.map(([siteId, learned]) => `${siteId} ${digestOf(learned)}`)
  return [knowledge.position, ...parts].join('\n')
}

let last = 700_000
export const newId = () => `MLA${++last}`

export const item = (title: string, category: number): ItemBody => ({
  seller_id: ana,
  site_id: 'MLA',
  title,
  category_id: `MLA${category}`,
  currency_id: 'ARS',
  price: 10,
  available_quantity: 1,
})
