import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { SiteId } from '../../kernel/sites.ts'
import { makeYielder, runInSlices, type Yielder } from '../../kernel/slices.ts'
import { moderate } from '../../moderation/moderate.ts'
import { type ModerationTerms, noTerms } from '../../moderation/terms.ts'
import type { Context } from '../../platform/context.ts'
import { tierShares } from '../search/index/score.ts'
import { lowestTier, type Tier } from '../search/index/tokens.ts'
import { dictionaryOf } from '../search/words/site-dictionary.ts'
import { listingsChanged } from '../store.ts'
import { SuggestionBuilder } from './builder.ts'
import { categoryWordsOf } from './category-words.ts'
import { readItemsOfTier, readTitles } from './store.ts'
import type { Suggestion, SuggestionIndex } from './suggestion-index.ts'
import { parseTypedText } from './typed-text.ts'

/** Listings of a site whose titles are read: the best of each category, and all of a small site. */
const maxTitles = 50_000
/** Titles that one statement reads. */
const titlesAtOnce = 500
/** Share of the time for building again, over long periods and within a build, and the minimum pause between two. */
const [maxTimeShare, maxBuildShare, minPauseMs] = [0.05, 0.3, 1_000]
/** How long the first requests wait for suggestions. Then they get none. */
const firstWaitMs = 1_000
/** How long the operator's moderation terms are used before they are read again. */
const termsMaxAgeMs = 30_000
/** Longest text that a search takes. */
export const maxTextLength = 250
/** Texts whose moderation is remembered. */
const maxModerated = 20_000

type SuggestContext = Pick<Context, 'catalog' | 'db' | 'searchCaches'>

/** A title that may hold a contact in disguise. Only these are moderated as a whole, because a part may look harmless. */
const mayHoldContact =
  /@|\d(?:\D?\d){5}|arroba|wh?ats|wsp|wpp|zap|telegram|http|www|punto|ponto|insta/i

/** The suggestions of a site in this process. */
class SiteSuggestions {
  readonly #siteId: SiteId
  readonly #runInTurn: <T>(work: () => Promise<T>) => Promise<T>
  #index: SuggestionIndex | undefined
  #catalogVersion = -1
  #building: Promise<void> | undefined
  /** The earliest time of the next build, by `performance.now()`. */
  #nextAt = 0
  /** Whether listings may have changed since they were read. */
  isStale = true

  constructor(siteId: SiteId, runInTurn: <T>(work: () => Promise<T>) => Promise<T>) {
    this.#siteId = siteId
    this.#runInTurn = runInTurn
  }

  /** Returns the index, or undefined when the first one is not ready in time. Later ones are built in the background. */
  async current(ctx: SuggestContext): Promise<SuggestionIndex | undefined> {
    const isOutdated = this.isStale || this.#catalogVersion !== ctx.catalog.version
    if (!isOutdated || performance.now() < this.#nextAt) return this.#index
    const build = this.build(ctx)
    if (!this.#index) {
      await Promise.race([build, wait(firstWaitMs, undefined, { ref: false })])
      return this.#index
    }
    // A later request tries again what fails. Until then the suggestions stay as they are.
    build.catch(() => {})
    return this.#index
  }

  /** Joins the build that is under way, or begins one. */
  build(ctx: SuggestContext): Promise<void> {
    this.#building ??= this.#runInTurn(() => this.#build(ctx)).finally(() => {
      this.#building = undefined
    })
    return this.#building
  }

  async #build(ctx: SuggestContext): Promise<void> {
    const { catalog } = ctx
    const [siteId, version] = [this.#siteId, catalog.version]
    const isAllowed = (title: string) => ctx.searchCaches.suggestions.isAllowed(title, siteId)
    const share = this.#index ? maxBuildShare : 1
    const began = performance.now()
    this.isStale = false
    try {
      const builder = new SuggestionBuilder()
      const breathe = share < 1 ? makeResting(share) : makeYielder()
      const items = await readBestItems(ctx.db, siteId)
      for (let at = 0; at < items.length; at += titlesAtOnce) {
        const titles = await readTitles(ctx.db, {
          siteId,
          items: items.slice(at, at + titlesAtOnce),
        })
        for (const listed of titles) {
          if (mayHoldContact.test(listed.title) && !isAllowed(listed.title)) continue
          await runInSlices(builder.add(listed), breathe)
        }
      }
      const categories = categoryWordsOf(catalog.served.catalog.tree(siteId))
      this.#index = await runInSlices(builder.build(categories), breathe)
      this.#catalogVersion = version
    } catch (error) {
      this.isStale = true
      throw error
    } finally {
      const ended = performance.now()
      this.#nextAt = ended + Math.max(minPauseMs, (ended - began) / (maxTimeShare / share))
    }
  }
}

