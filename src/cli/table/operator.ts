import { clientScopes, tokenScopes } from '../../http/scopes.ts'
import { userStatuses } from '../../identity/user.ts'
import { siteIds } from '../../kernel/sites.ts'
import { topics } from '../../kernel/topics.ts'
import { toServer } from '../client.ts'
import { type Command, command } from '../frame/command.ts'

const section = 'Users, applications and history'
const application = { kind: 'count', as: 'ID', says: 'Number of the application.' } as const
const user = { kind: 'count', as: 'USER', says: 'Number of the user.' } as const
const scopes = {
  kind: 'choices',
  of: tokenScopes,
  says: 'What it may do; both unless said otherwise.',
} as const
const applications = () => import('../operator/applications.ts')
const users = () => import('../operator/users.ts')
const tokens = () => import('../operator/tokens.ts')

/** What the operator of a marketplace registers. */
export const operator: readonly Command[] = [
  command({
    name: 'applications list',
    section,
    summary: 'The applications, by their numbers.',
    options: toServer,
    load: async () => (await applications()).listApplications,
  }),
  command({
    name: 'applications show',
    section,
    summary: 'What is known of one.',
    words: { application },
    options: toServer,
    load: async () => (await applications()).showApplication,
  }),
  command({
    name: 'applications put',
    section,
    summary: 'Register one, or change it; what is not said stays as it is.',
    details:
      'A new one is answered with its secret, once, unless --secret gives it one. In production the callback must be a public address.',
    words: { application },
    options: {
      name: { kind: 'text', as: 'NAME', says: 'Its name. Required for a new one.' },
      callback: { kind: 'address', says: 'Where its notifications go.' },
      'no-callback': { kind: 'flag', says: 'It has no callback any more.' },
      topics: { kind: 'choices', of: topics, says: 'What it is told of.' },
      secret: { kind: 'text', as: 'SECRET', says: 'A secret of your own, 16 to 200 characters.' },
      'redirect-uris': {
        kind: 'text',
        as: 'A,B',
        says: 'Where the authorisation page may lead back to, with commas between; as they stand.',
      },
      scopes: {
        kind: 'choices',
        of: clientScopes,
        says: 'What it may ask users for; all of it unless said otherwise.',
      },
      pkce: { kind: 'flag', says: 'Its codes need PKCE.' },
      'no-pkce': { kind: 'flag', says: 'They do not.' },
      public: { kind: 'flag', says: 'It runs where no secret can be kept: PKCE stands in for it.' },
      'no-public': { kind: 'flag', says: 'It keeps a secret.' },
      owner: { kind: 'count', as: 'USER', says: 'In whose name it acts by itself.' },
      'no-owner': { kind: 'flag', says: 'In nobody’s.' },
      ...toServer,
    },
    examples: [
      'feria applications put 77 --name "Stock keeper" --callback http://127.0.0.1:3000/hook --topics orders_v2,items',
      'feria applications put 77 --redirect-uris http://localhost:3000/callback --pkce --owner 1001',
    ],
    load: async () => (await applications()).putApplication,
  }),
  command({
    name: 'applications rotate-secret',
    section,
    summary: 'Give one another secret: for its deliveries, or as a client.',
    words: { application },
    options: {
      which: {
        kind: 'choice',
        of: ['signing', 'client'],
        says: 'What deliveries are signed with, or what it asks for tokens with; signing unless said otherwise.',
      },
      'overlap-hours': {
        kind: 'count',
        from: 0,
        to: 168,
        says: 'How long the one before counts too; 24 unless said otherwise.',
      },
      ...toServer,
    },
    load: async () => (await applications()).rotateSecret,
  }),
  command({
    name: 'applications authorize',
    section,
    summary: 'Record that a user lets it act in the user’s name.',
    words: { application, user },
    options: { scopes, ...toServer },
    examples: ['feria applications authorize 77 1001 --scopes read'],
    load: async () => (await applications()).authorize,
  }),
  command({
    name: 'applications withdraw',
    section,
    summary: 'End that; its tokens of this user are refused from now on.',
    words: { application, user },
    options: toServer,
    load: async () => (await applications()).withdraw,
  }),
  command({
    name: 'users list',
    section,
    summary: 'The users, by their numbers.',
    options: {
      limit: { kind: 'count', to: 1_000, says: 'At most so many; 100 unless said otherwise.' },
      after: { kind: 'count', from: 0, says: 'Those behind this number.' },
      ...toServer,
    },
    load: async () => (await users()).listUsers,
  }),
  command({
    name: 'users show',
    section,
    summary: 'What is known of one.',
    words: { user },
    options: toServer,
    load: async () => (await users()).showUser,
  }),
  command({
    name: 'users put',
    section,
    summary: 'Register one, or change it; what is not said stays as it is.',
    words: { user },
    options: {
      site: { kind: 'choice', of: siteIds, as: 'SITE', says: 'Required for a new one.' },
      nickname: { kind: 'text', as: 'NAME', says: 'Required for a new one.' },
      email: { kind: 'text', as: 'ADDRESS', says: 'E-mail address.' },
      'first-name': { kind: 'text', as: 'NAME', says: 'First name.' },
      'last-name': { kind: 'text', as: 'NAME', says: 'Last name.' },
      status: {
        kind: 'choice',
        of: userStatuses,
        says: 'Whether the account is open.',
      },
      body: {
        kind: 'file',
        says: 'JSON with more fields of `PUT /operator/users/{id}`; `-` reads standard input.',
      },
      ...toServer,
    },
    examples: [
      'feria users put 1001 --site MLA --nickname TIENDA',
      'echo \'{"billing_info":{"doc_type":"DNI","doc_number":"12345678"}}\' | feria users put 1001 --body -',
    ],
    load: async () => (await users()).putUser,
  }),
  command({
    name: 'tokens create',
    section,
    summary: 'Issue an access token.',
    details: 'Prints the token alone. For an application, the user must have authorised it.',
    options: {
      user: { kind: 'count', as: 'ID', says: 'Whose it is.', required: true },
      application: {
        kind: 'count',
        as: 'ID',
        says: 'Through which application; none unless said.',
      },
      scopes,
      'expires-in': { kind: 'count', as: 'SECONDS', says: 'How long it lives.' },
      ...toServer,
    },
    examples: ['TOKEN=$(feria tokens create --user 1001 --application 77)'],
    load: async () => (await tokens()).createToken,
  }),
  command({
    name: 'tokens revoke',
    section,
    summary: 'Revoke an access token; every process refuses it from now on.',
    words: {
      issued: { kind: 'text', as: 'ISSUED', says: 'The token; `-` reads it from standard input.' },
    },
    options: toServer,
    load: async () => (await tokens()).revokeToken,
  }),
  command({
    name: 'import',
    section,
    summary: 'Import a history: lines of JSON, as many as there are.',
    details:
      'The lines are those of docs/import.md. They are sent while they are read; each line that is refused is printed with its number. Cut short, by Ctrl-C or an outage, what was done stays: send the same file again, nothing is imported twice. Ends with 1 when a line was refused.\nWith --json the lines of the answer are printed as they come.',
    words: { file: { kind: 'file', says: 'The file; `-` reads standard input.' } },
    options: toServer,
    examples: ['feria import history.ndjson', 'zcat history.ndjson.gz | feria import -'],
    load: async () => (await import('../operator/import.ts')).importCommand,
  }),
]
