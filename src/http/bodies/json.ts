import type { FastifyBodyParser, FastifyInstance } from 'fastify'
import { refuseManyValues } from '../bounds.ts'

/** Has the routes of this server take JSON of a bounded number of values. */
export function takeJson(server: FastifyInstance): void {
  const parseJson = boundedParser(server)
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson)
}

/** Fastify's own parser, which also refuses keys that would change prototypes, behind the bound. */
export function boundedParser(server: FastifyInstance): FastifyBodyParser<string> {
  const parse = server.getDefaultJsonParser('error', 'error')
  return (request, text, done) => {
    try {
      refuseManyValues(text)
    } catch (error) {
      return done(error as Error)
    }
    return parse(request, text, done)
  }
}
