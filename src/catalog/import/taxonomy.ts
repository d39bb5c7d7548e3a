import type { LocalizedNames } from '../../predictor/source.ts'
import type { AttributeRow, CategoryRow, DomainRow, Rows } from './rows.ts'

/** The parsed files of the open product taxonomy in one language: `categories.json` or `taxonomy.json`, and if
 * available `attributes.json` and `attribute_values.json`. */
export interface TaxonomyFiles {
  categories: { verticals: readonly { categories: readonly TaxonomyCategory[] }[] }
  attributes?: { attributes: readonly TaxonomyAttribute[] } | undefined
  values?: { values: readonly TaxonomyValue[] } | undefined
}

interface TaxonomyCategory {
  id: string
  name: string
  parent_id: string | null
  attributes?: readonly { id: string; name: string; handle?: string }[]
}
interface TaxonomyAttribute {
  id: string
  name: string
  handle: string
  /** Other names of the same attribute, with the same values. */
  extended_attributes?: readonly { name: string; handle: string }[]
  values: readonly TaxonomyValue[]
}
interface TaxonomyValue {
  id: string
  name: string
}

/** The names of one language, by keys, handles and numbers. */
export interface TaxonomyNames {
  categories: ReadonlyMap<string, string>
  attributes: ReadonlyMap<string, string>
  values: ReadonlyMap<string, string>
}

/** Returns the last part of an id: `gid://shopify/TaxonomyCategory/ap-2` → `ap-2`. */
const lastPart = (id: string) => id.slice(id.lastIndexOf('/') + 1)

const categoriesIn = ({ categories }: TaxonomyFiles) =>
  categories.verticals.flatMap(({ categories }) => categories)

export function taxonomyNamesOf(files: TaxonomyFiles): TaxonomyNames {
  const attributes = files.attributes?.attributes ?? []
  const namedAttributes = attributes.flatMap((attribute) => {
    return [attribute, ...(attribute.extended_attributes ?? [])]
  })
  const values = [...attributes.flatMap(({ values }) => values), ...(files.values?.values ?? [])]
  return {
    categories: new Map(categoriesIn(files).map(({ id, name }) => [lastPart(id), name])),
    attributes: new Map(namedAttributes.map(({ handle, name }) => [handle, name])),
    values: new Map(values.map(({ id, name }) => [lastPart(id), name])),
  }
}

/** The structure without names, from the English files. */
export interface TaxonomyStructure {
  categories: readonly { key: string; parent: string | null; handles: readonly string[] }[]
  /** The numbers of the values of each attribute, by handle. */
  attributes: ReadonlyMap<string, readonly string[]>
}

/** Returns the structure of a taxonomy: its categories with parents and attributes, and the values of each
 * attribute. */
export function taxonomyStructureOf(files: TaxonomyFiles): TaxonomyStructure {
  const attributes = files.attributes?.attributes ?? []
  const handles = new Map(attributes.map(({ id, handle }) => [id, handle]))
  return {
    categories: categoriesIn(files).map(({ id, parent_id, attributes = [] }) => ({
      key: lastPart(id),
      parent: parent_id === null ? null : lastPart(parent_id),
      handles: attributes.flatMap(({ id, handle }) => handle ?? handles.get(id) ?? []),
    })),
    attributes: new Map(
      attributes.flatMap(({ handle, values, extended_attributes = [] }) => {
        const numbers = values.map(({ id }) => lastPart(id))
        return [{ handle }, ...extended_attributes].map(({ handle }) => [handle, numbers] as const)
      }),
    ),
  }
}

/** A catalog made from the taxonomy, and the number of names that lack a translation and stay English. */
export interface ConvertedTaxonomy {
  rows: { [File in keyof Rows]: Rows[File][] }
  untranslated: Record<'es' | 'pt', number>
}

export interface NamesByLanguage {
  en: TaxonomyNames
  es: TaxonomyNames | undefined
  pt: TaxonomyNames | undefined
}

/** Keys of categories with adult content. */
const adult = /^ma(-|$)/
/** Attributes that distinguish variations of a product. */
const variationHandles = new Set(['color', 'size'])

/** Converts the taxonomy to a catalog. Categories below `depth` levels become kinds of their ancestor at that level. */
export function convertTaxonomy(
  { categories, attributes }: TaxonomyStructure,
  wordings: NamesByLanguage,
  depth: number,
): ConvertedTaxonomy {
  const untranslated = { es: 0, pt: 0 }
  const namesOf = (kind: keyof TaxonomyNames, key: string): LocalizedNames => {
    const en = wordings.en[kind].get(key) ?? key
    const translated = (language: 'es' | 'pt') => {
      const name = wordings[language]?.[kind].get(key)
      if (name === undefined) untranslated[language]++
      return name ?? en
    }
    return { es: translated('es'), pt: translated('pt'), en }
  }
  const cut = truncateTree(categories, depth)
  const used = new Set<string>()
  const ids = new DomainIds()
  const rows: CategoryRow[] = []
  const domains: DomainRow[] = []
  for (const { key, parent, handles, deeper, isParent, isRest } of cut) {
    const names = namesOf('categories', isRest ? (parent ?? key) : key)
    const kinds = deeper.map((deeperKey) => namesOf('categories', deeperKey))
    const ownNames = isRest ? { es: 'Otros', pt: 'Outros', en: `Other ${names.en}` } : names
    const domain = isParent ? undefined : ids.next(ownNames.en, key)
    rows.push({
      key,
      ...(parent === null ? {} : { parent }),
      names: ownNames,
      ...(domain === undefined ? {} : { domain }),
      ...(isRest ? { kinds: [names] } : kinds.length > 0 ? { kinds } : {}),
      ...(adult.test(key) ? { settings: { adult_content: true } } : {}),
    })
    if (domain === undefined) continue
    for (const handle of handles) used.add(handle)
    const { es, pt } = names
    domains.push({ id: domain, names: { es, pt }, attributes: domainAttributes(handles) })
  }
  const described = [...used].map(
    (handle): AttributeRow => ({
      id: idOf(handle),
      names: namesOf('attributes', handle),
      ...valuesOf(attributes.get(handle) ?? [], (number) => namesOf('values', number)),
      group: variationHandles.has(handle) ? 'MAIN' : 'OTHERS',
    }),
  )
  const describedIds = new Set(described.map(({ id }) => id))
  const added = generalAttributes.filter(({ id }) => !describedIds.has(id))
  return {
    rows: { categories: rows, attributes: [...added, ...described], domains },
    untranslated,
  }
}

