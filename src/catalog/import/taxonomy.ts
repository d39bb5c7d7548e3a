import type { Names } from '../source/source.ts'
import type { AttributeRow, CategoryRow, DomainRow, Rows } from './rows.ts'

/** The published files of the open product taxonomy in one language, parsed: `categories.json` or
 * `taxonomy.json`, and `attributes.json` and `attribute_values.json` where there are any. */
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
  /** The same under other names, with the same values. */
  extended_attributes?: readonly { name: string; handle: string }[]
  values: readonly TaxonomyValue[]
}
interface TaxonomyValue {
  id: string
  name: string
}

/** What a language calls everything, by keys, handles and numbers: all that is needed of its files. */
export interface Wording {
  categories: ReadonlyMap<string, string>
  attributes: ReadonlyMap<string, string>
  values: ReadonlyMap<string, string>
}

/** `gid://shopify/TaxonomyCategory/ap-2` → `ap-2` */
const lastPart = (id: string) => id.slice(id.lastIndexOf('/') + 1)

const categoriesIn = ({ categories }: TaxonomyFiles) =>
  categories.verticals.flatMap(({ categories }) => categories)

export function wordingOf(files: TaxonomyFiles): Wording {
  const attributes = files.attributes?.attributes ?? []
  const named = attributes.flatMap((each) => [each, ...(each.extended_attributes ?? [])])
  const values = [...attributes.flatMap(({ values }) => values), ...(files.values?.values ?? [])]
  return {
    categories: new Map(categoriesIn(files).map(({ id, name }) => [lastPart(id), name])),
    attributes: new Map(named.map(({ handle, name }) => [handle, name])),
    values: new Map(values.map(({ id, name }) => [lastPart(id), name])),
  }
}

/** What there is, whatever it is called: of the English files. */
export interface Structure {
  categories: readonly { key: string; parent: string | null; handles: readonly string[] }[]
  /** By handle; the values as their numbers. */
  attributes: ReadonlyMap<string, readonly string[]>
}

export function structureOf(files: TaxonomyFiles): Structure {
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

/** A catalogue made of the taxonomy, and how many names of it are English for want of a translation. */
export interface Converted {
  rows: { [File in keyof Rows]: Rows[File][] }
  untranslated: Record<'es' | 'pt', number>
}

export interface Wordings {
  en: Wording
  es: Wording | undefined
  pt: Wording | undefined
}

/** Where only adults are let in. */
const adult = /^ma(-|$)/
/** What tells variations of one product apart. */
const varying = new Set(['color', 'size'])

/** Deeper categories than `depth` levels become kinds of the one above them. */
export function convertTaxonomy(
  { categories, attributes }: Structure,
  wordings: Wordings,
  depth: number,
): Converted {
  const untranslated = { es: 0, pt: 0 }
  const namesOf = (kind: keyof Wording, key: string): Names => {
    const en = wordings.en[kind].get(key) ?? key
    const translated = (language: 'es' | 'pt') => {
      const name = wordings[language]?.[kind].get(key)
      if (name === undefined) untranslated[language]++
      return name ?? en
    }
    return { es: translated('es'), pt: translated('pt'), en }
  }
  const cut = cutAt(categories, depth)
  const used = new Set<string>()
  const ids = new DomainIds()
  const rows: CategoryRow[] = []
  const domains: DomainRow[] = []
  for (const { key, parent, handles, deeper, isParent, isRest } of cut) {
    const names = namesOf('categories', isRest ? (parent ?? key) : key)
    const kinds = deeper.map((each) => namesOf('categories', each))
    const called = isRest ? { es: 'Otros', pt: 'Outros', en: `Other ${names.en}` } : names
    const domain = isParent ? undefined : ids.next(called.en, key)
    rows.push({
      key,
      ...(parent === null ? {} : { parent }),
      names: called,
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
      group: varying.has(handle) ? 'MAIN' : 'OTHERS',
    }),
  )
  const known = new Set(described.map(({ id }) => id))
  const own = general.filter(({ id }) => !known.has(id))
  return {
    rows: { categories: rows, attributes: [...own, ...described], domains },
    untranslated,
  }
}

/** The taxonomy leaves them to the seller; titles are known by them, and products told apart. */
const general: AttributeRow[] = [
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
  const varyingIds = new Set([...varying].map(idOf))
  return [
    { id: 'BRAND', required: true, catalog_required: true, hierarchy: 'PARENT_PK' },
    { id: 'MODEL', catalog_required: true, hierarchy: 'PARENT_PK' },
    ...own.map((id) => (varyingIds.has(id) ? { id, hierarchy: 'CHILD_PK' as const } : { id })),
  ]
}

function valuesOf(
  numbers: readonly string[],
  namesOf: (number: string) => Names,
): Pick<AttributeRow, 'value_type' | 'values'> {
  if (numbers.length === 0) return { value_type: 'string' }
  const values = [...new Set(numbers)].map((number) => {
    const { es, pt } = namesOf(number)
    return { id: number, names: { es, pt } }
  })
  return { value_type: 'list', values }
}

/** `ball-size` → `BALL_SIZE` */
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

/** `DOG_BEDS` of the English name; with the key where two are called the same. */
class DomainIds {
  readonly #taken = new Set<string>()

  next(name: string, key: string): string {
    const short = idOf(name)
    const id = this.#taken.has(short) ? `${short.slice(0, 60)}_${idOf(key)}` : short
    this.#taken.add(id)
    return id
  }
}

interface Cut {
  key: string
  parent: string | null
  handles: readonly string[]
  /** What hung below it, and is only a kind of it now. */
  deeper: readonly string[]
  isParent: boolean
  /** What of its parent is none of the others below that. */
  isRest: boolean
}

/** The tree down to a level, with a place for the rest of every category that is split below the top one:
 * a backpack that is not for school. What makes no tree is kept as it is, and told where all catalogues
 * are checked. */
function cutAt(categories: Structure['categories'], depth: number): Cut[] {
  const parents = new Map(categories.map(({ key, parent }) => [key, parent]))
  const kept = new Map<string, Cut & { deeper: string[] }>()
  const deeper: [key: string, above: string][] = []
  for (const { key, parent, handles } of categories) {
    const above = wayTo(key, parents)[depth - 1]
    if (above !== undefined && above !== key) deeper.push([key, above])
    else kept.set(key, { key, parent, handles, deeper: [], isParent: false, isRest: false })
  }
  for (const [key, above] of deeper) kept.get(above)?.deeper.push(key)
  for (const { parent } of kept.values()) {
    const above = kept.get(parent ?? '')
    if (above) above.isParent = true
  }
  const rest = [...kept.values()]
    .filter(({ isParent, parent }) => isParent && parent !== null)
    .map(({ key, handles }) => ({
      key: `${key}-rest`,
      parent: key,
      handles,
      deeper: [],
      isParent: false,
      isRest: true,
    }))
  return [...kept.values(), ...rest]
}

/** The keys from the top down to this one; none where there is no top. */
function wayTo(key: string, parents: ReadonlyMap<string, string | null>): string[] {
  const way = [key]
  for (let at = parents.get(key); at != null; at = parents.get(at)) {
    if (way.includes(at)) return []
    way.push(at)
  }
  return way.reverse()
}
