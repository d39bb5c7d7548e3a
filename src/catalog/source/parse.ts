import { type SiteId, siteIds, sites } from '../../kernel/sites.ts'
import { type Vertical, verticals } from '../../kernel/verticals.ts'
import type { Alias, DomainAttribute, LocalizedNames, SourceValue } from '../../predictor/source.ts'
import { valueTypes } from '../../predictor/source.ts'
import type { SourceAttribute, SourceCategory, SourceDomain } from './source.ts'

/** An error in a file of the built-in catalog, with its position. */
export class CatalogFileError extends Error {
  readonly file: string
  readonly line: number

  constructor(at: { file: string; line: number }, why: string) {
    super(`${at.file}, line ${at.line}: ${why}`)
    this.file = at.file
    this.line = at.line
  }
}

/** A hand-written text file. */
export interface TextFile {
  name: string
  text: string
}

interface TextLine {
  file: string
  line: number
  text: string
}

function linesOf({ name, text }: TextFile): TextLine[] {
  return text
    .split('\n')
    .map((line, index) => ({ file: name, line: index + 1, text: line.replace(/\s+$/, '') }))
    .filter(({ text }) => text !== '' && !text.trimStart().startsWith('#'))
}

const splitTrimmed = (text: string, sign: string) =>
  text
    .split(sign)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const everywhere = siteIds
const byLanguage = (language: string) => siteIds.filter((id) => sites[id].language === language)
const byCountry = new Map<string, SiteId>(siteIds.map((id) => [sites[id].country, id]))

/** Returns the sites of a label: a language, `brands` for all, or countries. */
function sitesOf(label: string, at: TextLine): readonly SiteId[] {
  if (label === 'brands') return everywhere
  if (label === 'es' || label === 'pt') return byLanguage(label)
  return label.split(/\s+/).map((country) => {
    const site = byCountry.get(country)
    if (!site)
      throw new CatalogFileError(at, `${label}: expected es, pt, brands or countries such as AR`)
    return site
  })
}

/** Parses sections such as `es: one, two`, `AR UY: three` and `brands: four`. */
function parseAliasSections(sections: readonly string[], at: TextLine): Alias[] {
  return sections.flatMap((section) => {
    const colon = section.indexOf(':')
    if (colon < 0) throw new CatalogFileError(at, `${section}: expected a label, a colon and words`)
    const where = sitesOf(section.slice(0, colon).trim(), at)
    return splitTrimmed(section.slice(colon + 1), ',').map((text) => ({ text, sites: where }))
  })
}

/** Parses aliases of categories: `key | es: taladro, amoladora | AR UY: agujereadora | pt: furadeira`. */
export function parseAliases(
  file: TextFile,
  isKnown: (key: string) => boolean,
): Map<string, Alias[]> {
  const aliases = new Map<string, Alias[]>()
  for (const line of linesOf(file)) {
    const [key = '', ...sections] = splitTrimmed(line.text, '|')
    if (!isKnown(key)) throw new CatalogFileError(line, `there is no category ${key}`)
    aliases.set(key, [...(aliases.get(key) ?? []), ...parseAliasSections(sections, line)])
  }
  return aliases
}

/** Parses replacement names: `key | Spanish | Portuguese`. One of them may be empty. */
export function parseNames(
  file: TextFile,
  isKnown: (key: string) => boolean,
): Map<string, Partial<LocalizedNames>> {
  const namesByKey = new Map<string, Partial<LocalizedNames>>()
  for (const line of linesOf(file)) {
    const [key = '', es = '', pt = '', ...more] = line.text.split('|').map((part) => part.trim())
    if (!isKnown(key)) throw new CatalogFileError(line, `there is no category ${key}`)
    if (namesByKey.has(key)) throw new CatalogFileError(line, `${key} has a name already`)
    if (more.length > 0 || es + pt === '') {
      throw new CatalogFileError(line, 'expected key | Spanish | Portuguese')
    }
    namesByKey.set(key, { ...(es ? { es } : {}), ...(pt ? { pt } : {}) })
  }
  return namesByKey
}

export type Branch = Omit<SourceCategory, 'number' | 'domain' | 'kinds' | 'settings'>

/**
 * Parses categories, one per line, with children indented by two spaces:
 * `key | English | Spanish | Portuguese | vertical | es: other, words; pt: others`.
 */
export function parseBranches(file: TextFile): Branch[] {
  const above: string[] = []
  return linesOf(file).map((line) => {
    const depth = (line.text.length - line.text.trimStart().length) / 2
    if (!Number.isInteger(depth) || depth > above.length) {
      throw new CatalogFileError(
        line,
        'expected two spaces more than the category above it at most',
      )
    }
    const [key = '', en = '', es = '', pt = '', vertical = '', words = ''] = line.text
      .split('|')
      .map((part) => part.trim())
    if (pt === '') throw new CatalogFileError(line, 'expected key | English | Spanish | Portuguese')
    if (!verticals.includes(vertical as Vertical)) {
      throw new CatalogFileError(line, `${vertical}: expected one of ${verticals.join(', ')}`)
    }
    above.splice(depth, above.length, key)
    const parent = depth === 0 ? null : (above[depth - 1] ?? null)
    const aliases = parseAliasSections(splitTrimmed(words, ';'), line)
    return { key, parent, names: { en, es, pt }, vertical: vertical as Vertical, aliases }
  })
}

