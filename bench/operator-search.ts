import assert from 'node:assert/strict'
import { totalmem } from 'node:os'
import type pg from 'pg'
import { dayMs } from '../src/kernel/clock.ts'
import { fold, wordsOf } from '../src/kernel/text.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { type SeededRandom, seededRandom } from '../src/sandbox/random.ts'
import { openConnection, startDatabase } from './database.ts'
import { checkVersions } from './market/counts.ts'
import { fillMarket } from './market/load.ts'
import { firstIds } from './market/synthetic-market.ts'
import { mainFile, makeFolder, percentile, startServer } from './measure.ts'
import type { Figure } from './run.ts'
import { formatTable, type LatencyClient, openLatencyClient } from './search/latency.ts'
import { sampleOrders, sampleSearchOf, searchKinds } from './search/sample-searches.ts'
import { numberSetting } from './settings.ts'

const operatorToken = 'the-operator-token-of-the-benchmark'
const defaultOrders = 3_000_000

/**
 * `GET /operator/orders` over the orders of all sellers, one request at a time, against searches of the largest seller,
 * who has a third of them. Each kind of search is compared with PostgreSQL first, given all the time that it wants.
 *
 * `FERIA_BENCH_ORDERS` makes a smaller market; `FERIA_BENCH_DATA` names a folder in which the market is kept, the same as
 * that of `order-search`.
 */
export async function operatorSearch({ short }: { short: boolean }): Promise<Figure[]> {
  const orders = numberSetting('FERIA_BENCH_ORDERS', short ? 100_000 : defaultOrders)
  const samples = numberSetting('FERIA_BENCH_SAMPLES', short ? 20 : 300)
  const dataFolder = process.env['FERIA_BENCH_DATA']
  const folder = dataFolder ? { path: dataFolder, remove() {} } : makeFolder()
  const database = await startDatabase({
    dataDirectory: folder.path,
    durable: false,
    sharedBuffersMb: short ? 512 : Math.floor(totalmem() / 4 / 2 ** 20),
  })
  try {
    const sampledOrders = await prepare(database.url, orders)
    const server = await startServer([mainFile, 'serve'], {
      DATABASE_URL: database.url,
      FERIA_MODE: 'sandbox',
      FERIA_DEMO: 'off',
      FERIA_LOG_LEVEL: 'warn',
      FERIA_RATE_PER_MINUTE: '100000000',
      FERIA_OPERATOR_TOKEN: operatorToken,
    })
    const client = openLatencyClient(server.address)
    try {
      await checkTotals(database.url, client, sampledOrders)
      return await measure(client, sampledOrders, samples)
    } finally {
      await client.close()
      await server.stop()
    }
  } finally {
    await database.stop()
    folder.remove()
  }
}

interface OrderSample {
  id: number
  sellerId: number
  buyerId: number
  paymentId: number | null
  created: Date
  updated: Date
  total: string
  status: string
  itemId: string
  word: string
  nickname: string
  /** The same order, as searches of its seller are sampled. */
  sample: Awaited<ReturnType<typeof sampleOrders>>[number]
}

async function prepare(url: string, orders: number): Promise<OrderSample[]> {
  await migrate(url)
  const client = await openConnection(url)
  const log = (step: string) => void process.stdout.write(`${step}\n`)
  const { rows } = await client.query('select exists (select from orders) as filled')
  if (!rows[0].filled) {
    await fillMarket(url, { orders, now: new Date(), log })
    await client.query('vacuum analyze')
  }
  await checkVersions(client).catch((cause) => {
    throw new Error('Another version of Feria made this market; remove FERIA_BENCH_DATA', { cause })
  })
  const sampled = await sampleOrders(client, { sellerId: firstIds.seller, some: 500 })
  const samples: OrderSample[] = []
  for (const sample of sampled) {
    const {
      rows: [row],
    } = await client.query(
      `select o.buyer_id, o.total_amount, o.status,
        (select min(id) from payments p where p.seller_id = o.seller_id and p.order_id = o.id) as payment
      from orders o where seller_id = $1 and id = $2`,
      [firstIds.seller, sample.id],
    )
    samples.push({
      ...sample,
      sample,
      id: Number(sample.id),
      sellerId: firstIds.seller,
      buyerId: Number(row.buyer_id),
      paymentId: row.payment === null ? null : Number(row.payment),
      total: row.total_amount,
      status: row.status,
    })
  }
  await client.query('create extension if not exists pg_prewarm')
  await client.query(
    `select sum(pg_prewarm(c.oid, 'read')) from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'i')`,
  )
  await client.end()
  return samples
}

