import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from } from 'pg-copy-streams'

/** What can stand in a row that is copied in: objects are written as JSON, arrays are of texts or
 * numbers. */
export type CopyValue = string | number | boolean | Date | null | readonly unknown[] | object

/** What leaves for the database at a time. */
const chunkChars = 65_536

/** Copies rows into a table: a fifth of the cost of inserts, and one statement for any number. */
export async function copyRows(
  client: pg.ClientBase,
  into: { table: string; columns: readonly string[] },
  rows: Iterable<readonly CopyValue[]>,
): Promise<void> {
  const target = client.query(from(`copy ${into.table} (${into.columns.join(', ')}) from stdin`))
  await pipeline(Readable.from(chunksOf(rows)), target)
}

function* chunksOf(rows: Iterable<readonly CopyValue[]>): Generator<string> {
  let chunk = ''
  for (const row of rows) {
    chunk += `${row.map(written).join('\t')}\n`
    if (chunk.length < chunkChars) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/** A value in PostgreSQL's text format for COPY. */
function written(value: CopyValue): string {
  if (value === null) return '\\N'
  switch (typeof value) {
    case 'string':
      return escaped(value)
    case 'number':
      return String(value)
    case 'boolean':
      return value ? 't' : 'f'
    default:
      if (value instanceof Date) return value.toISOString()
      return escaped(Array.isArray(value) ? arrayOf(value) : JSON.stringify(value))
  }
}

function arrayOf(values: readonly unknown[]): string {
  const quoted = values.map((each) => `"${String(each).replace(/["\\]/g, (sign) => `\\${sign}`)}"`)
  return `{${quoted.join(',')}}`
}

const special = /[\\\n\r\t]/g
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function escaped(text: string): string {
  return text.replace(special, (sign) => escapes[sign] ?? sign)
}
