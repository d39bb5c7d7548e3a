import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { migrate } from '../src/platform/database/migrate.ts'
import { openConnection, startDatabase } from './database.ts'
import { fillMarket } from './market/load.ts'
import { makeFolder, median } from './measure.ts'
import type { Figure } from './run.ts'
import { formatTable } from './search/latency.ts'
import { numberSetting } from './settings.ts'

/**
 * What each index of `orders` costs when orders are written: the same orders, in the order of time,
 * inserted in batches into the empty table with all indexes, and with all but one. Measured as
 * processor time of the backend and as bytes of its log, which other work on the machine does not
 * change as it changes the clock's time. Without whole pages in the log: how many there are depends
 * on when a checkpoint was.
 */
export async function orderIndexes({ short }: { short: boolean }): Promise<Figure[]> {
  const orders = numberSetting('FERIA_BENCH_ORDERS', short ? 5_000 : 200_000)
  const rounds = short ? 1 : 3
  const folder = makeFolder()
  const database = await startDatabase({ dataDirectory: folder.path, durable: false })
  try {
    await migrate(database.url)
    await fillMarket(database.url, { orders, now: new Date(), log: () => {} })
    const client = await openConnection(database.url)
    await client.query('alter system set autovacuum = off')
    await client.query('select pg_reload_conf()')
    const indexes = await setAsideOrders(client)
    const all = [...indexes.keys()]
    const costs = new Map<string, IndexCost[]>()
    for (let round = 0; round < rounds; round++) {
      for (const without of ['nothing', ...all, 'any']) {
        const cost = await insertAll(client, { without, orders, indexes })
        costs.set(without, [...(costs.get(without) ?? []), cost])
      }
    }
    await client.end()
    return report(costs, all)
  } finally {
    await database.stop()
    folder.remove()
  }
}

interface IndexCost {
  microseconds: number
  bytes: number
  megabytes: number
}

/** Puts the orders aside and leaves their table empty, alone, and without any index but its key. */
async function setAsideOrders(client: pg.Client): Promise<Map<string, string>> {
  const { rows: keys } = await client.query(
    `select conrelid::regclass::text as table, conname as name from pg_constraint
    where contype = 'f' and confrelid = 'orders'::regclass`,
  )
  for (const { table, name } of keys) {
    await client.query(`alter table ${table} drop constraint ${name}`)
  }
  await client.query(`create table bench_orders as
    select row_number() over (order by id) as place, o as row from orders o`)
  await client.query('create index on bench_orders (place)')
  const { rows } = await client.query(
    `select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'orders' and indexname <> 'orders_pkey' order by 1`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return new Map(rows.map(({ name, definition }) => [name, definition]))
}

async function insertAll(
  client: pg.Client,
  of: { without: string; orders: number; indexes: ReadonlyMap<string, string> },
): Promise<IndexCost> {
  const { without, orders, indexes } = of
  await client.query('truncate orders')
  const createdIndexes = [...indexes].filter(([name]) => without !== 'any' && name !== without)
  for (const [, definition] of createdIndexes) await client.query(definition)
  await client.query('checkpoint')
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const stand = async () => {
    const log = await client.query(`select pg_current_wal_lsn() - '0/0' as bytes`)
    return { time: processorTime(rows[0].pid), bytes: Number(log.rows[0].bytes) }
  }
  const before = await stand()
  const batch = 1_000
  for (let from = 0; from < orders; from += batch) {
    await client.query(
      'insert into orders select (row).* from bench_orders where place > $1 and place <= $2',
      [from, from + batch],
    )
  }
  const after = await stand()
  const size = await client.query(`select pg_indexes_size('orders') as bytes`)
  for (const [name] of createdIndexes) await client.query(`drop index ${name}`)
  return {
    microseconds: ((after.time - before.time) * 1e6) / orders,
    bytes: (after.bytes - before.bytes) / orders,
    megabytes: Number(size.rows[0].bytes) / 1e6,
  }
}

/** Seconds that a process has had a processor; Linux only. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function report(
  costs: ReadonlyMap<string, readonly IndexCost[]>,
  all: readonly string[],
): Figure[] {
  const middle = (name: string, field: keyof IndexCost) =>
    median((costs.get(name) ?? []).map((cost) => cost[field]))
  const fields = ['microseconds', 'bytes', 'megabytes'] as const
  const added = (name: string) =>
    fields.map((field) => middle('nothing', field) - middle(name, field))
  const whole = fields.map((field) => middle('nothing', field))
  process.stdout.write(
    formatTable([
      ['an order', 'µs of processor', 'bytes of log', 'MB of indexes'],
      ['with all indexes', ...whole],
      ['with its key only', ...fields.map((field) => middle('any', field))],
      ...all.map((name) => [name, ...added(name)]),
    ]),
  )
  return [
    { name: 'order-indexes.all', value: whole[0] ?? 0, unit: 'µs an order' },
    { name: 'order-indexes.key_only', value: middle('any', 'microseconds'), unit: 'µs an order' },
    ...all.map((name) => ({
      name: `order-indexes.${name}`,
      value: added(name)[0] ?? 0,
      unit: 'µs an order more',
    })),
  ]
}
