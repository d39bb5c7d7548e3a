import type { Readable } from 'node:stream'
import { type Line, LineSplitter } from '../http/bodies/line-splitter.ts'
import { failureOf, isDefect } from '../http/failure.ts'
import { Failure } from '../kernel/failure.ts'
import { analyzeOrders } from '../orders/store.ts'
import type { Context } from '../platform/context.ts'
import { importBatch, type PreparedBatch, prepareBatch, savePreparedBatch } from './batch.ts'
import { type ImportLine, parseImportLine } from './bodies.ts'
import type { ImportDraft } from './draft.ts'
import { ImportReport } from './report.ts'
import { ImportCache } from './stored-rows.ts'

type Tools = Pick<Context, 'audit' | 'catalog' | 'config' | 'db' | 'now' | 'log'>

/** Limits of a batch, which is one transaction. */
export const batchLines = 1_000
export const batchBytes = 4 * 1_048_576
/** After this many lines, an import analyzes the tables of orders at its end. Autovacuum does so up to a minute later. */
export const analyzeFromLines = 500
/** A batch that is not full is imported after this pause in the input. */
const pauseMs = 1_000

/** A parsed line, or why it could not be parsed. */
export interface ParsedLine {
  number: number
  content: ImportLine | Failure
}

/** Imports lines as they arrive. Returns the streamed answer at once. */
export function startImport(tools: Tools, input: Readable): Readable {
  const report = new ImportReport()
  const running = runAudited(tools, input, report).catch((error: unknown) => {
    if (input.destroyed && !input.readableEnded) return report.abandon()
    const failure = failureOf(error)
    if (isDefect(failure)) tools.log.error({ err: error }, 'a defect')
    report.end(failure)
    // Drain the rest of the input, so that the caller reads the answer.
    input.on('error', () => {}).resume()
  })
  return report.streamUntil(running)
}

/** Imports the lines, and adds the counts to the entry of the import in the audit log before its last line is written,
 * also if the import ends early. */
async function runAudited(tools: Tools, input: Readable, report: ImportReport): Promise<void> {
  try {
    await run(tools, input, report)
  } finally {
    await tools.audit.result(report.counts)
  }
  report.end()
}

/** A batch that is being saved. `saving` resolves with whether it was saved as drafted, or had no draft. */
interface PendingBatch {
  draft: ImportDraft | undefined
  saving: Promise<boolean>
}

/** Imports batches. One is saved while the next one is read and drafted. */
async function run(tools: Tools, input: Readable, report: ImportReport): Promise<void> {
  const memory = new ImportCache()
  let pending: PendingBatch = { draft: undefined, saving: Promise.resolve(true) }
  try {
    for await (const batch of batchesOf(input)) {
      const lines = batch.flatMap(({ content }) => (content instanceof Failure ? [] : [content]))
      const before = pending.draft
      if (!before) await pending.saving
      const prepared = await prepareBatch(tools, lines, { memory, before })
      const isDraftValid = await pending.saving
      const usable = isDraftValid ? prepared : undefined
      const saving = save(tools, { batch, lines, prepared: usable }, { memory, report })
      // The next `await` of it reports the error; without this handler it would count as unhandled.
      saving.catch(() => {})
      pending = { draft: usable?.draft, saving }
    }
  } finally {
    await pending.saving
  }
  if (report.counts.imported >= analyzeFromLines) await analyzeOrders(tools.db)
}

/** Saves a batch and reports each of its lines. A batch that was prepared is saved as drafted if nothing it relied
 * on has changed. Returns false if a prepared batch had to be drafted again. */
async function save(
  tools: Tools,
  {
    batch,
    lines,
    prepared,
  }: { batch: ParsedLine[]; lines: ImportLine[]; prepared: PreparedBatch | undefined },
  { memory, report }: { memory: ImportCache; report: ImportReport },
): Promise<boolean> {
  const isAsDrafted = prepared !== undefined && (await savePreparedBatch(tools, prepared))
  const outcomes = isAsDrafted ? prepared.outcomes : await importBatch(tools, lines, memory)
  let next = 0
  for (const { number, content } of batch) {
    if (content instanceof Failure) report.addLine({ number, outcome: content })
    else report.addLine({ number, content, outcome: outcomes[next++] ?? 'unchanged' })
  }
  report.progress()
  return isAsDrafted || prepared === undefined
}

/** Cuts the input into batches of lines. A batch ends when it is full, or when the input pauses. */
async function* batchesOf(input: Readable): AsyncGenerator<ParsedLine[]> {
  const cutter = new LineSplitter()
  // Not destroyed when the import ends early, which would close the connection of the answer.
  const chunks = input.iterator({ destroyOnReturn: false })
  let batch: ParsedLine[] = []
  let bytes = 0
  let next = chunks.next()
  for (;;) {
    const chunk = batch.length > 0 ? await withinPause(next) : await next
    if (chunk === undefined) {
      yield batch
      batch = []
      bytes = 0
      continue
    }
    const lines = chunk.done ? cutter.flush() : cutter.push(chunk.value)
    for (const line of lines) {
      batch.push(parseLine(line))
      bytes += line.bytes
      if (batch.length < batchLines && bytes < batchBytes) continue
      yield batch
      batch = []
      bytes = 0
    }
    if (chunk.done) break
    next = chunks.next()
  }
  if (batch.length > 0) yield batch
}

/** Resolves with undefined if the next chunk takes longer than a pause. */
async function withinPause<T>(next: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const pause = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, pauseMs, undefined)
  })
  return Promise.race([next, pause]).finally(() => clearTimeout(timer))
}

/** Parses a line. A wrong one is returned with its failure. */
export function parseLine({ number, text, failure }: Line): ParsedLine {
  if (failure) return { number, content: failure }
  try {
    return { number, content: parseImportLine(text) }
  } catch (error) {
    if (error instanceof Failure) return { number, content: error }
    throw error
  }
}
