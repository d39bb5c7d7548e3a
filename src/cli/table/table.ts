import { toServer } from '../client.ts'
import { type Command, command } from '../frame/command.ts'
import { shells } from '../frame/completion.ts'
import type { Table } from '../frame/table.ts'
import { catalogue } from './catalog.ts'
import { notifications } from './deliveries.ts'
import { operator } from './operator.ts'
import { running } from './running.ts'
import { sandbox } from './sandbox.ts'

const section = 'Reference'

const token = { kind: 'text', as: 'TOKEN' } as const

const reference: readonly Command[] = [
  command({
    name: 'conform',
    section,
    summary: 'Run the contract as an executable table against any server that speaks it.',
    details:
      'Each check is a request and what must come back: status, keys, types, rules. What they are about is found by asking the server; what has no material is skipped with the reason. Reads only, unless --write allows to make notes, messages and files. --operator-token is for a Feria: it gives tokens of a buyer and a stranger and, with --write, makes the sales that a seller cannot bring about. Ends with 1 when something differs; the last line is `figure conform.failed N`.\nWith --json one line for each check, and the counts.',
    words: { url: { kind: 'address', says: 'Where the server is.' } },
    options: {
      token: { ...token, says: 'An access token of a seller with orders.', required: true },
      'buyer-token': { ...token, says: 'One of the buyer of the seller’s newest paid order.' },
      'stranger-token': { ...token, says: 'One of a user who has nothing to do with them.' },
      'operator-token': { ...token, says: 'That of the operator of a Feria.' },
      application: {
        kind: 'count',
        as: 'ID',
        says: 'Whose feed; the token’s application unless said otherwise.',
      },
      section: { kind: 'text', as: 'SECTION', says: 'Only of this section: `4`, `4.1`.' },
      write: { kind: 'flag', says: 'Also what makes or changes something.' },
      'contract-only': {
        kind: 'flag',
        says: 'Without what the contract leaves open and the interface is known to do.',
      },
      all: { kind: 'flag', says: 'Print what passed, too.' },
    },
    examples: [
      'feria conform https://api.example --token "$SELLER"',
      'feria conform http://127.0.0.1:8080 --token "$SELLER" --operator-token "$OPERATOR" --write',
    ],
    load: async () => (await import('../conform/conform.ts')).conformCommand,
  }),
  command({
    name: 'openapi',
    section,
    summary: 'The description of the interface (OpenAPI 3.1), as the server gives it.',
    options: { out: { kind: 'file', says: 'Into this file.' }, ...toServer },
    examples: ['feria openapi --out openapi.json'],
    load: async () => (await import('../operator/openapi.ts')).openapiCommand,
  }),
  command({
    name: 'completion',
    section,
    summary: 'A script that makes a shell complete commands, options and values.',
    words: { shell: { kind: 'choice', of: shells, as: shells.join('|'), says: 'Which shell.' } },
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
    summary: 'All commands, or what there is to know of one.',
    words: {
      command: { kind: 'text', as: 'COMMAND', says: 'Which one: `replay start`.', optional: true },
      part: { kind: 'text', as: 'PART', says: 'Its second word.', optional: true },
    },
    options: { page: { kind: 'flag', says: 'Everything, as docs/command-line.md.' } },
    load: async () => {
      const { helpCommand } = await import('../frame/help.ts')
      return (asked, out) => helpCommand(asked, { table, out })
    },
  }),
]

/** Every command, in the order of the help: the only list of them. */
export const table: Table = {
  sections: [
    'Running',
    'Users, applications and history',
    'Catalogue',
    'Notifications',
    'Sandbox',
    section,
  ],
  commands: [...running, ...operator, ...catalogue, ...notifications, ...sandbox, ...reference],
}
