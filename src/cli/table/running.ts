import { type Command, command } from '../frame/command.ts'

const section = 'Running'
const workers = {
  kind: 'count',
  to: 256,
  says: 'So many processes, which share the port.',
} as const
const start = async () => (await import('../start.ts')).startCommand

/** Services and what they stand on. */
export const running: readonly Command[] = [
  command({
    name: 'start',
    section,
    summary: 'The API and its background work.',
    details:
      'On a PostgreSQL of its own in FERIA_DATA, or that of DATABASE_URL; a sandbox with an empty database is filled with the demo world. Ctrl-C or SIGTERM stops it cleanly.\nWith --json the greeting is one JSON value; the log is lines of JSON in any case.',
    options: { workers },
    examples: [
      'feria start',
      'DATABASE_URL=postgres://… FERIA_MODE=sandbox feria start --workers 4',
    ],
    stopsItself: true,
    load: async () => {
      const handle = await start()
      return (asked, out) => handle(asked, { parts: { api: true, work: true }, out })
    },
  }),
  command({
    name: 'serve',
    section,
    summary: 'The API alone.',
    options: { workers },
    stopsItself: true,
    load: async () => {
      const handle = await start()
      return (asked, out) => handle(asked, { parts: { api: true, work: false }, out })
    },
  }),
  command({
    name: 'work',
    section,
    summary: 'The background work alone: deliveries, replays, counts, history.',
    options: { workers },
    stopsItself: true,
    load: async () => {
      const handle = await start()
      return (asked, out) => handle(asked, { parts: { api: false, work: true }, out })
    },
  }),
  command({
    name: 'migrate',
    section,
    summary: 'Bring the schema up to date.',
    details:
      'Each step is one transaction, under a lock that lets one process migrate while others wait. Interrupted at any point, the next run does the rest. On a distributed database, new tables are distributed, too. Needs DATABASE_URL, but no operator token.',
    options: {
      plan: { kind: 'flag', says: 'Only say what would be done.' },
      distribute: {
        kind: 'flag',
        says: 'Distribute the tables over a Citus cluster, or complete a run that was interrupted.',
      },
    },
    examples: ['feria migrate --plan', 'feria migrate', 'feria migrate --distribute'],
    stopsItself: true,
    load: async () => (await import('../migrate.ts')).migrateCommand,
  }),
  command({
    name: 'doctor',
    section,
    summary: 'Check settings, database, schema, clock, backlog and disk, and say what to do.',
    details:
      'Looks at the settings of this environment, at their database, and at the server that they describe, if one answers. Changes nothing. Ends with 1 when there is a problem; warnings alone end with 0.',
    examples: ['feria doctor', 'feria doctor --json | jq ".checks[] | select(.state != \\"ok\\")"'],
    load: async () => (await import('../doctor/doctor.ts')).doctorCommand,
  }),
]
