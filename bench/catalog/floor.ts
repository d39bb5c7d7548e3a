import { readFileSync } from 'node:fs'
import fastify from 'fastify'

/** The floor of `catalog`: Fastify, nothing else around it, answering the same bytes from memory. */
const bodies = new Map<string, string>(
  Object.entries(JSON.parse(readFileSync(process.env['BODIES'] as string, 'utf8'))),
)
const server = fastify()
server.get<{ Params: { id: string } }>('/categories/:id', async (request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8')
  return bodies.get(request.params.id)
})
server.get<{ Params: { site: string }; Querystring: { q: string } }>(
  '/sites/:site/domain_discovery/search',
  async (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8')
    return bodies.get(`${request.params.site} ${request.query.q}`)
  },
)
await server.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.on('SIGTERM', async () => {
  await server.close()
  process.exit(0)
})
