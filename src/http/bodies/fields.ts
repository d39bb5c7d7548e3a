import type { FastifyInstance } from 'fastify'

/** Has the routes of this server take fields as forms write them (`application/x-www-form-urlencoded`)
 * beside JSON, and no body as well, whatever its type is said to be. */
export function takeFields(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error')
  server.removeContentTypeParser('application/json')
  const asText = { parseAs: 'string' } as const
  server.addContentTypeParser('application/json', asText, (request, text, done) =>
    text === '' ? done(null, undefined) : parseJson(request, text as string, done),
  )
  server.addContentTypeParser('application/x-www-form-urlencoded', asText, (_, text, done) =>
    done(null, fieldsOf(text as string)),
  )
}

/** A field that comes twice is a list, which no field of ours may be. */
export function fieldsOf(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(fields)
}
