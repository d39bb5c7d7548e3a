import { LineSplitter } from '../http/bodies/line-splitter.ts'
import { importBatch } from '../imports/batch.ts'
import { refusedLine } from '../imports/report.ts'
import {
  analyzeFromLines,
  batchBytes,
  batchLines,
  type ParsedLine,
  parseLine,
} from '../imports/run.ts'
import { ImportCache } from '../imports/stored-rows.ts'
import { Failure } from '../kernel/failure.ts'
import { StrictObject } from '../kernel/schema.ts'
import { analyzeOrders } from '../orders/store.ts'
import type { Context } from '../platform/context.ts'
import { type HeldLines, isPartFull, partOfLines, textOfLines } from './held-lines.ts'
import { jobKind } from './kind.ts'
import { readParts } from './result-file.ts'
import { listFileParts } from './store.ts'

interface Checkpoint {
  /** Whether the file has arrived whole. */
  isUploaded: boolean
  /** Bytes and lines that were read. */
  offset: number
  line: number
  imported: number
  unchanged: number
  refused: number
  /** Refused lines that no part of the file holds yet. */
  lines: HeldLines
}

export const firstImportCheckpoint: Checkpoint = {
  isUploaded: false,
  offset: 0,
  line: 0,
  imported: 0,
  unchanged: 0,
  refused: 0,
  lines: [],
}

/** Imports a file that was uploaded, as `POST /operator/import` imports its body. Its own file has the refused lines. */
export const importJob = jobKind({
  name: 'import',
  parameters: StrictObject({}),
  file: () => ({ extension: 'ndjson', type: 'application/x-ndjson' }),
  permission: () => 'imports:write',
  takesUpload: true,
  // Refused lines are reported without their values, so only the upload may.
  mayHoldUser: async () => true,

  start: async () => ({ checkpoint: firstImportCheckpoint, total: 0 }),

  async step(ctx, { id, checkpoint }) {
    if (!checkpoint.isUploaded) throw new Failure('upload_interrupted')
    const { lines, isLast } = await readBatch(ctx, { jobId: id, offset: checkpoint.offset })
    // The batch commits before the step does. After a crash it is repeated, which changes nothing: its lines then count
    // as unchanged.
    const outcomes = await importLines(ctx, lines)
    const refused = outcomes.flatMap(({ outcome, ...line }) =>
      outcome instanceof Failure ? [refusedLine({ ...line, failure: outcome })] : [],
    )
    const count = (name: string) => outcomes.filter(({ outcome }) => outcome === name).length
    const isFull = isPartFull(checkpoint.lines)
    const last = lines.at(-1)
    const after: Checkpoint = {
      isUploaded: true,
      offset: checkpoint.offset + (last?.end ?? 0),
      line: checkpoint.line + (last?.number ?? 0),
      imported: checkpoint.imported + count('imported'),
      unchanged: checkpoint.unchanged + count('unchanged'),
      refused: checkpoint.refused + refused.length,
      lines: [...(isFull ? [] : checkpoint.lines), ...refused.map((line) => JSON.stringify(line))],
    }
    if (isLast && after.imported >= analyzeFromLines) await analyzeOrders(ctx.db)
    return {
      part: isFull ? partOfLines(checkpoint.lines) : undefined,
      commit: async () => ({
        checkpoint: after,
        done: after.line - checkpoint.line,
        result: {
          imported: after.imported,
          unchanged: after.unchanged,
          refused: after.refused,
        },
        isLast,
      }),
    }

    /** Imports parsed lines. Numbers them as in the whole file. */
    async function importLines(tools: Context, batch: readonly UploadedLine[]) {
      const parsed = batch.flatMap(({ content }) => (content instanceof Failure ? [] : [content]))
      const results = (await importBatch(tools, parsed, new ImportCache())).values()
      return batch.map(({ content, number }) => {
        const line = { number: checkpoint.line + number }
        return content instanceof Failure
          ? { ...line, content: undefined, outcome: content }
          : { ...line, content, outcome: results.next().value ?? 'unchanged' }
      })
    }
  },

  restOfFile: ({ lines }: Checkpoint) => textOfLines(lines),
})

interface UploadedLine extends ParsedLine {
  /** Bytes from the beginning of the batch to the end of this line. */
  end: number
}

/** Reads the lines of a batch from a byte of the upload on. */
async function readBatch(
  { db, files }: Pick<Context, 'db' | 'files'>,
  { jobId, offset }: { jobId: string; offset: number },
): Promise<{ lines: UploadedLine[]; isLast: boolean }> {
  const parts = await listFileParts(db, { jobId, isUpload: true })
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  const splitter = new LineSplitter()
  const lines: UploadedLine[] = []
  let bytes = 0
  for await (const chunk of readParts({ files }, parts, { start: offset, end: size - 1 })) {
    for (const line of splitter.push(Buffer.from(chunk))) {
      lines.push({ ...parseLine(line), end: line.end })
      bytes += line.bytes
      if (lines.length >= batchLines || bytes >= batchBytes) return { lines, isLast: false }
    }
  }
  lines.push(...splitter.flush().map((line) => ({ ...parseLine(line), end: line.end })))
  return { lines, isLast: true }
}
