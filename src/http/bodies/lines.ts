import type { FastifyInstance } from 'fastify'

export const linesType = 'application/x-ndjson; charset=utf-8'

/** Makes the routes of this server receive bodies as streams of any length: NDJSON, or JSON as a single line. */
export function addStreamParser(server: FastifyInstance): void {
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser(
    ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json'],
    (_request, body, done) => done(null, body),
  )
}
