import pg from 'pg'
import { connectionOptions } from '../../src/platform/database/database.ts'
import type { RowProperty, SourcePosition, SqlOfSources, SqlStatement } from './sql-statements.ts'

/**
 * Compares the statements of the sources with a migrated database: each must prepare, and its columns
 * must be the properties of the row type, with the types that the program's driver gives and with
 * null where the table has it.
 */

export interface SqlProblem extends SourcePosition {
  /** Names the problem without its line: `file function: what [column]`. */
  key: string
  message: string
}

interface ResultField {
  name: string
  tableID: number
  columnID: number
  dataTypeID: number
}

interface TableColumn {
  table: string
  name: string
  isNotNull: boolean
}

/** What the database says of tables and types, by their numbers. */
interface DatabaseCatalog {
  columns: ReadonlyMap<string, TableColumn>
  tables: ReadonlySet<string>
  /** What the program's connections make of a type: `number`, `Date`, `string[]`, …; and what the
   * driver does by itself. */
  kinds: ReadonlyMap<number, { name: string; kind: string; plain: string }>
}

export async function findSqlProblems(
  url: string,
  { statements, unused }: SqlOfSources,
): Promise<SqlProblem[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const described = new Map<string, ResultField[] | pg.DatabaseError>()
    for (const text of new Set(statements.flatMap(({ texts }) => texts))) {
      described.set(text, await describeStatement(client, text))
    }
    const fields = [...described.values()].filter(Array.isArray).flat()
    const catalog = await readCatalog(client, fields)
    return [
      ...unused.map((position) => problemOf(position, 'is part of no statement')),
      ...statements.flatMap((statement) => problemsOf(statement, described, catalog)),
    ]
  } finally {
    await client.end()
  }
}

function problemOf(
  at: SourcePosition & { functionName?: string },
  what: string,
  more: { column?: string; detail?: string } = {},
): SqlProblem {
  const { file, line, functionName } = at
  const { column, detail } = more
  const rest = `${functionName ? ` ${functionName}` : ''}: ${what}${column ? ` ${column}` : ''}`
  const message = `${file}:${line}${rest}${detail ? `: ${detail}` : ''}`
  return { file, line, key: `${file}${rest}`, message }
}

function problemsOf(
  statement: SqlStatement,
  described: ReadonlyMap<string, ResultField[] | pg.DatabaseError>,
  catalog: DatabaseCatalog,
): SqlProblem[] {
  const problems = new Map<string, SqlProblem>()
  const report = (
    ...of: Parameters<typeof problemOf> extends [unknown, ...infer R] ? R : never
  ) => {
    const problem = problemOf(statement, ...of)
    if (!problems.has(problem.key)) problems.set(problem.key, problem)
  }
  const { texts, unknownParts, row } = statement
  if (unknownParts.length > 0) report('is not put together', { detail: unknownParts.join('; ') })
  else if (texts.length === 0) report('is never reached')
  const prepared: { text: string; fields: ResultField[] }[] = []
  for (const text of texts) {
    const answer = described.get(text)
    if (Array.isArray(answer)) prepared.push({ text, fields: answer })
    else if (answer) report('does not prepare', { detail: errorTextOf(answer, text) })
  }
  if (!row || prepared.length === 0) return [...problems.values()]
  const properties = new Map(row.properties.map((property) => [property.name, property]))
  /** The types of each column, over all texts. */
  const kindsByColumn = new Map<string, Set<string>>()
  /** In how many texts a column is one of a table that has no null there. */
  const certain = new Map<string, number>()
  for (const { text, fields } of prepared) {
    const names = new Set<string>()
    const outer = outerJoinedTables(text, catalog.tables)
    for (const field of fields) {
      const { name } = field
      if (names.has(name)) report('has twice', { column: name })
      names.add(name)
      const property = properties.get(name)
      if (!property) {
        report('does not declare', { column: name, detail: `${row.name} has no such property` })
        continue
      }
      const type = catalog.kinds.get(field.dataTypeID)
      const kind = (statement.method === 'query' ? type?.plain : type?.kind) ?? 'unknown'
      kindsByColumn.set(name, (kindsByColumn.get(name) ?? new Set()).add(kind))
      if (!matchesType(property, kind)) {
        const detail = `${type?.name} is read as ${kind}, declared is ${property.types.join(' | ')}`
        report('declares another type for', { column: name, detail })
      }
      const column = catalog.columns.get(`${field.tableID}.${field.columnID}`)
      if (!column) continue
      const source = `${column.table}.${column.name}`
      const isDeclared = property.isNullable || property.isOptional
      if (!column.isNotNull && !isDeclared && !excludesNull(text, column.name)) {
        report('does not declare null for', { column: name, detail: `${source} may be null` })
      }
      const isOuter = outer === 'all' || outer.has(column.table)
      if (column.isNotNull && !isOuter) certain.set(name, (certain.get(name) ?? 0) + 1)
    }
    for (const { name, isOptional } of row.properties) {
      if (isOptional || names.has(name)) continue
      report('has no column', { column: name, detail: `${row.name} declares it` })
    }
  }
  for (const { name, types, isNullable } of row.properties) {
    if (isNullable && certain.get(name) === prepared.length) {
      report('declares null for', { column: name, detail: 'its column is NOT NULL' })
    }
    const kinds = kindsByColumn.get(name)
    if (!kinds) {
      report('has no column', { column: name, detail: `${row.name} declares it` })
      continue
    }
    const idle = types.filter((type) => type !== 'unknown' && !kinds.has(type))
    if (types.length > 1 && idle.length > 0) {
      report('never gives', { column: name, detail: `${idle.join(' | ')} is declared` })
    }
  }
  return [...problems.values()]
}

