import { type SiteId, sites } from '../../kernel/sites.ts'
import type { CatalogSource, SourceCategory, SourceDomain } from '../source/source.ts'

/** A category of one site. */
export interface Category {
  id: string
  name: string
  source: SourceCategory
  parent: Category | null
  children: readonly Category[]
  /** From the top down to itself. */
  path: readonly Category[]
  /** `MLA-MOBILE_SMART_PHONES`; null where others hang below it. */
  domainId: string | null
}

export interface Domain {
  id: string
  name: string
  source: SourceDomain
  categories: readonly Category[]
}

/** The categories of one site, and what is listed in them. Never changes. */
export interface SiteTree {
  siteId: SiteId
  top: readonly Category[]
  byId: ReadonlyMap<string, Category>
  domains: ReadonlyMap<string, Domain>
}

type Growing = Category & { children: Category[]; path: Category[] }

/** The site's own tree of what all sites have in common. */
export function treeOf(siteId: SiteId, { categories, domains }: CatalogSource): SiteTree {
  const { language } = sites[siteId]
  const byKey = new Map<string, Growing>()
  for (const source of categories) {
    byKey.set(source.key, {
      id: `${siteId}${source.number}`,
      name: source.names[language],
      source,
      parent: null,
      children: [],
      path: [],
      domainId: source.domain === null ? null : `${siteId}-${source.domain}`,
    })
  }
  const top: Growing[] = []
  for (const category of byKey.values()) {
    const parent = byKey.get(category.source.parent ?? '')
    category.parent = parent ?? null
    ;(parent?.children ?? top).push(category)
  }
  const collator = new Intl.Collator(language)
  const finish = (all: Growing[], above: readonly Category[]) => {
    all.sort((a, b) => collator.compare(a.name, b.name))
    for (const category of all) {
      category.path = [...above, category]
      finish(category.children as Growing[], category.path)
    }
  }
  finish(top, [])
  const byId = new Map([...byKey.values()].map((each) => [each.id, each]))
  const byDomain = Map.groupBy(byKey.values(), ({ source }) => source.domain)
  return {
    siteId,
    top,
    byId,
    domains: new Map(
      domains.map((source) => {
        const id = `${siteId}-${source.id}`
        const of = byDomain.get(source.id) ?? []
        return [id, { id, name: source.names[language], source, categories: of }]
      }),
    ),
  }
}
