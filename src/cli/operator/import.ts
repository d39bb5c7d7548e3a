import { createReadStream, statSync } from 'node:fs'
import { Transform } from 'node:stream'
import { clientOf, type Json, OutOfReach, type ServerOptions } from '../client.ts'
import { exits } from '../failure.ts'
import type { Output } from '../frame/output.ts'

const newline = 10

/** `feria import FILE`: sends lines of JSON while it reads them, and tells what became of them. */
export async function importCommand(
  { file, ...options }: ServerOptions & { file: string },
  out: Output,
): Promise<number> {
  const client = clientOf(options)
  const total = file === '-' ? undefined : countable(file)
  const input = file === '-' ? process.stdin : createReadStream(file)
  const sent = { bytes: 0, lines: 0 }
  const counting = new Transform({
    transform(piece: Buffer, _encoding, done) {
      sent.bytes += piece.length
      for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) {
        sent.lines++
      }
      done(null, piece)
    },
  })
  input.once('error', (error) => counting.destroy(error))
  const progress = out.progress({ unit: 'lines' })
  let last: Json
  try {
    for await (const line of client.lines('/operator/import', input.pipe(counting))) {
      last = line.line === undefined ? line : last
      progress.clear()
      if (out.isJson) out.show(line, () => [])
      else if (line.line !== undefined) out.say(refusalOf(line))
      // How many lines there will be is told by the size of those that were sent.
      const whole = total === undefined || sent.bytes === 0 ? undefined : wholeOf(sent, total)
      if (last) progress.at(last.done, whole === undefined ? undefined : Math.max(whole, last.done))
    }
  } catch (error) {
    progress.end()
    if (!(error instanceof OutOfReach) || !last) throw error
    throw new OutOfReach(
      `${error.message}\n${last.done} lines were done and stay. Send the same file again: what is there is not imported twice.`,
    )
  }
  progress.end()
  return sum(last, out)
}

function wholeOf(sent: { bytes: number; lines: number }, total: number): number {
  return sent.bytes >= total ? sent.lines : Math.round((sent.lines * total) / sent.bytes)
}

/** The size of what has one. */
function countable(file: string): number | undefined {
  const found = statSync(file)
  return found.isFile() ? found.size : undefined
}

function refusalOf({ line, type, id, error, message }: Json): string {
  const what = type === undefined ? '' : ` (${[type, id].filter((each) => each != null).join(' ')})`
  return `line ${line}${what}: ${error}: ${message}`
}

function sum(last: Json, out: Output): number {
  const { done, imported, unchanged, refused, finished } = last
  if (!out.isJson) {
    const counted = `${imported} imported, ${unchanged} there already, ${refused} refused`
    out.say(`${done} lines: ${counted}`)
  }
  if (!finished) out.note(`It ended early: ${last.message}`)
  return finished && refused === 0 ? exits.done : exits.failed
}
