import fastify from 'fastify'
import { openFloorPool } from '../floor-pool.ts'

/**
 * The floor of `order-search`: Fastify, nothing else around it, that answers the first 50 stored
 * bodies of a seller by one named indexed select, joined as text.
 */
const pool = openFloorPool(10)
const server = fastify()
server.get<{ Querystring: { seller: string } }>('/orders/search', async (request, reply) => {
  const { rows } = await pool.query({
    name: 'floor',
    text: 'select body from bench_floor where seller_id = $1 order by sort_date, id limit 50',
    values: [request.query.seller],
  })
  reply.header('content-type', 'application/json; charset=utf-8')
  return `{"results":[${rows.map((row) => row.body).join()}]}`
})
await server.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.on('SIGTERM', async () => {
  await server.close()
  await pool.end()
  process.exit(0)
})
