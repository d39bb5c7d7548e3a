import type { Db, Tx } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import type { AccountStatus } from './account.ts'
import { ownerRole } from './role.ts'

export interface OperatorAccount {
  id: number
  email: string
  name: string
  role: string
  /** The permissions of a role that operators created, or null. */
  permissions: string[] | null
  /** Null: all. */
  sites: string[] | null
  status: AccountStatus
  hasPassword: boolean
  hasTotp: boolean
  /** The identity at a provider by which it signs in (OpenID Connect), or null. */
  identityIssuer: string | null
  identitySubject: string | null
  identityLinkedAt: Date | null
  invitationExpiresAt: Date | null
  /** Tells invitations apart. The invitation itself is not stored. */
  invitationDigest: string | null
  dateCreated: Date
  lastUpdated: Date
}

const columns = sql`
  a.id, a.email, a.name, a.role, r.permissions, a.sites, a.status,
  a.password_hash is not null as "hasPassword", a.totp_secret is not null as "hasTotp",
  a.identity_issuer as "identityIssuer", a.identity_subject as "identitySubject",
  a.identity_linked_at as "identityLinkedAt",
  a.invitation_expires_at as "invitationExpiresAt", a.invitation_digest as "invitationDigest",
  a.date_created as "dateCreated",
  a.last_updated as "lastUpdated"`
const source = sql`operator_accounts a left join operator_roles r on r.name = a.role`

export async function listAccounts(db: Db): Promise<OperatorAccount[]> {
  return db.rows(sql`select ${columns} from ${source} order by a.id`)
}

export async function findAccount(db: Db, id: number): Promise<OperatorAccount | undefined> {
  return db.row(sql`select ${columns} from ${source} where a.id = ${id}`)
}

/** Inserts an invited account. Returns false if another one has the e-mail address. */
export async function insertAccount(
  tx: Tx,
  account: {
    id: number
    email: string
    emailFolded: string
    name: string
    role: string
    sites: readonly string[] | null
    invitation: Invitation
    now: Date
  },
): Promise<boolean> {
  const { id, email, emailFolded, name, role, sites, invitation, now } = account
  const rows = await tx.rows(sql`
    insert into operator_accounts (id, email, email_folded, name, role, sites, status,
      invitation_digest, invitation_expires_at, date_created, last_updated)
    values (${id}, ${email}, ${emailFolded}, ${name}, ${role}, ${sites}, 'invited', ${invitation.digest},
      ${invitation.expiresAt}, ${now}, ${now})
    on conflict (email_folded) do nothing returning id`)
  return rows.length > 0
}

export function updateAccount(
  tx: Tx,
  account: Pick<OperatorAccount, 'id' | 'name' | 'role' | 'sites' | 'status'> & { now: Date },
): void {
  const { id, name, role, sites, status, now } = account
  tx.write(sql`
    update operator_accounts set name = ${name}, role = ${role}, sites = ${sites}::text[],
      status = ${status}, last_updated = ${now}
    where id = ${id}`)
}

/** Deletes an account with its sessions and recovery codes. */
export function deleteAccount(tx: Tx, id: number): void {
  tx.write(sql`delete from operator_recovery_codes where account_id = ${id}`)
  tx.write(sql`delete from operator_sessions where account_id = ${id}`)
  tx.write(sql`delete from operator_accounts where id = ${id}`)
}

/** Returns how many active owners of all sites there are besides this account. */
export async function countOtherOwners(db: Db, id: number): Promise<number> {
  const row = await db.row<{ n: number }>(sql`
    select count(*) as n from operator_accounts
    where role = ${ownerRole} and status = 'active' and sites is null and id <> ${id}`)
  return row?.n ?? 0
}

export interface Invitation {
  digest: string
  expiresAt: Date
}

/** Replaces the invitation of an account. */
export function saveInvitation(tx: Tx, { id, digest, expiresAt }: Invitation & { id: number }) {
  tx.write(sql`
    update operator_accounts set invitation_digest = ${digest}, invitation_expires_at = ${expiresAt}
    where id = ${id}`)
}

/** Ends the invitation of an account. */
export function endInvitation(tx: Tx, id: number): void {
  tx.write(sql`
    update operator_accounts set invitation_digest = null, invitation_expires_at = null
    where id = ${id}`)
}

/** Ends the invitations of all accounts with a role. */
export function endInvitationsOfRole(tx: Tx, role: string): void {
  tx.write(sql`
    update operator_accounts set invitation_digest = null, invitation_expires_at = null
    where role = ${role} and invitation_digest is not null`)
}

/** Returns whether an invitation is valid. */
export async function hasInvitation(
  db: Db,
  { digest, now }: { digest: string; now: Date },
): Promise<boolean> {
  const row = await db.row(sql`
    select id from operator_accounts
    where invitation_digest = ${digest} and invitation_expires_at > ${now}
      and status <> 'disabled'`)
  return row !== undefined
}

/** Uses up an invitation: sets the password, activates the account and removes its second factor and its link to an
 * identity. Returns the id of the account, or undefined if the invitation is not valid. */
export async function acceptInvitation(
  tx: Tx,
  { digest, passwordHash, now }: { digest: string; passwordHash: string; now: Date },
): Promise<number | undefined> {
  const row = await tx.row<{ id: number }>(sql`
    update operator_accounts set password_hash = ${passwordHash}, status = 'active',
      totp_secret = null, totp_pending_secret = null, totp_last_step = null,
      identity_issuer = null, identity_subject = null, identity_linked_at = null,
      invitation_digest = null, invitation_expires_at = null, last_updated = ${now}
    where invitation_digest = ${digest} and invitation_expires_at > ${now}
      and status <> 'disabled'
    returning id`)
  if (row) tx.write(sql`delete from operator_recovery_codes where account_id = ${row.id}`)
  return row?.id
}

