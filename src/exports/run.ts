import { linesType } from '../http/bodies/lines.ts'
import { streamExport } from '../http/export-stream.ts'
import type { RouteResponse } from '../http/route.ts'
import { badField, type Failure } from '../kernel/failure.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { Context } from '../platform/context.ts'
import { csvRecords, csvType, makeCellReader } from './csv.ts'
import type { ExportEntry, ExportKey, ExportKind, ExportTools } from './kind.ts'

export const exportFormats = ['ndjson', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Entries per statement: what an export holds in memory at once. */
const pageSize = 500
/** Rows that one statement may look at. It ends in time, however few of them match. */
const windowSize = 20_000

/** Returns the failure of an `after` that names no entry. */
export function unknownEntry(): Failure {
  return badField('after', 'the id of the last entry that you have')
}

export interface ExportInput<Filter> {
  format: ExportFormat
  filter: Filter
  /** The id of the last entry that the caller has. */
  after: string | undefined
  /** The address of this service, with which links begin. */
  base: string
  operator: OperatorActor
}

/**
 * Answers with all entries that match, as they are read (`streamExport`). Throws `too_many_exports`, and `bad_request`
 * for an unknown `after`.
 */
export function runExport<Filter, Key extends ExportKey>(
  ctx: Context,
  kind: ExportKind<Filter, Key>,
  { format, filter, after, base, operator }: ExportInput<Filter>,
): Promise<RouteResponse> {
  const { type, ...formatter } = formatters[format](kind, { hasHeader: after === undefined })
  return streamExport(ctx, {
    name: kind.name,
    async open() {
      const start = after === undefined ? kind.firstKey : await kind.findKey(ctx.db, after)
      if (!start) throw unknownEntry()
      return readPages({ db: ctx.db, now: ctx.now, base }, kind, { filter, start })
    },
    ...formatter,
    operator,
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${kind.name}.${format}"`,
    },
  })
}

/** Yields the entries in the order of their keys, a page at a time. */
async function* readPages<Filter, Key extends ExportKey>(
  tools: ExportTools,
  kind: ExportKind<Filter, Key>,
  { filter, start }: { filter: Filter; start: Key },
): AsyncGenerator<readonly ExportEntry[]> {
  let until: Key | undefined = start
  do {
    const after: Key = until
    until = await kind.findWindowEnd(tools.db, { filter, after, size: windowSize })
    yield* readRange(tools, kind, { filter, after, until })
  } while (until)
}

/** Yields the entries after a key, up to another one or to the end, a page at a time. */
export async function* readRange<Filter, Key extends ExportKey>(
  tools: ExportTools,
  kind: ExportKind<Filter, Key>,
  { filter, after: first, until }: { filter: Filter; after: Key; until: Key | undefined },
): AsyncGenerator<readonly ExportEntry[]> {
  for (let after: Key | undefined = first; after; ) {
    const page = await kind.readPage(tools, filter, { after, until, limit: pageSize })
    if (page.entries.length > 0) yield page.entries
    after = page.next
  }
}

/** Writes entries as text. */
export interface Formatter {
  type: string
  header: string
  format(entries: readonly ExportEntry[]): string
}

export const formatters: Readonly<
  Record<ExportFormat, (kind: { columns: object }, options: { hasHeader: boolean }) => Formatter>
> = {
  ndjson: () => ({ type: linesType, header: '', format: linesOf }),
  csv: ({ columns }, { hasHeader }) => {
    const cellsOf = makeCellReader(columns as Record<string, string>)
    return {
      type: csvType,
      header: hasHeader ? csvRecords([Object.keys(columns)]) : '',
      format: (entries) => csvRecords(entries.map((entry) => cellsOf(parsedEntry(entry)))),
    }
  },
}

function linesOf(entries: readonly ExportEntry[]): string {
  let lines = ''
  for (const entry of entries) {
    lines += `${typeof entry === 'string' ? entry : JSON.stringify(entry)}\n`
  }
  return lines
}

function parsedEntry(entry: ExportEntry): object {
  return typeof entry === 'string' ? JSON.parse(entry) : entry
}