/** Parses attributes, one per line: `ID | English | Spanish | Portuguese | type | group | values`. */
export function parseAttributes(file: TextFile): SourceAttribute[] {
  return linesOf(file).map((line) => {
    const [id = '', en = '', es = '', pt = '', type = '', group = '', values = ''] = line.text
      .split('|')
      .map((part) => part.trim())
    const [valueType = '', ...units] = type.split(/\s+/)
    if (!(valueTypes as readonly string[]).includes(valueType)) {
      throw new CatalogFileError(line, `${type}: expected one of ${valueTypes.join(', ')}`)
    }
    if (group === '') throw new CatalogFileError(line, 'expected a group behind the type')
    return {
      id,
      names: { en, es, pt },
      valueType: valueType as SourceAttribute['valueType'],
      units,
      group,
      values: splitTrimmed(values, ';').map((value) => parseValue(value, line)),
    }
  })
}

/** Parses a value: `ROSE: Rosa (rosado) / Rosa (cor de rosa)`. */
function parseValue(text: string, at: TextLine): SourceValue {
  const colon = text.indexOf(':')
  const [es = '', pt = es] = text.slice(colon + 1).split(' / ')
  if (colon < 0 || es.trim() === '') {
    throw new CatalogFileError(at, `${text}: expected ID: Spanish / Portuguese`)
  }
  const [spanish, portuguese] = [parseNameAndAliases(es), parseNameAndAliases(pt)]
  return {
    id: text.slice(0, colon).trim(),
    names: { es: spanish.name, pt: portuguese.name },
    aliases: [...new Set([...spanish.aliases, ...portuguese.aliases])],
  }
}

function parseNameAndAliases(text: string): { name: string; aliases: string[] } {
  const match = /^([^()]*)\(([^()]*)\)$/.exec(text.trim())
  if (!match) return { name: text.trim(), aliases: [] }
  const [, name = '', aliases = ''] = match
  return { name: name.trim(), aliases: splitTrimmed(aliases, ',') }
}

/** A domain with the key of its category. */
export interface KeyedDomain extends SourceDomain {
  key: string
}

const lists = ['required', 'catalog_required', 'parent_pk', 'child_pk', 'others'] as const

/** Parses domains: a line `key ID | Spanish | Portuguese` each, followed by its indented fields. */
export function parseDomains(
  file: TextFile,
  { isCategory, isAttribute }: Record<'isCategory' | 'isAttribute', (id: string) => boolean>,
): KeyedDomain[] {
  const blocks: { head: TextLine; fields: Map<string, { line: TextLine; text: string }> }[] = []
  for (const line of linesOf(file)) {
    if (!/^\s/.test(line.text)) {
      blocks.push({ head: line, fields: new Map() })
      continue
    }
    const [, name = '', text = ''] = /^\s*([a-z_]+):\s*(.*)$/.exec(line.text) ?? []
    const block = blocks.at(-1)
    if (!block || name === '') throw new CatalogFileError(line, 'expected a field of a domain')
    block.fields.set(name, { line, text })
  }
  return blocks.map(({ head, fields }) => {
    const [named = '', es = '', pt = ''] = head.text.split('|').map((part) => part.trim())
    const [key = '', id = ''] = named.split(/\s+/)
    if (pt === '' || id === '')
      throw new CatalogFileError(head, 'expected key ID | Spanish | Portuguese')
    if (!isCategory(key)) throw new CatalogFileError(head, `there is no category ${key}`)
    const idsOf = (name: (typeof lists)[number]) => {
      const field = fields.get(name)
      const ids = splitTrimmed(field?.text ?? '', ',')
      const unknown = ids.find((attributeId) => !isAttribute(attributeId))
      if (field && unknown)
        throw new CatalogFileError(field.line, `there is no attribute ${unknown}`)
      return ids
    }
    const [required, catalog, parents, children] = lists.map(idsOf) as [
      string[],
      string[],
      string[],
      string[],
    ]
    const attributes = [...new Set(lists.flatMap(idsOf))].map(
      (attributeId): DomainAttribute => ({
        id: attributeId,
        isRequired: required.includes(attributeId),
        isCatalogRequired: catalog.includes(attributeId),
        hierarchy: parents.includes(attributeId)
          ? 'PARENT_PK'
          : children.includes(attributeId)
            ? 'CHILD_PK'
            : 'ITEM',
      }),
    )
    return {
      key,
      id,
      names: { es, pt },
      attributes,
      brands: splitTrimmed(fields.get('brands')?.text ?? '', ','),
      models: splitTrimmed(fields.get('models')?.text ?? '', ';').flatMap((section) => {
        const colon = section.indexOf(':')
        const brand = section.slice(0, colon).trim()
        return splitTrimmed(section.slice(colon + 1), ',').map((model) => ({ brand, model }))
      }),
    }
  })
}

/** Parses the permanent numbers of categories: `key<TAB>number` per line. */
export function parseNumbers(file: TextFile): Map<string, number> {
  const numbers = new Map<string, number>()
  const usedNumbers = new Set<number>()
  for (const line of linesOf(file)) {
    const [key = '', text = ''] = line.text.split('\t')
    const number = Number(text)
    if (!/^[1-9][0-9]{0,8}$/.test(text))
      throw new CatalogFileError(line, `${text}: expected a number`)
    if (numbers.has(key)) throw new CatalogFileError(line, `${key} has a number already`)
    if (usedNumbers.has(number))
      throw new CatalogFileError(line, `${text} is another category's number`)
    numbers.set(key, number)
    usedNumbers.add(number)
  }
  return numbers
}