/** Longest run of a build again before it rests, so that requests meanwhile are hardly delayed. */
const sliceMs = 2

/** Returns a function that rests after each slice, so that work takes no more than this share of the time. */
function makeResting(share: number): Yielder {
  let startedAt = performance.now()
  return () => {
    const ms = performance.now() - startedAt
    if (ms < sliceMs) return undefined
    return wait(ms / share - ms, undefined, { ref: false }).then(() => {
      startedAt = performance.now()
    })
  }
}

/** Reads the items of the best listings of a site: those of the widest tier that is small enough. */
async function readBestItems(db: Context['db'], siteId: SiteId): Promise<number[]> {
  for (let tier = 0; ; tier++) {
    const items = await readItemsOfTier(db, { siteId, tier: tier as Tier, limit: maxTitles })
    const growth = (tierShares[tier + 1] ?? 1) / (tierShares[tier] ?? 1)
    if (tier === lowestTier || items.length * growth > maxTitles) return items
  }
}

/** The suggestions of this process. They become stale when listings change, and when a connection was lost. */
export class SuggestionCaches {
  readonly #readTerms: () => Promise<ModerationTerms>
  readonly #bySite = new Map<SiteId, SiteSuggestions>()
  readonly #moderated = new LRUCache<string, boolean>({ max: maxModerated })
  #terms: ModerationTerms | undefined
  #termsReadAt = 0
  /** Builds of several sites run one after the other, so that the shares of the time hold for all of them together. */
  #turn: Promise<unknown> = Promise.resolve()

  /** `readTerms` returns the moderation terms of the operator. */
  constructor(signals: Pick<Context['signals'], 'on'>, readTerms: () => Promise<ModerationTerms>) {
    this.#readTerms = readTerms
    for (const channel of [listingsChanged, 'reset']) {
      signals.on(channel, () => {
        for (const site of this.#bySite.values()) site.isStale = true
      })
    }
  }

  of(siteId: SiteId): SiteSuggestions {
    const runInTurn = <T>(work: () => Promise<T>): Promise<T> => {
      const result = this.#turn.then(work)
      this.#turn = result.catch(() => {})
      return result
    }
    const site = this.#bySite.get(siteId) ?? new SiteSuggestions(siteId, runInTurn)
    this.#bySite.set(siteId, site)
    return site
  }

  /** Drops all suggestions, because all listings were replaced. */
  clear(): void {
    this.#bySite.clear()
  }

  /** Returns whether no rule of moderation and no term of the operator forbids a text. The guesses of the classifier do
   * not count: it has learned from messages, in which *celular* alone often leads to a telephone number. */
  isAllowed(text: string, siteId: SiteId): boolean {
    const key = `${siteId} ${text}`
    let isAllowed = this.#moderated.get(key)
    if (isAllowed === undefined) {
      const terms = this.#terms ?? noTerms
      const context = { siteId, writer: 'seller', terms, billingAsked: false } as const
      isAllowed = moderate(text, context)?.rule.startsWith('classifier.') ?? true
      this.#moderated.set(key, isAllowed)
    }
    return isAllowed
  }

  /** Reads the operator's terms, the first time before it resolves, and later in the background. */
  async refreshTerms(): Promise<void> {
    if (this.#terms && performance.now() - this.#termsReadAt < termsMaxAgeMs) return
    this.#termsReadAt = performance.now()
    const reading = this.readTermsNow()
    if (!this.#terms) return reading
    // A later request tries again what fails.
    reading.catch(() => {})
  }

  async readTermsNow(): Promise<void> {
    const terms = await this.#readTerms()
    if (terms !== this.#terms) this.#moderated.clear()
    this.#terms = terms
  }
}

/** Returns up to `limit` texts that complete what was typed, the most useful first. */
export async function suggestQueries(
  ctx: SuggestContext,
  { siteId, q, limit }: { siteId: SiteId; q: string; limit: number },
): Promise<Suggestion[]> {
  const caches = ctx.searchCaches.suggestions
  const typed = parseTypedText(q)
  if (typed.stems.length === 0 && typed.prefix === '') return []
  await caches.refreshTerms()
  const index = await caches.of(siteId).current(ctx)
  if (!index) return []
  const dictionary = await dictionaryOf(ctx, siteId)
  const suggestions: Suggestion[] = []
  for (const suggestion of index.suggest(typed, limit, dictionary)) {
    if (suggestion.text.length > maxTextLength || !caches.isAllowed(suggestion.text, siteId))
      continue
    suggestions.push(suggestion)
    if (suggestions.length === limit) break
  }
  return suggestions
}
