import { stringify } from 'csv-stringify/sync'
import { withoutFormulas } from '../kernel/spreadsheet.ts'

export const csvType = 'text/csv; charset=utf-8; header=present'

/** The columns of a CSV file: each name with the path of its value, such as `buyer.nickname`. A path leads through
 * lists: the column has the values of all elements. */
export type CsvColumns = Readonly<Record<string, string>>

/** Separates the values of a list in one cell. */
const listSeparator = '; '

/**
 * Returns records of RFC 4180. What a spreadsheet would run as a formula has an apostrophe before it; numbers stay
 * numbers. Null is an empty cell.
 */
export function csvRecords(records: readonly (readonly unknown[])[]): string {
  return stringify(records as unknown[][], {
    record_delimiter: 'windows',
    // Some programs end a record at any line end, and where the comma is the decimal sign a cell at a semicolon.
    quoted_match: /[\r\n;]/,
    cast: { boolean: String, string: withoutFormulas },
  })
}

/** Returns a function that reads the cells of a record from a value, in the order of the columns. */
export function makeCellReader(columns: CsvColumns): (value: object) => unknown[] {
  const paths = Object.values(columns).map((path) => path.split('.'))
  return (value) => paths.map((path) => cellAt(value, path))
}

function cellAt(value: unknown, path: readonly string[]): unknown {
  let current = value
  for (const [depth, name] of path.entries()) {
    if (Array.isArray(current)) {
      const rest = path.slice(depth)
      return joinedCell(current.map((element) => cellAt(element, rest)))
    }
    if (typeof current !== 'object' || current === null) return null
    current = (current as Record<string, unknown>)[name]
  }
  return Array.isArray(current) ? joinedCell(current) : (current ?? null)
}

function joinedCell(values: readonly unknown[]): string {
  return values.map((value) => (value === null ? '' : String(value))).join(listSeparator)
}
