import { type Problems, quoted } from './problems.ts'
import type { CategoryRow } from './rows.ts'

/** The number that a key was given once, and when. It is kept for ever. */
export interface Given {
  key: string
  number: number
  dateCreated: Date
}

/** Below it are the numbers of the program's own catalogue, of later versions too. */
export const firstOwnNumber = 1_000_000
const largest = 999_999_999

/** Numbers by key; those that this import gives are among `fresh`. */
export interface Numbered {
  byKey: ReadonlyMap<string, Given>
  fresh: readonly Given[]
}

/**
 * Gives every category its number: the one that its key has had before, else the one that it asks for,
 * else the next free one. Refused are another number for a key that has one, and a number that another
 * key has or had.
 */
export function numberAll(
  rows: readonly { row: CategoryRow; line: number }[],
  { known, now, problems }: { known: Iterable<Given>; now: Date; problems: Problems },
): Numbered {
  const byKey = new Map<string, Given>()
  const owners = new Map<number, string>()
  let last = firstOwnNumber - 1
  const note = (given: Given) => {
    byKey.set(given.key, given)
    owners.set(given.number, given.key)
    last = Math.max(last, given.number)
  }
  for (const given of known) note(given)
  const fresh: Given[] = []
  const give = (row: CategoryRow, number: number) => {
    const dateCreated = row.date_created === undefined ? now : new Date(row.date_created)
    const given = { key: row.key, number, dateCreated }
    note(given)
    fresh.push(given)
  }
  for (const { row, line } of rows) {
    if (row.number === undefined) continue
    const at = { file: 'categories', line } as const
    const had = byKey.get(row.key)?.number
    const owner = owners.get(row.number)
    if (had !== undefined && had !== row.number) {
      problems.add(at, 'number', `${had}, which ${row.key} has had from the beginning`)
    } else if (owner !== undefined && owner !== row.key) {
      problems.add(at, 'number', `a number of its own, ${row.number} is that of ${quoted(owner)}`)
    } else if (had === undefined) give(row, row.number)
  }
  for (const { row, line } of rows) {
    if (row.number !== undefined || byKey.has(row.key)) continue
    if (last < largest) give(row, last + 1)
    else problems.add({ file: 'categories', line }, 'number', 'one, those to be given are used up')
  }
  return { byKey, fresh }
}
