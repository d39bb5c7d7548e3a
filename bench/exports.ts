import assert from 'node:assert/strict'
import { migrate } from '../src/platform/database/migrate.ts'
import { startDatabase, withClient } from './database.ts'
import { processorSeconds } from './deliver/processor.ts'
import { fillMarket } from './market/load.ts'
import { mainFile, makeFolder, median, residentBytes, startServer } from './measure.ts'
import type { Figure } from './run.ts'
import { numberSetting } from './settings.ts'

const operatorToken = 'the-operator-token-of-the-benchmark'
const formats = ['ndjson', 'csv'] as const

/**
 * Exports all orders of a market, alternately in both formats: orders per second of the server's processor time (that of
 * PostgreSQL is another), orders per second of the clock, and how far the server's memory rises above its memory at rest.
 */
export async function exportBenchmark({ short }: { short: boolean }): Promise<Figure[]> {
  const orders = numberSetting('FERIA_BENCH_ORDERS', short ? 20_000 : 300_000)
  const rounds = short ? 1 : 3
  const folder = makeFolder()
  const database = await startDatabase({ dataDirectory: folder.path, durable: false })
  try {
    await migrate(database.url)
    const log = (step: string) => void process.stdout.write(`${step}\n`)
    await fillMarket(database.url, { orders, now: new Date(), log })
    await withClient(database.url, (client) => client.query('vacuum analyze'))
    const server = await startServer([mainFile, 'serve'], {
      DATABASE_URL: database.url,
      FERIA_MODE: 'sandbox',
      FERIA_DEMO: 'off',
      FERIA_LOG_LEVEL: 'warn',
      FERIA_OPERATOR_TOKEN: operatorToken,
    })
    try {
      // The first export compiles the code and fills the caches.
      for (const format of formats) await exportOrders(server, format)
      const atRest = residentBytes(server.pid)
      const runs = new Map<string, ExportRun[]>(formats.map((format) => [format, []]))
      for (let round = 0; round < rounds; round++) {
        for (const format of formats) {
          const run = await exportOrders(server, format)
          assert.equal(run.lines, orders + (format === 'csv' ? 1 : 0))
          runs.get(format)?.push(run)
          log(
            `${format}: ${Math.round(orders / run.processorSeconds)} orders/s of its processor, ${Math.round(orders / run.seconds)} /s, ${Math.round(run.bytes / 1e6)} MB`,
          )
        }
      }
      const all = [...runs.values()].flat()
      const growth = Math.max(...all.map(({ peakBytes }) => peakBytes)) - atRest
      return [
        ...formats.flatMap((format) => {
          const of = runs.get(format) ?? []
          const perSecond = (by: 'processorSeconds' | 'seconds') =>
            median(of.map((run) => orders / run[by]))
          return [
            {
              name: `exports.${format}_per_core`,
              value: perSecond('processorSeconds'),
              unit: 'orders/s of processor time',
            },
            { name: `exports.${format}_rate`, value: perSecond('seconds'), unit: 'orders/s' },
          ]
        }),
        { name: 'exports.growth_mb', value: growth / 1e6, unit: 'MB' },
      ]
    } finally {
      await server.stop()
    }
  } finally {
    await database.stop()
    folder.remove()
  }
}

interface ExportRun {
  lines: number
  bytes: number
  seconds: number
  processorSeconds: number
  peakBytes: number
}

/** Downloads all orders and counts their lines. */
async function exportOrders(
  { address, pid }: { address: string; pid: number },
  format: string,
): Promise<ExportRun> {
  const began = performance.now()
  const before = processorSeconds(pid)
  const headers = { authorization: `Bearer ${operatorToken}` }
  const { status, body } = await fetch(`${address}/operator/exports/orders?format=${format}`, {
    headers,
  })
  assert.equal(status, 200)
  assert.ok(body)
  const run = { lines: 0, bytes: 0, peakBytes: 0 }
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk)
    run.bytes += bytes.length
    for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) run.lines++
    run.peakBytes = Math.max(run.peakBytes, residentBytes(pid))
  }
  return {
    ...run,
    seconds: (performance.now() - began) / 1_000,
    processorSeconds: processorSeconds(pid) - before,
  }
}
