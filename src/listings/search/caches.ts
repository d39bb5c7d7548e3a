import type { ModerationTerms } from '../../moderation/terms.ts'
import type { Context } from '../../platform/context.ts'
import { SuggestionCaches } from '../suggestions/site-suggestions.ts'
import { makeValueCache, type ValueCache } from './attribute-values.ts'
import { CountCaches } from './counts/counts.ts'
import { PrecountState } from './counts/precount.ts'
import { SynonymCache } from './synonyms/site-synonyms.ts'
import { SiteDictionaries } from './words/site-dictionary.ts'

declare module '../../platform/context.ts' {
  interface Context {
    readonly searchCaches: SearchCaches
  }
}

/** What a process remembers between searches of listings. */
export class SearchCaches {
  readonly counts: CountCaches
  readonly precount = new PrecountState()
  readonly values: ValueCache = makeValueCache()
  readonly dictionaries: SiteDictionaries
  readonly synonyms: SynonymCache
  readonly suggestions: SuggestionCaches

  /** `readTerms` returns the moderation terms of the operator. */
  constructor(
    { db, signals }: Pick<Context, 'db' | 'signals'>,
    readTerms: () => Promise<ModerationTerms>,
  ) {
    this.counts = new CountCaches(signals)
    this.dictionaries = new SiteDictionaries({ db, signals })
    this.synonyms = new SynonymCache({ db, signals })
    this.suggestions = new SuggestionCaches(signals, readTerms)
  }
}
