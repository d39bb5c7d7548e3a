import { readConfig } from '../platform/config.ts'
import { migrate, planMigrations } from '../platform/database/migrate.ts'
import { Lifecycle } from '../platform/lifecycle.ts'
import { makeLog } from '../platform/log.ts'
import { openDatabase, say } from './database.ts'
import { readOptions } from './usage.ts'

export async function migrateCommand(args: string[]): Promise<void> {
  const { plan, distribute } = readOptions(args, { plan: 'flag', distribute: 'flag' })
  const config = readConfig(process.env)
  const log = makeLog(config.logLevel)
  const lifecycle = new Lifecycle(config.shutdownMs, log)
  try {
    const url = await openDatabase({ config, log }, lifecycle)
    if (plan) {
      const steps = await planMigrations(url)
      for (const { name } of steps) say(`would run ${name}`)
      if (steps.length === 0) say('nothing to run: the schema is up to date')
      return
    }
    const done = await migrate(url, { say, distribute: distribute ?? false })
    say(done.length === 0 ? 'the schema is up to date' : `ran ${done.length} step(s)`)
  } finally {
    await lifecycle.close()
  }
}
