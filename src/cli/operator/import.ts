import { createReadStream, statSync } from 'node:fs'
import { Transform } from 'node:stream'
import type { ResponseBody } from 'feria/client'
import { openClient, type ServerOptions, ServerUnavailable } from '../client/client.ts'
import { exitCodes } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'

const newline = 10

/** A line of the answer: a refused line, or how far the import has come. */
type ImportLine = ResponseBody<'/operator/import', 'post'>
type Refusal = Extract<ImportLine, { line: number }>
type ImportProgress = Exclude<ImportLine, Refusal>

/** `feria import FILE`: streams lines of JSON and prints the refused ones. Returns exit code 1 if a line was refused. */
export async function importHistoryCommand(
  { file, ...options }: ServerOptions & { file: string },
  out: Output,
): Promise<number> {
  const client = openClient(options)
  const total = file === '-' ? undefined : fileSize(file)
  const input = file === '-' ? process.stdin : createReadStream(file)
  const sent = { bytes: 0, lines: 0 }
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent.bytes += chunk.length
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) {
        sent.lines++
      }
      done(null, chunk)
    },
  })
  input.once('error', (error) => counting.destroy(error))
  const progress = out.progress({ unit: 'lines' })
  let last: ImportProgress | undefined
  try {
    for await (const line of client.lines('/operator/import', input.pipe(counting))) {
      const isRefusal = 'line' in line
      if (!isRefusal) last = line
      progress.clear()
      if (out.isJson) out.printResult(line, () => [])
      else if (isRefusal) out.print(refusalOf(line))
      // Estimate the number of lines from the average size of those sent.
      const lineTotal =
        total === undefined || sent.bytes === 0 ? undefined : estimateLines(sent, total)
      if (last)
        progress.update(
          last.done,
          lineTotal === undefined ? undefined : Math.max(lineTotal, last.done),
        )
    }
  } catch (error) {
    progress.end()
    if (!(error instanceof ServerUnavailable) || !last) throw error
    throw new ServerUnavailable(
      `${error.message}\n${last.done} lines were done and stay. Send the same file again: no line is imported twice.`,
    )
  }
  progress.end()
  if (!last) throw new ServerUnavailable('the answer has no summary')
  return printSummary(last, out)
}

function estimateLines(sent: { bytes: number; lines: number }, total: number): number {
  return sent.bytes >= total ? sent.lines : Math.round((sent.lines * total) / sent.bytes)
}

/** Returns the size of a file in bytes, or undefined for pipes and devices. */
function fileSize(file: string): number | undefined {
  const stats = statSync(file)
  return stats.isFile() ? stats.size : undefined
}

function refusalOf({ line, type, id, error, message }: Refusal): string {
  const entity =
    type === undefined ? '' : ` (${[type, id].filter((part) => part != null).join(' ')})`
  return `line ${line}${entity}: ${error}: ${message}`
}

function printSummary(last: ImportProgress, out: Output): number {
  const { done, imported, unchanged, refused } = last
  const isFinished = 'finished' in last && last.finished
  if (!out.isJson) {
    const counts = `${imported} imported, ${unchanged} there already, ${refused} refused`
    out.print(`${done} lines: ${counts}`)
  }
  if (!isFinished) {
    out.printNote(`It ended early: ${'message' in last ? last.message : 'no reason was given'}`)
  }
  return isFinished && refused === 0 ? exitCodes.done : exitCodes.failed
}
