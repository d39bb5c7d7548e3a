#!/usr/bin/env node
import type { Parts } from './start.ts'
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
  feria listen --forward-to URL [--application ID] [--topics a,b] [--name NAME] [--since TIME]
                              [--json] [--server URL] [--token TOKEN]
                              forward notifications to an address of this machine; nothing is
                              lost while it, this program or the server is away
  feria trigger TOPIC|list [--application ID] [--server URL]
                              make happen in a sandbox what a topic tells of
  feria catalog import DIR [--format feria|taxonomy] [--depth N] [--dry-run] [--note TEXT]
                              [--json] [--server URL] [--token TOKEN]
                              bring a catalogue of your own, checked as a whole; --dry-run only
                              tells what it would change
  feria catalog export DIR [--version N]
                              write the catalogue that is served, or another, into DIR
  feria catalog versions|activate VERSION|rollback
                              all catalogues there have been; serve one of them; the way back
  feria help                  this page

Settings come from the environment: docs/configuration.md lists them.
`

/** A command reads its own part of the program only: the small ones begin at once. */
const start = async (args: string[], parts: Parts) =>
  (await import('./start.ts')).startCommand(args, parts)

const commands: Record<string, (args: string[]) => Promise<void>> = {
  start: (args) => start(args, { api: true, work: true }),
  serve: (args) => start(args, { api: true, work: false }),
  work: (args) => start(args, { api: false, work: true }),
  migrate: async (args) => (await import('./migrate.ts')).migrateCommand(args),
  seed: async (args) => (await import('./seed.ts')).seedCommand(args),
  listen: async (args) => (await import('./listen.ts')).listenCommand(args),
  trigger: async (args) => (await import('./trigger/trigger.ts')).triggerCommand(args),
  catalog: async (args) => (await import('./catalog/catalog.ts')).catalogCommand(args),
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
