import { timestamp } from '../../kernel/clock.ts'
import { type SiteId, siteIds, sites } from '../../kernel/sites.ts'
import type { Yielder } from '../../kernel/slices.ts'
import type { Alias, LocalizedNames } from '../../predictor/source.ts'
import type {
  CatalogSource,
  SourceAttribute,
  SourceCategory,
  SourceDomain,
} from '../source/source.ts'
import type { CatalogFile } from './problems.ts'
import type { AttributeRow, CategoryRow, DomainRow } from './rows.ts'

/** Converts a catalog to the lines of its files and back, without loss. Default values are left out of a line. */

export const sitesByLanguage = {
  es: siteIds.filter((id) => sites[id].language === 'es'),
  pt: siteIds.filter((id) => sites[id].language === 'pt'),
}
const allSitesKey = siteIds.join()

function sitesRow(siteList: readonly SiteId[]): { sites?: (SiteId | 'es' | 'pt')[] } {
  const joined = siteList.join()
  if (joined === allSitesKey) return {}
  if (joined === sitesByLanguage.es.join()) return { sites: ['es'] }
  if (joined === sitesByLanguage.pt.join()) return { sites: ['pt'] }
  return { sites: [...siteList] }
}

function sitesOf(row: readonly string[] | undefined): readonly SiteId[] {
  if (!row) return siteIds
  const ids = row.flatMap((label) =>
    label === 'es' || label === 'pt' ? sitesByLanguage[label] : (label as SiteId),
  )
  return [...new Set(ids)]
}

const threeNames = ({ es, pt, en }: LocalizedNames): LocalizedNames => ({ es, pt, en })

/** Returns a category as a line of `categories.ndjson`. Fields with their default value are left out. */
function categoryRow(category: SourceCategory, createdAt: Date): CategoryRow {
  const { key, number, parent, names, vertical, domain, kinds, aliases, settings } = category
  return {
    key,
    number,
    ...(parent === null ? {} : { parent }),
    names: threeNames(names),
    ...(vertical === 'core' ? {} : { vertical }),
    ...(domain === null ? {} : { domain }),
    ...(kinds.length === 0 ? {} : { kinds: kinds.map(threeNames) }),
    ...(aliases.length === 0
      ? {}
      : { aliases: aliases.map(({ text, sites }) => ({ text, ...sitesRow(sites) })) }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    date_created: timestamp(category.dateCreated ?? createdAt),
  }
}

/** Converts a row to a category. `number` is its number, `dateCreated` the date of a row without one. */
export function categoryOf(
  row: CategoryRow,
  { number, dateCreated }: { number: number; dateCreated: Date },
): SourceCategory {
  return {
    key: row.key,
    number,
    parent: row.parent ?? null,
    names: row.names,
    vertical: row.vertical ?? 'core',
    domain: row.domain ?? null,
    kinds: row.kinds ?? [],
    aliases: (row.aliases ?? []).map(({ text, sites }): Alias => ({ text, sites: sitesOf(sites) })),
    settings: row.settings ?? {},
    dateCreated: row.date_created === undefined ? dateCreated : new Date(row.date_created),
  }
}

/** Returns an attribute as a line of `attributes.ndjson`. Empty lists are left out. */
function attributeRow(attribute: SourceAttribute): AttributeRow {
  const { id, names, valueType, units, group, values } = attribute
  return {
    id,
    names: threeNames(names),
    value_type: valueType,
    ...(units.length === 0 ? {} : { units: [...units] }),
    group,
    ...(values.length === 0
      ? {}
      : {
          values: values.map(({ id, names, aliases }) => ({
            id,
            names: { es: names.es, pt: names.pt },
            ...(aliases.length === 0 ? {} : { aliases: [...aliases] }),
          })),
        }),
  }
}

export function attributeOf(row: AttributeRow): SourceAttribute {
  return {
    id: row.id,
    names: row.names,
    valueType: row.value_type,
    units: row.units ?? [],
    group: row.group,
    values: (row.values ?? []).map(({ id, names, aliases = [] }) => ({ id, names, aliases })),
  }
}

/** Returns a domain as a line of `domains.ndjson`. Fields with their default value are left out. */
function domainRow(domain: SourceDomain): DomainRow {
  const { id, names, attributes, brands, models } = domain
  return {
    id,
    names: { es: names.es, pt: names.pt },
    attributes: attributes.map(({ id, isRequired, isCatalogRequired, hierarchy }) => ({
      id,
      ...(isRequired ? { required: true } : {}),
      ...(isCatalogRequired ? { catalog_required: true } : {}),
      ...(hierarchy === 'ITEM' ? {} : { hierarchy }),
    })),
    ...(brands.length === 0 ? {} : { brands: [...brands] }),
    ...(models.length === 0
      ? {}
      : { models: models.map(({ brand, model }) => ({ brand, model })) }),
  }
}

export function domainOf(row: DomainRow): SourceDomain {
  return {
    id: row.id,
    names: row.names,
    attributes: row.attributes.map((attribute) => ({
      id: attribute.id,
      isRequired: attribute.required ?? false,
      isCatalogRequired: attribute.catalog_required ?? false,
      hierarchy: attribute.hierarchy ?? 'ITEM',
    })),
    brands: row.brands ?? [],
    models: row.models ?? [],
  }
}

/** A catalog with the lines of its files: `lines.domains[n]` is the line of `source.domains[n]`. */
export interface SerializedCatalog {
  source: CatalogSource
  lines: Readonly<Record<CatalogFile, readonly string[]>>
}

/** Writes the lines of a catalog, with pauses for other work. `createdAt` is the date of categories without one. */
export async function serializeCatalog(
  source: CatalogSource,
  { createdAt, breathe }: { createdAt: Date; breathe: Yielder },
): Promise<SerializedCatalog> {
  const row = (category: SourceCategory) => categoryRow(category, createdAt)
  const lines = {
    categories: await mapInSlices(
      source.categories,
      (category) => JSON.stringify(row(category)),
      breathe,
    ),
    attributes: await mapInSlices(
      source.attributes,
      (attribute) => JSON.stringify(attributeRow(attribute)),
      breathe,
    ),
    domains: await mapInSlices(
      source.domains,
      (domain) => JSON.stringify(domainRow(domain)),
      breathe,
    ),
  }
  return { source, lines }
}

/** Reads lines that `write` has written. It does not check them. */
export async function parseCatalog(
  lines: SerializedCatalog['lines'],
  breathe: Yielder,
): Promise<SerializedCatalog> {
  const category = (line: string) => {
    const row = JSON.parse(line) as CategoryRow
    return categoryOf(row, { number: row.number ?? 0, dateCreated: new Date(0) })
  }
  const source = {
    categories: await mapInSlices(lines.categories, category, breathe),
    attributes: await mapInSlices(
      lines.attributes,
      (line) => attributeOf(JSON.parse(line)),
      breathe,
    ),
    domains: await mapInSlices(lines.domains, (line) => domainOf(JSON.parse(line)), breathe),
  }
  return { source, lines }
}

async function mapInSlices<From, To>(
  items: readonly From[],
  convert: (item: From) => To,
  breathe: Yielder,
): Promise<To[]> {
  const results: To[] = []
  for (const item of items) {
    results.push(convert(item))
    const pause = breathe()
    if (pause) await pause
  }
  return results
}
