import { once } from 'node:events'
import type pg from 'pg'
import { type CopyStreamQuery, from } from 'pg-copy-streams'
import { openConnection } from '../database.ts'

/** Many tables written at once, each over a connection of its own. */
export interface TableWriter {
  writeRow(table: string, line: string): void
  /** Whether it is time to wait for `drained`. */
  isFull(): boolean
  waitForDrain(): Promise<void>
  /** Commits, makes keys and indexes again, and gathers statistics. */
  close(): Promise<void>
}

const chunkChars = 131_072
const buildSettings = `set maintenance_work_mem = '512MB'; set work_mem = '256MB'`

/**
 * Opens these empty tables to be filled by COPY. Their keys and indexes are put aside until they are
 * closed: building one over sorted rows takes a fifth of the time of keeping it up to date.
 */
export async function openTableWriter(
  url: string,
  columns: ReadonlyMap<string, readonly string[]>,
): Promise<TableWriter> {
  const rebuild = await dropIndexes(url, [...columns.keys()])
  const open = new Map<string, TableCopy>()
  for (const [table, names] of columns) open.set(table, await openTableCopy(url, table, names))
  const waiting = new Set<TableCopy>()
  const flush = (copy: TableCopy) => {
    if (copy.failure) waiting.add(copy)
    else if (copy.text !== '' && !copy.stream.write(copy.text)) waiting.add(copy)
    copy.text = ''
  }
  const throwFailure = () => {
    for (const { failure } of open.values()) if (failure) throw failure
  }
  return {
    writeRow(table, line) {
      const copy = open.get(table) as TableCopy
      copy.text += line
      if (copy.text.length >= chunkChars) flush(copy)
    },
    isFull: () => waiting.size > 0,
    async waitForDrain() {
      for (const { stream } of waiting) {
        // A stream that has failed never drains.
        throwFailure()
        if (stream.writableNeedDrain) await once(stream, 'drain')
      }
      throwFailure()
      waiting.clear()
    },
    async close() {
      for (const copy of open.values()) {
        throwFailure()
        flush(copy)
        const ended = once(copy.stream, 'finish')
        copy.stream.end()
        await ended
        await copy.client.query('commit')
        await copy.client.end()
      }
      await rebuild()
    },
  }
}

interface TableCopy {
  client: pg.Client
  stream: CopyStreamQuery
  text: string
  /** Why PostgreSQL takes no more: a full disk, for example. */
  failure?: Error
}

async function openTableCopy(
  url: string,
  table: string,
  columns: readonly string[],
): Promise<TableCopy> {
  const client = await openConnection(url)
  // Rows copied into a table that the same transaction emptied need no vacuum later.
  await client.query('begin')
  await client.query(`truncate ${table}`)
  const text = `copy ${table} (${columns.join(', ')}) from stdin with (freeze)`
  const copy: TableCopy = { client, stream: client.query(from(text)), text: '' }
  // Without a listener the failure of one table would end the process; so would whatever the stream still
  // holds when it has lost its connection.
  copy.stream.on('error', (error) => {
    copy.failure ??= error
    copy.stream.destroy()
  })
  return copy
}

/** Drops keys and indexes of these tables; returns what makes them again, two tables at a time. */
async function dropIndexes(url: string, tables: readonly string[]): Promise<() => Promise<void>> {
  const client = await openConnection(url)
  const constraints = await client.query(
    `select conrelid::regclass::text as table, conname as name, contype as type,
      pg_get_constraintdef(oid) as definition
    from pg_constraint where contype in ('p', 'f')
      and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))
    order by contype`,
    [tables],
  )
  const indexes = await client.query(
    `select tablename as table, indexname as name, indexdef as definition from pg_indexes
    where tablename = any($1) and not exists
      (select from pg_constraint where conname = indexname and contype = 'p')`,
    [tables],
  )
  for (const { table, name } of constraints.rows) {
    await client.query(`alter table ${table} drop constraint ${name}`)
  }
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`)
  await client.end()

  const added = ({ table, name, definition }: Record<string, string>) =>
    `alter table ${table} add constraint ${name} ${definition}`
  const keys = constraints.rows.filter(({ type }) => type === 'p')
  const foreign = constraints.rows.filter(({ type }) => type === 'f').map(added)
  return async () => {
    const work = tables.map((table) => [
      ...keys.filter((key) => key.table === table).map(added),
      ...indexes.rows.filter((each) => each.table === table).map((each) => each.definition),
    ])
    await Promise.all([runStatements(url, work), runStatements(url, work)])
    await runStatements(url, [foreign])
  }
}

/** Takes statements from a list that others take from, until there are none. */
async function runStatements(url: string, work: string[][]): Promise<void> {
  const client = await openConnection(url)
  await client.query(buildSettings)
  for (let next = work.shift(); next; next = work.shift()) {
    for (const statement of next) await client.query(statement)
  }
  await client.end()
}
