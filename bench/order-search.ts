import assert from 'node:assert/strict'
import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { createContext } from '../src/app/context.ts'
import { issueToken } from '../src/identity/tokens.ts'
import { isCancelled, orderStatuses } from '../src/orders/status.ts'
import { readConfig } from '../src/platform/config.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { Lifecycle } from '../src/platform/lifecycle.ts'
import { makeLog } from '../src/platform/log.ts'
import { type SeededRandom, seededRandom } from '../src/sandbox/random.ts'
import { noShipment } from '../src/shipments/view.ts'
import { openConnection, startDatabase } from './database.ts'
import { checkMarket, checkVersions } from './market/counts.ts'
import { fillMarket } from './market/load.ts'
import { firstIds } from './market/synthetic-market.ts'
import { mainFile, makeFolder, percentile, startServer } from './measure.ts'
import type { Figure } from './run.ts'
import { formatTable, type LatencyClient, openLatencyClient, runJobs } from './search/latency.ts'
import {
  type SampleOrder,
  type SampleSearch,
  sampleOrders,
  sampleSearchOf,
  searchKinds,
  searchPathOf,
} from './search/sample-searches.ts'
import { scanAll } from './search/scan.ts'
import { numberSetting } from './settings.ts'

/** Of 3,000,000 orders, one seller has a third, and a hundred have 10,000 each. */
const defaultOrders = 3_000_000
const middleSellers = 100

/**
 * `GET /orders/search` of one seller with a million orders and of a hundred with ten thousand each,
 * asked alternately for every kind of search, against a floor that answers the same page from stored
 * bodies. Nothing writes meanwhile.
 *
 * `FERIA_BENCH_ORDERS` makes a smaller market; `FERIA_BENCH_DATA` names a folder in which the market
 * is kept, and found again by the next run.
 */