function matchesType({ types }: RowProperty, kind: string): boolean {
  return types.some((type) => type === 'unknown' || type === kind)
}

/** Whether a condition of the statement leaves out the rows where the column is null. */
function excludesNull(text: string, column: string): boolean {
  return new RegExp(`\\b${column} is not null\\b`).test(text)
}

function errorTextOf({ message, position }: pg.DatabaseError, text: string): string {
  if (!position) return message
  const at = Number(position) - 1
  return `${message}, at: ${text.slice(at, at + 60).replace(/\s+/g, ' ')}`
}

/**
 * The tables that an outer join may leave out, so that their columns may be null in spite of what the
 * table says. `all` where that is not clear.
 */
export function outerJoinedTables(text: string, tables: ReadonlySet<string>): Set<string> | 'all' {
  if (/\b(right|full)\s+(outer\s+)?join\b/i.test(text)) return 'all'
  const outerTables = new Set<string>()
  for (const join of text.matchAll(/\bleft\s+(?:outer\s+)?join\s+(?:lateral\s+)?(\(|[\w".]+)/gi)) {
    const [whole, target = ''] = join
    if (target !== '(') {
      if (!tables.has(target)) return 'all'
      outerTables.add(target)
      continue
    }
    const inner = enclosed(text, join.index + whole.length)
    for (const [, table = ''] of inner.matchAll(/\b(?:from|join)\s+(?:lateral\s+)?([\w".]+)/gi)) {
      outerTables.add(table)
    }
  }
  return outerTables
}

/** What stands between the parenthesis before `from` and the one that closes it. */
function enclosed(text: string, from: number): string {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return text.slice(from, at)
  }
  return text.slice(from)
}

/** Has a statement parsed and its columns described; nothing is run. */
function describeStatement(
  client: pg.Client,
  text: string,
): Promise<ResultField[] | pg.DatabaseError> {
  return new Promise((resolve, reject) => {
    let answer: ResultField[] | pg.DatabaseError = []
    const query = {
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription(message: { fields: ResultField[] }) {
        answer = message.fields
      },
      // No end of the query is told after this.
      handleError(error: Error) {
        if (error instanceof pg.DatabaseError) resolve(error)
        else reject(error)
      },
      handleReadyForQuery: () => resolve(answer),
    }
    client.query(query as unknown as pg.Submittable)
  })
}

async function readCatalog(
  client: pg.Client,
  fields: readonly ResultField[],
): Promise<DatabaseCatalog> {
  const tables = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace in
      (current_schema()::regnamespace, 'pg_catalog'::regnamespace)`)
  const columns = await client.query<TableColumn & { tableId: number; columnId: number }>(
    `select a.attrelid::int8::float8 as "tableId", a.attnum as "columnId", c.relname as "table",
      a.attname as name, a.attnotnull as "isNotNull"
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attrelid = any($1::oid[]) and a.attnum > 0`,
    [[...new Set(fields.map(({ tableID }) => tableID))]],
  )
  const types = await client.query<{ id: number; name: string; element: string | null }>(
    `select t.oid::int8::float8 as id, t.typname as name, e.typname as element
    from pg_type t left join pg_type e on e.typarray = t.oid where t.oid = any($1::oid[])`,
    [[...new Set(fields.map(({ dataTypeID }) => dataTypeID))]],
  )
  const { types: parsers } = connectionOptions({ url: '', poolSize: 1, statementTimeoutMs: 1 })
  return {
    tables: new Set(tables.rows.map(({ name }) => name)),
    columns: new Map(columns.rows.map((row) => [`${row.tableId}.${row.columnId}`, row])),
    kinds: new Map(
      types.rows.map(({ id, name, element }) => {
        const sample = element === null ? sampleOf(name) : `{"${sampleOf(element)}"}`
        const kindBy = (by: pg.CustomTypesConfig) => kindOf(by.getTypeParser(id, 'text')(sample))
        return [
          id,
          {
            name: element === null ? name : `${element}[]`,
            kind: kindBy(parsers ?? pg.types),
            plain: kindBy(pg.types),
          },
        ]
      }),
    ),
  }
}

/** A value of each type as PostgreSQL writes it: what the driver makes of it is what it gives. */
const sampleValues: Readonly<Record<string, string>> = {
  bool: 't',
  bytea: '\\x00',
  date: '2026-01-02',
  float4: '1.5',
  float8: '1.5',
  int2: '1',
  int4: '1',
  int8: '1',
  json: '{}',
  jsonb: '{}',
  name: 'a',
  numeric: '1.5',
  oid: '1',
  text: 'a',
  timestamptz: '2026-01-02 03:04:05+00',
  uuid: '00000000-0000-0000-0000-000000000000',
  void: '',
}

function sampleOf(type: string): string {
  const sample = sampleValues[type]
  if (sample === undefined) throw new Error(`add a sample of the type ${type}`)
  return sample
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return `${kindOf(value[0])}[]`
  if (value instanceof Date) return 'Date'
  if (Buffer.isBuffer(value)) return 'Buffer'
  return typeof value
}