/** Attributes that the taxonomy lacks. Titles name them, and they distinguish products. */
const generalAttributes: AttributeRow[] = [
  {
    id: 'BRAND',
    names: { es: 'Marca', pt: 'Marca', en: 'Brand' },
    value_type: 'string',
    group: 'MAIN',
  },
  {
    id: 'MODEL',
    names: { es: 'Modelo', pt: 'Modelo', en: 'Model' },
    value_type: 'string',
    group: 'MAIN',
  },
]

function domainAttributes(handles: readonly string[]): DomainRow['attributes'] {
  const own = [...new Set(handles.map(idOf))].filter((id) => id !== 'BRAND' && id !== 'MODEL')
  const varyingIds = new Set([...variationHandles].map(idOf))
  return [
    { id: 'BRAND', required: true, catalog_required: true, hierarchy: 'PARENT_PK' },
    { id: 'MODEL', catalog_required: true, hierarchy: 'PARENT_PK' },
    ...own.map((id) => (varyingIds.has(id) ? { id, hierarchy: 'CHILD_PK' as const } : { id })),
  ]
}

function valuesOf(
  numbers: readonly string[],
  namesOf: (number: string) => LocalizedNames,
): Pick<AttributeRow, 'value_type' | 'values'> {
  if (numbers.length === 0) return { value_type: 'string' }
  const values = [...new Set(numbers)].map((number) => {
    const { es, pt } = namesOf(number)
    return { id: number, names: { es, pt } }
  })
  return { value_type: 'list', values }
}

/** Converts a handle to an id: `ball-size` → `BALL_SIZE`. */
function idOf(text: string): string {
  const id = text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase()
    .slice(0, 100)
  return id === '' ? 'X' : id
}

/** Makes ids of domains from English names, such as `DOG_BEDS`. It appends the key if the name is taken. */
class DomainIds {
  readonly #taken = new Set<string>()

  next(name: string, key: string): string {
    const short = idOf(name)
    const id = this.#taken.has(short) ? `${short.slice(0, 60)}_${idOf(key)}` : short
    this.#taken.add(id)
    return id
  }
}

interface TruncatedCategory {
  key: string
  parent: string | null
  handles: readonly string[]
  /** Keys of deeper categories, which become kinds of this one. */
  deeper: readonly string[]
  isParent: boolean
  /** Whether it holds the goods of its parent that fit none of its siblings. */
  isRest: boolean
}

/** Cuts the tree at a level. Every category with children, except at the top, gets a child for its remaining goods,
 * such as backpacks that are not for school. A malformed tree stays as it is, because the import checks it later. */
function truncateTree(
  categories: TaxonomyStructure['categories'],
  depth: number,
): TruncatedCategory[] {
  const parents = new Map(categories.map(({ key, parent }) => [key, parent]))
  const truncated = new Map<string, TruncatedCategory & { deeper: string[] }>()
  const deeper: [key: string, above: string][] = []
  for (const { key, parent, handles } of categories) {
    const above = pathTo(key, parents)[depth - 1]
    if (above !== undefined && above !== key) deeper.push([key, above])
    else truncated.set(key, { key, parent, handles, deeper: [], isParent: false, isRest: false })
  }
  for (const [key, above] of deeper) truncated.get(above)?.deeper.push(key)
  for (const { parent } of truncated.values()) {
    const above = truncated.get(parent ?? '')
    if (above) above.isParent = true
  }
  const rest = [...truncated.values()]
    .filter(({ isParent, parent }) => isParent && parent !== null)
    .map(({ key, handles }) => ({
      key: `${key}-rest`,
      parent: key,
      handles,
      deeper: [],
      isParent: false,
      isRest: true,
    }))
  return [...truncated.values(), ...rest]
}

/** Returns the keys of the ancestors of a category from the top down, and its own key at the end. `parents` maps each
 * key to the key of its parent, or to null at the top. A cycle gives an empty path. */
function pathTo(key: string, parents: ReadonlyMap<string, string | null>): string[] {
  const path = [key]
  for (let ancestor = parents.get(key); ancestor != null; ancestor = parents.get(ancestor)) {
    if (path.includes(ancestor)) return []
    path.push(ancestor)
  }
  return path.reverse()
}
