import type { IncomingMessage } from 'node:http'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badField, Failure } from '../../kernel/failure.ts'
import { mostFields } from '../bounds.ts'
import type { FormFile } from '../route.ts'

const limits = {
  // The handler of the file checks its size.
  fileSize: Number.POSITIVE_INFINITY,
  parts: mostFields,
  headerPairs: 20,
  fieldNameSize: 200,
  fieldSize: 65_536,
}

/** Makes the routes of this server accept `multipart/form-data` and nothing else. */
export async function addMultipartParser(server: FastifyInstance): Promise<void> {
  server.removeAllContentTypeParsers()
  await server.register(multipart, { limits, preservePath: true, throwFileSizeLimit: false })
  server.setErrorHandler((error) => {
    const isOther = error instanceof Error && 'code' in error && error.code === otherType
    throw isOther ? notAForm() : error
  })
}

const otherType = 'FST_ERR_CTP_INVALID_MEDIA_TYPE'

const notAForm = () => badField('Content-Type', 'multipart/form-data')

const notWhole = (error: unknown) => {
  const why = error instanceof Error ? error.message : ''
  return new Failure('bad_request', 'body: expected a whole form of multipart/form-data', why)
}

/**
 * Yields the files of a form. Other fields are skipped, and a request without a body yields none. Throws `bad_request`
 * if the form is malformed or ends early. If the consumer stops early, the rest of the body is read and discarded, so
 * that the caller receives the answer.
 */
export async function* filesOf(request: FastifyRequest): AsyncGenerator<FormFile> {
  const { raw } = request
  if (!request.isMultipart()) return
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue
      // Without a listener, an error before the file is read would end the process. The reader gets it later.
      part.file.on('error', ignore)
      const { fieldname: field, filename: name, file } = part
      yield { field, name: name as string | undefined, content: arriving(file) }
      file.resume()
    }
  } catch (error) {
    throw error instanceof Failure ? error : notWhole(error)
  } finally {
    await drainBody(raw)
  }
}

const ignore = () => {}

async function* arriving(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* file
  } catch (error) {
    throw notWhole(error)
  }
}

/** The files of a request that is not a form. */
export const noFiles: AsyncIterable<FormFile> = { async *[Symbol.asyncIterator]() {} }

/** How much of a refused body is still read, in bytes. */
const mostDrained = 100 * 1024 * 1024

/**
 * Reads and discards the rest of a body. A connection that closes with unread bytes is reset, and the caller loses the
 * answer. Resolves when the answer may be sent: at once if the connection stays open, otherwise at the end of the body.
 */
function drainBody(raw: IncomingMessage): Promise<void> {
  if (raw.complete || raw.destroyed) return Promise.resolve()
  raw.unpipe()
  const ended = new Promise<void>((resolve) => {
    let remainingBytes = mostDrained
    raw.on('data', (piece: Buffer) => {
      remainingBytes -= piece.length
      if (remainingBytes < 0) raw.destroy()
    })
    raw.on('close', resolve)
    raw.on('end', resolve)
  })
  raw.resume()
  const closes = raw.httpVersion === '1.0' || /close/i.test(raw.headers.connection ?? '')
  return closes ? ended : Promise.resolve()
}
