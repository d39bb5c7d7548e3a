import { clientScopes, tokenScopes } from '../../http/scopes.ts'
import { userStatuses } from '../../identity/user.ts'
import { siteIds } from '../../kernel/sites.ts'
import { topics } from '../../kernel/topics.ts'
import { operatorServerOptions } from '../client/client.ts'
import { type Command, command } from '../frame/command.ts'
import { exportKinds } from '../operator/exports.ts'

const section = 'Users, applications and history'
const application = { kind: 'count', as: 'ID', says: 'The id of the application.' } as const
const user = { kind: 'count', as: 'USER', says: 'The id of the user.' } as const
const scopes = {
  kind: 'choices',
  of: tokenScopes,
  says: 'What the token may do. Default: both.',
} as const
const applications = () => import('../operator/applications.ts')
const personalData = () => import('../operator/personal-data.ts')
const users = () => import('../operator/users.ts')
const tokens = () => import('../operator/tokens.ts')

/** Commands by which the operator registers applications and users, issues tokens and imports history. */
export const operatorCommands: readonly Command[] = [
  command({
    name: 'applications list',
    section,
    summary: 'List applications by id.',
    options: operatorServerOptions,
    load: async () => (await applications()).listApplicationsCommand,
  }),
  command({
    name: 'applications show',
    section,
    summary: 'Show an application.',
    words: { application },
    options: operatorServerOptions,
    load: async () => (await applications()).showApplicationCommand,
  }),
  command({
    name: 'applications put',
    section,
    summary: 'Register an application, or change the given fields of one.',
    details:
      'Prints the secret of a new application once, unless you set it with --secret. In production the callback must be a public address.',
    words: { application },
    options: {
      name: { kind: 'text', as: 'NAME', says: 'The name. Required for a new application.' },
      callback: { kind: 'address', says: 'The callback URL, where its notifications go.' },
      'no-callback': { kind: 'flag', says: 'Remove the callback URL.' },
      topics: { kind: 'choices', of: topics, says: 'The topics that it subscribes to.' },
      secret: { kind: 'text', as: 'SECRET', says: 'A secret of your own, 16 to 200 characters.' },
      'redirect-uris': {
        kind: 'text',
        as: 'A,B',
        says: 'Where the authorization page may redirect to, separated by commas. Compared exactly.',
      },
      scopes: {
        kind: 'choices',
        of: clientScopes,
        says: 'The scopes that it may ask users for. Default: all.',
      },
      pkce: { kind: 'flag', says: 'Require PKCE for its codes.' },
      'no-pkce': { kind: 'flag', says: 'Do not require PKCE.' },
      public: {
        kind: 'flag',
        says: 'It cannot keep a secret (public client): PKCE takes its place.',
      },
      'no-public': { kind: 'flag', says: 'It keeps a secret (confidential client).' },
      owner: { kind: 'count', as: 'USER', says: 'The user in whose name it acts by itself.' },
      'no-owner': { kind: 'flag', says: 'Remove the owner.' },
      ...operatorServerOptions,
    },
    examples: [
      'feria applications put 77 --name "Stock keeper" --callback http://127.0.0.1:3000/hook --topics orders_v2,items',
      'feria applications put 77 --redirect-uris http://localhost:3000/callback --pkce --owner 1001',
    ],
    load: async () => (await applications()).putApplicationCommand,
  }),
  command({
    name: 'applications rotate-secret',
    section,
    summary: 'Replace the signing secret or the client secret of an application.',
    words: { application },
    options: {
      which: {
        kind: 'choice',
        of: ['signing', 'client'],
        says: 'The secret that signs deliveries, or the one that requests tokens. Default: signing.',
      },
      'overlap-hours': {
        kind: 'count',
        from: 0,
        to: 168,
        says: 'How long the old secret stays valid. Default: 24.',
      },
      ...operatorServerOptions,
    },
    load: async () => (await applications()).rotateSecretCommand,
  }),
  command({
    name: 'applications authorize',
    section,
    summary: 'Record that a user authorizes an application.',
    words: { application, user },
    options: { scopes, ...operatorServerOptions },
    examples: ['feria applications authorize 77 1001 --scopes read'],
    load: async () => (await applications()).authorizeCommand,
  }),
  command({
    name: 'applications withdraw',
    section,
    summary: 'End an authorization. The tokens that it gave are refused from now on.',
    words: { application, user },
    options: operatorServerOptions,
    load: async () => (await applications()).withdrawCommand,
  }),
  command({
    name: 'users list',
    section,
    summary: 'List users by id.',
    options: {
      limit: { kind: 'count', to: 1_000, says: 'At most this many. Default: 100.' },
      after: { kind: 'count', from: 0, says: 'Only users with a greater id.' },
      site: { kind: 'choice', of: siteIds, as: 'SITE', says: 'Only users of this site.' },
      ...operatorServerOptions,
    },
    load: async () => (await users()).listUsersCommand,
  }),
  command({
    name: 'users show',
    section,
    summary: 'Show a user.',
    words: { user },
    options: operatorServerOptions,
    load: async () => (await users()).showUserCommand,
  }),
  command({
    name: 'users put',
    section,
    summary: 'Register a user, or change the given fields of one.',
    words: { user },
    options: {
      site: { kind: 'choice', of: siteIds, as: 'SITE', says: 'The site. Required for a new user.' },
      nickname: { kind: 'text', as: 'NAME', says: 'The nickname. Required for a new user.' },
      email: { kind: 'text', as: 'ADDRESS', says: 'The e-mail address.' },
      'first-name': { kind: 'text', as: 'NAME', says: 'The first name.' },
      'last-name': { kind: 'text', as: 'NAME', says: 'The last name.' },
      status: {
        kind: 'choice',
        of: userStatuses,
        says: 'The status of the account.',
      },
      body: {
        kind: 'file',
        says: 'A JSON file with more fields of `PUT /operator/users/{id}`. `-` reads standard input.',
      },
      ...operatorServerOptions,
    },
    examples: [
      'feria users put 1001 --site MLA --nickname TIENDA',
      'echo \'{"billing_info":{"doc_type":"DNI","doc_number":"12345678"}}\' | feria users put 1001 --body -',
    ],
    load: async () => (await users()).putUserCommand,
  }),
  command({
    name: 'users export',
    section,
    summary: 'Print everything stored about a user, one JSON object per line.',
    details:
      'Files of attachments follow in base64. The command fails if the export is incomplete.',
    words: { user },
    options: {
      out: { kind: 'file', says: 'Write to this file.' },
      ...operatorServerOptions,
    },
    examples: ['feria users export 1001 --out user.ndjson'],
    load: async () => (await personalData()).exportUserCommand,
  }),
  command({
    name: 'users erase',
    section,
    summary: 'Erase the personal data of a user, or show how far that is.',
    details:
      'Without --yes, it shows the erasure of the user. With it, the user is erased, which cannot be undone.',
    words: { user },
    options: {
      yes: { kind: 'flag', says: 'Start the erasure, or look again for data of an erased user.' },
      ...operatorServerOptions,
    },
    examples: ['feria users erase 1001 --yes'],
    load: async () => (await personalData()).eraseUserCommand,
  }),
  command({
    name: 'tokens create',
    section,
    summary: 'Issue an access token.',
    details: 'Prints only the token. With --application, the user must have authorized it.',
    options: {
      user: { kind: 'count', as: 'ID', says: 'The user that it acts for.', required: true },
      application: {
        kind: 'count',
        as: 'ID',
        says: 'The application that it belongs to. Default: none.',
      },
      scopes,
      'expires-in': { kind: 'count', as: 'SECONDS', says: 'How long the token is valid.' },
      ...operatorServerOptions,
    },
    examples: ['TOKEN=$(feria tokens create --user 1001 --application 77)'],
    load: async () => (await tokens()).createTokenCommand,
  }),
  command({
    name: 'tokens revoke',
    section,
    summary: 'Revoke an access token. Every process refuses it from now on.',
    words: {
      issued: { kind: 'text', as: 'ISSUED', says: 'The token. `-` reads it from standard input.' },
    },
    options: operatorServerOptions,
    load: async () => (await tokens()).revokeTokenCommand,
  }),
  command({
    name: 'export',
    section,
    summary: 'Export orders, payments and others as NDJSON or CSV.',
    details:
      'The file gets its name when it is complete. Until then it is FILE.part, and --resume goes on after its last entry.',
    words: { kind: { kind: 'choice', of: exportKinds, as: 'KIND', says: 'What to export.' } },
    options: {
      format: { kind: 'choice', of: ['ndjson', 'csv'], says: 'Default: ndjson.' },
      seller: { kind: 'count', as: 'USER', says: 'Only those of this seller.' },
      buyer: { kind: 'count', as: 'USER', says: 'Only those of this buyer.' },
      site: { kind: 'choice', of: siteIds, as: 'SITE', says: 'Only those of this site.' },
      status: { kind: 'text', as: 'A,B', says: 'Only those in these statuses.' },
      filter: {
        kind: 'text',
        as: 'QUERY',
        says: 'More filters of the operation: `tags=paid&tags.not=delivered`.',
      },
      out: { kind: 'file', says: 'Write to this file. Default: standard output.' },
      resume: { kind: 'flag', says: 'Go on with FILE.part, which an earlier export left.' },
      ...operatorServerOptions,
    },
    examples: [
      'feria export orders --format csv --out orders.csv',
      'feria export claims --status opened | jq .reason_id',
    ],
    load: async () => (await import('../operator/exports.ts')).exportCommand,
  }),
  command({
    name: 'import',
    section,
    summary: 'Import a history from lines of JSON.',
    details:
      'docs/import.md describes the lines. They are sent while they are read, and each refused line is printed with its number. After Ctrl-C or an outage, send the same file again: imported lines stay, and none is imported twice. Exits with 1 when a line was refused.\nWith --json, prints the lines of the answer as they come.',
    words: { file: { kind: 'file', says: 'The file. `-` reads standard input.' } },
    options: operatorServerOptions,
    examples: ['feria import history.ndjson', 'zcat history.ndjson.gz | feria import -'],
    load: async () => (await import('../operator/import.ts')).importHistoryCommand,
  }),
]
