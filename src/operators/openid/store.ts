import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { AccountSecrets } from '../store-accounts.ts'
import type { FlowPurpose } from './flow.ts'

export interface OpenidFlow {
  /** Digest of the state. */
  id: string
  purpose: FlowPurpose
  /** Who links or verifies. Null for a sign-in. */
  accountId: number | null
  verifierDigest: string
  nonce: string
  /** Who the provider says it is, while a sign-in waits for a code of the authenticator app. */
  subject: string | null
  dateCreated: Date
  expiresAt: Date
}

/** Finds a flow by what its browser presents. */
export type FlowKey = Pick<OpenidFlow, 'id' | 'purpose' | 'accountId' | 'verifierDigest'>

export async function countFlows(db: Db): Promise<number> {
  const row = await db.row<{ n: number }>(sql`select count(*) as n from operator_openid_flows`)
  return row?.n ?? 0
}

export async function insertFlow(db: Db, flow: OpenidFlow): Promise<void> {
  await db.rows(sql`
    insert into operator_openid_flows (id, purpose, account_id, verifier_digest, nonce, subject,
      date_created, expires_at)
    values (${flow.id}, ${flow.purpose}, ${flow.accountId}, ${flow.verifierDigest}, ${flow.nonce},
      ${flow.subject}, ${flow.dateCreated}, ${flow.expiresAt})`)
}

/** Uses up a flow that the provider has not answered yet. Returns undefined if there is none that fits, or it has
 * expired. */
export async function takeFlow(
  db: Db,
  { id, purpose, accountId, verifierDigest, now }: FlowKey & { now: Date },
): Promise<OpenidFlow | undefined> {
  return db.row(sql`
    delete from operator_openid_flows
    where id = ${id} and purpose = ${purpose}
      and account_id is not distinct from ${accountId}::bigint
      and verifier_digest = ${verifierDigest} and subject is null and expires_at > ${now}
    returning id, purpose, account_id as "accountId", verifier_digest as "verifierDigest", nonce,
      subject, date_created as "dateCreated", expires_at as "expiresAt"`)
}

/** Returns who the provider said it is, of a sign-in that waits for a code. */
export async function findAwaitingCode(
  db: Db,
  { id, verifierDigest, now }: Pick<FlowKey, 'id' | 'verifierDigest'> & { now: Date },
): Promise<string | undefined> {
  const row = await db.row<{ subject: string }>(sql`
    select subject from operator_openid_flows
    where id = ${id} and verifier_digest = ${verifierDigest} and subject is not null
      and expires_at > ${now}`)
  return row?.subject
}

export async function deleteFlow(db: Db, id: string): Promise<void> {
  await db.rows(sql`delete from operator_openid_flows where id = ${id}`)
}

export async function deleteExpiredFlows(db: Db, now: Date): Promise<void> {
  await db.rows(sql`delete from operator_openid_flows where expires_at <= ${now}`)
}

/** The identity of a person at a provider. */
export interface Identity {
  issuer: string
  subject: string
}

/** Returns the account that is linked to an identity, whatever its status. */
export async function findSecretsByIdentity(
  db: Db,
  { issuer, subject }: Identity,
): Promise<AccountSecrets | undefined> {
  return db.row(sql`
    select id, status, password_hash as "passwordHash", totp_secret as "totpSecret"
    from operator_accounts
    where identity_issuer = ${issuer} and identity_subject = ${subject}`)
}

/** Locks an account until the transaction ends. Returns false unless it is active and linked to this identity. */
export async function lockLinkedAccount(
  tx: Tx,
  { id, issuer, subject }: Identity & { id: number },
): Promise<boolean> {
  const row = await tx.row(sql`
    select id from operator_accounts
    where id = ${id} and status = 'active' and identity_issuer = ${issuer}
      and identity_subject = ${subject}
    for update`)
  return row !== undefined
}

/** Returns the account with this e-mail address if it can be linked without its password: it has none, and its
 * invitation is valid. */
export async function findInvitedByEmail(
  db: Db,
  { emailFolded, now }: { emailFolded: string; now: Date },
): Promise<{ id: number; email: string } | undefined> {
  return db.row(sql`
    select id, email from operator_accounts
    where email_folded = ${emailFolded} and status = 'invited' and password_hash is null
      and identity_subject is null and invitation_expires_at > ${now}`)
}

/** Links an account to an identity and activates it. Its invitation is used up. */
export function linkAccount(
  tx: Tx,
  { id, issuer, subject, now }: Identity & { id: number; now: Date },
): void {
  tx.write(sql`
    update operator_accounts set identity_issuer = ${issuer}, identity_subject = ${subject},
      identity_linked_at = ${now}, status = 'active', invitation_digest = null,
      invitation_expires_at = null, last_updated = ${now}
    where id = ${id}`)
}

/** Removes the link of an account to its identity. */
export function unlinkAccount(tx: Tx, { id, now }: { id: number; now: Date }): void {
  tx.write(sql`
    update operator_accounts set identity_issuer = null, identity_subject = null,
      identity_linked_at = null, last_updated = ${now}
    where id = ${id}`)
}
