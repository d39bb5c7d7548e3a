import { Type } from 'typebox'
import { linesType } from '../http/bodies/lines.ts'
import { entriesTrailer, streamExport } from '../http/export-stream.ts'
import { ok, type Route, route } from '../http/route.ts'
import { allSites } from '../http/site-rule.ts'
import { parseTimestamp, timestamp } from '../kernel/clock.ts'
import { badField } from '../kernel/failure.ts'
import { OrNull } from '../kernel/schema.ts'
import { scrollFields, scrollIdOf } from '../kernel/scroll.ts'
import type { Database } from '../platform/database/database.ts'
import { csvHeader, csvOf } from './csv.ts'
import { type AuditFilterQuery, auditFilterOf, auditFilterQuery } from './filter.ts'
import { type AuditEntryRow, type AuditFilter, type AuditPosition, listEntries } from './store.ts'
import { AuditEntryAnswer, renderEntries } from './view.ts'

const tag = 'Operator: audit log'
const defaultPageSize = 50
/** Entries per statement: what an export holds in memory at once. */
const exportPageSize = 500

const filterRefusal = 'target: expected a kind and an id, such as order:2000003508419013'

const getLog = route({
  method: 'GET',
  url: '/operator/audit-log',
  scope: 'operator',
  permission: 'audit:read',
  sites: allSites,
  tag,
  summary: 'List entries of the audit log',
  description:
    'Returns what operators changed, the newest first: who, when, what and why. Each successful operation of the operator that may change something has one entry, which commits together with the change. No operation changes or deletes an entry. Send `next_cursor` as `cursor` to get the next page, with the same filters. 400 `bad_request`: a filter or the cursor is wrong.',
  refuses: { bad_request: filterRefusal },
  query: Type.Object({
    ...auditFilterQuery,
    cursor: Type.Optional(
      Type.String({ maxLength: 500, description: '`next_cursor` of the previous page' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, description: 'Entries per page. Default: 50' }),
    ),
  }),
  answers: {
    200: Type.Object({
      results: Type.Array(AuditEntryAnswer),
      next_cursor: OrNull(
        Type.String({
          description: 'Send it as `cursor` to get the next page. Null on the last page',
        }),
      ),
    }),
  },
  async handle({ db }, { query: { cursor, limit = defaultPageSize, ...query } }) {
    const filter = auditFilterOf(query)
    const after = cursor === undefined ? undefined : positionOf(cursor, query)
    const entries = await listEntries(db, filter, { after, limit: limit + 1 })
    const page = entries.slice(0, limit)
    const last = entries.length > limit ? page.at(-1) : undefined
    return ok({
      results: await renderEntries(db, page),
      next_cursor: last ? cursorOf(last, query) : null,
    })
  },
})

const getExport = route({
  method: 'GET',
  url: '/operator/audit-log/export',
  scope: 'operator',
  permission: 'audit:read',
  sites: allSites,
  tag,
  summary: 'Export the audit log',
  description:
    'Returns all matching entries, the newest first, as a stream of any length: one JSON object per line (`ndjson`, the default), or `csv` with a header line. No cell of the CSV file starts a formula in a spreadsheet: such a text begins with an apostrophe. It is complete if it ends without an error of the connection; the trailer `X-Feria-Entries` then has the number of entries. 429 `too_many_exports`: the process runs as many exports as it may. 400 `bad_request`: a filter is wrong, or the request is HTTP/1.0.',
  refuses: { too_many_exports: '4', bad_request: filterRefusal },
  mayBreakOff: true,
  query: Type.Object({
    ...auditFilterQuery,
    format: Type.Optional(
      Type.Enum(['ndjson', 'csv'], { description: 'Format of the file. Default: `ndjson`' }),
    ),
  }),
  answers: { 200: { ...AuditEntryAnswer, contentMediaType: linesType } },
  answerHeaders: Type.Object({
    [entriesTrailer]: Type.String({
      description: 'A trailer: the number of entries. Only a complete answer has it',
    }),
  }),
  async handle(ctx, { query: { format = 'ndjson', ...query }, operator }) {
    const filter = auditFilterOf(query)
    return streamExport(ctx, {
      operator,
      name: 'audit-log',
      open: async () => entryPages(ctx.db, filter),
      ...formatters[format],
    })
  },
})

const formatters = {
  ndjson: {
    header: '',
    format: (entries: readonly AuditEntryAnswer[]) =>
      entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
    headers: { 'content-type': linesType },
  },
  csv: {
    header: csvHeader,
    format: (entries: readonly AuditEntryAnswer[]) => entries.map(csvOf).join(''),
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="audit-log.csv"',
    },
  },
}

async function* entryPages(
  db: Database,
  filter: AuditFilter,
): AsyncGenerator<readonly AuditEntryAnswer[]> {
  let after: AuditEntryRow | undefined
  do {
    const limit = exportPageSize
    const page: AuditEntryRow[] = await listEntries(db, filter, {
      ...(after ? { after } : {}),
      limit,
    })
    yield await renderEntries(db, page)
    after = page.length === limit ? page.at(-1) : undefined
  } while (after)
}

function cursorOf({ recordedAt, id }: AuditPosition, query: AuditFilterQuery): string {
  return scrollIdOf(scanKeyOf(query), [timestamp(recordedAt), id])
}

/** Returns the position of a cursor. Throws `bad_request` if it is malformed or of other filters. */
function positionOf(cursor: string, query: AuditFilterQuery): AuditPosition {
  const [at, id] = scrollFields(cursor, scanKeyOf(query))
  const recordedAt = parseTimestamp(String(at))
  if (recordedAt && typeof id === 'string' && /^[\w-]{1,60}$/.test(id)) return { recordedAt, id }
  throw badField('cursor', 'the `next_cursor` of a page with the same filters')
}

function scanKeyOf({ actor, target, operation, from, to }: AuditFilterQuery): readonly unknown[] {
  return ['audit log', actor, target, operation, from, to]
}

export const auditAdminRoutes: Route[] = [getLog, getExport]