/** A search, and the condition by which PostgreSQL finds the same orders. Without one, the total is not compared. */
interface OperatorSample {
  params: Record<string, string>
  where?: string
  values?: unknown[]
}

const rareStatuses = ['partially_refunded', 'invalid', 'payment_in_process']
const operatorKinds: Record<string, (order: OrderSample, random: SeededRandom) => OperatorSample> =
  {
    none: () => ({ params: {} }),
    oldest: () => ({ params: { sort: 'date_created_asc' } }),
    'by update': () => ({ params: { sort: 'last_updated_desc' } }),
    'by amount': () => ({ params: { sort: 'total_amount_desc' } }),
    status: ({ status }) => ({
      params: { status },
      where: 'o.status = $1',
      values: [status],
    }),
    'rare status, by amount': (_, random) => {
      const status = random.pick(rareStatuses)
      return {
        params: { status, sort: 'total_amount_desc' },
        where: 'o.status = $1',
        values: [status],
      }
    },
    'two tags': () => ({
      params: { tags: 'not_delivered,shops' },
      where: `o.tags @> '{not_delivered,shops}'`,
      values: [],
    }),
    site: () => ({ params: { site_id: 'MLA' }, where: `o.site_id = 'MLA'`, values: [] }),
    created: ({ created }, random) => {
      const from = new Date(created.getTime() - random.fraction() * dayMs)
      const to = new Date(from.getTime() + random.between(1, 30) * dayMs)
      return {
        params: { 'date_created.from': from.toISOString(), 'date_created.to': to.toISOString() },
        where: 'o.date_created between $1 and $2',
        values: [from, to],
      }
    },
    'updated, paid': ({ updated }, random) => {
      const from = new Date(updated.getTime() - random.fraction() * dayMs)
      const to = new Date(from.getTime() + random.between(1, 30) * dayMs)
      return {
        params: {
          status: 'paid',
          'last_updated.from': from.toISOString(),
          'last_updated.to': to.toISOString(),
        },
        where: `o.status = 'paid' and o.last_updated between $1 and $2`,
        values: [from, to],
      }
    },
    amount: ({ total }) => ({
      params: { 'total_amount.from': total, 'total_amount.to': String(Number(total) + 50) },
      where: 'o.total_amount between $1 and $2',
      values: [total, Number(total) + 50],
    }),
    'payment status': (_, random) => {
      const status = random.pick(['rejected', 'refunded', 'approved'])
      return {
        params: { 'payment.status': status },
        where: `exists (select from payments p where p.seller_id = o.seller_id
        and p.order_id = o.id and p.status = $1)`,
        values: [status],
      }
    },
    seller: ({ sellerId }) => ({ params: { seller: String(sellerId), sort: 'last_updated_desc' } }),
    buyer: ({ buyerId }) => ({
      params: { buyer: String(buyerId) },
      where: 'o.buyer_id = $1',
      values: [buyerId],
    }),
    'q: order': ({ id }) => ({ params: { q: String(id) }, where: 'o.id = $1', values: [id] }),
    'q: payment': ({ paymentId, id }) => ({
      params: { q: String(paymentId ?? id) },
      where: 'o.id = $1',
      values: [id],
    }),
    'q: nickname': ({ nickname }) => ({ params: { q: nickname } }),
    'q: item': ({ itemId }) => ({ params: { q: itemId } }),
    'q: word': ({ word }) => ({
      params: { q: word },
      where: `o.basket in (select b.basket from order_baskets b where b.words @> $1::text[])
      or exists (select from users u where u.id in (o.buyer_id, o.seller_id)
        and starts_with(u.nickname_folded, $2))`,
      values: [wordsOf(word), fold(word)],
    }),
  }

