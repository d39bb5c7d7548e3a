import { type Problems, quoted } from './problems.ts'
import type { CategoryRow } from './rows.ts'

/** The permanent number of a key, and its date. */
export interface CategoryNumber {
  key: string
  number: number
  dateCreated: Date
}

/** The first number for imports. Lower ones are reserved for the built-in catalog and its later versions. */
const firstImportedNumber = 1_000_000
const maxNumber = 999_999_999

/** Numbers by key. `fresh` are those that this import assigns. */
export interface NumberAssignments {
  byKey: ReadonlyMap<string, CategoryNumber>
  newNumbers: readonly CategoryNumber[]
}

/**
 * Assigns a number to every category: that of its key, or the requested one, or the next free one. It adds a problem if
 * a key requests another number than its own, or one that another key has or had.
 */
export function assignNumbers(
  rows: readonly { row: CategoryRow; line: number }[],
  {
    assigned,
    now,
    problems,
  }: { assigned: Iterable<CategoryNumber>; now: Date; problems: Problems },
): NumberAssignments {
  const byKey = new Map<string, CategoryNumber>()
  const owners = new Map<number, string>()
  let last = firstImportedNumber - 1
  const register = (assignment: CategoryNumber) => {
    byKey.set(assignment.key, assignment)
    owners.set(assignment.number, assignment.key)
    last = Math.max(last, assignment.number)
  }
  for (const assignment of assigned) register(assignment)
  const fresh: CategoryNumber[] = []
  const assign = (row: CategoryRow, number: number) => {
    const dateCreated = row.date_created === undefined ? now : new Date(row.date_created)
    const assignment = { key: row.key, number, dateCreated }
    register(assignment)
    fresh.push(assignment)
  }
  for (const { row, line } of rows) {
    if (row.number === undefined) continue
    const at = { file: 'categories', line } as const
    const ownNumber = byKey.get(row.key)?.number
    const owner = owners.get(row.number)
    if (ownNumber !== undefined && ownNumber !== row.number) {
      problems.add(at, 'number', `${ownNumber}, which ${row.key} has had from the beginning`)
    } else if (owner !== undefined && owner !== row.key) {
      problems.add(at, 'number', `a number of its own, ${row.number} is that of ${quoted(owner)}`)
    } else if (ownNumber === undefined) assign(row, row.number)
  }
  for (const { row, line } of rows) {
    if (row.number !== undefined || byKey.has(row.key)) continue
    if (last < maxNumber) assign(row, last + 1)
    else problems.add({ file: 'categories', line }, 'number', 'one, those to be given are used up')
  }
  return { byKey, newNumbers: fresh }
}
