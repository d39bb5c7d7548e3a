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

const reference: readonly Command[] = [
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
