import { siteIds } from '../../kernel/sites.ts'
import { operatorServerOptions } from '../client/client.ts'
import { type Command, command } from '../frame/command.ts'

const section = 'Moderation'
const site = { kind: 'choice', of: siteIds, as: 'SITE' } as const
const period = {
  site: { ...site, says: 'Only messages of this site.' },
  since: { kind: 'moment', says: 'Only messages sent at or after this time.' },
  until: { kind: 'moment', says: 'Only messages sent before this time. Default: now.' },
} as const
const monthOfMessages = {
  ...period,
  since: {
    kind: 'moment',
    says: 'Only messages sent at or after this time. Default: 30 days before --until.',
  },
} as const
const moderation = () => import('../operator/moderation.ts')

/** Commands by which the operator judges and changes the rules of moderation. */
export const moderationCommands: readonly Command[] = [
  command({
    name: 'moderation rules',
    section,
    summary: 'Show how often each rule held a message back and was overruled.',
    options: { ...monthOfMessages, ...operatorServerOptions },
    examples: ['feria moderation rules --site MLA'],
    load: async () => (await moderation()).listRulesCommand,
  }),
  command({
    name: 'moderation switch',
    section,
    summary: 'Switch a rule off or on, from the next message on.',
    details: 'A switch of a site precedes that of all sites. `clear` removes the switch.',
    words: {
      rule: { kind: 'text', as: 'RULE', says: 'The id that `feria moderation rules` shows.' },
      state: { kind: 'choice', of: ['off', 'on', 'clear'], says: 'The new state.' },
    },
    options: {
      site: { ...site, says: 'Only on this site. Default: on all.' },
      note: { kind: 'text', as: 'TEXT', says: 'Your remark.' },
      ...operatorServerOptions,
    },
    examples: ['feria moderation switch contact.address off --site MLA --note "pick-up points"'],
    load: async () => (await moderation()).switchRuleCommand,
  }),
  command({
    name: 'moderation preview',
    section,
    summary: 'Try changed terms and rules on past messages.',
    details:
      'The file has `add` (terms), `delete` (ids of terms) and `rules` (switches) as `POST /operator/moderation/preview` takes them. Nothing is changed.',
    words: { file: { kind: 'file', says: 'A JSON file. `-` reads standard input.' } },
    options: {
      limit: { kind: 'count', to: 5_000, says: 'Judge this many messages. Default: 1000.' },
      ...period,
      ...operatorServerOptions,
    },
    examples: [
      'echo \'{"rules":[{"rule":"contact.address","enabled":false}]}\' | feria moderation preview -',
    ],
    load: async () => (await moderation()).previewCommand,
  }),
  command({
    name: 'moderation export',
    section,
    summary: 'Print the messages that were held back, one JSON object per line.',
    options: {
      rule: { kind: 'text', as: 'RULE', says: 'Only decisions of this rule.' },
      ...monthOfMessages,
      out: { kind: 'file', says: 'Write to this file.' },
      ...operatorServerOptions,
    },
    examples: ['feria moderation export --rule contact.phone | jq .cause'],
    load: async () => (await moderation()).exportDecisionsCommand,
  }),
]
