import type { AttributeView } from '../../../catalog/tree/attributes.ts'
import type { Category, SiteTree } from '../../../catalog/tree/tree.ts'
import type { SiteId } from '../../../kernel/sites.ts'
import type { Counts } from '../counts/joint.ts'
import {
  bandCount,
  boundOf,
  noBand,
  type PriceRange,
  type TraitFilter,
  traitFilters,
  unpacked,
} from '../kinds.ts'
import { selectedTraits } from '../narrowed.ts'
import type { Search } from '../parameters.ts'
import { filterName, rangeId, rangeName, traitName } from './names.ts'

/** The filters of an answer: those that were applied, and what else can be asked for, each value with how
 * many it would find (pure). */

export interface Filter {
  id: string
  name: string
  type: 'text' | 'range'
  values: object[]
}

/** How many of what was found have a value of an attribute. */
export interface CountedValue {
  attributeId: string
  valueId: string
  name: string
  n: number
}

export interface Around {
  siteId: SiteId
  tree: SiteTree
  category: Category | undefined
  /** How attributes and their values are called. */
  nameOf(attributeId: string, valueId?: string): string
}

const named = ({ id, name }: { id: string; name: string }) => ({ id, name })

export function appliedFilters(search: Search, { siteId, category, nameOf }: Around): Filter[] {
  const { price, sellerId, nickname, attributes } = search
  const filters: Filter[] = []
  const add = (id: string, name: string, value: object, type: Filter['type'] = 'text') =>
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

/** `within` is what the one category in which everything lies asks for; null where it lies in several. */
export function availableFilters(
  search: Search,
  found: {
    counts: Counts
    within: { attributes: readonly AttributeView[]; values: readonly CountedValue[] } | null
  },
  around: Around,
): Filter[] {
  const { counts, within } = found
  const { siteId } = around
  const applied = new Set<string>(selectedTraits(search).map(([filter]) => filter))
  const traits = (Object.keys(traitFilters) as TraitFilter[]).filter((id) => !applied.has(id))
  return [
    filter('category', filterName('category', siteId), categoriesOf(counts, around)),
    ...(within ? attributesOf(search, within) : []),
    filter(
      'price',
      filterName('price', siteId),
      search.price ? [] : rangesOf(counts, siteId),
      'range',
    ),
    ...traits.map((id) => filter(id, filterName(id, siteId), traitsOf(counts, id, siteId))),
  ].filter(({ values }) => values.length > 0)
}

function filter(id: string, name: string, values: object[], type: Filter['type'] = 'text') {
  return { id, name, type, values }
}

function byCount<T extends { results: number }>(values: T[]): T[] {
  return values.filter(({ results }) => results > 0).sort((a, b) => b.results - a.results)
}

/** The categories below the present one; below the first that parts what was found, where all of it lies
 * in one branch. */
function categoriesOf({ total, categories }: Counts, { siteId, tree, category }: Around): object[] {
  const counts = new Map<Category, number>()
  for (const [digits, n] of categories) {
    for (const each of tree.byId.get(`${siteId}${digits}`)?.path ?? []) {
      counts.set(each, (counts.get(each) ?? 0) + n)
    }
  }
  let children = category?.children ?? tree.top
  for (;;) {
    const only = children.find((each) => counts.get(each) === total)
    if (!only || only.children.length === 0) break
    children = only.children
  }
  return byCount(children.map((each) => ({ ...named(each), results: counts.get(each) ?? 0 })))
}

function traitsOf({ traits }: Counts, id: TraitFilter, siteId: SiteId): object[] {
  const tests = Object.entries(traitFilters[id])
  const values = tests.map(([value, test]) => ({
    id: value,
    name: traitName(id, value, siteId),
    results: sumOf(traits, (each) => test(unpacked(each))),
  }))
  return byCount(values)
}

/** Up to three ranges of about as many listings each. A price that two share is in both. */
function rangesOf({ bands }: Counts, siteId: SiteId): object[] {
  const total = sumOf(bands, (band) => band !== noBand)
  /** How many cost at most as much as the bound that is this band. */
  const upTo = (last: number) => sumOf(bands, (band) => band !== noBand && band <= last)
  const cut = (share: number) => {
    let best = { band: 1, apart: Number.POSITIVE_INFINITY }
    for (let band = 1; band < bandCount; band += 2) {
      const apart = Math.abs(upTo(band) - total * share)
      if (apart < best.apart) best = { band, apart }
    }
    return best.band
  }
  const cuts = [...new Set([cut(1 / 3), cut(2 / 3)])]
  const ranges = [...cuts, null].map((to, at): [number | null, number | null] => [
    cuts[at - 1] ?? null,
    to,
  ])
  const values = ranges.map(([first, last]) => {
    const side = (band: number | null) => (band === null ? null : boundOf(band))
    const range: PriceRange = { from: side(first), to: side(last) }
    const isIn = (band: number) => band >= (first ?? 0) && band <= (last ?? bandCount)
    const results = sumOf(bands, isIn)
    return { id: rangeId(range), name: rangeName(range, siteId), results }
  })
  const offered = values.filter(({ results }) => results > 0)
  return offered.length > 1 ? offered : []
}

function sumOf(counts: ReadonlyMap<number, number>, isMeant: (value: number) => boolean): number {
  let sum = 0
  for (const [value, n] of counts) if (isMeant(value)) sum += n
  return sum
}

const mostAttributes = 12
const mostValues = 30

/** Attributes that tell one product from another first, as the catalogue has them. */
function attributesOf(
  { attributes: applied }: Search,
  { attributes, values }: { attributes: readonly AttributeView[]; values: readonly CountedValue[] },
): Filter[] {
  const byAttribute = Map.groupBy(values, ({ attributeId }) => attributeId)
  return [...attributes]
    .sort((a, b) => a.relevance - b.relevance)
    .filter(({ id }) => byAttribute.has(id) && !applied.some((each) => each.attributeId === id))
    .slice(0, mostAttributes)
    .map(({ id, name, values: known = [] }) => {
      const nameOf = new Map(known.map((value) => [value.id, value.name]))
      const counted = (byAttribute.get(id) ?? []).map((value) => ({
        id: value.valueId,
        name: nameOf.get(value.valueId) ?? value.name,
        results: value.n,
      }))
      return filter(id, name, byCount(counted).slice(0, mostValues))
    })
}
