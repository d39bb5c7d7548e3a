import { timestamp } from '../../kernel/clock.ts'
import { type SiteId, siteIds, sites } from '../../kernel/sites.ts'
import type {
  Alias,
  CatalogSource,
  Names,
  SourceAttribute,
  SourceCategory,
  SourceDomain,
} from '../source/source.ts'
import type { Breathe } from '../tree/slices.ts'
import type { CatalogFile } from './problems.ts'
import type { AttributeRow, CategoryRow, DomainRow } from './rows.ts'

/** Between a catalogue and the lines that it is written in. What is as usual is left out of a line;
 * there and back again comes out the same. */

const speaking = {
  es: siteIds.filter((id) => sites[id].language === 'es'),
  pt: siteIds.filter((id) => sites[id].language === 'pt'),
}
const everywhere = siteIds.join()

function sitesRow(of: readonly SiteId[]): { sites?: (SiteId | 'es' | 'pt')[] } {
  const all = of.join()
  if (all === everywhere) return {}
  if (all === speaking.es.join()) return { sites: ['es'] }
  if (all === speaking.pt.join()) return { sites: ['pt'] }
  return { sites: [...of] }
}

function sitesOf(row: readonly string[] | undefined): readonly SiteId[] {
  if (!row) return siteIds
  const all = row.flatMap((each) =>
    each === 'es' || each === 'pt' ? speaking[each] : (each as SiteId),
  )
  return [...new Set(all)]
}

const threeNames = ({ es, pt, en }: Names): Names => ({ es, pt, en })

export function categoryRow(category: SourceCategory, createdAt: Date): CategoryRow {
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

/** `number` and `dateCreated`: where the row does not say them itself. */
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

export function attributeRow(attribute: SourceAttribute): AttributeRow {
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

export function domainRow(domain: SourceDomain): DomainRow {
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
    attributes: row.attributes.map((each) => ({
      id: each.id,
      isRequired: each.required ?? false,
      isCatalogRequired: each.catalog_required ?? false,
      hierarchy: each.hierarchy ?? 'ITEM',
    })),
    brands: row.brands ?? [],
    models: row.models ?? [],
  }
}

/** A catalogue with the lines that it is written in: `lines.domains[n]` is that of `source.domains[n]`. */
export interface Written {
  source: CatalogSource
  lines: Readonly<Record<CatalogFile, readonly string[]>>
}

/** `createdAt`: of categories that do not say it themselves. */
export async function write(
  source: CatalogSource,
  { createdAt, breathe }: { createdAt: Date; breathe: Breathe },
): Promise<Written> {
  const row = (category: SourceCategory) => categoryRow(category, createdAt)
  const lines = {
    categories: await each(source.categories, (one) => JSON.stringify(row(one)), breathe),
    attributes: await each(source.attributes, (one) => JSON.stringify(attributeRow(one)), breathe),
    domains: await each(source.domains, (one) => JSON.stringify(domainRow(one)), breathe),
  }
  return { source, lines }
}

/** Reads lines that `write` has written, and that are known to be sound. */
export async function read(lines: Written['lines'], breathe: Breathe): Promise<Written> {
  const category = (line: string) => {
    const row = JSON.parse(line) as CategoryRow
    return categoryOf(row, { number: row.number ?? 0, dateCreated: new Date(0) })
  }
  const source = {
    categories: await each(lines.categories, category, breathe),
    attributes: await each(lines.attributes, (line) => attributeOf(JSON.parse(line)), breathe),
    domains: await each(lines.domains, (line) => domainOf(JSON.parse(line)), breathe),
  }
  return { source, lines }
}

async function each<From, To>(
  all: readonly From[],
  make: (from: From) => To,
  breathe: Breathe,
): Promise<To[]> {
  const made: To[] = []
  for (const from of all) {
    made.push(make(from))
    const pause = breathe()
    if (pause) await pause
  }
  return made
}
