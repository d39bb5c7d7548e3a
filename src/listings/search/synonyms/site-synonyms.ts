import type { SiteId } from '../../../kernel/sites.ts'
import { makeYielder, runInSlices, type SlicedWork } from '../../../kernel/slices.ts'
import type { Context } from '../../../platform/context.ts'
import { parsePhrase, type SynonymPhrase, Synonyms } from '../words/synonyms.ts'
import type { SynonymChange } from './change.ts'
import { groupsOfSite, synonymList } from './list.ts'
import { listSynonymChanges, readSynonymsVersion } from './store.ts'

/** Database channel that announces changed synonyms. */
export const synonymsChanged = 'listing_synonyms_changed'

/** The synonyms of a site in this process. */
class SiteSynonyms {
  readonly #db: Context['db']
  readonly #siteId: SiteId
  #synonyms: Synonyms | undefined
  #version: string | undefined
  #reading: Promise<Synonyms> | undefined
  /** Counts announcements, so that one that comes while changes are read is not missed. */
  #announced = 1
  #read = 0

  constructor(db: Context['db'], siteId: SiteId) {
    this.#db = db
    this.#siteId = siteId
  }

  markStale(): void {
    this.#announced++
  }

  /** Returns the synonyms with all announced changes. If they cannot be read now, returns those that were read before. */
  async current(): Promise<Synonyms> {
    if (this.#synonyms && this.#read === this.#announced) return this.#synonyms
    this.#reading ??= this.#readChanges().finally(() => {
      this.#reading = undefined
    })
    try {
      return await this.#reading
    } catch (error) {
      if (this.#synonyms) return this.#synonyms
      throw error
    }
  }

  async #readChanges(): Promise<Synonyms> {
    const announced = this.#announced
    const [db, siteId] = [this.#db, this.#siteId]
    // Read before the changes: those that come in between are announced, and the next call reads them.
    const version = await readSynonymsVersion(db, siteId)
    if (!this.#synonyms || version !== this.#version) {
      const changes = version === undefined ? [] : await listSynonymChanges(db, siteId)
      this.#synonyms = await runInSlices(synonymsWith(siteId, changes), makeYielder())
      this.#version = version
    }
    this.#read = announced
    return this.#synonyms
  }
}

/** Returns the built-in synonyms of a site with the changes of the operator. */
function* synonymsWith(siteId: SiteId, changes: readonly SynonymChange[]): SlicedWork<Synonyms> {
  // First, because the earlier groups of a word win when it has too many synonyms.
  const groups: (readonly SynonymPhrase[])[] = []
  const removedPairs: [SynonymPhrase, SynonymPhrase][] = []
  for (const { action, words } of changes) {
    const phrases = words.map((word) => parsePhrase(word))
    const [one, other] = phrases
    if (action === 'add') groups.push(phrases)
    else if (one && other) removedPairs.push([one, other])
    yield
  }
  groups.push(...groupsOfSite(synonymList(), siteId))
  return yield* Synonyms.build({ groups, removedPairs })
}

/** The synonyms of this process. They are read again after a change, and when a connection was lost. */
export class SynonymCache {
  readonly #db: Context['db']
  readonly #bySite = new Map<SiteId, SiteSynonyms>()

  constructor({ db, signals }: Pick<Context, 'db' | 'signals'>) {
    this.#db = db
    signals.on(synonymsChanged, (siteId) => this.#bySite.get(siteId as SiteId)?.markStale())
    signals.on('reset', () => {
      for (const site of this.#bySite.values()) site.markStale()
    })
  }

  of(siteId: SiteId): SiteSynonyms {
    const site = this.#bySite.get(siteId) ?? new SiteSynonyms(this.#db, siteId)
    this.#bySite.set(siteId, site)
    return site
  }
}

/** Returns the synonyms of a site: those of the list, with the changes of the operator. */
export async function synonymsOf(
  { searchCaches }: Pick<Context, 'searchCaches'>,
  siteId: SiteId,
): Promise<Synonyms> {
  return searchCaches.synonyms.of(siteId).current()
}
