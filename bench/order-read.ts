import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { createContext } from '../src/app/context.ts'
import { issueToken } from '../src/identity/tokens.ts'
import { readConfig } from '../src/platform/config.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { Lifecycle } from '../src/platform/lifecycle.ts'
import { makeLog } from '../src/platform/log.ts'
import { prepareDemoData, seedOrders } from '../src/sandbox/demo/load.ts'
import { noShipment } from '../src/shipments/view.ts'
import { compareInTurn } from './compare-in-turn.ts'
import { openConnection, startDatabase } from './database.ts'
import { mainFile, makeFolder, startServer } from './measure.ts'
import type { Figure } from './run.ts'

const connections = 32

/**
 * `GET /orders/{id}` against its floor: random ids out of many orders, each read with its seller's
 * token. Floor and program are loaded in turn, three times, and compared by their medians.
 */
export async function orderRead({ short }: { short: boolean }): Promise<Figure[]> {
  const orders = short ? 2_000 : 200_000
  const seconds = short ? 1 : 10
  const rounds = short ? 1 : 3
  const folder = makeFolder()
  const database = await startDatabase({ dataDirectory: folder.path })
  try {
    const sample = await prepare(database.url, orders)
    const env = { DATABASE_URL: database.url, PORT: '0', FERIA_MODE: 'sandbox', FERIA_DEMO: 'off' }
    const floor = await startServer([fileURLToPath(new URL('./floor.ts', import.meta.url))], env)
    const program = await startServer([mainFile, 'serve'], {
      ...env,
      FERIA_RATE_PER_MINUTE: '100000000',
    })
    const next = () => {
      const { id, token } = sample[Math.floor(Math.random() * sample.length)] as OrderSample
      return { path: `/orders/${id}`, token }
    }
    try {
      await checkSameBytes(floor.address, program.address, sample)
      const {
        floor: bare,
        program: whole,
        ratio,
      } = await compareInTurn({
        name: 'order-read',
        connections,
        seconds,
        rounds,
        floor: { address: floor.address, next },
        program: { address: program.address, next },
      })
      return [
        { name: 'order-read.floor', value: bare, unit: 'requests/s' },
        { name: 'order-read.program', value: whole, unit: 'requests/s' },
        { name: 'order-read.ratio', value: ratio, unit: 'of the floor' },
      ]
    } finally {
      await program.stop()
      await floor.stop()
    }
  } finally {
    await database.stop()
    folder.remove()
  }
}

interface OrderSample {
  id: number
  sellerId: number
  token: string
}

/** Fills the database with demo orders, and the floor's table with the same bytes. */
export async function prepare(url: string, orders: number): Promise<OrderSample[]> {
  await migrate(url)
  const config = readConfig({ FERIA_MODE: 'sandbox', FERIA_LOG_LEVEL: 'warn' })
  const log = makeLog('warn')
  const lifecycle = new Lifecycle(5_000, log)
  const ctx = await createContext({ config, databaseUrl: url, log }, lifecycle)
  const client = await openConnection(url)
  try {
    await prepareDemoData(ctx, () => {})
    await seedOrders(ctx, { orders, seed: 7, progress: () => {} })
    const none = client.escapeLiteral(noShipment)
    // Byte for byte what the seller reads.
    await client.query(`
      create table bench_floor as
      select o.id, '{' || o.body || ',"buyer":' || b.as_buyer || ',"seller":' || s.as_seller ||
        ',"shipping":' || coalesce(h.as_part, ${none}) || ',"feedback":{"purchase":' ||
        coalesce(case when o.feedback_due is null or o.feedback_due < now() then p.as_part end,
          'null') || ',"sale":' || coalesce(f.as_part, 'null') || '},"mediations":' ||
        coalesce((select json_agg(json_build_object('id', c.id) order by c.id)::text
          from claims c where c.seller_id = o.seller_id and c.order_id = o.id), '[]') || '}' as body
      from orders o join users b on b.id = o.buyer_id join users s on s.id = o.seller_id
      left join shipments h on h.seller_id = o.seller_id and h.id = o.shipment_id
      left join feedback f on f.seller_id = o.seller_id and f.order_id = o.id and f.role = 'sale'
      left join feedback p on p.seller_id = o.seller_id and p.order_id = o.id
        and p.role = 'purchase'
      where o.status <> 'payment_required'`)
    await client.query('alter table bench_floor add primary key (id)')
    await client.query('vacuum analyze')
    const { rows } = await client.query(`
      select o.id, o.seller_id from orders o join bench_floor f on f.id = o.id order by random()`)
    const tokens = new Map<string, string>()
    for (const sellerId of new Set<string>(rows.map((row) => row.seller_id))) {
      const scopes = ['read', 'write'] as const
      const owner = { userId: Number(sellerId), applicationId: null, scopes, lifeSeconds: 86_400 }
      tokens.set(sellerId, await issueToken(ctx, owner))
    }
    return rows.map(({ id, seller_id: sellerId }) => ({
      id: Number(id),
      sellerId: Number(sellerId),
      token: tokens.get(sellerId) as string,
    }))
  } finally {
    await client.end()
    await lifecycle.close()
  }
}

async function checkSameBytes(
  floor: string,
  program: string,
  sample: OrderSample[],
): Promise<void> {
  for (const { id, token } of sample.slice(0, 200)) {
    const [floorResponse, programResponse] = await Promise.all([
      fetch(`${floor}/orders/${id}`),
      fetch(`${program}/orders/${id}`, { headers: { authorization: `Bearer ${token}` } }),
    ])
    assert.equal(programResponse.status, 200)
    assert.equal(await programResponse.text(), await floorResponse.text(), `order ${id}`)
  }
}
