import { Type } from 'typebox'
import { baseAddress } from '../http/address.ts'
import { created, noContent, ok, type Route, route } from '../http/route.ts'
import { allSites } from '../http/site-rule.ts'
import { etagOf, withEtagField } from '../http/versions.ts'
import { pathId } from '../kernel/ids.ts'
import { IdText, StrictObject, Timestamp } from '../kernel/schema.ts'
import {
  acceptInvitationWith,
  accountNotFound,
  changeAccount,
  endSessionsOf,
  inviteAccount,
  removeAccount,
  renewInvitation,
} from './commands.ts'
import { SessionAnswer, sessionView } from './session-view.ts'
import { findAccount, listAccounts } from './store-accounts.ts'
import { listSessions } from './store-sessions.ts'
import { versionedAccount } from './versioned.ts'
import { AccountAnswer, accountView, Email, Name, NewPassword, Role, Sites, tag } from './view.ts'

const unknownAccount = { not_found: 'Account not found: 1000000000001' }
const params = Type.Object({ id: { ...IdText, description: 'Id of the account' } })
const common = { scope: 'operator', permission: 'accounts:manage', sites: allSites, tag } as const

/** The page of the console that accepts an invitation, which follows as the fragment. */
const consoleInvitationPath = '/console/invitation'
const exampleInvitation = `feria_invitation_${'0'.repeat(64)}`

const InvitationAnswer = Type.Object({
  account: AccountAnswer,
  invitation: Type.String({
    description:
      'The invitation, shown only in this answer. `POST /operator/invitations/accept` takes it once',
    examples: [exampleInvitation],
  }),
  url: Type.String({
    description:
      'Address of the page of the console that accepts it. The invitation is in the fragment, which browsers send to no server',
    examples: [`https://feria.example${consoleInvitationPath}#${exampleInvitation}`],
  }),
  expires_at: Timestamp,
})

const getAccounts = route({
  ...common,
  method: 'GET',
  url: '/operator/accounts',
  summary: 'List operator accounts',
  description: 'Returns all accounts of operators by id, with their roles and statuses.',
  answers: {
    200: Type.Object({
      accounts: Type.Array(withEtagField(AccountAnswer)),
    }),
  },
  async handle({ db, now }) {
    const accounts = (await listAccounts(db)).map((account) => ({
      ...accountView(account),
      etag: etagOf(account, now()),
    }))
    return ok({ accounts })
  },
})

const getAccount = route({
  ...common,
  method: 'GET',
  url: '/operator/accounts/:id',
  versioned: versionedAccount,
  summary: 'Get an operator account',
  description: 'Returns an account of an operator. An unknown id answers 404 `not_found`.',
  refuses: unknownAccount,
  params,
  answers: { 200: AccountAnswer },
  async handle({ db }, { params }) {
    const id = pathId('id', params.id)
    const account = await findAccount(db, id)
    if (!account) throw accountNotFound(id)
    return { ...ok(accountView(account)), state: account }
  },
})

const postAccount = route({
  ...common,
  isSensitive: true,
  method: 'POST',
  url: '/operator/accounts',
  audits: 'operator_account',
  summary: 'Invite an operator',
  description:
    'Creates an account and returns its invitation, which you pass on. Whoever accepts it within three days sets the password, and can then sign in. With `sites`, the role holds on these sites only: what concerns others answers as if it did not exist, and what concerns all sites 403 `site_denied`. The role must have no permission that you lack (403 `permission_denied`). Another account with the e-mail address answers 409 `id_taken`. An unknown role answers 400 `bad_request`.',
  refuses: {
    id_taken: 'email: another account has this e-mail address.',
    bad_request: 'role: expected an existing role',
  },
  body: StrictObject({
    email: { ...Email, format: 'one-line' },
    name: Name,
    role: Role,
    sites: Type.Optional(Sites),
  }),
  answers: { 201: InvitationAnswer },
  async handle(ctx, { body, operator, headers }) {
    const account = { ...body, sites: body.sites ?? null, actor: operator }
    const invited = await inviteAccount(ctx, account)
    return created(invitationView(invited, baseAddress(ctx.config, headers)))
  },
})

const patchAccount = route({
  ...common,
  isSensitive: true,
  method: 'PATCH',
  url: '/operator/accounts/:id',
  audits: 'operator_account',
  versioned: versionedAccount,
  summary: 'Change, disable or enable an operator account',
  description:
    'Changes the given fields at once, in every process. A disabled account cannot sign in, and its sessions end. Another role ends a pending invitation: renew it (`POST /operator/accounts/{id}/invitation`). An account with a permission that you lack answers 403 `permission_denied`, and so does such a role. The last active account with the role `owner` on all sites keeps both and stays active: 409 `last_owner`. An unknown id answers 404 `not_found`, an unknown role 400 `bad_request`.',
  refuses: { ...unknownAccount, last_owner: '', bad_request: 'role: expected an existing role' },
  params,
  body: StrictObject({
    name: Type.Optional(Name),
    role: Type.Optional(Role),
    sites: Type.Optional(Sites),
    status: Type.Optional(
      Type.Enum(['active', 'disabled'], {
        description:
          '`active` lets the account sign in again, `disabled` refuses it. Left out: as it is',
      }),
    ),
  }),
  answers: { 200: AccountAnswer },
  async handle(ctx, { params, body, operator }) {
    const change = { ...body, id: pathId('id', params.id), actor: operator }
    const account = await changeAccount(ctx, change)
    return { ...ok(accountView(account)), state: account }
  },
})

