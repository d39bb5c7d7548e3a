import { Readable } from 'node:stream'
import type { ByteRange } from '../http/range.ts'
import { Failure } from '../kernel/failure.ts'
import type { Context } from '../platform/context.ts'
import type { Job } from './job.ts'
import { type JobKind, restOfFile } from './kind.ts'
import { type FilePart, listFileParts } from './store.ts'

/** The file of a job: parts in the file store, one after the other, and an end that is kept with the job. */
export interface ResultFile {
  size: number
  parts: readonly FilePart[]
  rest: Uint8Array
}

export async function findResultFile(
  { db }: Pick<Context, 'db'>,
  { kind, job }: { kind: JobKind; job: Job },
): Promise<ResultFile> {
  const [parts, rest] = [await listFileParts(db, { jobId: job.id }), restOfFile(kind, job)]
  return { parts, rest, size: parts.reduce((sum, { size }) => sum + size, rest.length) }
}

/** Opens a byte range of the file. Throws `file_not_accessed` if the first part cannot be read. */
export async function openResultFile(
  { files, log }: Pick<Context, 'files' | 'log'>,
  file: ResultFile,
  range: ByteRange,
): Promise<Readable> {
  const pieces = readPieces({ files }, file, range)
  try {
    const first = await pieces.next()
    return Readable.from(first.done ? [] : chunksAfter(first.value, pieces), { objectMode: false })
  } catch (error) {
    log.error({ err: error }, 'the file store did not give a part of a job’s file')
    throw new Failure('file_not_accessed')
  }
}

/** Yields a chunk that was read already, and the others. */
export async function* chunksAfter(first: Uint8Array, others: AsyncIterable<Uint8Array>) {
  yield first
  yield* others
}

/** Yields the bytes of a range of parts, one after the other. */
export async function* readParts(
  { files }: Pick<Context, 'files'>,
  parts: readonly FilePart[],
  range: ByteRange,
): AsyncGenerator<Uint8Array> {
  let offset = 0
  for (const { key, size } of parts) {
    const start = Math.max(range.start - offset, 0)
    const end = Math.min(range.end - offset, size - 1)
    if (start <= end) yield* await files.read(key, { start, end })
    offset += size
  }
}

/** Yields the bytes of a range of the file. */
async function* readPieces(
  tools: Pick<Context, 'files'>,
  { parts, rest, size }: ResultFile,
  range: ByteRange,
): AsyncGenerator<Uint8Array> {
  yield* readParts(tools, parts, range)
  const offset = size - rest.length
  const piece = rest.subarray(
    Math.max(range.start - offset, 0),
    Math.max(range.end - offset + 1, 0),
  )
  if (piece.length > 0) yield piece
}
