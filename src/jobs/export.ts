import { Type } from 'typebox'
import { csvType } from '../exports/csv.ts'
import type { ExportKey } from '../exports/kind.ts'
import { listSellersOfBuyer } from '../exports/orders-read-model.ts'
import { exportFormats } from '../exports/run.ts'
import { StrictObject } from '../kernel/schema.ts'
import type { SiteId } from '../kernel/sites.ts'
import { exportedNames, exportSourceOf, type OpenExport } from './export-source.ts'
import { jobKind } from './kind.ts'
import { chunksAfter } from './result-file.ts'

/** Windows that one step reads at most, so that it ends in time however few rows match. */
const windowsPerStep = 20
/** A step ends after the window in which it has this many entries. They are a part of the file, of some megabytes. */
const entriesPerStep = 5_000

const Parameters = StrictObject({
  of: Type.Enum([...exportedNames], {
    description:
      'What is exported, as `GET /operator/exports/…` and `GET /operator/audit-log/export` do',
  }),
  format: Type.Optional(
    Type.Enum([...exportFormats], { description: 'The format of the file. Default: `ndjson`' }),
  ),
  filter: Type.Optional(
    Type.Object(
      {},
      {
        description:
          'The query parameters of that operation, without `format` and `after`. Default: everything',
        examples: [{ seller: 468424240, 'order.status': 'paid' }],
        additionalProperties: true,
      },
    ),
  ),
})

interface Checkpoint {
  /** The key of the last row that was looked at. Null at the beginning. */
  after: ExportKey | null
  /** Rows that were looked at. */
  rows: number
  /** Rows at the start of the job. */
  total: number
  /** Entries of the file. */
  entries: number
  /** The address with which links begin. */
  base: string
}

/** Writes the same file as a synchronous export. */
export const exportJob = jobKind({
  name: 'export',
  parameters: Parameters,
  file: ({ format = 'ndjson' }) =>
    format === 'csv'
      ? { extension: 'csv', type: csvType }
      : { extension: 'ndjson', type: 'application/x-ndjson' },
  permission: ({ of }) => exportSourceOf(of).permission,
  // An entry of the audit log has no site.
  siteOf: ({ of, filter = {} }) =>
    of === 'audit_log' ? undefined : (filter as { site_id?: SiteId }).site_id,

  async mayHoldUser({ db }, { parameters: { of, filter = {} }, userId }) {
    const { seller, buyer } = filter as { seller?: number; buyer?: number }
    if (seller === undefined || seller === userId) return true
    // Listings hold nobody but their seller, and an order two persons.
    if (of === 'listings' || (buyer !== undefined && buyer !== userId)) return false
    return (await listSellersOfBuyer(db, userId)).includes(seller)
  },

  async start(ctx, { of, format = 'ndjson', filter = {} }, { base }) {
    const source = await exportSourceOf(of).open(ctx, { filter, format, base })
    const total = await source.countRows()
    const checkpoint: Checkpoint = { after: null, rows: 0, total, entries: 0, base }
    return { checkpoint, total }
  },

  async step(ctx, { parameters: { of, format = 'ndjson', filter = {} }, checkpoint }) {
    const { base } = checkpoint
    const source = await exportSourceOf(of).open(ctx, { filter, format, base })
    const progress: Progress = { ...checkpoint, isLast: false }
    const chunks = writeWindows(source, progress)
    const first = await chunks.next()
    return {
      part: first.done ? undefined : chunksAfter(first.value, chunks),
      async commit() {
        const { isLast, ...after } = progress
        return {
          checkpoint: after,
          done: after.rows - checkpoint.rows,
          result: { entries: after.entries },
          isLast,
        }
      },
    }
  },
})

interface Progress extends Checkpoint {
  isLast: boolean
}

/** Yields the text of the next windows, and counts in `progress` what it has yielded. */
async function* writeWindows(source: OpenExport, progress: Progress): AsyncGenerator<Buffer> {
  const lastOfStep = progress.entries + entriesPerStep
  if (progress.after === null && source.header !== '') yield Buffer.from(source.header)
  for (let windows = 0; windows < windowsPerStep && progress.entries < lastOfStep; windows++) {
    const window = await source.openWindow(progress.after ?? source.firstKey)
    for await (const { text, entries } of window.pages) {
      progress.entries += entries
      yield Buffer.from(text)
    }
    if (!window.next) {
      progress.rows = Math.max(progress.rows, progress.total)
      progress.isLast = true
      return
    }
    progress.after = window.next
    progress.rows += source.windowSize
  }
}
