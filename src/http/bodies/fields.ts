import type { FastifyBodyParser, FastifyInstance, FastifyRequest } from 'fastify'
import { formLimit, refuseManyFields } from '../bounds.ts'
import { boundedParser } from './json.ts'

/** Has the routes of this server take fields as forms write them (`application/x-www-form-urlencoded`)
 * beside JSON, and no body as well, whatever its type is said to be. */
export function takeFields(server: FastifyInstance): void {
  const parseJson = boundedParser(server)
  server.removeContentTypeParser('application/json')
  const bodyLimit = Math.min(formLimit, server.initialConfig.bodyLimit ?? formLimit)
  const asText = { parseAs: 'string', bodyLimit } as const
  const readJson: FastifyBodyParser<string> = (request, text, done) =>
    text === '' ? done(null, undefined) : parseJson(request, text, done)
  const readFields = async (_request: FastifyRequest, text: string) => fieldsOf(text)
  server.addContentTypeParser('application/json', asText, readJson)
  server.addContentTypeParser('application/x-www-form-urlencoded', asText, readFields)
}

/** A field that comes twice is a list, which no field of ours may be. Throws a `bad_request` for too many. */
export function fieldsOf(text: string): Record<string, string | string[]> {
  refuseManyFields(text)
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name)
    if (Array.isArray(before)) before.push(value)
    else fields.set(name, before === undefined ? value : [before, value])
  }
  return Object.fromEntries(fields)
}
