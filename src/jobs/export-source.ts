import { csvHeader, csvOf } from '../audit/csv.ts'
import { auditFilterOf, auditFilterQuery } from '../audit/filter.ts'
import { countEntries, listEntries } from '../audit/store.ts'
import { renderEntries } from '../audit/view.ts'
import type { ExportKey } from '../exports/kind.ts'
import { type ExportFormat, formatters, readRange } from '../exports/run.ts'
import { type ExportStreamName, exportStreamNames, exportStreams } from '../exports/streams.ts'
import { makeBodyCheck } from '../http/check.ts'
import type { OperatorPermission } from '../http/permissions.ts'
import { StrictObject } from '../kernel/schema.ts'
import type { Context } from '../platform/context.ts'

/** What a job can export. */
export const exportedNames = [...exportStreamNames, 'audit_log'] as const
export type ExportedName = (typeof exportedNames)[number]

/** Entries as the text of the file. */
interface ExportedText {
  text: string
  entries: number
}

/** The rows after a key that one step looks at. */
interface ExportWindow {
  /** The key after which the next window begins. Undefined in the last one. */
  next: ExportKey | undefined
  pages: AsyncIterable<ExportedText>
}

/** An export with its filter, which can go on after each window. */
export interface OpenExport {
  /** A key before all others. */
  firstKey: ExportKey
  /** The rows that each window but the last looks at. */
  windowSize: number
  /** With what the file begins. */
  header: string
  countRows(): Promise<number>
  openWindow(after: ExportKey): Promise<ExportWindow>
}

/** Something that can be exported. */
export interface ExportSource {
  permission: OperatorPermission
  /** Throws `bad_request` for a wrong filter. */
  open(
    ctx: Context,
    options: { filter: object; format: ExportFormat; base: string },
  ): Promise<OpenExport>
}

/** Rows of a stream that one window looks at: some seconds at most, however large they are. */
const streamWindow = 5_000
/** Entries of the audit log that one window has, which is one statement. */
const auditWindow = 500

function streamSource(name: ExportStreamName): ExportSource {
  const { permission, kind, filters, filterOf } = exportStreams[name]
  const check = filterCheck(StrictObject(filters.properties))
  return {
    permission,
    async open(ctx, { filter: query, format, base }) {
      const { db, now } = ctx
      const tools = { db, now, base }
      const filter = await filterOf(ctx, check(query))
      const formatter = formatters[format](kind, { hasHeader: true })
      return {
        firstKey: kind.firstKey,
        windowSize: streamWindow,
        header: formatter.header,
        countRows: () => kind.countRows(db, filter),
        async openWindow(after) {
          const until = await kind.findWindowEnd(db, { filter, after, size: streamWindow })
          return { next: until, pages: textsOf(readRange(tools, kind, { filter, after, until })) }
        },
      }
      async function* textsOf(pages: ReturnType<typeof readRange>) {
        for await (const page of pages) yield { text: formatter.format(page), entries: page.length }
      }
    },
  }
}

/** Entries of the audit log, the newest first. Entries that are added meanwhile are not among them. */
const auditSource: ExportSource = {
  permission: 'audit:read',
  async open({ db }, { filter: query, format }) {
    const filter = auditFilterOf(checkAuditFilter(query))
    const textOf = format === 'csv' ? csvOf : (entry: object) => `${JSON.stringify(entry)}\n`
    return {
      firstKey: [],
      windowSize: auditWindow,
      header: format === 'csv' ? csvHeader : '',
      countRows: () => countEntries(db, filter),
      async openWindow([ms, id]) {
        const after =
          id === undefined ? undefined : { recordedAt: new Date(Number(ms)), id: `${id}` }
        const rows = await listEntries(db, filter, { after, limit: auditWindow })
        const last = rows.length === auditWindow ? rows.at(-1) : undefined
        return { next: last && [last.recordedAt.getTime(), last.id], pages: pages() }
        async function* pages() {
          const entries = await renderEntries(db, rows)
          if (entries.length > 0)
            yield { text: entries.map(textOf).join(''), entries: entries.length }
        }
      },
    }
  },
}
const checkAuditFilter = filterCheck(StrictObject(auditFilterQuery))

/** Returns the check of a filter, which names wrong fields as they stand in the body of the request. */
function filterCheck(
  schema: Parameters<typeof makeBodyCheck>[0],
): (filter: object) => Record<string, unknown> {
  const check = makeBodyCheck(StrictObject({ parameters: StrictObject({ filter: schema }) }))
  return (filter) => {
    check({ parameters: { filter } })
    return filter as Record<string, unknown>
  }
}

const sourcesByName: Readonly<Record<ExportedName, ExportSource>> = {
  orders: streamSource('orders'),
  payments: streamSource('payments'),
  shipments: streamSource('shipments'),
  listings: streamSource('listings'),
  users: streamSource('users'),
  claims: streamSource('claims'),
  messages: streamSource('messages'),
  audit_log: auditSource,
}

export function exportSourceOf(name: ExportedName): ExportSource {
  return sourcesByName[name]
}