export async function orderSearch({ short }: { short: boolean }): Promise<Figure[]> {
  const orders = numberSetting('FERIA_BENCH_ORDERS', short ? 20_000 : defaultOrders)
  const samples = short ? 20 : 300
  const dataFolder = process.env['FERIA_BENCH_DATA']
  const folder = dataFolder ? { path: dataFolder, remove() {} } : makeFolder()
  // Only filled and then read: what a crash would lose is of no interest. Its memory is what
  // PostgreSQL's manual advises for a server of its own.
  const database = await startDatabase({
    dataDirectory: folder.path,
    durable: false,
    sharedBuffersMb: short ? 128 : Math.floor(totalmem() / 4 / 2 ** 20),
  })
  try {
    const shops = await prepare(database.url, orders)
    const env = { DATABASE_URL: database.url, FERIA_MODE: 'sandbox', FERIA_DEMO: 'off' }
    const floorFile = fileURLToPath(new URL('./search/floor.ts', import.meta.url))
    const floor = await startServer([floorFile], env)
    const program = await startServer([mainFile, 'serve'], {
      ...env,
      FERIA_RATE_PER_MINUTE: '100000000',
    })
    try {
      const market = { shops, program: program.address, floor: floor.address }
      await checkTotals(database.url, market, short ? 2 : 3)
      const alone = await measure(market, { samples, connections: 1 })
      const together = await measure(market, { samples: Math.ceil(samples / 2), connections: 4 })
      const scan = await scanAll(shops[0] as SearchedSeller, {
        address: market.program,
        pid: program.pid,
      })
      return [
        { name: 'order-search.floor_p99', value: alone.floor, unit: 'ms' },
        { name: 'order-search.growth', value: alone.growth, unit: 'times, the worst kind' },
        { name: 'order-search.ratio', value: alone.ratio, unit: 'of the floor, the worst kind' },
        { name: 'order-search.growth_of_4', value: together.growth, unit: 'times, 4 connections' },
        { name: 'order-search.ratio_of_4', value: together.ratio, unit: 'of the floor' },
        ...scan,
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

/** A seller whose orders are searched. */
interface SearchedSeller {
  sellerId: number
  token: string
  orders: readonly SampleOrder[]
}

interface SearchTargets {
  /** The largest first. */
  shops: readonly SearchedSeller[]
  program: string
  floor: string
}

async function prepare(url: string, orders: number): Promise<SearchedSeller[]> {
  await migrate(url)
  const client = await openConnection(url)
  const log = (step: string) => process.stdout.write(`${step}\n`)
  const { rows } = await client.query(`select exists (select from orders) as filled,
    to_regclass('bench_floor') is not null as floored,
    to_regclass('bench_cells') is not null as unfinished`)
  if (rows[0].unfinished) throw new Error('FERIA_BENCH_DATA: its market is unfinished; remove it')
  const sellers = Array.from({ length: middleSellers + 1 }, (_, index) => firstIds.seller + index)
  if (!rows[0].filled) {
    await fillMarket(url, { orders, now: new Date(), log })
    const some = [0, 1, 2, middleSellers + 1, middleSellers + 2].map((at) => firstIds.seller + at)
    await checkMarket(client, some)
  }
  await checkVersions(client).catch((cause) => {
    throw new Error('Another version of Feria made this market; remove FERIA_BENCH_DATA', { cause })
  })
  if (!rows[0].floored) await makeFloor(client, sellers)
  const tokens = await tokensOf(url, sellers)
  const shops: SearchedSeller[] = []
  for (const [index, sellerId] of sellers.entries()) {
    const sampledOrders = await sampleOrders(client, { sellerId, some: index === 0 ? 500 : 50 })
    shops.push({ sellerId, token: tokens[index] as string, orders: sampledOrders })
  }
  log('reading all of it once …')
  await warmCache(client)
  await client.end()
  return shops
}

/** What searches read comes into the machine's memory, so that no figure is the disk's. */
async function warmCache(client: pg.Client): Promise<void> {
  await client.query('create extension if not exists pg_prewarm')
  await client.query(
    `select sum(pg_prewarm(part, 'read')) from pg_class c
    cross join lateral (select c.oid union all select c.reltoastrelid where c.reltoastrelid <> 0
      union all select indexrelid from pg_index where indrelid = c.oid) parts (part)
    where c.relname = any($1) and c.relkind = 'r'`,
    [
      ['orders', 'shipments', 'users', 'feedback', 'claims', 'order_counts'].concat([
        'order_kinds',
        'order_baskets',
        'bench_floor',
      ]),
    ],
  )
}

/** The first page of every seller, and what lies behind it, ready to send: in the order of time, as
 * rows that were written when they happened lie in any table. */
async function makeFloor(client: pg.Client, sellers: readonly number[]): Promise<void> {
  await client.query(
    `create table bench_floor as
    select o.seller_id, o.sort_date, o.id,
      '{' || o.body || ',"buyer":' || b.as_buyer || ',"seller":' || s.as_seller || ',"shipping":' ||
      coalesce(h.as_part, ${client.escapeLiteral(noShipment)}) || '}' as body
    from unnest($1::bigint[]) seller
    cross join lateral (select * from orders where seller_id = seller
      and status <> all ($2::text[]) order by sort_date, id limit 200) o
    join users b on b.id = o.buyer_id join users s on s.id = o.seller_id
    left join shipments h on h.seller_id = o.seller_id and h.id = o.shipment_id
    order by o.date_created`,
    [sellers, orderStatuses.filter(isCancelled)],
  )
  await client.query('alter table bench_floor add primary key (seller_id, sort_date, id)')
  await client.query('vacuum analyze bench_floor')
}

async function tokensOf(url: string, userIds: readonly number[]): Promise<string[]> {
  const config = readConfig({ FERIA_MODE: 'sandbox', FERIA_LOG_LEVEL: 'warn' })
  const lifecycle = new Lifecycle(5_000, makeLog('warn'))
  const log = makeLog('warn')
  const ctx = await createContext({ config, databaseUrl: url, log }, lifecycle)
  const scopes = ['read'] as const
  const tokens: string[] = []
  for (const userId of userIds) {
    const owner = { userId, applicationId: null, scopes, lifeSeconds: 86_400 }
    tokens.push(await issueToken(ctx, owner))
  }
  await lifecycle.close()
  return tokens
}

/** Throws unless totals are exact, whatever is asked. */
async function checkTotals(
  url: string,
  { shops, program }: SearchTargets,
  shopCount: number,
): Promise<void> {
  const client = await openConnection(url)
  const caller = openLatencyClient(program)
  const random = seededRandom(21)
  for (const kind of searchKinds) {
    for (const shop of [shops[0] as SearchedSeller, ...shops.slice(1, shopCount)]) {
      const { sellerId, token } = shop
      const question = sampleSearchOf(kind, { sellerId, order: random.pick(shop.orders), random })
      const { rows } = await client.query(
        `select count(*)::int as total from orders o where o.seller_id = $1 and ${question.where}`,
        [sellerId, ...question.values],
      )
      const { text } = await caller.get(searchPathOf(question), token)
      assert.equal(
        JSON.parse(text).paging.total,
        rows[0].total,
        `${kind}: ${searchPathOf(question)}`,
      )
    }
  }
  await caller.close()
  await client.end()
}

interface SearchJob {
  kind: string
  size: 'big' | 'middle' | 'floor'
  question: SampleSearch
  shop: SearchedSeller
  counts: boolean
}

/** Asks everything, in mixed order, and prints what each kind of search took. */
async function measure(
  { shops, program, floor }: SearchTargets,
  { samples, connections }: { samples: number; connections: number },
): Promise<{ growth: number; ratio: number; floor: number }> {
  const random = seededRandom(22, connections)
  const [big, ...middle] = shops as [SearchedSeller, ...SearchedSeller[]]
  const callers = Array.from({ length: connections }, () => openLatencyClient(program))
  const floors = new Map(callers.map((caller) => [caller, openLatencyClient(floor)]))
  const timings = new Map<string, number[]>()
  const warmUp = Math.ceil(samples / 10)
  const jobs = Array.from({ length: warmUp + samples }, (_, round) =>
    jobsOf({ big, middle, random, counts: round >= warmUp }),
  ).flat()
  await runJobs(jobs, {
    callers,
    run: async ({ kind, size, question, shop, counts }, caller) => {
      const client = size === 'floor' ? (floors.get(caller) as LatencyClient) : caller
      const { ms } = await client.get(searchPathOf(question), shop.token)
      if (!counts) return
      const key = `${kind} ${size}`
      const samples = timings.get(key)
      if (samples) samples.push(ms)
      else timings.set(key, [ms])
    },
  })
  for (const caller of [...callers, ...floors.values()]) await caller.close()
  return report(timings, connections)
}

function jobsOf(of: {
  big: SearchedSeller
  middle: SearchedSeller[]
  random: SeededRandom
  counts: boolean
}): SearchJob[] {
  const { big, middle, random, counts } = of
  const job = (kind: string, size: SearchJob['size'], shop: SearchedSeller): SearchJob => {
    const order = random.pick(shop.orders)
    const question = sampleSearchOf(kind, { sellerId: shop.sellerId, order, random })
    return { kind, size, question, shop, counts }
  }
  return [
    ...searchKinds.flatMap((kind) => [
      job(kind, 'big', big),
      job(kind, 'middle', random.pick(middle)),
    ]),
    job('none', 'floor', random.pick(middle)),
  ]
}

function report(timings: ReadonlyMap<string, readonly number[]>, connections: number) {
  const of = (key: string, share: number) => percentile(timings.get(key) ?? [], share)
  const floor = of('none floor', 0.99)
  const rows = searchKinds.map((kind) => {
    const [big, middle] = [of(`${kind} big`, 0.99), of(`${kind} middle`, 0.99)]
    const medians = [of(`${kind} big`, 0.5), of(`${kind} middle`, 0.5)] as const
    return { kind, medians, big, middle, growth: big / middle, ratio: middle / floor }
  })
  process.stdout.write(
    `\n${connections} at a time, ms, of ${timings.get('none big')?.length} searches of each kind\n${formatTable(
      [
        ['', 'large p50', 'p99', '10,000 p50', 'p99', 'p99 large/10,000', 'p99 10,000/floor'],
        ...rows.map((row) => [
          row.kind,
          row.medians[0],
          row.big,
          row.medians[1],
          row.middle,
          row.growth,
          row.ratio,
        ]),
        ['floor', '', '', of('none floor', 0.5), floor, '', ''],
      ],
    )}`,
  )
  return {
    floor,
    growth: Math.max(...rows.map(({ growth }) => growth)),
    ratio: Math.max(...rows.map(({ ratio }) => ratio)),
  }
}
