import type { SiteId } from '../../../kernel/sites.ts'
import type { Context } from '../../../platform/context.ts'
import { Dictionary } from './dictionary.ts'
import { wordsFolded } from './fold.ts'
import { readChangedWords, readGeneration, readWords } from './store.ts'

/** So many words are taken over at a time: who asks for something else meanwhile is answered between. */
const wordsAtOnce = 2_000
/** Looking for changes takes no more than this part of the time, and is not done more often than that. */
const interpretationShare = 0.05
const leastPauseMs = 1_000

/** A dictionary as this process has it. */
class SiteWords {
  readonly dictionary = new Dictionary()
  readonly #db: Context['db']
  readonly #siteId: SiteId
  #generation = 0
  #loading: Promise<void> | undefined
  #reading: Promise<void> | undefined
  #nextAt = 0
  /** Whether words may have been folded since they were read. */
  isStale = false

  constructor(db: Context['db'], siteId: SiteId) {
    this.#db = db
    this.#siteId = siteId
  }

  /** Resolves once there is a dictionary; its changes are read beside. */
  async loaded(): Promise<Dictionary> {
    this.#loading ??= this.#load().catch((error) => {
      this.#loading = undefined
      throw error
    })
    await this.#loading
    if (this.isStale && performance.now() >= this.#nextAt) {
      // What fails is tried again by a later search; the words of before do until then.
      this.read().catch(() => {})
    }
    return this.dictionary
  }

  async #load(): Promise<void> {
    const [db, siteId] = [this.#db, this.#siteId]
    // Before the words: what is folded meanwhile is read once more.
    const generation = await readGeneration(db, siteId)
    for (let after = '', more = true; more; ) {
      const words = await readWords(db, { siteId, after, most: wordsAtOnce })
      this.dictionary.put(words)
      after = words.at(-1)?.word ?? ''
      more = words.length === wordsAtOnce
    }
    this.#generation = generation
  }

  /** Resolves once it has the words of now. */
  async read(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<void> {
    const began = performance.now()
    this.isStale = false
    try {
      const [db, siteId, after] = [this.#db, this.#siteId, this.#generation]
      const upTo = await readGeneration(db, siteId)
      const words = upTo > after ? await readChangedWords(db, { siteId, after, upTo }) : []
      for (let at = 0; at < words.length; at += wordsAtOnce) {
        this.dictionary.put(words.slice(at, at + wordsAtOnce))
        await new Promise((resolve) => setImmediate(resolve))
      }
      this.#generation = upTo
    } catch (error) {
      this.isStale = true
      throw error
    } finally {
      const ended = performance.now()
      this.#nextAt = ended + Math.max(leastPauseMs, (ended - began) / interpretationShare)
    }
  }
}

const dictionaries = new WeakMap<object, Map<SiteId, SiteWords>>()

function siteWordsOf(ctx: Pick<Context, 'db' | 'signals'>, siteId: SiteId): SiteWords {
  let own = dictionaries.get(ctx)
  if (!own) {
    own = new Map()
    dictionaries.set(ctx, own)
    const all = own
    for (const channel of [wordsFolded, 'reset']) {
      ctx.signals.on(channel, () => {
        for (const known of all.values()) known.isStale = true
      })
    }
  }
  let known = own.get(siteId)
  if (!known) {
    known = new SiteWords(ctx.db, siteId)
    own.set(siteId, known)
  }
  return known
}

/** The words of a site's listings, as new as reading their changes all the time would make them. */
export async function dictionaryOf(
  ctx: Pick<Context, 'db' | 'signals'>,
  siteId: SiteId,
): Promise<Dictionary> {
  return siteWordsOf(ctx, siteId).loaded()
}

/** The same, as they are now. */
export async function currentDictionary(
  ctx: Pick<Context, 'db' | 'signals'>,
  siteId: SiteId,
): Promise<Dictionary> {
  const known = siteWordsOf(ctx, siteId)
  await known.loaded()
  await known.read()
  return known.dictionary
}

/** Reads the words anew when they are next asked for: they are those of other listings. */
export function forgetDictionaries(ctx: object): void {
  dictionaries.get(ctx)?.clear()
}