const deleteAccount = route({
  ...common,
  isSensitive: true,
  method: 'DELETE',
  url: '/operator/accounts/:id',
  audits: 'operator_account',
  versioned: versionedAccount,
  summary: 'Delete an operator account',
  description:
    'Deletes an account and ends its sessions at once. An account with a permission that you lack answers 403 `permission_denied`, the last active one with the role `owner` on all sites 409 `last_owner`, an unknown id 404 `not_found`.',
  refuses: { ...unknownAccount, last_owner: '' },
  params,
  answers: { 204: Type.Null() },
  async handle(ctx, { params, operator }) {
    await removeAccount(ctx, { id: pathId('id', params.id), actor: operator })
    return noContent()
  },
})

const postInvitation = route({
  ...common,
  isSensitive: true,
  method: 'POST',
  url: '/operator/accounts/:id/invitation',
  audits: 'operator_account',
  versioned: versionedAccount,
  summary: 'Renew the invitation of an operator',
  description:
    'Returns another invitation, which replaces the one before. Use it when an invitation expired, or when somebody lost the password or the authenticator app: accepting it sets a new password, removes the second factor and ends all sessions. Until then nothing changes. An account with a permission that you lack answers 403 `permission_denied`, an unknown id 404 `not_found`.',
  refuses: unknownAccount,
  params,
  answers: { 201: InvitationAnswer },
  async handle(ctx, { params, operator, headers }) {
    const invited = await renewInvitation(ctx, { id: pathId('id', params.id), actor: operator })
    return created(invitationView(invited, baseAddress(ctx.config, headers)))
  },
})

const getAccountSessions = route({
  ...common,
  method: 'GET',
  url: '/operator/accounts/:id/sessions',
  summary: 'List the sessions of an operator',
  description:
    'Returns the sessions of an account, the newest first. An unknown id answers 404 `not_found`.',
  refuses: unknownAccount,
  params,
  answers: { 200: Type.Object({ sessions: Type.Array(SessionAnswer) }) },
  async handle({ db, now }, { params }) {
    const id = pathId('id', params.id)
    if (!(await findAccount(db, id))) throw accountNotFound(id)
    const sessions = await listSessions(db, id)
    return ok({ sessions: sessions.flatMap((session) => sessionView(session, { now: now() })) })
  },
})

const deleteAccountSessions = route({
  ...common,
  method: 'DELETE',
  url: '/operator/accounts/:id/sessions',
  audits: 'operator_session',
  summary: 'End all sessions of an operator',
  description:
    'Ends all sessions of an account at once, in every process. The account can sign in again; disable it to prevent that. An account with a permission that you lack answers 403 `permission_denied`, an unknown id answers 404 `not_found`.',
  refuses: unknownAccount,
  params,
  answers: { 204: Type.Null() },
  async handle(ctx, { params, operator }) {
    await endSessionsOf(ctx, { id: pathId('id', params.id), actor: operator })
    return noContent()
  },
})

const acceptInvitation = route({
  method: 'POST',
  url: '/operator/invitations/accept',
  scope: 'public',
  audits: 'operator_account',
  sameOrigin: true,
  tag,
  summary: 'Accept an invitation',
  description:
    'Sets the password of an invited account, which can then sign in (`POST /operator/sign-in`). An invitation is accepted once. An unknown, used or expired one answers 404 `not_found`.',
  refuses: { not_found: 'Invitation not found, used or expired' },
  body: StrictObject({
    invitation: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The invitation that you got',
      examples: [exampleInvitation],
    }),
    password: NewPassword,
  }),
  answers: { 200: AccountAnswer },
  async handle(ctx, { body }) {
    return ok(accountView(await acceptInvitationWith(ctx, body)))
  },
})

function invitationView(
  { account, invitation }: Awaited<ReturnType<typeof inviteAccount>>,
  base: string,
): object {
  const view = accountView(account)
  return {
    account: view,
    invitation,
    url: `${base}${consoleInvitationPath}#${invitation}`,
    expires_at: view.invitation_expires_at,
  }
}

/** The operations that manage accounts of operators. */
export const accountsAdminRoutes: Route[] = [
  getAccounts,
  postAccount,
  getAccount,
  patchAccount,
  deleteAccount,
  postInvitation,
  getAccountSessions,
  deleteAccountSessions,
  acceptInvitation,
]
