import { type Problems, quoted } from './problems.ts'
import { type CategoryRow, limits } from './rows.ts'

type CategoryLine = { row: CategoryRow; line: number }

const shownOfCycle = 20

/** Checks that the categories form a tree: parents exist, no cycles, not too deep, and a domain for the leaf
 * categories. A category with children may have one only if its settings allow listings in it. `rows` must not repeat a key. Without `domains` their existence is not checked. */
export function checkTree(
  rows: readonly CategoryLine[],
  { domains, problems }: { domains: ReadonlyMap<string, unknown> | undefined; problems: Problems },
): void {
  const byKey = new Map(rows.map((category) => [category.row.key, category]))
  const parents = new Set(rows.map(({ row }) => row.parent ?? ''))
  for (const { row, line } of rows) {
    const at = { file: 'categories', line } as const
    const { key, parent, domain } = row
    if (parent != null && !byKey.has(parent)) {
      problems.add(at, 'parent', `a category of this file, it has no ${quoted(parent)}`)
    }
    if (domain != null && domains && !domains.has(domain)) {
      problems.add(at, 'domain', `a domain of this catalogue, it has no ${quoted(domain)}`)
    }
    const isParent = parents.has(key)
    const isListable = !isParent || row.settings?.['listing_allowed'] === true
    if (!isListable && domain != null) {
      problems.add(at, 'domain', 'none, others hang below this category and listings go there')
    }
    if (!isParent && domain == null) {
      problems.add(at, 'domain', 'a domain, listings go into this category')
    }
  }
  checkLevels(rows, { byKey, problems })
}

/** Reports each cycle once, at its first line, and each category that is one level too deep. */
function checkLevels(
  rows: readonly CategoryLine[],
  { byKey, problems }: { byKey: ReadonlyMap<string, CategoryLine>; problems: Problems },
): void {
  /** The level of each category. 0 if its path ends in a cycle. */
  const levels = new Map<string, number>()
  for (const start of rows) {
    const path: CategoryLine[] = []
    const pathKeys = new Set<string>()
    let at: CategoryLine | undefined = start
    while (at && !levels.has(at.row.key) && !pathKeys.has(at.row.key)) {
      pathKeys.add(at.row.key)
      path.push(at)
      at = byKey.get(at.row.parent ?? '')
    }
    const isCycle = at !== undefined && pathKeys.has(at.row.key)
    if (isCycle) reportCycle(path.slice(path.indexOf(at as CategoryLine)), problems)
    let level = isCycle ? 0 : (levels.get(at?.row.key ?? '') ?? 0)
    const isEndless = isCycle || (at !== undefined && level === 0)
    for (const { row, line } of path.reverse()) {
      level = isEndless ? 0 : level + 1
      levels.set(row.key, level)
      if (level !== limits.levels + 1) continue
      const location = { file: 'categories', line } as const
      problems.add(location, 'parent', `at most ${limits.levels} levels of categories`)
    }
  }
}

function reportCycle(members: readonly CategoryLine[], problems: Problems): void {
  const first = members.reduce((least, member) => (member.line < least.line ? member : least))
  const at = members.indexOf(first)
  const keys = [...members.slice(at), ...members.slice(0, at)].map(({ row }) => row.key)
  const shown = keys.length > shownOfCycle ? [...keys.slice(0, shownOfCycle), '…'] : keys
  problems.add(
    { file: 'categories', line: first.line },
    'parent',
    `no circle: ${[...shown, keys[0]].join(' below ')}`,
  )
}
