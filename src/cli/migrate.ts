import { readConfig } from '../platform/config.ts'
import { migrate, planMigrations } from '../platform/database/migrate.ts'
import { Lifecycle } from '../platform/lifecycle.ts'
import { makeLog } from '../platform/log.ts'
import { openDatabase } from './database.ts'
import { exits } from './failure.ts'
import type { Output } from './frame/output.ts'

/** `feria migrate`: brings the schema up to this program, or says what that would take. */
export async function migrateCommand(
  { plan, distribute }: { plan?: true; distribute?: true },
  out: Output,
): Promise<undefined> {
  const config = readConfig(process.env)
  const log = makeLog(config.logLevel)
  const lifecycle = new Lifecycle(config.shutdownMs, log)
  lifecycle.closeOnSignals(['SIGINT', 'SIGTERM'], {
    code: exits.interrupted,
    onStop: () => out.note('Interrupted. Steps that were done stay: run it again for the rest.'),
  })
  const { say } = out
  try {
    const url = await openDatabase({ config, log, say }, lifecycle)
    if (plan) {
      const steps = (await planMigrations(url)).map(({ name }) => name)
      return out.show({ would_run: steps }, () =>
        steps.length === 0
          ? 'nothing to run: the schema is up to date'
          : steps.map((name) => `would run ${name}`),
      )
    }
    const done = await migrate(url, { say, distribute: distribute ?? false })
    out.show({ ran: done.map(({ name }) => name) }, () =>
      done.length === 0 ? 'the schema is up to date' : `ran ${done.length} step(s)`,
    )
  } finally {
    await lifecycle.close()
  }
}
