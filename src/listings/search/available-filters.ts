import type { AttributeView } from '../../catalog/tree/attributes.ts'
import type { Category, SiteTree } from '../../catalog/tree/tree.ts'
import type { SiteId } from '../../kernel/sites.ts'
import type { SearchCounts } from './counts/joint-counts.ts'
import { filterName, rangeId, rangeName, traitName } from './filter-names.ts'
import {
  noPriceBucket,
  type PriceRange,
  priceBucketBound,
  priceBucketCount,
  type TraitFilter,
  traitFilters,
  unpackFacets,
} from './index/facets.ts'
import { selectedTraits } from './index-filters.ts'
import type { ListingSearch } from './parameters.ts'

/** A filter of a response: applied, or available with the number of results of each value. */
export interface SearchFilter {
  id: string
  name: string
  type: 'text' | 'range'
  values: object[]
}

/** Number of results that have an attribute value. */
export interface AttributeValueCount {
  attributeId: string
  valueId: string
  name: string
  n: number
}

export interface FilterContext {
  siteId: SiteId
  tree: SiteTree
  category: Category | undefined
  /** Returns the name of an attribute or of one of its values. */
  nameOf(attributeId: string, valueId?: string): string
}

const named = ({ id, name }: { id: string; name: string }) => ({ id, name })

/** Returns the filters that a search applies, each with the one value that was chosen. */
export function appliedFilters(
  search: ListingSearch,
  { siteId, category, nameOf }: FilterContext,
): SearchFilter[] {
  const { price, sellerId, nickname, attributes } = search
  const filters: SearchFilter[] = []
  const add = (id: string, name: string, value: object, type: SearchFilter['type'] = 'text') =>
    filters.push({ id, name, type, values: [value] })
  if (category) {
    const value = { ...named(category), path_from_root: category.path.map(named) }
    add('category', filterName('category', siteId), value)
  }
  if (price) {
    const value = { id: rangeId(price), name: rangeName(price, siteId) }
    add('price', filterName('price', siteId), value, 'range')
  }
  for (const [filter, id] of selectedTraits(search)) {
    add(filter, filterName(filter, siteId), { id, name: traitName(filter, id, siteId) })
  }
  if (sellerId !== null) {
    const id = String(sellerId)
    add('seller_id', filterName('seller_id', siteId), { id, name: id })
  }
  if (nickname !== null) {
    add('nickname', filterName('nickname', siteId), { id: nickname, name: nickname })
  }
  for (const { attributeId, valueId } of attributes) {
    add(attributeId, nameOf(attributeId), { id: valueId, name: nameOf(attributeId, valueId) })
  }
  return filters
}

/** Returns the filters that would narrow the results further. `leading` holds the attributes of the category of most
 * results, and the values of all results; null if there is no such category. */
export function availableFilters(
  search: ListingSearch,
  results: {
    counts: SearchCounts
    leading: { attributes: readonly AttributeView[]; values: readonly AttributeValueCount[] } | null
  },
  context: FilterContext,
): SearchFilter[] {
  const { counts, leading } = results
  const { siteId } = context
  const applied = new Set<string>(selectedTraits(search).map(([filter]) => filter))
  const traits = (Object.keys(traitFilters) as TraitFilter[]).filter((id) => !applied.has(id))
  return [
    filter('category', filterName('category', siteId), categoriesOf(counts, context)),
    filter(
      'price',
      filterName('price', siteId),
      search.price ? [] : rangesOf(counts, siteId),
      'range',
    ),
    ...(leading ? attributesOf(search, { ...leading, total: counts.total }) : []),
    ...traits.map((id) => filter(id, filterName(id, siteId), traitsOf(counts, id, siteId))),
  ].filter(({ values }) => values.length > 0)
}

function filter(id: string, name: string, values: object[], type: SearchFilter['type'] = 'text') {
  return { id, name, type, values }
}

/** Returns the values that narrow the results, those with most results first. */
function narrowing<T extends { results: number }>(values: T[], total: number): T[] {
  return values
    .filter(({ results }) => results > 0 && results < total)
    .sort((a, b) => b.results - a.results)
}

/** Returns the categories below the current one. When one of them has all results, its own children are taken instead,
 * until the results lie in several. */
