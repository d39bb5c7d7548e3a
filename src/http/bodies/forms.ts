import type { IncomingMessage } from 'node:http'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badField, Failure } from '../../kernel/failure.ts'
import { mostFields } from '../bounds.ts'

/** A file of a form, as it arrives. It is read before the next one, or skipped by going on. */
export interface FormFile {
  /** The name of its part. */
  field: string
  /** The name that the caller gave it, as it came: with whatever a name must not have. */
  name: string | undefined
  /** Throws a `bad_request` when it breaks off. */
  content: AsyncIterable<Uint8Array>
}

const limits = {
  // Whoever takes the file knows how large it may be.
  fileSize: Number.POSITIVE_INFINITY,
  parts: mostFields,
  headerPairs: 20,
  fieldNameSize: 200,
  fieldSize: 65_536,
}

/** Has the routes of this server take forms, and nothing else. */
export async function takeForms(server: FastifyInstance): Promise<void> {
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
 * The files of a form, one after another; its other fields are passed over. None for a request without
 * a body. Throws a `bad_request` when the form is broken or breaks off. When the reader stops early,
 * the rest of the form is read and thrown away, so that the caller gets to see the answer.
 */
export async function* filesOf(request: FastifyRequest): AsyncGenerator<FormFile> {
  const { raw } = request
  if (!request.isMultipart()) return
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue
      // It may fail before anybody reads it; whoever does learns of it then.
      part.file.on('error', ignore)
      const { fieldname: field, filename: name, file } = part
      yield { field, name: name as string | undefined, content: arriving(file) }
      file.resume()
    }
  } catch (error) {
    throw error instanceof Failure ? error : notWhole(error)
  } finally {
    await drained(raw)
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

/** Of what is no form. */
export const noFiles: AsyncIterable<FormFile> = { async *[Symbol.asyncIterator]() {} }

/** How much of a refused body is still read. */
const mostDrained = 100 * 1024 * 1024

/**
 * Reads what is left of a body, so that who sends it gets to see the answer: a connection that is closed
 * with unread bytes takes the answer with it. Resolves when the answer may be sent: at once where the
 * connection stays open, else once there is no more.
 */
function drained(raw: IncomingMessage): Promise<void> {
  if (raw.complete || raw.destroyed) return Promise.resolve()
  raw.unpipe()
  const ended = new Promise<void>((resolve) => {
    let left = mostDrained
    raw.on('data', (piece: Buffer) => {
      left -= piece.length
      if (left < 0) raw.destroy()
    })
    raw.on('close', resolve)
    raw.on('end', resolve)
  })
  raw.resume()
  const closes = raw.httpVersion === '1.0' || /close/i.test(raw.headers.connection ?? '')
  return closes ? ended : Promise.resolve()
}
