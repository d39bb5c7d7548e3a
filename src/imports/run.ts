import type { Readable } from 'node:stream'
import { type Line, LineCutter } from '../http/bodies/cut.ts'
import { failureOf, isDefect } from '../http/failure.ts'
import { Failure } from '../kernel/failure.ts'
import { analyzeOrders } from '../orders/store.ts'
import type { Context } from '../platform/context.ts'
import { importBatch, type Prepared, prepareBatch, savePrepared } from './batch.ts'
import { type ImportLine, readLine } from './bodies.ts'
import type { Draft } from './draft.ts'
import { Report } from './report.ts'
import { Memory } from './seen.ts'

type Tools = Pick<Context, 'db' | 'now' | 'log'>

/** Limits of a batch, which is one transaction. */
const batchLines = 1_000
const batchBytes = 4 * 1_048_576
/** After this many lines, an import analyzes the tables of orders at its end. Autovacuum does so up to a minute later. */
const analyzeFromLines = 500
/** A batch that is not full is imported after this pause in the input. */
const pauseMs = 1_000

/** A parsed line, or why it could not be parsed. */
interface ReadLine {
  number: number
  content: ImportLine | Failure
}

/** Imports lines as they arrive. Returns the streamed answer at once. */
export function startImport(tools: Tools, input: Readable): Readable {
  const report = new Report()
  const running = run(tools, input, report).catch((error: unknown) => {
    if (input.destroyed && !input.readableEnded) return report.abandon()
    const failure = failureOf(error)
    if (isDefect(failure)) tools.log.error({ err: error }, 'a defect')
    report.end(failure)
    // Drain the rest of the input, so that the caller reads the answer.
    input.on('error', () => {}).resume()
  })
  return report.linesUntil(running)
}

/** A batch that is being saved. `saving` resolves with whether it was saved as drafted, or had no draft. */
interface PendingBatch {
  draft: Draft | undefined
  saving: Promise<boolean>
}

/** Imports batches. One is saved while the next one is read and drafted. */
async function run(tools: Tools, input: Readable, report: Report): Promise<void> {
  const memory = new Memory()
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
  if (report.imported >= analyzeFromLines) await analyzeOrders(tools.db)
  report.end()
}

/** Saves a batch and reports each of its lines. A batch that was prepared is saved as drafted if nothing it relied
 * on has changed. Returns false if a prepared batch had to be drafted again. */
async function save(
  tools: Tools,
  {
    batch,
    lines,
    prepared,
  }: { batch: ReadLine[]; lines: ImportLine[]; prepared: Prepared | undefined },
  { memory, report }: { memory: Memory; report: Report },
): Promise<boolean> {
  const isAsDrafted = prepared !== undefined && (await savePrepared(tools, prepared))
  const outcomes = isAsDrafted ? prepared.outcomes : await importBatch(tools, lines, memory)
  let next = 0
  for (const { number, content } of batch) {
    if (content instanceof Failure) report.enter({ number, outcome: content })
    else report.enter({ number, content, outcome: outcomes[next++] ?? 'unchanged' })
  }
  report.progress()
  return isAsDrafted || prepared === undefined
}

/** Cuts the input into batches of lines. A batch ends when it is full, or when the input pauses. */
async function* batchesOf(input: Readable): AsyncGenerator<ReadLine[]> {
  const cutter = new LineCutter()
  // Not destroyed when the import ends early, which would close the connection of the answer.
  const chunks = input.iterator({ destroyOnReturn: false })
  let batch: ReadLine[] = []
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
    const lines = chunk.done ? cutter.rest() : cutter.cut(chunk.value)
    for (const line of lines) {
      batch.push(read(line))
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

function read({ number, text, wrong }: Line): ReadLine {
  if (wrong) return { number, content: wrong }
  try {
    return { number, content: readLine(text) }
  } catch (error) {
    if (error instanceof Failure) return { number, content: error }
    throw error
  }
}