const pathOf = ({ params }: OperatorSample) => `/operator/orders?${new URLSearchParams(params)}`

/** Throws unless the totals that searches name are those of PostgreSQL. */
async function checkTotals(
  url: string,
  client: LatencyClient,
  orders: readonly OrderSample[],
): Promise<void> {
  const connection: pg.Client = await openConnection(url)
  const random = seededRandom(31)
  for (const [kind, sampleOf] of Object.entries(operatorKinds)) {
    const sample = sampleOf(random.pick(orders), random)
    const { text } = await client.get(pathOf(sample), operatorToken)
    const { total, results } = JSON.parse(text) as { total: number | null; results: unknown[] }
    if (sample.where === undefined) {
      assert.ok(results.length > 0, kind)
      continue
    }
    const { rows } = await connection.query(
      `select count(*)::int as total from orders o where ${sample.where}`,
      sample.values,
    )
    const exact = rows[0].total as number
    assert.equal(results.length, Math.min(50, exact), `${kind}: ${pathOf(sample)}`)
    if (total !== null) assert.equal(total, exact, `${kind}: ${pathOf(sample)}`)
  }
  await connection.end()
}

/** Sends searches of every kind in turn, with searches of the largest seller between them. */
async function measure(
  client: LatencyClient,
  orders: readonly OrderSample[],
  samples: number,
): Promise<Figure[]> {
  const random = seededRandom(32)
  const timings = new Map<string, number[]>()
  const sellerTimings: number[] = []
  const warmUp = Math.ceil(samples / 10)
  for (let round = 0; round < warmUp + samples; round++) {
    const counts = round >= warmUp
    for (const [kind, sampleOf] of Object.entries(operatorKinds)) {
      const sample = sampleOf(random.pick(orders), random)
      const { ms } = await client.get(pathOf(sample), operatorToken)
      if (counts) timings.set(kind, [...(timings.get(kind) ?? []), ms])
      const { sellerId, sample: order } = random.pick(orders)
      const own = sampleSearchOf(random.pick(searchKinds), { sellerId, order, random })
      const path = `/operator/orders/search?${new URLSearchParams(own.params)}`
      const { ms: ownMs } = await client.get(path, operatorToken)
      if (counts) sellerTimings.push(ownMs)
    }
  }
  const ownP99 = percentile(sellerTimings, 0.99)
  const rows = [...timings].map(([kind, ms]) => ({
    kind,
    p50: percentile(ms, 0.5),
    p99: percentile(ms, 0.99),
  }))
  process.stdout.write(
    `\nms, of ${samples} searches of each kind\n${formatTable([
      ['', 'p50', 'p99', 'p99/own'],
      ...rows.map(({ kind, p50, p99 }) => [kind, p50, p99, p99 / ownP99]),
      ['a seller’s own', percentile(sellerTimings, 0.5), ownP99, ''],
    ])}`,
  )
  const worst = Math.max(...rows.map(({ p99 }) => p99))
  const all = [...timings.values()].flat()
  return [
    { name: 'operator-search.p99_ms', value: percentile(all, 0.99), unit: 'ms, all kinds' },
    {
      name: 'operator-search.ratio',
      value: percentile(all, 0.99) / ownP99,
      unit: 'of a seller’s own searches',
    },
    {
      name: 'operator-search.worst',
      value: worst / ownP99,
      unit: 'the worst kind, of a seller’s own searches',
    },
  ]
}
