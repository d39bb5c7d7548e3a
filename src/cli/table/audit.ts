import { operatorServerOptions } from '../client/client.ts'
import { type Command, command } from '../frame/command.ts'

const section = 'Audit log'
const filter = {
  actor: { kind: 'text', as: 'ACTOR', says: 'Only entries of this actor: `token`, `account:5`.' },
  target: { kind: 'text', as: 'KIND:ID', says: 'Only entries about this: `order:4711`.' },
  operation: {
    kind: 'text',
    as: 'OPERATION',
    says: 'Only this operation: `PATCH /operator/orders/{order_id}`.',
  },
  since: { kind: 'moment', says: 'Only entries at or after this time.' },
  until: { kind: 'moment', says: 'Only entries before this time.' },
} as const
const audit = () => import('../operator/audit.ts')

/** Commands by which the operator reads what operators changed. */
export const auditCommands: readonly Command[] = [
  command({
    name: 'audit list',
    section,
    summary: 'Show what operators changed, the newest first.',
    options: {
      ...filter,
      cursor: { kind: 'text', as: 'CURSOR', says: 'Continue a list where it ended.' },
      limit: { kind: 'count', to: 200, says: 'Show this many entries. Default: 50.' },
      ...operatorServerOptions,
    },
    examples: ['feria audit list --target order:2000003508419013'],
    load: async () => (await audit()).listEntriesCommand,
  }),
  command({
    name: 'audit export',
    section,
    summary: 'Print all matching entries, one JSON object per line or as CSV.',
    options: {
      ...filter,
      format: { kind: 'choice', of: ['ndjson', 'csv'], says: 'The format. Default: ndjson.' },
      out: { kind: 'file', says: 'Write to this file.' },
      ...operatorServerOptions,
    },
    examples: ['feria audit export --format csv --out audit-log.csv'],
    load: async () => (await audit()).exportEntriesCommand,
  }),
]
