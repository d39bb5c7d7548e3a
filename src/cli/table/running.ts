import { type Command, command } from '../frame/command.ts'

const section = 'Running'
const workers = {
  kind: 'count',
  to: 256,
  says: 'The number of processes that share the port.',
} as const
const start = async () => (await import('../running/start.ts')).startCommand

/** Commands that run Feria, and that prepare or check its database. */
export const runningCommands: readonly Command[] = [
  command({
    name: 'start',
    section,
    summary: 'Start the API and its background work.',
    details:
      'Uses the PostgreSQL of DATABASE_URL, or runs its own in FERIA_DATA. A sandbox with an empty database is filled with demo data. Ctrl-C or SIGTERM stops it cleanly.\nWith --json the greeting is one JSON value. The log is always lines of JSON.',
    options: { workers },
    examples: [
      'feria start',
      'DATABASE_URL=postgres://… FERIA_MODE=sandbox feria start --workers 4',
    ],
    stopsItself: true,
    load: async () => {
      const handle = await start()
      return (options, out) => handle(options, { parts: { api: true, work: true }, out })
    },
  }),
  command({
    name: 'serve',
    section,
    summary: 'Start only the API.',
    options: { workers },
    stopsItself: true,
    load: async () => {
      const handle = await start()
      return (options, out) => handle(options, { parts: { api: true, work: false }, out })
    },
  }),
  command({
    name: 'work',
    section,
    summary: 'Start only the background work: deliveries, replays, counts, history.',
    options: { workers },
    stopsItself: true,
    load: async () => {
      const handle = await start()
      return (options, out) => handle(options, { parts: { api: false, work: true }, out })
    },
  }),
  command({
    name: 'migrate',
    section,
    summary: 'Bring the schema up to date.',
    details:
      'Each step is one transaction. A lock lets one process migrate while others wait. If a run is interrupted, the next one does the rest. On a distributed database, new tables are distributed too. No operator token is needed.',
    options: {
      plan: { kind: 'flag', says: 'Print what would be done, and change nothing.' },
      distribute: {
        kind: 'flag',
        says: 'Distribute the tables over a Citus cluster, or complete a run that was interrupted.',
      },
    },
    examples: ['feria migrate --plan', 'feria migrate', 'feria migrate --distribute'],
    stopsItself: true,
    load: async () => (await import('../running/migrate.ts')).migrateCommand,
  }),
  command({
    name: 'doctor',
    section,
    summary: 'Check settings, database, schema, clock, backlog and disk, and suggest fixes.',
    details:
      'Checks the settings of this environment, their database, and the server that they describe, if it answers. Changes nothing. Exits with 1 when there is a problem; warnings alone exit with 0.',
    examples: ['feria doctor', 'feria doctor --json | jq ".checks[] | select(.state != \\"ok\\")"'],
    load: async () => (await import('../doctor/doctor.ts')).doctorCommand,
  }),
]
