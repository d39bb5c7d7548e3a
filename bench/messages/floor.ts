import { randomBytes, randomUUID } from 'node:crypto'
import fastify from 'fastify'
import type pg from 'pg'
import { openFloorPool } from '../floor-pool.ts'

/**
 * The floor of `messages`: Fastify, nothing else around it. A page is one named indexed select of ten
 * stored bodies, joined as text. A message is the rows that the program writes for one, inserted bare
 * in one transaction; reading it is the two statements that the program runs then. Nothing is
 * checked, decided or rendered.
 */
const pool = openFloorPool(16)
const server = fastify()

interface FloorConversation {
  seller: string
  pack: string
}

server.get<{ Params: FloorConversation }>(
  '/messages/packs/:pack/sellers/:seller',
  async (request, reply) => {
    const { pack, seller } = request.params
    const { rows } = await pool.query({
      name: 'page',
      text: `select body from messages where seller_id = $1 and pack_id = $2
      order by date_created desc, id desc limit 10`,
      values: [seller, pack],
    })
    reply.header('content-type', 'application/json; charset=utf-8')
    return `{"messages":[${rows.map((row) => row.body).join()}]}`
  },
)

interface FloorMessage extends FloorConversation {
  from: string
  to: string
  buyer: string
  text: string
  body: string
  details: string
}

server.post<{ Body: FloorMessage }>('/send', async (request, reply) => {
  const { seller, pack, from, to, buyer, text, body, details } = request.body
  const id = randomBytes(16).toString('hex')
  const now = new Date()
  await inTransaction(async (client) => {
    await client.query({
      name: 'message',
      text: `insert into messages (seller_id, pack_id, id, buyer_id, from_id, to_id, text, status,
          date_created, date_available, details, body)
        values ($1, $2, $3, $4, $5, $6, $7, 'available', $8, $8, $9, $10)`,
      values: [seller, pack, id, buyer, from, to, text, now, details, body],
    })
    await client.query({
      name: 'owner',
      text: 'insert into message_owner (message_id, seller_id, pack_id) values ($1, $2, $3)',
      values: [id, seller, pack],
    })
    await client.query({
      name: 'conversation',
      text: `update conversations set seen_by_seller = seen_by_seller + 1,
          seen_by_buyer = seen_by_buyer + 1, last_message_at = $3
        where seller_id = $1 and pack_id = $2`,
      values: [seller, pack, now],
    })
    await client.query({
      name: 'unread',
      text: `insert into unread_messages as u (user_id, seller_id, pack_id, n)
        values ($1, $2, $3, 1)
        on conflict (user_id, seller_id, pack_id) do update set n = u.n + excluded.n`,
      values: [to, seller, pack],
    })
    await client.query({
      name: 'change',
      text: `insert into changes (slot, seller_id, id, topic, resource, user_ids, recorded_at)
        values ($6, $1, $2, 'messages', $3, $4, $5)`,
      values: [seller, randomUUID(), id, [to], now, Math.floor(now.getTime() / 86_400_000) % 4],
    })
  })
  reply.code(201).header('content-type', 'application/json; charset=utf-8')
  return body
})

server.post<{ Body: FloorConversation & { reader: string } }>('/read', async (request, reply) => {
  const { seller, pack, reader } = request.body
  await inTransaction(async (client) => {
    await client.query({
      name: 'read',
      text: `update messages set date_read = $4, body = replace(body, '"read":null', '"read":""')
        where seller_id = $1 and pack_id = $2 and to_id = $3 and date_read is null
          and status = 'available'`,
      values: [seller, pack, reader, new Date()],
    })
    await client.query({
      name: 'none unread',
      text: 'delete from unread_messages where user_id = $1 and seller_id = $2 and pack_id = $3',
      values: [reader, seller, pack],
    })
  })
  reply.header('content-type', 'application/json; charset=utf-8')
  return '{}'
})

async function inTransaction(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } finally {
    client.release()
  }
}

await server.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.on('SIGTERM', async () => {
  await server.close()
  await pool.end()
  process.exit(0)
})
