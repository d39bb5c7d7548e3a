import { readConfig } from '../../platform/config.ts'
import { type MigrationPlan, migrate, planMigrations } from '../../platform/database/migrate.ts'
import { Lifecycle } from '../../platform/lifecycle.ts'
import { makeLog } from '../../platform/log.ts'
import { exitCodes } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'
import { openDatabase } from './database.ts'

/** `feria migrate`: updates the schema to this version, or prints what it would do. */
export async function migrateCommand(
  { plan, distribute }: { plan?: true; distribute?: true },
  out: Output,
): Promise<number> {
  const config = readConfig(process.env, { needsOperatorToken: false })
  const log = makeLog(config.logLevel)
  const lifecycle = new Lifecycle(config.shutdownMs, log)
  lifecycle.closeOnSignals(['SIGINT', 'SIGTERM'], {
    code: exitCodes.interrupted,
    onStop: () => out.printNote('Interrupted. Finished steps stay. Run it again for the rest.'),
  })
  const { print } = out
  try {
    const url = await openDatabase({ config, log, say: print }, lifecycle)
    if (plan) {
      return showPlan(await planMigrations(url, { distribute: distribute ?? false }), out)
    }
    const steps = await migrate(url, { say: print, distribute: distribute ?? false })
    out.printResult({ ran: steps.map(({ name }) => name) }, () =>
      steps.length === 0 ? 'the schema is up to date' : `ran ${steps.length} step(s)`,
    )
    return exitCodes.done
  } finally {
    await lifecycle.close()
  }
}

/** Prints what a migration would do. Returns the exit code, which is 1 for a plan that would be refused. */
function showPlan(plan: MigrationPlan, out: Output): number {
  const { steps, tables, missingKeys, refusal } = plan
  const shown = {
    would_run: steps.map(({ name }) => name),
    would_distribute: tables.map(({ table, column }) => ({ table, column })),
    would_add_keys: missingKeys.map(({ table, name }) => ({ table, name })),
    refusal,
  }
  out.printResult(shown, () => {
    if (refusal !== null) return refusal
    const lines = [
      ...tables.map(({ table, column }) =>
        column === null
          ? `would copy ${table} to every node`
          : `would distribute ${table} by ${column}`,
      ),
      ...missingKeys.map(
        ({ table, name }) => `would add the foreign key ${name} of ${table} again`,
      ),
      ...steps.map(({ name }) => `would run ${name}`),
    ]
    return lines.length === 0 ? 'nothing to run: the schema is up to date' : lines
  })
  return refusal === null ? exitCodes.done : exitCodes.failed
}
