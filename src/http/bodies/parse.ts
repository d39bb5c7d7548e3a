import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badField, Failure } from '../../kernel/failure.ts'
import { formLimit, refuseManyFields, refuseManyParts, refuseManyValues } from '../bounds.ts'

/** Form fields by name. A field that comes twice with different values is a list. */
export type FormFields = Record<string, string | string[]>

interface ParseOptions {
  /** The body may be a form instead of JSON: urlencoded or multipart. */
  takesForms: boolean
  /** The body must be what its content type says. */
  isStrict: (request: FastifyRequest) => boolean
}

/**
 * Parses the bodies of this server's routes. Clients of this interface send JSON with the content type of a form
 * or of plain text, forms with that of JSON, and a content type with an empty body. Whatever the header says,
 * the body is read as what it is, unless the request is strict. An empty body is undefined.
 */
export function takeBodies(server: FastifyInstance, { takesForms, isStrict }: ParseOptions): void {
  const usualLimit = server.initialConfig.bodyLimit ?? formLimit
  const bodyLimit = takesForms ? Math.min(formLimit, usualLimit) : usualLimit
  // Names of fields that reach a prototype are refused with the other names, in `check.ts`.
  const parseJson = server.getDefaultJsonParser('ignore', 'ignore')
  const expected = takesForms ? `${jsonType}, ${formType} or ${multipartType}` : jsonType
  const refused = () => badField('Content-Type', expected)

  server.removeAllContentTypeParsers()
  // Parts are cut by bytes. A long body is cheaper as text from the start.
  const parseAs = takesForms ? 'buffer' : 'string'
  server.addContentTypeParser('*', { parseAs, bodyLimit }, (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') return done(compressed())
    const type = mediaTypeOf(request)
    const text = body.toString()
    const readJson = () => {
      try {
        refuseManyValues(text)
      } catch (error) {
        return done(error as Error)
      }
      return parseJson(request, text, done)
    }
    if (isStrict(request)) {
      // Of a request without a body, the server checks the content type.
      if (text === '' && request.routeOptions.config.takesBody === false) return done(null)
      if (type === jsonType) return readJson()
      if (!takesForms || (type !== formType && type !== multipartType)) return done(refused())
    }
    if (text === '') return done(null, undefined)
    if (takesForms && type === multipartType) {
      readMultipart(Buffer.from(body), request.headers['content-type'] ?? '').then(
        (fields) => done(null, fields),
        (error: Error) => done(error),
      )
      return
    }
    const isJson = type === jsonType && !takesForms
    if (isJson || /^\s*[{[]/.test(text)) return readJson()
    if (!takesForms) return done(refused())
    try {
      done(null, parseFormFields(text))
    } catch (error) {
      done(error as Error)
    }
  })
}

const compressed = () =>
  new Failure('unsupported_media_type', 'Content-Encoding: expected a body that is not compressed')

const jsonType = 'application/json'
const formType = 'application/x-www-form-urlencoded'
const multipartType = 'multipart/form-data'

/** `Application/JSON; charset=utf-8` → `application/json` */
function mediaTypeOf({ headers }: FastifyRequest): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1)
  return type.trim().toLowerCase()
}

/** Throws a `bad_request` for too many fields. */
export function parseFormFields(text: string): FormFields {
  refuseManyFields(text)
  return collect(new URLSearchParams(text))
}

/** Throws a `bad_request` for too many parts, and for what is no whole form. Files are left out. */
async function readMultipart(bytes: Buffer, contentType: string): Promise<FormFields> {
  refuseManyParts(bytes)
  let form: FormData
  try {
    const headers = { 'content-type': contentType }
    form = await new Response(new Uint8Array(bytes), { headers }).formData()
  } catch {
    throw badField('body', `a whole form of ${multipartType}`)
  }
  const fields = [...form].filter((field): field is [string, string] => {
    return typeof field[1] === 'string'
  })
  return collect(fields)
}

function collect(entries: Iterable<[string, string]>): FormFields {
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of entries) {
    const before = fields.get(name)
    if (before === undefined) fields.set(name, value)
    else if (Array.isArray(before)) before.push(value)
    else if (before !== value) fields.set(name, [before, value])
  }
  return Object.fromEntries(fields)
}
