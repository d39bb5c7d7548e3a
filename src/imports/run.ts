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

/** What shares a transaction. */
const mostLines = 1_000
const mostBytes = 4 * 1_048_576
/** After so many, searches are planned anew before the import says that it has ended. PostgreSQL does so by itself, up to
 * a minute later. */
const manyLines = 500
/** Lines that came are not kept waiting for longer by lines that do not. */
const pauseMs = 1_000

/** A line that was read, or why it could not be. */
interface ReadLine {
  number: number
  said: ImportLine | Failure
}

/** Imports lines as they arrive. Answers at once; what is answered then tells how it goes. */
export function startImport(tools: Tools, input: Readable): Readable {
  const report = new Report()
  const running = run(tools, input, report).catch((error: unknown) => {
    if (input.destroyed && !input.readableEnded) return report.abandon()
    const failure = failureOf(error)
    if (isDefect(failure)) tools.log.error({ err: error }, 'a defect')
    report.end(failure)
    // What still comes is let pass, so that the answer is read.
    input.on('error', () => {}).resume()
  })
  return report.linesUntil(running)
}

/** What is being saved: whether it came out as drafted, if there was a draft. */
interface UnderWay {
  draft: Draft | undefined
  saving: Promise<boolean>
}

/** One batch is saved while the next one is read and drafted. */
async function run(tools: Tools, input: Readable, report: Report): Promise<void> {
  const memory = new Memory()
  let underWay: UnderWay = { draft: undefined, saving: Promise.resolve(true) }
  try {
    for await (const batch of batchesOf(input)) {
      const lines = batch.flatMap(({ said }) => (said instanceof Failure ? [] : [said]))
      const before = underWay.draft
      if (!before) await underWay.saving
      const prepared = await prepareBatch(tools, lines, { memory, before })
      const isSound = await underWay.saving
      const given = isSound ? prepared : undefined
      const saving = save(tools, { batch, lines, prepared: given }, { memory, report })
      // Whoever waits for it next learns what it fails with.
      saving.catch(() => {})
      underWay = { draft: given?.draft, saving }
    }
  } finally {
    await underWay.saving
  }
  if (report.imported >= manyLines) await analyzeOrders(tools.db)
  report.end()
}

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
  for (const { number, said } of batch) {
    if (said instanceof Failure) report.enter({ number, outcome: said })
    else report.enter({ number, said, outcome: outcomes[next++] ?? 'unchanged' })
  }
  report.progress()
  return isAsDrafted || prepared === undefined
}

async function* batchesOf(input: Readable): AsyncGenerator<ReadLine[]> {
  const cutter = new LineCutter()
  // Left where it is when the import ends early: closing it would close the answer's connection.
  const pieces = input.iterator({ destroyOnReturn: false })
  let batch: ReadLine[] = []
  let bytes = 0
  let next = pieces.next()
  for (;;) {
    const piece = batch.length > 0 ? await withinPause(next) : await next
    if (piece === undefined) {
      yield batch
      batch = []
      bytes = 0
      continue
    }
    const lines = piece.done ? cutter.rest() : cutter.cut(piece.value)
    for (const line of lines) {
      batch.push(read(line))
      bytes += line.bytes
      if (batch.length < mostLines && bytes < mostBytes) continue
      yield batch
      batch = []
      bytes = 0
    }
    if (piece.done) break
    next = pieces.next()
  }
  if (batch.length > 0) yield batch
}

/** Undefined when it takes longer than a pause. */
async function withinPause<T>(next: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const pause = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, pauseMs, undefined)
  })
  return Promise.race([next, pause]).finally(() => clearTimeout(timer))
}

function read({ number, text, wrong }: Line): ReadLine {
  if (wrong) return { number, said: wrong }
  try {
    return { number, said: readLine(text) }
  } catch (error) {
    if (error instanceof Failure) return { number, said: error }
    throw error
  }
}
