import type { Category, SiteTree } from '../../catalog/tree/tree.ts'
import { sites } from '../../kernel/sites.ts'

/** What people call a category of a site. */
export interface CategoryWords {
  /** The digits of the category and of all below it. */
  categories: readonly number[]
  /** Its name, and the parts of one such as *Heladeras y freezers*. */
  names: readonly string[]
  /** Names of goods without a category of their own, and other words for the category. */
  others: readonly string[]
}

/** Yields the names and aliases of the categories of a site. */
export function* categoryWordsOf({ siteId, byId }: SiteTree): Generator<CategoryWords> {
  const { language } = sites[siteId]
  for (const category of byId.values()) {
    const { name, source } = category
    yield {
      categories: [...numbersWithin(category)],
      names: partsOf(name),
      others: [
        ...source.kinds.map((kind) => kind[language]),
        ...source.aliases.flatMap(({ text, sites }) => (sites.includes(siteId) ? [text] : [])),
      ],
    }
  }
}

/** Yields the digits of a category and of all below it. */
function* numbersWithin({ source, children }: Category): Generator<number> {
  yield source.number
  for (const child of children) yield* numbersWithin(child)
}

function partsOf(name: string): string[] {
  return [...new Set([name, ...name.split(/[,(]| [ye] /)].map((part) => part.trim()))]
}
