import { readFileSync } from 'node:fs'
import type { ResponseBody } from 'feria/client'
import { openClient, type ServerOptions } from '../client/client.ts'
import { alignColumns, type Output } from '../frame/output.ts'

type Account = ResponseBody<'/operator/accounts/{id}', 'get'>
type Key = ResponseBody<'/operator/keys', 'get'>['keys'][number]

/** Reads a password from standard input, so that neither `ps` nor the history of the shell has it. */
const readPassword = () => readFileSync(0, 'utf8').replace(/\r?\n$/, '')

/** `feria operator accounts`. */
export async function listAccountsCommand(options: ServerOptions, out: Output): Promise<undefined> {
  const { accounts } = await openClient(options).call('GET', '/operator/accounts')
  out.printResult(accounts, () =>
    accounts.length === 0
      ? 'There are no accounts. Invite an owner: feria operator invite EMAIL --name NAME --role owner'
      : alignColumns([
          ['ID', 'E-MAIL', 'NAME', 'ROLE', 'SITES', 'STATUS', 'TWO-FACTOR'],
          ...accounts.map(accountRow),
        ]),
  )
}

type Sites = Account['sites']

const sitesText = (sites: Sites) => sites?.join(',') ?? 'all'

const accountRow = (account: Account) => [
  String(account.id),
  account.email,
  account.name,
  account.role,
  sitesText(account.sites),
  account.status,
  account.has_two_factor ? 'yes' : 'no',
]

type InviteOptions = ServerOptions & { email: string; name: string; role: string; sites?: Sites }

/** `feria operator invite EMAIL --name NAME --role ROLE`: prints the invitation. */
export async function inviteCommand(
  { email, name, role, sites = null, ...options }: InviteOptions,
  out: Output,
): Promise<undefined> {
  const body = { email, name, role, sites }
  const answer = await openClient(options).call('POST', '/operator/accounts', { body })
  printInvitation(answer, out)
}

/** `feria operator renew-invitation ID`: prints another invitation. */
export async function renewInvitationCommand(
  { account: id, ...options }: ServerOptions & { account: number },
  out: Output,
): Promise<undefined> {
  const path = '/operator/accounts/{id}/invitation'
  printInvitation(await openClient(options).call('POST', path, { path: { id } }), out)
}

function printInvitation(answer: ResponseBody<'/operator/accounts', 'post'>, out: Output): void {
  // Standard output holds only the invitation, so that it can be passed on.
  out.printResult(answer, () => answer.invitation)
  const { id, email } = answer.account
  out.printNote(
    `invitation of account ${id} (${email}), shown only this time, valid until ${answer.expires_at}`,
  )
  out.printNote(`to accept it in a browser: ${answer.url}`)
}

/** `feria operator accept INVITATION`: sets the password of an invited account. Takes the link of an invitation, too. */
export async function acceptCommand(
  { invitation, ...options }: ServerOptions & { invitation: string },
  out: Output,
): Promise<undefined> {
  const fragment = invitation.slice(invitation.indexOf('#') + 1)
  const body = { invitation: fragment, password: readPassword() }
  const account = await openClient(options).call('POST', '/operator/invitations/accept', { body })
  out.printResult(account, () => `${account.email} can sign in now`)
}

/** `feria operator sign-in EMAIL`: opens a session and prints its token. */
export async function signInCommand(
  { email, code, ...options }: ServerOptions & { email: string; code?: string },
  out: Output,
): Promise<undefined> {
  const body = { email, password: readPassword(), code }
  const answer = await openClient(options).call('POST', '/operator/sign-in', { body })
  out.printResult(answer, () => answer.token)
  out.printNote(`session of ${answer.account.email}, ends ${answer.expires_at} at the latest`)
}

type StatusOptions = ServerOptions & { account: number; status: 'active' | 'disabled' }

/** `feria operator set-status ID active|disabled`. */
export async function setStatusCommand(
  { account: id, status, ...options }: StatusOptions,
  out: Output,
): Promise<undefined> {
  const path = '/operator/accounts/{id}'
  const account = await openClient(options).call('PATCH', path, { path: { id }, body: { status } })
  out.printResult(account, () => `account ${id} is ${account.status}`)
}

