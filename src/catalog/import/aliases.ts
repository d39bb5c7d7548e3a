import type { Line } from '../../http/bodies/line-splitter.ts'
import { makeBodyCheck } from '../../http/check.ts'
import { Failure } from '../../kernel/failure.ts'
import { StrictObject } from '../../kernel/schema.ts'
import { type SiteId, siteIds } from '../../kernel/sites.ts'
import type { Alias } from '../../predictor/source.ts'
import { readTitle } from '../../predictor/title/words.ts'
import type { CatalogSource, SourceCategory } from '../source/source.ts'
import { Problems, quoted } from './problems.ts'
import { AliasText, limits, maxAliases } from './rows.ts'
import { sitesByLanguage } from './serialize.ts'

/** A line of a list of aliases. */
interface AliasRow {
  line: number
  category: string
  sites: readonly SiteId[]
  text: string
}

const checkText = makeBodyCheck(StrictObject({ alias: AliasText }))

/**
 * Aliases that are read line by line, with their problems. A line has three columns, separated by tabs: the category,
 * the sites and the alias. Further columns are ignored, and so are lines that begin with `#`.
 */
export class AliasDraft {
  readonly problems = new Problems()
  readonly #rows: AliasRow[] = []

  addLine({ number, text, failure }: Line): void {
    if (text.startsWith('#')) return
    const at = { file: 'aliases', line: number } as const
    if (this.#rows.length >= limits.aliases) {
      // One problem is enough, for the first line that is too many.
      if (this.#rows.length === limits.aliases) {
        this.problems.add(at, 'file', `at most ${limits.aliases} aliases`)
        this.#rows.length++
      }
      return
    }
    const [category = '', sites, alias] = text.split('\t').map((column) => column.trim())
    if (failure) return void this.problems.add(at, 'line', expectationOf(failure))
    if (sites === undefined || alias === undefined) {
      const expected = 'three columns with tabs between them: category, sites, alias'
      return void this.problems.add(at, 'line', expected)
    }
    const siteList = this.#sitesOf(sites, number)
    const isText = this.#checkAlias(alias, number)
    if (siteList && isText) {
      this.#rows.push({ line: number, category, sites: siteList, text: alias })
    }
  }

  /** Adds the aliases to a catalog. Returns it, or the problems. Aliases that it has stay as they are. */
  addTo(source: CatalogSource): CatalogSource | Problems {
    const problems = new Problems(this.problems)
    const byName = categoriesByName(source.categories)
    const added = new Map<SourceCategory, MergedAliases>()
    const full = new Set<SourceCategory>()
    for (const { line, category: name, sites, text } of this.#rows.slice(0, limits.aliases)) {
      const category = byName.get(name)
      const at = { file: 'aliases', line } as const
      if (!category) {
        const expected = `the id, number or key of a category, there is no ${quoted(name)}`
        problems.add(at, 'category', expected)
        continue
      }
      const merged = added.get(category) ?? new MergedAliases(category.aliases)
      added.set(category, merged)
      merged.add({ text, sites })
      if (merged.list.length > maxAliases && !full.has(category)) {
        full.add(category)
        problems.add(at, 'alias', `at most ${maxAliases} aliases of one category`)
      }
    }
    if (problems.count > 0) return problems
    const categories = source.categories.map((category) => {
      const merged = added.get(category)
      return merged ? { ...category, aliases: merged.list } : category
    })
    return { ...source, categories }
  }

  /** Returns the sites of a column such as `MLA,MLU`, `es` or `*`. Undefined for a wrong one, which is a problem. */
  #sitesOf(column: string, line: number): readonly SiteId[] | undefined {
    if (column === '' || column === '*') return siteIds
    const chosen = new Set<SiteId>()
    for (const label of column.split(',').map((part) => part.trim())) {
      const sites =
        label === 'es' || label === 'pt'
          ? sitesByLanguage[label]
          : siteIds.filter((siteId) => siteId === label)
      if (sites.length === 0) {
        const expected = `site ids, es or pt with commas between them, or *; not ${quoted(label)}`
        this.problems.add({ file: 'aliases', line }, 'sites', expected)
        return undefined
      }
      for (const siteId of sites) chosen.add(siteId)
    }
    return siteIds.filter((siteId) => chosen.has(siteId))
  }

  #checkAlias(alias: string, line: number): boolean {
    const at = { file: 'aliases', line } as const
    try {
      checkText({ alias })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      this.problems.add(at, 'alias', expectationOf(error))
      return false
    }
    if (readTitle(alias).words.length > 0) return true
    this.problems.add(
      at,
      'alias',
      'a word that names goods, not only numbers and words of any title',
    )
    return false
  }
}

function expectationOf({ message }: Failure): string {
  return message.replace(/^.*?expected /s, '')
}

/** Categories by all that a line may call them: key, number, and id on every site. A key wins over a number. */
function categoriesByName(
  categories: readonly SourceCategory[],
): ReadonlyMap<string, SourceCategory> {
  const byName = new Map<string, SourceCategory>()
  for (const category of categories) {
    byName.set(String(category.number), category)
    for (const siteId of siteIds) byName.set(`${siteId}${category.number}`, category)
  }
  for (const category of categories) byName.set(category.key, category)
  return byName
}

/** The aliases of a category. One that is added again gets the sites of both. Capitals do not matter. */
class MergedAliases {
  readonly list: Alias[]

  constructor(aliases: readonly Alias[]) {
    this.list = [...aliases]
  }

  add({ text, sites }: Alias): void {
    const isSame = (alias: Alias) => alias.text.toLowerCase() === text.toLowerCase()
    const covered = new Set(this.list.filter(isSame).flatMap((alias) => alias.sites))
    if (sites.every((siteId) => covered.has(siteId))) return
    const index = this.list.findIndex(isSame)
    const before = this.list[index]
    if (!before) {
      this.list.push({ text, sites })
      return
    }
    const all = siteIds.filter((siteId) => before.sites.includes(siteId) || sites.includes(siteId))
    this.list[index] = { text: before.text, sites: all }
  }
}
