import type { CatalogSource, SourceCategory } from '../source/source.ts'
import { catalogFiles } from './problems.ts'
import type { CategoryRow } from './rows.ts'
import type { Written } from './translate.ts'

const mostExamples = 20

/** How many, and the first of them. */
export interface DiffSection<Example> {
  count: number
  examples: readonly Example[]
}

/** A category in a comparison. `before` is what it was called, or what it hung below. */
export interface CategorySummary {
  key: string
  number: number
  name: string
  before?: string | null
  after?: string | null
}

/** What one catalogue has that another has not. */
export interface Difference {
  categories: {
    total: number
    added: DiffSection<CategorySummary>
    removed: DiffSection<CategorySummary>
    /** Called otherwise in one of the languages. */
    renamed: DiffSection<CategorySummary>
    /** Hanging below another one. */
    moved: DiffSection<CategorySummary>
    /** In anything else: domain, vertical, kinds, aliases, settings, date. */
    changed: DiffSection<CategorySummary>
  }
  attributes: Changes
  domains: Changes
}

interface Changes {
  total: number
  added: DiffSection<string>
  removed: DiffSection<string>
  changed: DiffSection<string>
}

export function differenceOf(before: Written, after: Written): Difference {
  return {
    categories: categoriesOf(before, after),
    attributes: changesOf('attributes', before, after),
    domains: changesOf('domains', before, after),
  }
}

/** Whether they are the same in everything, the order of things included: it shows in what is served. */
export function isSame(before: Written, after: Written): boolean {
  return catalogFiles.every((file) => {
    const [had, has] = [before.lines[file], after.lines[file]]
    return had.length === has.length && has.every((line, index) => line === had[index])
  })
}

/** Those that are gone, with listings or without. */
export function removedFrom(before: CatalogSource, after: CatalogSource): SourceCategory[] {
  const kept = new Set(after.categories.map(({ key }) => key))
  return before.categories.filter(({ key }) => !kept.has(key))
}

function categoriesOf(before: Written, after: Written): Difference['categories'] {
  const had = new Map(before.source.categories.map(({ key }, index) => [key, index]))
  const added: CategorySummary[] = []
  const renamed: CategorySummary[] = []
  const moved: CategorySummary[] = []
  const changed: CategorySummary[] = []
  for (const [index, now] of after.source.categories.entries()) {
    const then = before.lines.categories[had.get(now.key) ?? -1]
    const line = after.lines.categories[index]
    if (then === undefined) added.push(categorySummary(now))
    if (then === undefined || line === undefined || then === line) continue
    const { names: wasNamed, parent: wasBelow = null, ...was } = JSON.parse(then) as CategoryRow
    const { names, parent = null, ...is } = JSON.parse(line) as CategoryRow
    const other = (['es', 'pt', 'en'] as const).find((each) => wasNamed[each] !== names[each])
    if (other)
      renamed.push({ ...categorySummary(now), before: wasNamed[other], after: names[other] })
    if (wasBelow !== parent)
      moved.push({ ...categorySummary(now), before: wasBelow, after: parent })
    if (JSON.stringify(was) !== JSON.stringify(is)) changed.push(categorySummary(now))
  }
  return {
    total: after.source.categories.length,
    added: some(added),
    removed: some(removedFrom(before.source, after.source).map(categorySummary)),
    renamed: some(renamed),
    moved: some(moved),
    changed: some(changed),
  }
}

const categorySummary = ({ key, number, names }: SourceCategory) => ({
  key,
  number,
  name: names.es,
})

function changesOf(file: 'attributes' | 'domains', before: Written, after: Written): Changes {
  const linesOf = ({ source, lines }: Written) =>
    new Map(source[file].map(({ id }, index) => [id, lines[file][index]]))
  const [had, has] = [linesOf(before), linesOf(after)]
  const ids = [...has.keys()]
  return {
    total: has.size,
    added: some(ids.filter((id) => !had.has(id))),
    removed: some([...had.keys()].filter((id) => !has.has(id))),
    changed: some(ids.filter((id) => had.has(id) && had.get(id) !== has.get(id))),
  }
}

function some<Example>(all: readonly Example[]): DiffSection<Example> {
  return { count: all.length, examples: all.slice(0, mostExamples) }
}
