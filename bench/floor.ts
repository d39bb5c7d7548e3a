import fastify from 'fastify'
import { openFloorPool } from './floor-pool.ts'

/**
 * The floor of `order-read`: Fastify, nothing else around it, answering a stored body by one named
 * primary-key select, with the same pool as the program.
 */
const pool = openFloorPool(10)
const server = fastify()
server.get<{ Params: { id: string } }>('/orders/:id', async (request, reply) => {
  const { rows } = await pool.query({
    name: 'floor',
    text: 'select body from bench_floor where id = $1',
    values: [request.params.id],
  })
  reply.header('content-type', 'application/json; charset=utf-8')
  return rows[0].body
})
await server.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.on('SIGTERM', async () => {
  await server.close()
  await pool.end()
  process.exit(0)
})
