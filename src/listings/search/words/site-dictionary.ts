import type { SiteId } from '../../../kernel/sites.ts'
import type { Context } from '../../../platform/context.ts'
import { Dictionary } from './dictionary.ts'
import { readChangedWords, readGeneration, readWords } from './store.ts'
import { wordCountsChanged } from './word-counts.ts'

/** Words per step of an update. Between two steps, other requests are answered. */
const wordsAtOnce = 2_000
/** Maximum share of the time for background reads of changes, and the minimum pause between two of them. */
const readShare = 0.05
const minPauseMs = 1_000

/** The dictionary of a site in this process. */
class SiteDictionary {
  readonly dictionary = new Dictionary()
  readonly #db: Context['db']
  readonly #siteId: SiteId
  /** The number of the last fold whose words were read. */
  #generation = 0
  #loading: Promise<void> | undefined
  #reading: Promise<void> | undefined
  /** The earliest time of the next background read, by `performance.now()`. */
  #nextAt = 0
  /** Whether words may have been folded since they were read. */
  isStale = false

  constructor(db: Context['db'], siteId: SiteId) {
    this.#db = db
    this.#siteId = siteId
  }

  /** Returns the dictionary once it is loaded. Changes are read in the background. */
  async loaded(): Promise<Dictionary> {
    this.#loading ??= this.#load().catch((error) => {
      this.#loading = undefined
      throw error
    })
    await this.#loading
    if (this.isStale && performance.now() >= this.#nextAt) {
      // A later search tries again what fails. Until then the dictionary stays as it is.
      this.#readOnce().catch(() => {})
    }
    return this.dictionary
  }

  /** Loads all words, a step at a time. */
  async #load(): Promise<void> {
    const [db, siteId] = [this.#db, this.#siteId]
    // Read before the words, so that words that change meanwhile are read again.
    const generation = await readGeneration(db, siteId)
    for (let after = '', hasMore = true; hasMore; ) {
      const words = await readWords(db, { siteId, after, most: wordsAtOnce })
      this.dictionary.setCounts(words)
      after = words.at(-1)?.word ?? ''
      hasMore = words.length === wordsAtOnce
    }
    this.#generation = generation
  }

  /** Reads all changes up to this call, without the pause between background reads. */
  async readNow(): Promise<void> {
    // A read that is under way may have begun before the latest changes.
    await this.#reading?.catch(() => {})
    await this.#readOnce()
  }

  /** Joins the read that is under way, or begins one. */
  #readOnce(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /** Reads the words that were folded since the last read. A failure leaves them to the next read. */
  async #read(): Promise<void> {
    const began = performance.now()
    this.isStale = false
    try {
      const [db, siteId, after] = [this.#db, this.#siteId, this.#generation]
      const upTo = await readGeneration(db, siteId)
      const words = upTo > after ? await readChangedWords(db, { siteId, after, upTo }) : []
      for (let at = 0; at < words.length; at += wordsAtOnce) {
        this.dictionary.setCounts(words.slice(at, at + wordsAtOnce))
        await new Promise((resolve) => setImmediate(resolve))
      }
      this.#generation = upTo
    } catch (error) {
      this.isStale = true
      throw error
    } finally {
      const ended = performance.now()
      this.#nextAt = ended + Math.max(minPauseMs, (ended - began) / readShare)
    }
  }
}

/** The dictionaries of this process. They become stale when words are folded, and when a connection was lost. */
export class SiteDictionaries {
  readonly #db: Context['db']
  readonly #bySite = new Map<SiteId, SiteDictionary>()

  constructor({ db, signals }: Pick<Context, 'db' | 'signals'>) {
    this.#db = db
    for (const channel of [wordCountsChanged, 'reset']) {
      signals.on(channel, () => {
        for (const site of this.#bySite.values()) site.isStale = true
      })
    }
  }

  of(siteId: SiteId): SiteDictionary {
    const dictionary = this.#bySite.get(siteId) ?? new SiteDictionary(this.#db, siteId)
    this.#bySite.set(siteId, dictionary)
    return dictionary
  }

  /** Drops all dictionaries, because all listings were replaced. */
  clear(): void {
    this.#bySite.clear()
  }
}

/** Returns the dictionary of a site, which may lag behind by a few seconds. */
export async function dictionaryOf(
  { searchCaches }: Pick<Context, 'searchCaches'>,
  siteId: SiteId,
): Promise<Dictionary> {
  return searchCaches.dictionaries.of(siteId).loaded()
}

/** Returns the dictionary of a site with all changes that were folded before this call. Each call reads the database,
 * so searches use `dictionaryOf`. */
export async function currentDictionary(
  { searchCaches }: Pick<Context, 'searchCaches'>,
  siteId: SiteId,
): Promise<Dictionary> {
  const site = searchCaches.dictionaries.of(siteId)
  await site.loaded()
  await site.readNow()
  return site.dictionary
}
