import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Failure } from '../kernel/failure.ts'
import { errorBodyOf } from './failure.ts'
import { type ByteRange, requestedRange } from './range.ts'
import type { RouteResponse } from './route.ts'

/** A file that is answered. */
export interface AnsweredFile {
  size: number
  /** With its quotation marks. */
  etag: string
  contentType: string
  contentDisposition: string
  open(part: ByteRange): Promise<Readable>
}

/** Permissions to read a file may change, so every cached copy is validated again. */
const cacheControl = { 'cache-control': 'private, no-cache' }

/** Answers with the file or the requested part of it: 200, 206, 304 or 416. */
export async function fileResponse(
  { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch }: IncomingHttpHeaders,
  { size, etag, contentType, contentDisposition, open }: AnsweredFile,
): Promise<RouteResponse> {
  const conditions = {
    ...(range === undefined ? {} : { range }),
    ...(typeof ifRange === 'string' ? { 'if-range': ifRange } : {}),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
  }
  const part = requestedRange(conditions, { size, etag })
  if (part === 'unchanged') return { status: 304, headers: { etag, ...cacheControl } }
  if (part === 'unsatisfiable') return unsatisfiable(size)
  const { start, end } = part === 'whole' ? { start: 0, end: size - 1 } : part
  return {
    status: part === 'whole' ? 200 : 206,
    content: await open({ start, end }),
    headers: {
      etag,
      'content-type': contentType,
      'content-disposition': contentDisposition,
      // A browser that shows the file despite `attachment` runs no scripts in it.
      'content-security-policy': "default-src 'none'; sandbox",
      'accept-ranges': 'bytes',
      'content-length': String(end - start + 1),
      ...(part === 'whole' ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
      ...cacheControl,
    },
  }
}

/** Returns the 416 for a range beyond the end of the file. It is returned, not thrown, because it must name the size in
 * `Content-Range` (RFC 9110, 15.5.17). */
function unsatisfiable(size: number): RouteResponse {
  const failure = new Failure('range_not_satisfiable')
  return {
    status: failure.status,
    body: errorBodyOf(failure),
    headers: { 'content-range': `bytes */${size}` },
  }
}
