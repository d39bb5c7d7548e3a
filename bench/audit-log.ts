import { dayMs } from '../src/kernel/clock.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { seededRandom } from '../src/sandbox/random.ts'
import { openConnection, startDatabase } from './database.ts'
import { mainFile, makeFolder, percentile, startServer } from './measure.ts'
import type { Figure } from './run.ts'
import { openLatencyClient } from './search/latency.ts'
import { numberSetting } from './settings.ts'

const operatorToken = 'the-operator-token-of-the-benchmark'
const days = 365
/** Entries of one target, in the mean, spread over the whole year. Every fifth is related to another target, too. */
const entriesPerTarget = 10
const tables = ['audit_log', 'audit_personal_values', 'audit_results']

/**
 * `GET /operator/audit-log` by target, one request at a time, over a log of a year and over one of a hundredth of its
 * entries.
 *
 * `FERIA_BENCH_ENTRIES` sets the number of entries; `FERIA_BENCH_DATA` a folder in which the logs are kept for the next
 * run; `FERIA_BENCH_SAMPLES` the number of searches.
 */
export async function auditLog({ short }: { short: boolean }): Promise<Figure[]> {
  const entries = numberSetting('FERIA_BENCH_ENTRIES', short ? 20_000 : 10_000_000)
  const samples = numberSetting('FERIA_BENCH_SAMPLES', short ? 50 : 2_000)
  const dataFolder = process.env['FERIA_BENCH_DATA']
  const folder = dataFolder ? { path: dataFolder, remove() {} } : makeFolder()
  const database = await startDatabase({
    dataDirectory: folder.path,
    durable: false,
    sharedBuffersMb: short ? 128 : 2_048,
  })
  try {
    const large = await measure(await prepareLog(database.url, entries), { entries, samples })
    const few = Math.ceil(entries / 100)
    const small = await measure(await prepareLog(database.url, few), { entries: few, samples })
    const p99 = percentile(large, 0.99)
    return [
      { name: 'audit-log.target_p50_ms', value: percentile(large, 0.5), unit: 'ms' },
      { name: 'audit-log.target_p99_ms', value: p99, unit: 'ms' },
      { name: 'audit-log.growth', value: p99 / percentile(small, 0.99), unit: 'of a hundredth' },
    ]
  } finally {
    await database.stop()
    folder.remove()
  }
}

/** Fills a database with a log, or finds it filled. Returns its URL. */
async function prepareLog(serverUrl: string, entries: number): Promise<string> {
  const url = new URL(serverUrl)
  const name = `audit_log_${entries}`
  url.pathname = `/${name}`
  const server = await openConnection(serverUrl)
  const { rowCount } = await server.query('select from pg_database where datname = $1', [name])
  if (rowCount === 0) await server.query(`create database ${name}`)
  await server.end()
  await migrate(url.href)
  const client = await openConnection(url.href)
  try {
    const { rowCount: filled } = await client.query('select from audit_log limit 1')
    if (filled) return url.href
    process.stdout.write(`writing ${entries} entries …\n`)
    const perDay = Math.ceil(entries / days)
    const targets = Math.ceil(entries / entriesPerTarget)
    const today = Math.floor(Date.now() / dayMs)
    for (let day = 0; day < days; day++) {
      const from = new Date((today - day) * dayMs)
      const part = from.toISOString().slice(0, 10).replaceAll('-', '')
      for (const table of tables) {
        await client.query(`create table if not exists ${table}_${part} partition of ${table}
          for values from ('${from.toISOString()}') to ('${new Date(from.getTime() + dayMs).toISOString()}')`)
      }
      await client.query(
        `insert into audit_log (recorded_at, id, actor, actor_name, operation, target_kind,
          target_id, related, reason, before, after, personal_users)
        select $1::timestamptz + n * interval '1 day' / $3, 'req-' || $2::int || '-' || n,
          'account:' || n % 200, 'Operator ' || n % 200, 'PATCH /operator/orders/{order_id}', 'order',
          (2000000000000000 + hashint8($2::bigint * $3 + n)::bigint % $4 + $4)::text,
          case when n % 5 = 0 then array[
            'order:' || 2000000000000000 + hashint8(-$2::bigint * $3 - n)::bigint % $4 + $4]
          else '{}' end,
          'A reason of the usual length', '{"tags":["paid"],"status":"paid"}',
          '{"tags":["paid","delivered"],"status":"paid"}', '{}'
        from generate_series(0, $3::int - 1) n`,
        [from, day, perDay, targets],
      )
    }
    await client.query('vacuum analyze audit_log')
    return url.href
  } finally {
    await client.end()
  }
}

/** Searches for random targets one after the other. Returns the milliseconds of each. */
async function measure(
  url: string,
  { entries, samples }: { entries: number; samples: number },
): Promise<number[]> {
  const server = await startServer([mainFile, 'serve'], {
    DATABASE_URL: url,
    FERIA_MODE: 'sandbox',
    FERIA_DEMO: 'off',
    FERIA_LOG_LEVEL: 'warn',
    FERIA_RATE_PER_MINUTE: '100000000',
    FERIA_OPERATOR_TOKEN: operatorToken,
  })
  const client = openLatencyClient(server.address)
  try {
    const random = seededRandom(7, entries)
    const targets = Math.ceil(entries / entriesPerTarget)
    const timings: number[] = []
    const warmUp = Math.ceil(samples / 10)
    let results = 0
    for (let search = 0; search < warmUp + samples; search++) {
      // As the entries have them: the remainder of a hash is of either sign.
      const id = 2_000_000_000_000_000 + random.between(1, 2 * targets - 1)
      const { text, ms } = await client.get(`/operator/audit-log?target=order:${id}`, operatorToken)
      results += (JSON.parse(text) as { results: unknown[] }).results.length
      if (search >= warmUp) timings.push(ms)
    }
    if (results === 0) throw new Error('no search returned an entry')
    return timings
  } finally {
    await client.close()
    await server.stop()
  }
}