type SitesOptions = ServerOptions & {
  account: number
  sites: (NonNullable<Sites>[number] | 'all')[]
}

/** `feria operator set-sites ID SITES|all`. */
export async function setSitesCommand(
  { account: id, sites: named, ...options }: SitesOptions,
  out: Output,
): Promise<undefined> {
  const path = '/operator/accounts/{id}'
  const sites = named.includes('all') ? null : named.filter((site) => site !== 'all')
  const account = await openClient(options).call('PATCH', path, { path: { id }, body: { sites } })
  out.printResult(account, () => `account ${id} acts on ${sitesText(account.sites)}`)
}

/** `feria operator end-sessions ID`. */
export async function endSessionsCommand(
  { account: id, ...options }: ServerOptions & { account: number },
  out: Output,
): Promise<undefined> {
  await openClient(options).call('DELETE', '/operator/accounts/{id}/sessions', { path: { id } })
  out.printResult({ ended: true }, () => `The sessions of account ${id} have ended.`)
}

/** `feria operator keys`. */
export async function listKeysCommand(options: ServerOptions, out: Output): Promise<undefined> {
  const { keys } = await openClient(options).call('GET', '/operator/keys')
  out.printResult(keys, () =>
    keys.length === 0
      ? 'There are no API keys. Create one: feria operator create-key --name NAME --role ROLE'
      : alignColumns([
          ['ID', 'KEY', 'NAME', 'ROLE', 'SITES', 'ADDRESSES', 'LAST USED', 'ENDS'],
          ...keys.map(keyRow),
        ]),
  )
}

const keyRow = (key: Key) => [
  String(key.id),
  `${key.begins_with}…`,
  key.name,
  key.role,
  sitesText(key.sites),
  key.allowed_addresses.join(',') || 'all',
  key.last_used ?? 'never',
  key.revoked_at ? 'revoked' : (key.expires_at ?? 'never'),
]

type CreateKeyOptions = ServerOptions & {
  name: string
  role: string
  sites?: Sites
  expires?: string
  addresses?: string
}

/** `feria operator create-key --name NAME --role ROLE`: prints the key. */
export async function createKeyCommand(
  { name, role, sites = null, expires, addresses, ...options }: CreateKeyOptions,
  out: Output,
): Promise<undefined> {
  const body = {
    name,
    role,
    sites,
    expires_at: expires,
    allowed_addresses: addresses?.split(','),
  }
  const answer = await openClient(options).call('POST', '/operator/keys', { body })
  out.printResult(answer, () => answer.key)
  out.printNote(`API key ${answer.id}, role ${role}, shown only this time`)
}

type RotateKeyOptions = ServerOptions & { key: number; 'overlap-hours'?: number }

/** `feria operator rotate-key ID`: prints the new key. */
export async function rotateKeyCommand(
  { key: id, 'overlap-hours': hours, ...options }: RotateKeyOptions,
  out: Output,
): Promise<undefined> {
  const body = { overlap_hours: hours }
  const path = '/operator/keys/{id}/rotate'
  const answer = await openClient(options).call('POST', path, { path: { id }, body })
  out.printResult(answer, () => answer.key)
  out.printNote(`The key before works until ${answer.previous_until}. This one is shown only now.`)
}

/** `feria operator revoke-key ID`. */
export async function revokeKeyCommand(
  { key: id, ...options }: ServerOptions & { key: number },
  out: Output,
): Promise<undefined> {
  await openClient(options).call('DELETE', '/operator/keys/{id}', { path: { id } })
  out.printResult(
    { revoked: true },
    () => 'The key is revoked. Every process refuses it from now on.',
  )
}

/** `feria operator switch-token on|off`. */
export async function switchTokenCommand(
  { state, ...options }: ServerOptions & { state: 'on' | 'off' },
  out: Output,
): Promise<undefined> {
  const body = { is_enabled: state === 'on' }
  const answer = await openClient(options).call('PUT', '/operator/token', { body })
  out.printResult(answer, () =>
    answer.is_enabled ? 'The operator token is accepted.' : 'The operator token is refused.',
  )
}