function categoriesOf(
  { total, categories }: SearchCounts,
  { siteId, tree, category }: FilterContext,
): object[] {
  const counts = new Map<Category, number>()
  for (const [digits, n] of categories) {
    for (const ancestor of tree.byId.get(`${siteId}${digits}`)?.path ?? []) {
      counts.set(ancestor, (counts.get(ancestor) ?? 0) + n)
    }
  }
  let children = category?.children ?? tree.top
  for (;;) {
    const only = children.find((child) => counts.get(child) === total)
    if (!only || only.children.length === 0) break
    children = only.children
  }
  return narrowing(
    children.map((child) => ({ ...named(child), results: counts.get(child) ?? 0 })),
    total,
  )
}

/** Returns the values of a trait filter with their results, such as new and used for the condition. */
function traitsOf({ total, traits }: SearchCounts, id: TraitFilter, siteId: SiteId): object[] {
  const tests = Object.entries(traitFilters[id])
  const values = tests.map(([value, test]) => ({
    id: value,
    name: traitName(id, value, siteId),
    results: sumOf(traits, (packedTraits) => test(unpackFacets(packedTraits))),
  }))
  return narrowing(values, total)
}

/** Returns up to three price ranges with about the same number of results. Neighboring ranges share their bound, which
 * counts in both. */
function rangesOf({ total: all, priceBuckets }: SearchCounts, siteId: SiteId): object[] {
  const total = sumOf(priceBuckets, (bucket) => bucket !== noPriceBucket)
  /** Number of results up to this price bucket. */
  const upTo = (last: number) =>
    sumOf(priceBuckets, (bucket) => bucket !== noPriceBucket && bucket <= last)
  const boundNear = (share: number) => {
    let nearest = { bucket: 1, difference: Number.POSITIVE_INFINITY }
    for (let bucket = 1; bucket < priceBucketCount; bucket += 2) {
      const difference = Math.abs(upTo(bucket) - total * share)
      if (difference < nearest.difference) nearest = { bucket, difference }
    }
    return nearest.bucket
  }
  const bounds = [...new Set([boundNear(1 / 3), boundNear(2 / 3)])]
  const ranges = [...bounds, null].map((to, at): [number | null, number | null] => [
    bounds[at - 1] ?? null,
    to,
  ])
  const values = ranges.map(([first, last]) => {
    const side = (bucket: number | null) => (bucket === null ? null : priceBucketBound(bucket))
    const range: PriceRange = { from: side(first), to: side(last) }
    const isInRange = (bucket: number) =>
      bucket >= (first ?? 0) && bucket <= (last ?? priceBucketCount)
    const results = sumOf(priceBuckets, isInRange)
    return { id: rangeId(range), name: rangeName(range, siteId), results }
  })
  const useful = values.filter(({ results }) => results > 0 && results < all)
  return useful.length > 1 ? useful : []
}

function sumOf(
  counts: ReadonlyMap<number, number>,
  isIncluded: (value: number) => boolean,
): number {
  let sum = 0
  for (const [value, n] of counts) if (isIncluded(value)) sum += n
  return sum
}

/** Limits of the answer: attributes, and values of each. */
const maxAttributes = 12
const maxValues = 30

/** Returns a filter for each attribute of the category that has counted values and is not applied yet. The most
 * relevant attributes come first (1 is the highest relevance), the most frequent values first within each. A value
 * has its name in the catalog, or the one that was counted if the catalog does not list it. */
function attributesOf(
  { attributes: applied }: ListingSearch,
  {
    attributes,
    values,
    total,
  }: {
    attributes: readonly AttributeView[]
    values: readonly AttributeValueCount[]
    total: number
  },
): SearchFilter[] {
  const byAttribute = Map.groupBy(values, ({ attributeId }) => attributeId)
  return [...attributes]
    .sort((a, b) => a.relevance - b.relevance)
    .filter(
      ({ id }) => byAttribute.has(id) && !applied.some((selected) => selected.attributeId === id),
    )
    .slice(0, maxAttributes)
    .map(({ id, name, values: offered = [] }) => {
      const nameOf = new Map(offered.map((value) => [value.id, value.name]))
      const counted = (byAttribute.get(id) ?? []).map((value) => ({
        id: value.valueId,
        name: nameOf.get(value.valueId) ?? value.name,
        results: value.n,
      }))
      return filter(id, name, narrowing(counted, total).slice(0, maxValues))
    })
}
