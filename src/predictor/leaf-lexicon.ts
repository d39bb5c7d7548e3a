import { type SiteId, siteIds, sites } from '../kernel/sites.ts'
import { runWithoutPauses, type SlicedWork } from '../kernel/slices.ts'
import { Lexicon } from './lexicon/lexicon.ts'
import { buildPhraseIndex, type CategoryPhrase, type PhraseIndex } from './lexicon/phrase-index.ts'
import type { PredictorCategory } from './source.ts'

/** The phrases of the leaf categories. All sites of a catalog share them, each with its own trust. */
export interface LeafLexicon<Category extends PredictorCategory = PredictorCategory> {
  leaves: readonly Category[]
  /** The lexicon. Its categories are indexes of `leaves`. */
  lexicon: Lexicon
}

/** Factors of trust by source of a phrase. */
const trust = {
  /** An alias of the site. */
  said: 1.15,
  /** An alias of other sites. */
  saidElsewhere: 0.7,
  /** A name in the language of the site. */
  named: 1,
  /** A name in another language. */
  namedInAnother: 0.75,
}

/** The sources of a phrase as bits: first the languages of names, then the sites of aliases. */
const languages = ['es', 'pt', 'en'] as const
const nameBit = (language: (typeof languages)[number]) => 1 << languages.indexOf(language)
const aliasBit = (siteId: SiteId) => 1 << (languages.length + siteIds.indexOf(siteId))
const anyName = languages.reduce((bits, language) => bits | nameBit(language), 0)

/** Builds the phrases of the leaf categories. */
export function leafLexiconOf<Category extends PredictorCategory>(
  categories: readonly Category[],
): LeafLexicon<Category> {
  return runWithoutPauses(buildLeafLexicon(categories))
}

/** Builds the phrases of the leaf categories in steps. */
export function* buildLeafLexicon<Category extends PredictorCategory>(
  categories: readonly Category[],
): SlicedWork<LeafLexicon<Category>> {
  const { leaves, parents } = splitLeaves(categories)
  const sorted = yield* buildPhraseIndex(leafPhrases(leaves, { categories, parents }))
  return { leaves, lexicon: new Lexicon([], sorted, branchesOf(leaves, categories)) }
}

/** Depth of the branches, below which words of a title support each other. */
const branchDepth = 2

/** Returns the number of the branch of each leaf: its ancestor at the second level, or itself above it. */
function branchesOf(
  leaves: readonly PredictorCategory[],
  categories: readonly PredictorCategory[],
): Int32Array {
  const parents = new Map(categories.map(({ key, parent }) => [key, parent]))
  const numbers = new Map<string, number>()
  return Int32Array.from(leaves, ({ key }) => {
    const path = [key]
    for (let above = parents.get(key); above; above = parents.get(above)) path.unshift(above)
    const branch = path[Math.min(path.length, branchDepth) - 1] as string
    const number = numbers.get(branch) ?? numbers.size
    numbers.set(branch, number)
    return number
  })
}

/** Returns the phrases of the leaf categories from an index that exists already. */
export function restoreLeafLexicon<Category extends PredictorCategory>(
  categories: readonly Category[],
  index: PhraseIndex,
): LeafLexicon<Category> {
  const { leaves } = splitLeaves(categories)
  return { leaves, lexicon: new Lexicon([], index, branchesOf(leaves, categories)) }
}

function splitLeaves<Category extends PredictorCategory>(categories: readonly Category[]) {
  const parents = new Set(categories.map(({ parent }) => parent))
  return { parents, leaves: categories.filter(({ key }) => !parents.has(key)) }
}

/** Limit of phrases from aliases of parents. Without it, an import could create billions from a few words. */
const maxParentAliases = 200_000

/** Yields the phrases of the leaf categories. Aliases of a parent whose children are all leaves count for each child:
 * *depto* for flats for sale and for rent, where other words of the title decide. */
function* leafPhrases(
  leaves: readonly PredictorCategory[],
  {
    categories,
    parents,
  }: { categories: readonly PredictorCategory[]; parents: ReadonlySet<string | null> },
): Generator<CategoryPhrase> {
  const above = new Map(categories.map(({ key, aliases }) => [key, aliases]))
  for (const { key, parent } of categories) if (parents.has(key)) above.delete(parent ?? '')
  let remainingAliases = maxParentAliases
  for (const [category, { names, kinds, aliases, parent }] of leaves.entries()) {
    for (const translations of [names, ...kinds]) {
      for (const language of languages) {
        yield { category, text: translations[language], by: nameBit(language) }
      }
    }
    const fromAbove = (above.get(parent ?? '') ?? []).slice(0, remainingAliases)
    remainingAliases -= fromAbove.length
    for (const { text, sites } of [...aliases, ...fromAbove]) {
      yield { category, text, by: sites.reduce((bits, siteId) => bits | aliasBit(siteId), 0) }
    }
  }
}

/** Returns whether a phrase counts on a site as an alias or as a name of a category or kind. */
export function phraseKindOn(siteId: SiteId): (by: number) => 'name' | 'alias' {
  const here = aliasBit(siteId)
  return (by) => (by & here || !(by & anyName) ? 'alias' : 'name')
}

/** Returns the trust in a phrase on a site: that of its most trusted source. */
export function phraseTrustOn(siteId: SiteId): (by: number) => number {
  const [own, here] = [nameBit(sites[siteId].language), aliasBit(siteId)]
  return (by) => {
    if (by & here) return trust.said
    if (by & own) return trust.named
    return by & anyName ? trust.namedInAnother : trust.saidElsewhere
  }
}
