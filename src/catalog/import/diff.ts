import type { CatalogSource, SourceCategory } from '../source/source.ts'
import { catalogFiles } from './problems.ts'
import type { CategoryRow } from './rows.ts'
import type { SerializedCatalog } from './serialize.ts'

const maxExamples = 20

/** A count with the first examples. */
interface DiffSection<Example> {
  count: number
  examples: readonly Example[]
}

/** A category in a comparison. `before` and `after` are its names or its parents. */
interface CategorySummary {
  key: string
  number: number
  name: string
  before?: string | null
  after?: string | null
}

/** The differences between two catalogs. */
export interface CatalogDiff {
  categories: {
    total: number
    added: DiffSection<CategorySummary>
    removed: DiffSection<CategorySummary>
    /** Categories with another name in one of the languages. */
    renamed: DiffSection<CategorySummary>
    /** Categories with another parent. */
    moved: DiffSection<CategorySummary>
    /** Categories that differ in anything else: domain, vertical, kinds, aliases, settings, date. */
    changed: DiffSection<CategorySummary>
  }
  attributes: ListDiff
  domains: ListDiff
}

interface ListDiff {
  total: number
  added: DiffSection<string>
  removed: DiffSection<string>
  changed: DiffSection<string>
}

/** Compares two catalogs. */
export function diffCatalogs(before: SerializedCatalog, after: SerializedCatalog): CatalogDiff {
  return {
    categories: categoriesOf(before, after),
    attributes: changesOf('attributes', before, after),
    domains: changesOf('domains', before, after),
  }
}

/** Returns whether two catalogs are equal, including the order, which shows in answers. */
export function isSameCatalog(before: SerializedCatalog, after: SerializedCatalog): boolean {
  return catalogFiles.every((file) => {
    const [had, has] = [before.lines[file], after.lines[file]]
    return had.length === has.length && has.every((line, index) => line === had[index])
  })
}

/** Returns the categories that `after` lacks. */
export function removedCategories(before: CatalogSource, after: CatalogSource): SourceCategory[] {
  const keysAfter = new Set(after.categories.map(({ key }) => key))
  return before.categories.filter(({ key }) => !keysAfter.has(key))
}

/** Compares the categories of two catalogs by key: which were added, removed, renamed, moved or changed. */
function categoriesOf(
  before: SerializedCatalog,
  after: SerializedCatalog,
): CatalogDiff['categories'] {
  const oldIndexes = new Map(before.source.categories.map(({ key }, index) => [key, index]))
  const added: CategorySummary[] = []
  const renamed: CategorySummary[] = []
  const moved: CategorySummary[] = []
  const changed: CategorySummary[] = []
  for (const [index, category] of after.source.categories.entries()) {
    const oldLine = before.lines.categories[oldIndexes.get(category.key) ?? -1]
    const line = after.lines.categories[index]
    if (oldLine === undefined) added.push(categorySummary(category))
    if (oldLine === undefined || line === undefined || oldLine === line) continue
    const {
      names: oldNames,
      parent: oldParent = null,
      ...oldRest
    } = JSON.parse(oldLine) as CategoryRow
    const { names, parent = null, ...rest } = JSON.parse(line) as CategoryRow
    const language = (['es', 'pt', 'en'] as const).find((code) => oldNames[code] !== names[code])
    if (language) {
      const change = { before: oldNames[language], after: names[language] }
      renamed.push({ ...categorySummary(category), ...change })
    }
    if (oldParent !== parent) {
      moved.push({ ...categorySummary(category), before: oldParent, after: parent })
    }
    if (JSON.stringify(oldRest) !== JSON.stringify(rest)) changed.push(categorySummary(category))
  }
  return {
    total: after.source.categories.length,
    added: sectionOf(added),
    removed: sectionOf(removedCategories(before.source, after.source).map(categorySummary)),
    renamed: sectionOf(renamed),
    moved: sectionOf(moved),
    changed: sectionOf(changed),
  }
}

const categorySummary = ({ key, number, names }: SourceCategory) => ({
  key,
  number,
  name: names.es,
})

function changesOf(
  file: 'attributes' | 'domains',
  before: SerializedCatalog,
  after: SerializedCatalog,
): ListDiff {
  const linesOf = ({ source, lines }: SerializedCatalog) =>
    new Map(source[file].map(({ id }, index) => [id, lines[file][index]]))
  const oldLines = linesOf(before)
  const lines = linesOf(after)
  const ids = [...lines.keys()]
  return {
    total: lines.size,
    added: sectionOf(ids.filter((id) => !oldLines.has(id))),
    removed: sectionOf([...oldLines.keys()].filter((id) => !lines.has(id))),
    changed: sectionOf(ids.filter((id) => oldLines.has(id) && oldLines.get(id) !== lines.get(id))),
  }
}

function sectionOf<Example>(items: readonly Example[]): DiffSection<Example> {
  return { count: items.length, examples: items.slice(0, maxExamples) }
}
