import { operatorServerOptions } from '../client/client.ts'
import { type Command, command } from '../frame/command.ts'
import { shells } from '../frame/completion.ts'
import type { CommandTable } from '../frame/table.ts'
import { auditCommands } from './audit.ts'
import { catalogCommands } from './catalog.ts'
import { notificationCommands } from './deliveries.ts'
import { jobCommands } from './jobs.ts'
import { moderationCommands } from './moderation.ts'
import { operatorCommands } from './operator.ts'
import { operatorAccountCommands } from './operators.ts'
import { runningCommands } from './running.ts'
import { sandboxCommands } from './sandbox.ts'

const section = 'Reference'

const token = { kind: 'text', as: 'TOKEN' } as const

const referenceCommands: readonly Command[] = [
  command({
    name: 'conform',
    section,
    summary: 'Check a server against the contract of the interface.',
    details:
      'Each check sends a request and compares status, keys, types and rules of the answer. Its subjects, such as an order, are searched on the server; a check without a subject is skipped with the reason. Only reads, unless --write allows it to make notes, messages and files. --operator-token is for a Feria: it issues tokens of a buyer and a stranger and, with --write, makes the sales that a seller cannot make. Exits with 1 when something differs. The last line is `figure conform.failed N`.\nWith --json, prints one line per check, and the counts.',
    words: { url: { kind: 'address', says: 'The address of the server.' } },
    options: {
      token: { ...token, says: 'An access token of a seller with orders.', required: true },
      'buyer-token': {
        ...token,
        says: 'An access token of the buyer of the seller’s newest paid order.',
      },
      'stranger-token': {
        ...token,
        says: 'An access token of a user who is no party to their orders.',
      },
      'operator-token': { ...token, says: 'The operator token, if the server is a Feria.' },
      application: {
        kind: 'count',
        as: 'ID',
        says: 'The application whose feed is checked. Default: the one of --token.',
      },
      section: { kind: 'text', as: 'SECTION', says: 'Only checks of this section: `4`, `4.1`.' },
      write: { kind: 'flag', says: 'Also run the checks that create or change something.' },
      'contract-only': {
        kind: 'flag',
        says: 'Leave out checks of behavior that the contract does not fix.',
      },
      all: { kind: 'flag', says: 'Also print the checks that passed.' },
    },
    examples: [
      'feria conform https://api.example --token "$SELLER"',
      'feria conform http://127.0.0.1:8080 --token "$SELLER" --operator-token "$OPERATOR" --write',
    ],
    load: async () => (await import('../conform/command.ts')).conformCommand,
  }),
  command({
    name: 'openapi',
    section,
    summary: 'Print the OpenAPI 3.1 description of the interface, as the server gives it.',
    options: { out: { kind: 'file', says: 'Write to this file.' }, ...operatorServerOptions },
    examples: ['feria openapi --out openapi.json'],
    load: async () => (await import('../operator/openapi.ts')).openapiCommand,
  }),
  command({
    name: 'completion',
    section,
    summary: 'Print a script for shell completion of commands, options and values.',
    words: { shell: { kind: 'choice', of: shells, as: shells.join('|'), says: 'The shell.' } },
    examples: ['source <(feria completion bash)', 'feria completion fish | source'],
    isPlain: true,
    load: async () => {
      const { completionScript } = await import('../frame/completion.ts')
      return async ({ shell }, out) => void out.write(completionScript(shell, table))
    },
  }),
  command({
    name: 'help',
    section,
    summary: 'Show all commands, or the help of one.',
    words: {
      command: {
        kind: 'text',
        as: 'COMMAND',
        says: 'The command: `replay start`.',
        optional: true,
      },
      part: { kind: 'text', as: 'PART', says: 'The second word of the command.', optional: true },
    },
    options: {
      page: {
        kind: 'flag',
        says: 'Print the help of all commands, as docs/command-line.md has it.',
      },
    },
    load: async () => {
      const { helpCommand } = await import('../frame/help.ts')
      return (options, out) => helpCommand(options, { table, out })
    },
  }),
]

/** Every command, in the order of the help. Help, completion and docs/command-line.md are made from this list. */
export const table: CommandTable = {
  sections: [
    'Running',
    'Users, applications and history',
    'Operators',
    'Jobs',
    'Catalog',
    'Notifications',
    'Moderation',
    'Audit log',
    'Sandbox',
    section,
  ],
  commands: [
    ...runningCommands,
    ...operatorCommands,
    ...operatorAccountCommands,
    ...jobCommands,
    ...catalogCommands,
    ...notificationCommands,
    ...moderationCommands,
    ...auditCommands,
    ...sandboxCommands,
    ...referenceCommands,
  ],
}
