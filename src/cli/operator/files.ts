import { createWriteStream, readFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { CommandFailure } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'

/** Reads a JSON file; `-` is standard input. The server checks its fields. */
export function readJsonFile<T>(file: string): T {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new CommandFailure(`${file} is not JSON: ${error.message}`)
  }
}

/** Writes the body of an answer to a file, or to standard output without one. Returns whether there is a file. */
export async function saveBody(
  { body }: Response,
  { file, out }: { file: string | undefined; out: Output },
): Promise<boolean> {
  const source = body ? Readable.fromWeb(body as ReadableStream) : Readable.from([])
  if (file === undefined) {
    const decoder = new TextDecoder()
    for await (const bytes of source) out.write(decoder.decode(bytes, { stream: true }))
    return false
  }
  // The file gets its name only when it is complete.
  await pipeline(source, createWriteStream(`${file}.part`))
  await rename(`${file}.part`, file)
  return true
}
