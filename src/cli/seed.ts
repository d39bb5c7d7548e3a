import { openContext } from '../app.ts'
import { readConfig } from '../platform/config.ts'
import { Lifecycle } from '../platform/lifecycle.ts'
import { makeLog } from '../platform/log.ts'
import { seedOrders } from '../sandbox/seed.ts'
import { openMigrated, say } from './database.ts'
import { readCount, readOptions, UsageFailure } from './usage.ts'

const mostOrders = 5_000_000

/** `feria seed --orders N [--seed S]`: a bigger demo world, with progress. */
export async function seedCommand(args: string[]): Promise<void> {
  const options = readOptions(args, { orders: 'text', seed: 'text' })
  const orders = readCount('orders', options.orders, mostOrders)
  if (orders === undefined) throw new UsageFailure('Run: feria seed --orders N')
  const seed = readCount('seed', options.seed, 2 ** 31 - 1) ?? 1
  const config = readConfig(process.env)
  if (config.mode !== 'sandbox') {
    throw new UsageFailure('feria seed fills sandboxes only: set FERIA_MODE=sandbox')
  }
  const log = makeLog(config.logLevel)
  const lifecycle = new Lifecycle(config.shutdownMs, log)
  lifecycle.closeOnSignals(['SIGINT', 'SIGTERM'])
  try {
    const databaseUrl = await openMigrated({ config, log }, lifecycle)
    const ctx = await openContext({ config, databaseUrl, log }, lifecycle)
    const began = performance.now()
    await seedOrders(ctx, { orders, seed, progress: showProgress(orders) })
    const seconds = (performance.now() - began) / 1000
    say(`${orders} orders in ${seconds.toFixed(1)} s (${Math.round(orders / seconds)} a second)`)
  } finally {
    await lifecycle.close()
  }
}

/** One line that is written over on a terminal; a line every tenth elsewhere. */
function showProgress(total: number): (done: number) => void {
  let tenth = 0
  return (done) => {
    const line = `${done} of ${total} orders (${Math.floor((100 * done) / total)} %)`
    if (process.stdout.isTTY) {
      process.stdout.write(`\r${line}${done === total ? '\n' : ''}`)
    } else if (Math.floor((10 * done) / total) > tenth || done === total) {
      tenth = Math.floor((10 * done) / total)
      say(line)
    }
  }
}
