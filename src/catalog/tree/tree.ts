import { type SiteId, sites } from '../../kernel/sites.ts'
import { runWithoutPauses, type SlicedWork } from '../../kernel/slices.ts'
import type { CatalogSource, SourceCategory, SourceDomain } from '../source/source.ts'

/** A category of one site. */
export interface Category {
  id: string
  name: string
  source: SourceCategory
  parent: Category | null
  children: readonly Category[]
  /** The categories from the top down to this one. */
  path: readonly Category[]
  /** The domain, such as `MLA-MOBILE_SMART_PHONES`. Null for a category with children, unless listings
   * are allowed in it. */
  domainId: string | null
}

export interface Domain {
  id: string
  name: string
  source: SourceDomain
  categories: readonly Category[]
}

/** The immutable tree of categories of one site, with its domains. */
export interface SiteTree {
  siteId: SiteId
  top: readonly Category[]
  byId: ReadonlyMap<string, Category>
  domains: ReadonlyMap<string, Domain>
}

type MutableCategory = Category & { children: Category[]; path: Category[] }

/** Builds the tree of a site from the source of all sites. */
export function treeOf(siteId: SiteId, source: CatalogSource): SiteTree {
  return runWithoutPauses(buildTree(siteId, source))
}

/** Builds the tree of a site in steps. */
export function* buildTree(
  siteId: SiteId,
  { categories, domains }: CatalogSource,
): SlicedWork<SiteTree> {
  const { language } = sites[siteId]
  const byKey = new Map<string, MutableCategory>()
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
  const top: MutableCategory[] = []
  for (const category of byKey.values()) {
    const parent = byKey.get(category.source.parent ?? '')
    category.parent = parent ?? null
    ;(parent?.children ?? top).push(category)
    yield
  }
  const collator = new Intl.Collator(language)
  const finish = function* (
    siblings: MutableCategory[],
    above: readonly Category[],
  ): SlicedWork<undefined> {
    siblings.sort((a, b) => collator.compare(a.name, b.name))
    for (const category of siblings) {
      category.path = [...above, category]
      yield
      const children = category.children as MutableCategory[]
      if (children.length > 0) yield* finish(children, category.path)
    }
    return undefined
  }
  yield* finish(top, [])
  const byId = new Map([...byKey.values()].map((category) => [category.id, category]))
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
        const categories = byDomain.get(source.id) ?? []
        return [id, { id, name: source.names[language], source, categories }]
      }),
    ),
  }
}
