import { type SiteId, sites } from '../../kernel/sites.ts'
import type { CatalogSource, SourceCategory, SourceDomain } from '../source/source.ts'
import { atOnce, type Steps } from './slices.ts'

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
export function treeOf(siteId: SiteId, source: CatalogSource): SiteTree {
  return atOnce(growTree(siteId, source))
}

/** The same, step by step. */
export function* growTree(siteId: SiteId, { categories, domains }: CatalogSource): Steps<SiteTree> {
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
    yield
  }
  const top: Growing[] = []
  for (const category of byKey.values()) {
    const parent = byKey.get(category.source.parent ?? '')
    category.parent = parent ?? null
    ;(parent?.children ?? top).push(category)
    yield
  }
  const collator = new Intl.Collator(language)
  const finish = function* (all: Growing[], above: readonly Category[]): Steps<undefined> {
    all.sort((a, b) => collator.compare(a.name, b.name))
    for (const category of all) {
      category.path = [...above, category]
      yield
      const children = category.children as Growing[]
      if (children.length > 0) yield* finish(children, category.path)
    }
    return undefined
  }
  yield* finish(top, [])
  const byId = new Map([...byKey.values()].map((each) => [each.id, each]))
  yield
  const byDomain = Map.groupBy(byKey.values(), ({ source }) => source.domain)
  yield
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
