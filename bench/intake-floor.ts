import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import fastify from 'fastify'
import { openFloorPool } from './floor-pool.ts'
import { fillTextTemplate, type TextTemplate, textTemplateOf } from './market/placeholders.ts'
import type { CheckoutModel } from './order-intake.ts'

/**
 * The floor of `order-intake`: Fastify, nothing else around it, that runs the writing statements of
 * an order's creation in one transaction and does nothing else: it reads, decides and renders
 * nothing. The statements are those that the program was seen to run, with other numbers, and the
 * present moment, in their values.
 */
const pool = openFloorPool(16)
const models: CheckoutModel[] = deserialize(readFileSync(process.env['MODELS'] as string))
let lastId = Number(process.env['FIRST_ID'])

/** What differs from order to order, in this order. */
type OrderValues = readonly [orderId: number, shipmentId: number, now: Date, expires: Date]
type ValueMaker = (news: OrderValues, texts: readonly string[]) => unknown

function makerOf(value: unknown, model: CheckoutModel): ValueMaker {
  const { orderId, shipmentId, now, expires } = model
  if (typeof value === 'number') {
    if (value === orderId) return (news) => news[0]
    if (value === shipmentId) return (news) => news[1]
  }
  if (value instanceof Date) {
    const slot = value.getTime() === expires.getTime() ? 3 : 2
    return (news) => news[slot]
  }
  if (typeof value === 'string') {
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return () => randomUUID()
    const marked = [String(orderId), String(shipmentId), now.toISOString(), expires.toISOString()]
    const stencil: TextTemplate = textTemplateOf(
      value,
      new Map(marked.map((text, slot) => [text, slot])),
    )
    if (stencil.slots.length > 0) return (_, texts) => fillTextTemplate(stencil, texts)
  }
  return () => value
}

interface OrderCreation {
  answer: ValueMaker
  statements: readonly { name: string; text: string; makers: readonly ValueMaker[] }[]
}

const creations: OrderCreation[] = models.map((model) => ({
  answer: makerOf(model.answer, model),
  statements: model.statements.map(({ name, text, values }) => ({
    name,
    text,
    makers: values.map((value) => makerOf(value, model)),
  })),
}))

async function create(): Promise<string> {
  const drawn = Math.floor(Math.random() * creations.length)
  const { statements, answer } = creations[drawn] as OrderCreation
  const id = ++lastId
  const now = new Date()
  const news: OrderValues = [id, id - 1e15, now, new Date(now.getTime() + 21 * 86_400_000)]
  const texts = [...news.slice(0, 2).map(String), now.toISOString(), news[3].toISOString()]
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const { name, text, makers } of statements) {
      await client.query({ name, text, values: makers.map((make) => make(news, texts)) })
    }
    await client.query('commit')
  } finally {
    client.release()
  }
  return answer(news, texts) as string
}

const server = fastify()
server.post('/operator/orders', async (_request, reply) => {
  reply.code(201).header('content-type', 'application/json; charset=utf-8')
  return create()
})
await server.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.on('SIGTERM', async () => {
  await server.close()
  await pool.end()
  process.exit(0)
})
