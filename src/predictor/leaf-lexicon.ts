import { type SiteId, siteIds, sites } from '../kernel/sites.ts'
import { runWithoutPauses, type SlicedWork } from '../kernel/slices.ts'
import { Lexicon } from './lexicon/lexicon.ts'
import { buildPhraseIndex, type CategoryPhrase, type PhraseIndex } from './lexicon/phrase-index.ts'
import type { PredictorCategory } from './source.ts'
import { foldText, splitWords } from './title/tokenize.ts'

/** The phrases of the categories in which items are listed. All sites of a catalog share them, each with its own
 * trust. */
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
/** Factor for a part of a name with several: *vinagre* in *Aceite, vinagre y sal*. */
const partTrust = 0.8
/** Factor for the name of an ancestor. It decides only where no name of a category itself says more. */
const ancestorTrust = 0.3

/** The sources of a phrase as bits: the languages of names, of their parts and of names of ancestors, then the sites of
 * aliases. */
const languages = ['es', 'pt', 'en'] as const
type NameLanguage = (typeof languages)[number]
const nameKinds = ['name', 'part', 'ancestor'] as const
const nameBit = (language: NameLanguage, kind: (typeof nameKinds)[number] = 'name') =>
  1 << (languages.length * nameKinds.indexOf(kind) + languages.indexOf(language))
const aliasBit = (siteId: SiteId) =>
  1 << (languages.length * nameKinds.length + siteIds.indexOf(siteId))
const bitsOf = (kind: (typeof nameKinds)[number]) =>
  languages.reduce((bits, language) => bits | nameBit(language, kind), 0)
const [anyName, anyPart, anyAncestor] = [bitsOf('name'), bitsOf('part'), bitsOf('ancestor')]

/** Builds the phrases of the categories in which items are listed. */
export function leafLexiconOf<Category extends PredictorCategory>(
  categories: readonly Category[],
): LeafLexicon<Category> {
  return runWithoutPauses(buildLeafLexicon(categories))
}

/** Builds the phrases of the categories in which items are listed, in steps. */
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
  const leaves = categories.filter((category) => !parents.has(category.key) || isListable(category))
  return { parents, leaves }
}

/** Returns whether items are listed in a category with children, too: its settings allow it, and it has a domain. */
function isListable({ domain, settings }: PredictorCategory): boolean {
  return domain !== null && settings?.['listing_allowed'] === true
}

/** Limit of phrases from aliases of parents. Without it, an import could create billions from a few words. */
const maxParentAliases = 200_000
/** The name of an ancestor counts for at most so many categories. Those of more say little about any. */
const maxBelow = 40

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
  // A parent with listings of its own keeps its aliases.
  for (const { key } of leaves) if (parents.has(key)) above.delete(key)
  const ancestorsOf = narrowAncestors(leaves, categories)
  let remainingAliases = maxParentAliases
  for (const [category, leaf] of leaves.entries()) {
    const { kinds, aliases, parent } = leaf
    const ancestors = ancestorsOf(leaf)
    for (const language of languages) {
      const own = namesOf(leaf, { language, ancestors })
      for (const text of [...own, ...kinds.map((kind) => kind[language])]) {
        yield { category, text, by: nameBit(language) }
      }
      for (const text of own.flatMap(partsOf))
        yield { category, text, by: nameBit(language, 'part') }
      for (const { names: above } of ancestors) {
        yield { category, text: above[language], by: nameBit(language, 'ancestor') }
      }
    }
    const fromAbove = (above.get(parent ?? '') ?? []).slice(0, remainingAliases)
    remainingAliases -= fromAbove.length
    for (const { text, sites } of [...aliases, ...fromAbove]) {
      yield { category, text, by: sites.reduce((bits, siteId) => bits | aliasBit(siteId), 0) }
    }
  }
}

/** Names of a category for what is left of its parent. */
const remainderNames = new Set(
  (
    'otro otra otros otras outro outra outros outras other others vario varia varios varias diverso ' +
    'diversos diversas various general generales geral gerais miscellaneous resto demas mas mais more'
  ).split(' '),
)

/** Returns the name of a category. One that is only called *Otros* also has the name of its parent. */
function namesOf(
  { names }: PredictorCategory,
  {
    language,
    ancestors: [parent],
  }: { language: NameLanguage; ancestors: readonly PredictorCategory[] },
): string[] {
  const isRemainder = splitWords(foldText(names[language])).every((word) =>
    remainderNames.has(word),
  )
  return isRemainder && parent ? [names[language], parent.names[language]] : [names[language]]
}

const separators = /[,;/|]|\s(?:y|e|o|u|ou|and|&|-|\+)\s/i

/** Returns the parts of a name with several. Empty for a name of one part. */
function partsOf(name: string): string[] {
  const parts = name.split(separators).filter((part) => part.trim() !== '')
  return parts.length > 1 ? parts : []
}

/** Returns a function for the ancestors of a category with at most `maxBelow` leaves below them, the nearest first. */
function narrowAncestors(
  leaves: readonly PredictorCategory[],
  categories: readonly PredictorCategory[],
): (leaf: PredictorCategory) => readonly PredictorCategory[] {
  const byKey = new Map(categories.map((category) => [category.key, category]))
  const above = function* ({ parent }: PredictorCategory): Generator<PredictorCategory> {
    let ancestor = byKey.get(parent ?? '')
    for (; ancestor; ancestor = byKey.get(ancestor.parent ?? '')) yield ancestor
  }
  const below = new Map<string, number>()
  for (const leaf of leaves) {
    for (const { key } of above(leaf)) below.set(key, (below.get(key) ?? 0) + 1)
  }
  return (leaf) => [...above(leaf)].filter(({ key }) => (below.get(key) ?? 0) <= maxBelow)
}

/** Returns whether a phrase counts on a site as an alias or as a name of a category or kind. */
export function phraseKindOn(siteId: SiteId): (by: number) => 'name' | 'alias' {
  const here = aliasBit(siteId)
  return (by) => (by & here || !(by & (anyName | anyPart | anyAncestor)) ? 'alias' : 'name')
}

/** Returns the trust in a phrase on a site: that of its most trusted source. */
export function phraseTrustOn(siteId: SiteId): (by: number) => number {
  const [{ language }, here] = [sites[siteId], aliasBit(siteId)]
  const trustIn = (by: number, kind: (typeof nameKinds)[number], factor: number) => {
    if (by & nameBit(language, kind)) return factor * trust.named
    return by & bitsOf(kind) ? factor * trust.namedInAnother : 0
  }
  const anyAlias = ~(anyName | anyPart | anyAncestor)
  return (by) => {
    if (by & here) return trust.said
    return Math.max(
      trustIn(by, 'name', 1),
      trustIn(by, 'part', partTrust),
      trustIn(by, 'ancestor', ancestorTrust),
      by & anyAlias && !(by & anyName) ? trust.saidElsewhere : 0,
    )
  }
}
