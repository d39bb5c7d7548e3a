#!/usr/bin/env node
import { migrateCommand } from './migrate.ts'
import { seedCommand } from './seed.ts'
import { startCommand } from './start.ts'
import { sentenceFor, UsageFailure } from './usage.ts'

const help = `feria: an open marketplace backend

  feria start [--workers N]   the API and its background work; N processes share the port
  feria serve                 the API alone
  feria work                  the background work alone
  feria migrate [--plan] [--distribute]
                              bring the schema up to date; --plan only says what would run,
                              --distribute spreads it over a Citus cluster
  feria seed --orders N [--seed S]
                              add N demo orders (sandbox)
  feria help                  this page

Settings come from the environment: docs/configuration.md lists them.
`

const commands: Record<string, (args: string[]) => Promise<void>> = {
  start: (args) => startCommand(args, { api: true, work: true }),
  serve: (args) => startCommand(args, { api: true, work: false }),
  work: (args) => startCommand(args, { api: false, work: true }),
  migrate: migrateCommand,
  seed: seedCommand,
  help: async () => void process.stdout.write(help),
}

const [name = 'help', ...args] = process.argv.slice(2)
const command = commands[/^(-h|--help)$/.test(name) ? 'help' : name]
try {
  if (!command) throw new UsageFailure(`There is no command "${name}". Run: feria help`)
  await command(args)
} catch (error) {
  process.stderr.write(`${sentenceFor(error) ?? (error as Error).stack}\n`)
  process.exit(1)
}
