import { type Problems, quoted } from './problems.ts'
import { type CategoryRow, limits } from './rows.ts'

type CategoryLine = { row: CategoryRow; line: number }

const shownOfCircle = 20

/** Whether categories make a tree: each below one that is there, none below itself, not too deep, and a
 * domain where listings go and nowhere else. `rows` have no key twice; without `domains` it is not asked
 * whether they are there. */
export function checkTree(
  rows: readonly CategoryLine[],
  { domains, problems }: { domains: ReadonlyMap<string, unknown> | undefined; problems: Problems },
): void {
  const byKey = new Map(rows.map((each) => [each.row.key, each]))
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
    if (isParent && domain != null) {
      problems.add(at, 'domain', 'none, others hang below this category and listings go there')
    }
    if (!isParent && domain == null) {
      problems.add(at, 'domain', 'a domain, listings go into this category')
    }
  }
  checkLevels(rows, { byKey, problems })
}

/** Tells each circle once, at its first line, and each category that is one level too deep. */
function checkLevels(
  rows: readonly CategoryLine[],
  { byKey, problems }: { byKey: ReadonlyMap<string, CategoryLine>; problems: Problems },
): void {
  /** How deep a category is; 0 where its way up does not end. */
  const levels = new Map<string, number>()
  for (const start of rows) {
    const way: CategoryLine[] = []
    const onWay = new Set<string>()
    let at: CategoryLine | undefined = start
    while (at && !levels.has(at.row.key) && !onWay.has(at.row.key)) {
      onWay.add(at.row.key)
      way.push(at)
      at = byKey.get(at.row.parent ?? '')
    }
    const isCircle = at !== undefined && onWay.has(at.row.key)
    if (isCircle) reportCycle(way.slice(way.indexOf(at as CategoryLine)), problems)
    let level = isCircle ? 0 : (levels.get(at?.row.key ?? '') ?? 0)
    const isEndless = isCircle || (at !== undefined && level === 0)
    for (const { row, line } of way.reverse()) {
      level = isEndless ? 0 : level + 1
      levels.set(row.key, level)
      if (level !== limits.levels + 1) continue
      const place = { file: 'categories', line } as const
      problems.add(place, 'parent', `at most ${limits.levels} levels of categories`)
    }
  }
}

function reportCycle(members: readonly CategoryLine[], problems: Problems): void {
  const first = members.reduce((least, each) => (each.line < least.line ? each : least))
  const at = members.indexOf(first)
  const keys = [...members.slice(at), ...members.slice(0, at)].map(({ row }) => row.key)
  const shown = keys.length > shownOfCircle ? [...keys.slice(0, shownOfCircle), '…'] : keys
  problems.add(
    { file: 'categories', line: first.line },
    'parent',
    `no circle: ${[...shown, keys[0]].join(' below ')}`,
  )
}
