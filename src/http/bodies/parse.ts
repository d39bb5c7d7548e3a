import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badField, Failure } from '../../kernel/failure.ts'
import { formLimit, refuseManyFields, refuseManyParts, refuseManyValues } from '../bounds.ts'

/** Form fields by name. A field with several different values is a list. */
export type FormFields = Record<string, string | string[]>

interface ParseOptions {
  /** Whether the body may be a form, urlencoded or multipart, instead of JSON. */
  takesForms: boolean
  /** Returns whether the body must match its content type. */
  isStrict: (request: FastifyRequest) => boolean
}

/**
 * Sets the body parser of this server's routes. Existing clients send JSON as a form or as plain text, forms as JSON,
 * and a content type with an empty body. So the parser looks at the body instead of the header, unless the request is
 * strict. An empty body is undefined.
 */
export function addBodyParser(
  server: FastifyInstance,
  { takesForms, isStrict }: ParseOptions,
): void {
  const usualLimit = server.initialConfig.bodyLimit ?? formLimit
  const bodyLimit = takesForms ? Math.min(formLimit, usualLimit) : usualLimit
  // `check.ts` refuses field names that reach a prototype, with an error that names the field.
  const parseJson = server.getDefaultJsonParser('ignore', 'ignore')
  const expected = takesForms ? `${jsonType}, ${formType} or ${multipartType}` : jsonType
  const refused = () => badField('Content-Type', expected)

  server.removeAllContentTypeParsers()
  // Multipart is parsed as bytes. For JSON, text from the start is cheaper.
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
      // `refuseContentType` in `server.ts` has checked the content type of a request without a body.
      if (text === '' && request.routeOptions.config.takesBody === false) return done(null)
      if (type === jsonType) return text === '' ? done(null, undefined) : readJson()
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

/** Parses an urlencoded form. Throws `bad_request` for too many fields. */
export function parseFormFields(text: string): FormFields {
  refuseManyFields(text)
  return collect(new URLSearchParams(text))
}

/** Parses a multipart form without its files. Throws `bad_request` for too many parts and for an incomplete form. */
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
