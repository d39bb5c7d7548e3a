import { createContext } from '../../app/context.ts'
import { readConfig } from '../../platform/config.ts'
import { Lifecycle } from '../../platform/lifecycle.ts'
import { makeLog } from '../../platform/log.ts'
import { seedOrders } from '../../sandbox/demo/load.ts'
import { CommandFailure, exitCodes } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'
import { openMigrated } from '../running/database.ts'

/** `feria seed --orders N [--seed S]`: adds demo orders. */
export async function seedCommand(
  { orders, seed = 1 }: { orders: number; seed?: number },
  out: Output,
): Promise<undefined> {
  const config = readConfig(process.env)
  if (config.mode !== 'sandbox') {
    throw new CommandFailure('feria seed works in sandboxes only. Set FERIA_MODE=sandbox.')
  }
  const log = makeLog(config.logLevel)
  const lifecycle = new Lifecycle(config.shutdownMs, log)
  lifecycle.closeOnSignals(['SIGINT', 'SIGTERM'], { code: exitCodes.interrupted })
  try {
    const databaseUrl = await openMigrated({ config, log, say: out.print }, lifecycle)
    const ctx = await createContext({ config, databaseUrl, log }, lifecycle)
    const began = performance.now()
    const progress = out.progress({ unit: 'orders', total: orders })
    await seedOrders(ctx, { orders, seed, progress: (done) => progress.update(done) })
    progress.end()
    const seconds = (performance.now() - began) / 1000
    const rate = Math.round(orders / seconds)
    out.printResult(
      { orders, seed, seconds: Number(seconds.toFixed(1)) },
      () => `${orders} orders in ${seconds.toFixed(1)} s (${rate} a second)`,
    )
  } finally {
    await lifecycle.close()
  }
}
