import type { FastifyInstance } from 'fastify'
import { refuseManyFields } from '../bounds.ts'
import { boundedParser } from './json.ts'

/** Has the routes of this server take fields as forms write them (`application/x-www-form-urlencoded`)
 * beside JSON, and no body as well, whatever its type is said to be. */
export function takeFields(server: FastifyInstance): void {
  const parseJson = boundedParser(server)
  server.removeContentTypeParser('application/json')
  const asText = { parseAs: 'string' } as const
  server.addContentTypeParser('application/json', asText, (request, text, done) =>
    text === '' ? done(null, undefined) : parseJson(request, text as string, done),
  )
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    asText,
    async (_request: unknown, text: string) => fieldsOf(text),
  )
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
