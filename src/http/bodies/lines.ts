import type { FastifyInstance } from 'fastify'

export const linesType = 'application/x-ndjson; charset=utf-8'

/** Hands the bodies of this server's routes over as they arrive, however long they are. JSON too: one
 * value is one line. */
export function takeLines(server: FastifyInstance): void {
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser(
    ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json'],
    (_request, body, done) => done(null, body),
  )
}
