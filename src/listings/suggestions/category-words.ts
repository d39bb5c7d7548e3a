import type { SiteTree } from '../../catalog/tree/tree.ts'
import { sites } from '../../kernel/sites.ts'
import { categoryDigits } from '../search/index/entry.ts'

/** What people call a category of a site. */
export interface CategoryWords {
  /** The digits of the category and of all below it. */
  categories: readonly number[]
  /** Its name, and the parts of one such as *Heladeras y freezers*. */
  names: readonly string[]
  /** Names of goods without a category of their own, and other words for the category. */
  others: readonly string[]
}

/** Returns the names and aliases of all categories of a site. */
export function categoryWordsOf({ siteId, byId }: SiteTree): CategoryWords[] {
  const { language } = sites[siteId]
  const below = new Map<string, number[]>()
  for (const { id, path } of byId.values()) {
    for (const { id: above } of path) {
      const numbers = below.get(above)
      if (numbers) numbers.push(categoryDigits(id, siteId))
      else below.set(above, [categoryDigits(id, siteId)])
    }
  }
  return [...byId.values()].map(({ id, name, source }) => ({
    categories: below.get(id) ?? [],
    names: partsOf(name),
    others: [
      ...source.kinds.map((kind) => kind[language]),
      ...source.aliases.flatMap(({ text, sites }) => (sites.includes(siteId) ? [text] : [])),
    ],
  }))
}

function partsOf(name: string): string[] {
  return [...new Set([name, ...name.split(/[,(]| [ye] /)].map((part) => part.trim()))]
}
