import { siteIds } from '../../kernel/sites.ts'
import { operatorServerOptions } from '../client/client.ts'
import { type Command, command } from '../frame/command.ts'

const section = 'Operators'
const account = { kind: 'count', as: 'ID', says: 'The id of the account.' } as const
const key = { kind: 'count', as: 'ID', says: 'The id of the API key.' } as const
const name = {
  kind: 'text',
  as: 'NAME',
  says: 'The name in lists and logs.',
  required: true,
} as const
const role = {
  kind: 'text',
  as: 'ROLE',
  says: 'The role: owner, support, moderator, catalog, finance, read-only, or one of your own.',
  required: true,
} as const
const sites = {
  kind: 'choices',
  of: siteIds,
  says: 'The sites that the role is limited to. Default: all.',
} as const
const email = { kind: 'text', as: 'EMAIL', says: 'The e-mail address of the account.' } as const
const operators = () => import('../operator/operators.ts')

/** Commands for the accounts and API keys of operators. */
export const operatorAccountCommands: readonly Command[] = [
  command({
    name: 'operator accounts',
    section,
    summary: 'List the accounts of operators.',
    options: operatorServerOptions,
    load: async () => (await operators()).listAccountsCommand,
  }),
  command({
    name: 'operator invite',
    section,
    summary: 'Invite an operator, and print the invitation.',
    details:
      'Pass the invitation or its link on. Whoever accepts it within three days sets the password.',
    words: { email },
    options: { name, role, sites, ...operatorServerOptions },
    examples: [
      'feria operator invite ana@example.com --name Ana --role owner',
      'feria operator invite bea@example.com --name Bea --role support --sites MLA,MLU',
    ],
    load: async () => (await operators()).inviteCommand,
  }),
  command({
    name: 'operator renew-invitation',
    section,
    summary: 'Print another invitation, for a lost password or authenticator app.',
    words: { account },
    options: operatorServerOptions,
    load: async () => (await operators()).renewInvitationCommand,
  }),
  command({
    name: 'operator accept',
    section,
    summary: 'Accept an invitation.',
    details: 'Standard input has the new password.',
    words: { invitation: { kind: 'text', as: 'INVITATION', says: 'The invitation, or its link.' } },
    options: operatorServerOptions,
    load: async () => (await operators()).acceptCommand,
  }),
  command({
    name: 'operator sign-in',
    section,
    summary: 'Sign in, and print the token of the session.',
    details: 'Standard input has the password.',
    words: { email },
    options: {
      code: { kind: 'text', as: 'CODE', says: 'A code of the authenticator app.' },
      ...operatorServerOptions,
    },
    examples: ['SESSION=$(cat password.txt | feria operator sign-in ana@example.com)'],
    load: async () => (await operators()).signInCommand,
  }),
  command({
    name: 'operator set-status',
    section,
    summary: 'Disable an account and end its sessions, or enable it again.',
    words: {
      account,
      status: { kind: 'choice', of: ['active', 'disabled'], says: 'The status.' },
    },
    options: operatorServerOptions,
    load: async () => (await operators()).setStatusCommand,
  }),
  command({
    name: 'operator set-sites',
    section,
    summary: 'Limit an account to sites, or let it act on all.',
    words: {
      account,
      sites: { kind: 'choices', of: [...siteIds, 'all'], as: 'SITES', says: 'The sites, or all.' },
    },
    options: operatorServerOptions,
    examples: ['feria operator set-sites 1000000000001 MLA,MLU'],
    load: async () => (await operators()).setSitesCommand,
  }),
  command({
    name: 'operator end-sessions',
    section,
    summary: 'End all sessions of an account.',
    words: { account },
    options: operatorServerOptions,
    load: async () => (await operators()).endSessionsCommand,
  }),
  command({
    name: 'operator keys',
    section,
    summary: 'List API keys.',
    options: operatorServerOptions,
    load: async () => (await operators()).listKeysCommand,
  }),
  command({
    name: 'operator create-key',
    section,
    summary: 'Create an API key for a program, and print it.',
    options: {
      name,
      role,
      sites,
      expires: { kind: 'moment', says: 'When it ends. Default: it does not.' },
      addresses: {
        kind: 'text',
        as: 'A,B',
        says: 'Addresses and networks (CIDR) from which it is accepted. Default: all.',
      },
      ...operatorServerOptions,
    },
    examples: [
      'KEY=$(feria operator create-key --name "Stock import" --role catalog --addresses 203.0.113.0/24)',
    ],
    load: async () => (await operators()).createKeyCommand,
  }),
  command({
    name: 'operator rotate-key',
    section,
    summary: 'Replace an API key, and print the new one.',
    words: { key },
    options: {
      'overlap-hours': {
        kind: 'count',
        from: 0,
        to: 168,
        says: 'How long the present key still works. Default: 24.',
      },
      ...operatorServerOptions,
    },
    load: async () => (await operators()).rotateKeyCommand,
  }),
  command({
    name: 'operator revoke-key',
    section,
    summary: 'Revoke an API key. Every process refuses it from now on.',
    words: { key },
    options: operatorServerOptions,
    load: async () => (await operators()).revokeKeyCommand,
  }),
  command({
    name: 'operator switch-token',
    section,
    summary: 'Switch the operator token on or off.',
    details: 'Switching it off takes an active account with the role owner.',
    words: { state: { kind: 'choice', of: ['on', 'off'], says: 'Whether it is accepted.' } },
    options: operatorServerOptions,
    load: async () => (await operators()).switchTokenCommand,
  }),
]
