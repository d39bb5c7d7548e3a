import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { CsvColumns } from './csv.ts'

/** The tools of an export. */
export interface ExportTools extends Pick<Context, 'db' | 'now'> {
  /** The address of this service, with which links begin. */
  base: string
}

/** The primary key of a row. Exports go through a table in its order, which no change of a row moves. */
export type ExportKey = readonly (number | string)[]

/** Rows after a key, up to another one (inclusive) or to the end, at most `limit`. */
export interface KeyRange<Key extends ExportKey> {
  after: Key
  until: Key | undefined
  limit: number
}

/** An entry as the API answers it: stored JSON text, or a value. */
export type ExportEntry = string | object

interface ExportPage<Key extends ExportKey> {
  entries: readonly ExportEntry[]
  /** The key after which the range goes on. Undefined once it has no more rows. */
  next: Key | undefined
}

/** What can be exported: how its rows are found, and the columns of its CSV file. */
export interface ExportKind<Filter, Key extends ExportKey = ExportKey> {
  name: string
  columns: CsvColumns
  /** A key before all others. */
  firstKey: Key
  /** Returns the key of the row with this id. Undefined for an unknown id. */
  findKey(db: Db, id: string): Promise<Key | undefined>
  /** Returns the key that lies `size` rows after another one. Undefined if there are fewer rows. Of the filter, it only
   * applies what the key begins with. */
  findWindowEnd(
    db: Db,
    input: { filter: Filter; after: Key; size: number },
  ): Promise<Key | undefined>
  /** Counts the rows that an export looks at. Of the filter, it only applies what the key begins with. */
  countRows(db: Db, filter: Filter): Promise<number>
  readPage(tools: ExportTools, filter: Filter, range: KeyRange<Key>): Promise<ExportPage<Key>>
}

/** Returns where a page of rows ends: `keyOf` its last row, or undefined if the range has no more rows. */
export function nextKey<Row, Key extends ExportKey>(
  rows: readonly Row[],
  { limit }: KeyRange<Key>,
  keyOf: (row: Row) => Key,
): Key | undefined {
  const last = rows.at(-1)
  return last !== undefined && rows.length === limit ? keyOf(last) : undefined
}
