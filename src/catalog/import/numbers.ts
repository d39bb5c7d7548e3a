import { type Problems, quoted } from './problems.ts'
import type { CategoryRow } from './rows.ts'

/** The permanent number of a key, and its date. */
export interface Given {
  key: string
  number: number
  dateCreated: Date
}

/** The first number for imports. Lower ones are reserved for the built-in catalog and its later versions. */
export const firstOwnNumber = 1_000_000
const largest = 999_999_999

/** Numbers by key. `fresh` are those that this import assigns. */
export interface Numbered {
  byKey: ReadonlyMap<string, Given>
  fresh: readonly Given[]
}

/**
 * Assigns a number to every category: that of its key, or the requested one, or the next free one. It adds a problem if
 * a key requests another number than its own, or one that another key has or had.
 */
export function numberAll(
  rows: readonly { row: CategoryRow; line: number }[],
  { assigned, now, problems }: { assigned: Iterable<Given>; now: Date; problems: Problems },
): Numbered {
  const byKey = new Map<string, Given>()
  const owners = new Map<number, string>()
  let last = firstOwnNumber - 1
  const register = (assignment: Given) => {
    byKey.set(assignment.key, assignment)
    owners.set(assignment.number, assignment.key)
    last = Math.max(last, assignment.number)
  }
  for (const assignment of assigned) register(assignment)
  const fresh: Given[] = []
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
    if (last < largest) assign(row, last + 1)
    else problems.add({ file: 'categories', line }, 'number', 'one, those to be given are used up')
  }
  return { byKey, fresh }
}