/** What an account proves itself by. */
export interface AccountSecrets {
  id: number
  status: AccountStatus
  passwordHash: string | null
  totpSecret: string | null
}

export async function findSecretsByEmail(
  db: Db,
  emailFolded: string,
): Promise<AccountSecrets | undefined> {
  return db.row(sql`
    select id, status, password_hash as "passwordHash", totp_secret as "totpSecret"
    from operator_accounts where email_folded = ${emailFolded}`)
}

export async function findSecrets(db: Db, id: number): Promise<AccountSecrets | undefined> {
  return db.row(sql`
    select id, status, password_hash as "passwordHash", totp_secret as "totpSecret"
    from operator_accounts where id = ${id}`)
}

/** Locks an account until the transaction ends. Returns false unless it is active and has this password and app. */
export async function lockActiveAccount(
  tx: Tx,
  { id, passwordHash, totpSecret }: Pick<AccountSecrets, 'id' | 'passwordHash' | 'totpSecret'>,
): Promise<boolean> {
  const row = await tx.row(sql`
    select id from operator_accounts
    where id = ${id} and status = 'active' and password_hash = ${passwordHash}
      and totp_secret is not distinct from ${totpSecret} for update`)
  return row !== undefined
}

/** Replaces the password, unless it is not `before` any more. Returns whether it was. */
export async function replacePassword(
  db: Db,
  { id, before, hash }: { id: number; before: string; hash: string },
): Promise<boolean> {
  const rows = await db.rows(sql`
    update operator_accounts set password_hash = ${hash}
    where id = ${id} and password_hash = ${before} returning id`)
  return rows.length > 0
}

/** Uses up the codes of a step and of those before it. Returns false if that has happened already. */
export async function useTotpStep(
  db: Db,
  { id, step }: { id: number; step: number },
): Promise<boolean> {
  const rows = await db.rows(sql`
    update operator_accounts set totp_last_step = ${step}
    where id = ${id} and (totp_last_step is null or totp_last_step < ${step}) returning id`)
  return rows.length > 0
}

/** Returns whether the codes of a step are not used up. */
export async function hasUnusedTotpStep(
  db: Db,
  { id, step }: { id: number; step: number },
): Promise<boolean> {
  const row = await db.row(sql`
    select id from operator_accounts
    where id = ${id} and (totp_last_step is null or totp_last_step < ${step})`)
  return row !== undefined
}

/** Returns whether a recovery code is not used up. */
export async function hasRecoveryCode(
  db: Db,
  { id, digest }: { id: number; digest: string },
): Promise<boolean> {
  const row = await db.row(sql`
    select digest from operator_recovery_codes
    where account_id = ${id} and digest = ${digest} and used_at is null`)
  return row !== undefined
}

/** Uses up a recovery code. Returns false if there is none, or it was used already. */
export async function useRecoveryCode(
  db: Db,
  { id, digest, now }: { id: number; digest: string; now: Date },
): Promise<boolean> {
  const rows = await db.rows(sql`
    update operator_recovery_codes set used_at = ${now}
    where account_id = ${id} and digest = ${digest} and used_at is null returning digest`)
  return rows.length > 0
}

export async function countRecoveryCodes(db: Db, id: number): Promise<number> {
  const row = await db.row<{ n: number }>(sql`
    select count(*) as n from operator_recovery_codes where account_id = ${id} and used_at is null`)
  return row?.n ?? 0
}

/** Replaces all recovery codes of an account. */
export function saveRecoveryCodes(
  tx: Tx,
  { id, digests }: { id: number; digests: readonly string[] },
): void {
  tx.write(sql`delete from operator_recovery_codes where account_id = ${id}`)
  tx.write(sql`
    insert into operator_recovery_codes (account_id, digest)
    select ${id}::bigint, digest from unnest(${digests}::text[]) as digest`)
}

/** Stores the secret of an authenticator app until a code of it is entered. */
export async function savePendingTotp(
  db: Db,
  { id, secret }: { id: number; secret: string },
): Promise<void> {
  await db.rows(sql`update operator_accounts set totp_pending_secret = ${secret} where id = ${id}`)
}

export async function findPendingTotp(db: Db, id: number): Promise<string | undefined> {
  const row = await db.row<{ secret: string | null }>(sql`
    select totp_pending_secret as "secret" from operator_accounts where id = ${id}`)
  return row?.secret ?? undefined
}

/** Puts the pending secret in force, with the step of the code that proved it. Returns false if it is another one by
 * now. */
export async function activateTotp(
  tx: Tx,
  { id, secret, step }: { id: number; secret: string; step: number },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    update operator_accounts set totp_secret = ${secret}, totp_pending_secret = null,
      totp_last_step = ${step}
    where id = ${id} and totp_pending_secret = ${secret} returning id`)
  return rows.length > 0
}

/** Removes the second factor of an account. */
export function removeTotp(tx: Tx, id: number): void {
  tx.write(sql`delete from operator_recovery_codes where account_id = ${id}`)
  tx.write(sql`
    update operator_accounts set totp_secret = null, totp_pending_secret = null,
      totp_last_step = null
    where id = ${id}`)
}
