import type { OperatorPermission } from '../http/permissions.ts'
import { operatorPermissions } from '../http/permissions.ts'
import { allSites } from '../http/site-rule.ts'
import { hashPassword } from '../identity/passwords/password.ts'
import { digestOf } from '../identity/token.ts'
import { dayMs, hourMs, timestamp } from '../kernel/clock.ts'
import { badField, Failure } from '../kernel/failure.ts'
import type { OperatorActor } from '../kernel/operator-actor.ts'
import type { Context } from '../platform/context.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { foldEmail, requireOwnerAfter } from './account.ts'
import { makeCredential, type NewCredential } from './credentials.ts'
import { isBuiltInRole, permissionsOfRole, requireAll } from './role.ts'
import { checkOwnPassword, verifyAccount } from './sign-in.ts'
import {
  findTokenDisabledAt,
  lockOperatorAccess,
  publishOperatorsChanged,
  saveTokenDisabledAt,
} from './store.ts'
import {
  acceptInvitation,
  activateTotp,
  countOtherOwners,
  deleteAccount,
  endInvitation,
  endInvitationsOfRole,
  findAccount,
  findPendingTotp,
  hasInvitation,
  insertAccount,
  type OperatorAccount,
  removeTotp,
  replacePassword,
  saveInvitation,
  savePendingTotp,
  saveRecoveryCodes,
  updateAccount,
} from './store-accounts.ts'
import { findKey, insertKey, type OperatorKey, replaceKey, revokeKey } from './store-keys.ts'
import { deleteRole, findRole, isRoleUsed, type StoredRole, saveRole } from './store-roles.ts'
import {
  endSession,
  endSessions,
  findSessionId,
  listSessions,
  markSessionVerified,
} from './store-sessions.ts'
import { makeRecoveryCodes, makeTotpSecret, recoveryDigestOf, totpStepOf } from './totp.ts'

type Tools = Pick<Context, 'audit' | 'db' | 'ids' | 'now' | 'random' | 'passwordCost'>

/** How long an invitation can be accepted. */
const invitationMs = 3 * dayMs
const defaultOverlapHours = 24

/** Runs `change` after other changes of accounts, roles and keys, and clears the cached credentials of every process. */
export async function changeOperators<T>(
  { db, random }: Pick<Tools, 'db' | 'random'>,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await lockOperatorAccess(tx, random.hex(8))
    const result = await change(tx)
    publishOperatorsChanged(tx)
    return result
  })
}

/** Returns what an actor may do now. The operator's token and the program itself may do everything. */
async function permissionsOfActor(
  db: Db,
  actor: OperatorActor,
): Promise<ReadonlySet<OperatorPermission>> {
  if (actor.kind === 'token' || actor.kind === 'system') return new Set(operatorPermissions)
  const holder = await (actor.kind === 'account' ? findActiveAccount : findKeyHolder)(db, actor.id)
  // The limit may be newer than the request.
  if (holder?.sites) throw new Failure('site_denied', allSites.denial)
  return holder ? permissionsOfRole(holder.role, holder.permissions) : new Set()
}

async function findActiveAccount(db: Db, id: number): Promise<OperatorAccount | undefined> {
  const account = await findAccount(db, id)
  return account?.status === 'active' ? account : undefined
}

async function findKeyHolder(db: Db, id: number) {
  const key = await findKey(db, id)
  if (!key || key.revokedAt !== null) return undefined
  return { ...key, permissions: (await findRole(db, key.role))?.permissions ?? null }
}

/** Throws `bad_request` for an unknown role, and `permission_denied` for one that may more than the actor. */
async function requireGrantable(tx: Tx, actor: OperatorActor, role: string): Promise<void> {
  const stored = await findRole(tx, role)
  if (!stored && !isBuiltInRole(role)) throw badField('role', 'an existing role')
  const permissions = permissionsOfRole(role, stored?.permissions ?? null)
  requireAll(await permissionsOfActor(tx, actor), permissions)
}

/** Returns an account that may no more than the actor. Throws `not_found` or `permission_denied`. */
export async function accountToChange(
  tx: Tx,
  actor: OperatorActor,
  id: number,
): Promise<OperatorAccount> {
  const account = await findAccount(tx, id)
  if (!account) throw accountNotFound(id)
  const permissions = permissionsOfRole(account.role, account.permissions)
  requireAll(await permissionsOfActor(tx, actor), permissions)
  return account
}

export const accountNotFound = (id: number) => new Failure('not_found', `Account not found: ${id}`)

/** An account with the text of its invitation, which is shown once. */
interface InvitedAccount {
  account: OperatorAccount
  invitation: string
}

/** Creates an account that takes effect when its invitation is accepted. Throws `id_taken`. */
export async function inviteAccount(
  ctx: Tools,
  invited: {
    actor: OperatorActor
    email: string
    name: string
    role: string
    sites: readonly string[] | null
  },
): Promise<InvitedAccount> {
  const { actor, email, name, role, sites } = invited
  const id = await ctx.ids.next('operator_account')
  const { text, digest } = makeCredential(ctx.random, 'invitation')
  const now = ctx.now()
  const invitation = { digest, expiresAt: new Date(now.getTime() + invitationMs) }
  const emailFolded = foldEmail(email)
  const account = await changeOperators(ctx, async (tx) => {
    await requireGrantable(tx, actor, role)
    if (
      !(await insertAccount(tx, { id, email, emailFolded, name, role, sites, invitation, now }))
    ) {
      throw new Failure('id_taken', 'email: another account has this e-mail address.')
    }
    ctx.audit.target(id)
    ctx.audit.change({ before: null, after: { name, role, sites } })
    return (await findAccount(tx, id)) as OperatorAccount
  })
  return { account, invitation: text }
}

/** Replaces the invitation of an account. Accepting it sets another password, and removes the second factor and the link
 * to an identity. */
export async function renewInvitation(
  ctx: Tools,
  { actor, id }: { actor: OperatorActor; id: number },
): Promise<InvitedAccount> {
  const { text, digest } = makeCredential(ctx.random, 'invitation')
  const expiresAt = new Date(ctx.now().getTime() + invitationMs)
  const account = await changeOperators(ctx, async (tx) => {
    await accountToChange(tx, actor, id)
    saveInvitation(tx, { id, digest, expiresAt })
    ctx.audit.change({ before: null, after: { invitation_expires_at: timestamp(expiresAt) } })
    return (await findAccount(tx, id)) as OperatorAccount
  })
  return { account, invitation: text }
}

/** Accepts an invitation once: sets the password and ends all sessions of the account. Throws `not_found`. */
export async function acceptInvitationWith(
  ctx: Tools,
  { invitation, password }: { invitation: string; password: string },
): Promise<OperatorAccount> {
  const digest = digestOf(invitation)
  const invalid = new Failure('not_found', 'Invitation not found, used or expired')
  if (!(await hasInvitation(ctx.db, { digest, now: ctx.now() }))) throw invalid
  const passwordHash = await hashPassword(ctx, password)
  return changeOperators(ctx, async (tx) => {
    const now = ctx.now()
    const id = await acceptInvitation(tx, { digest, passwordHash, now })
    if (id === undefined) throw invalid
    endSessions(tx, { accountId: id, now })
    const account = (await findAccount(tx, id)) as OperatorAccount
    ctx.audit.actor({ kind: 'account', id, name: account.name })
    ctx.audit.target(id)
    ctx.audit.change({ before: null, after: { status: account.status } })
    return account
  })
}

/** Changes an account. Throws `not_found`, `permission_denied` or `last_owner`. */
export async function changeAccount(
  ctx: Tools,
  change: {
    actor: OperatorActor
    id: number
    name?: string
    role?: string
    sites?: string[] | null
    status?: 'active' | 'disabled'
  },
): Promise<OperatorAccount> {
  const { actor, id } = change
  return changeOperators(ctx, async (tx) => {
    const before = await accountToChange(tx, actor, id)
    if (change.role !== undefined) await requireGrantable(tx, actor, change.role)
    const canSignIn = before.hasPassword || before.identitySubject !== null
    const enabled = canSignIn ? ('active' as const) : ('invited' as const)
    const after = {
      id,
      name: change.name ?? before.name,
      role: change.role ?? before.role,
      sites: change.sites === undefined ? before.sites : change.sites,
      status: change.status === 'active' ? enabled : (change.status ?? before.status),
    }
    requireOwnerAfter(before, after, await countOtherOwners(tx, id))
    const now = ctx.now()
    updateAccount(tx, { ...after, now })
    const { name, role, sites, status } = before
    ctx.audit.change({ before: { name, role, sites, status }, after: { ...after, id: undefined } })
    // Whoever made the invitation may lack what the account may do from now on.
    if (after.role !== role) endInvitation(tx, id)
    if (after.status === 'disabled') endSessions(tx, { accountId: id, now })
    return (await findAccount(tx, id)) as OperatorAccount
  })
}

/** Deletes an account. Throws `not_found`, `permission_denied` or `last_owner`. */
export async function removeAccount(
  ctx: Tools,
  { actor, id }: { actor: OperatorActor; id: number },
): Promise<void> {
  await changeOperators(ctx, async (tx) => {
    const account = await accountToChange(tx, actor, id)
    requireOwnerAfter(account, undefined, await countOtherOwners(tx, id))
    const { name, role, status } = account
    ctx.audit.change({ before: { name, role, status }, after: null })
    deleteAccount(tx, id)
  })
}

/** Changes the own password and ends all other sessions of the account. */
export async function changePassword(
  ctx: Tools,
  change: { accountId: number; sessionDigest: string; current: string; password: string },
): Promise<void> {
  const { accountId, sessionDigest, current, password } = change
  ctx.audit.target(accountId)
  const { passwordHash } = await checkOwnPassword(ctx, accountId, current)
  const hash = await hashPassword(ctx, password)
  await changeOperators(ctx, async (tx) => {
    // Another request changed the password meanwhile, which made the current one wrong.
    if (!(await replacePassword(tx, { id: accountId, before: passwordHash, hash }))) {
      throw new Failure('sign_in_failed')
    }
    await endOtherSessions(tx, { accountId, sessionDigest, now: ctx.now() })
  })
}

async function endOtherSessions(
  tx: Tx,
  { accountId, sessionDigest, now }: { accountId: number; sessionDigest: string; now: Date },
): Promise<void> {
  const exceptId = await findSessionId(tx, sessionDigest)
  endSessions(tx, { accountId, now, ...(exceptId === undefined ? {} : { exceptId }) })
}

/** Stores that the person of a session entered a code, or the password of an account without an app. */
export async function verifySession(
  ctx: Tools,
  {
    accountId,
    sessionDigest,
    ...proof
  }: { accountId: number; sessionDigest: string; password?: string; code?: string },
): Promise<void> {
  await verifyAccount(ctx, accountId, proof)
  await ctx.db.transaction(async (tx) => {
    const id = await findSessionId(tx, sessionDigest)
    ctx.audit.target(id ?? '')
    ctx.audit.relate('operator_account', accountId)
    if (id !== undefined) markSessionVerified(tx, { id, now: ctx.now() })
    publishOperatorsChanged(tx)
  })
}

/** Ends a session of an account. Throws `not_found`. */
export async function endOwnSession(
  ctx: Tools,
  { accountId, id }: { accountId: number; id: string },
): Promise<void> {
  ctx.audit.target(id)
  ctx.audit.relate('operator_account', accountId)
  ctx.audit.change({ before: { has_ended: false }, after: { has_ended: true } })
  await ctx.db.transaction(async (tx) => {
    if (!(await endSession(tx, { accountId, id, now: ctx.now() }))) {
      throw new Failure('not_found', `Session not found: ${id}`)
    }
    publishOperatorsChanged(tx)
  })
}

/** Ends all sessions of an account. Throws `not_found` or `permission_denied`. */
export async function endSessionsOf(
  ctx: Tools,
  { actor, id }: { actor: OperatorActor; id: number },
): Promise<void> {
  await changeOperators(ctx, async (tx) => {
    await accountToChange(tx, actor, id)
    const sessions = await listSessions(tx, id)
    ctx.audit.relate('operator_account', id)
    ctx.audit.change({ before: { sessions: sessions.map((session) => session.id) }, after: null })
    endSessions(tx, { accountId: id, now: ctx.now() })
  })
}

/** Stores a new secret for an authenticator app and returns it. It takes effect with `confirmTotp`. */
export async function startTotp({ audit, db, random }: Tools, accountId: number): Promise<string> {
  const secret = makeTotpSecret(random)
  audit.target(accountId)
  await savePendingTotp(db, { id: accountId, secret })
  return secret
}

/**
 * Puts the pending secret in force by a code of it, and returns new recovery codes. Ends all other sessions, which were
 * opened or verified without this app. Throws `bad_request`.
 */
export async function confirmTotp(
  { audit, db, now, random }: Tools,
  { accountId, sessionDigest, code }: { accountId: number; sessionDigest: string; code: string },
): Promise<string[]> {
  const codes = makeRecoveryCodes(random)
  const wrong = badField('code', 'a current code of the authenticator app')
  await db.transaction(async (tx) => {
    const [secret, account] = [
      await findPendingTotp(tx, accountId),
      await findAccount(tx, accountId),
    ]
    audit.target(accountId)
    audit.change({ before: { has_totp: account?.hasTotp ?? false }, after: { has_totp: true } })
    const step = secret === undefined ? undefined : totpStepOf(code, secret, now())
    if (secret === undefined || step === undefined) throw wrong
    if (!(await activateTotp(tx, { id: accountId, secret, step }))) throw wrong
    saveRecoveryCodes(tx, { id: accountId, digests: codes.map(recoveryDigestOf) })
    await endOtherSessions(tx, { accountId, sessionDigest, now: now() })
    publishOperatorsChanged(tx)
  })
  return codes
}

/** Removes the authenticator app and the recovery codes of an account. */
export async function endTotp({ audit, db }: Tools, accountId: number): Promise<void> {
  await db.transaction(async (tx) => {
    const account = await findAccount(tx, accountId)
    audit.target(accountId)
    audit.change({ before: { has_totp: account?.hasTotp ?? false }, after: { has_totp: false } })
    removeTotp(tx, accountId)
  })
}

/** Replaces the recovery codes of an account with two-factor authentication. Throws `bad_request`. */
export async function renewRecoveryCodes(
  { audit, db, random }: Tools,
  accountId: number,
): Promise<string[]> {
  const codes = makeRecoveryCodes(random)
  audit.target(accountId)
  await db.transaction(async (tx) => {
    const account = await findAccount(tx, accountId)
    if (!account?.hasTotp) throw badField('account', 'an account with an authenticator app')
    saveRecoveryCodes(tx, { id: accountId, digests: codes.map(recoveryDigestOf) })
  })
  return codes
}

/** Creates or replaces a role. Throws `permission_denied` if the actor may less than the role, before or after. */
export async function writeRole(
  ctx: Tools,
  { actor, ...role }: StoredRole & { actor: OperatorActor },
): Promise<{ isNew: boolean }> {
  if (isBuiltInRole(role.name)) throw badField('name', 'another name: this role is built in')
  return changeOperators(ctx, async (tx) => {
    const before = await findRole(tx, role.name)
    const own = await permissionsOfActor(tx, actor)
    requireAll(own, permissionsOfRole(role.name, before?.permissions ?? null))
    requireAll(own, permissionsOfRole(role.name, role.permissions))
    saveRole(tx, { ...role, now: ctx.now() })
    const isWider = role.permissions.some((permission) => !before?.permissions.includes(permission))
    if (isWider) endInvitationsOfRole(tx, role.name)
    ctx.audit.change({
      before: before ? { permissions: before.permissions } : null,
      after: { permissions: role.permissions },
    })
    return { isNew: before === undefined }
  })
}

/** Deletes a role that nobody has. Throws `not_found`, `permission_denied` or `role_in_use`. */
export async function removeRole(
  ctx: Tools,
  { actor, name }: { actor: OperatorActor; name: string },
): Promise<void> {
  if (isBuiltInRole(name)) throw badField('name', 'another name: this role is built in')
  await changeOperators(ctx, async (tx) => {
    const role = await findRole(tx, name)
    if (!role) throw new Failure('not_found', `Role not found: ${name}`)
    requireAll(await permissionsOfActor(tx, actor), permissionsOfRole(name, role.permissions))
    if (await isRoleUsed(tx, name)) throw new Failure('role_in_use', name)
    ctx.audit.change({ before: { permissions: role.permissions }, after: null })
    deleteRole(tx, name)
  })
}

/** A key with its text, which is shown once. */
interface ShownKey {
  key: OperatorKey
  text: string
}

/** Creates an API key. */
export async function createKey(
  ctx: Tools,
  {
    actor,
    ...created
  }: { actor: OperatorActor } & Pick<
    OperatorKey,
    'name' | 'role' | 'sites' | 'allowedAddresses' | 'expiresAt'
  >,
): Promise<ShownKey> {
  const id = await ctx.ids.next('operator_key')
  const { text, digest, beginsWith } = makeCredential(ctx.random, 'key')
  const key = await changeOperators(ctx, async (tx) => {
    await requireGrantable(tx, actor, created.role)
    insertKey(tx, { ...created, id, digest, beginsWith, dateCreated: ctx.now() })
    ctx.audit.target(id)
    ctx.audit.change({ before: null, after: { ...created, begins_with: beginsWith } })
    return (await findKey(tx, id)) as OperatorKey
  })
  return { key, text }
}

/** Replaces a key. The present one works for another `overlapHours`. Throws `not_found` or `permission_denied`. */
export async function rotateKey(
  ctx: Tools,
  rotated: { actor: OperatorActor; id: number; overlapHours: number | undefined },
): Promise<ShownKey> {
  const { actor, id, overlapHours = defaultOverlapHours } = rotated
  const { text, digest, beginsWith }: NewCredential = makeCredential(ctx.random, 'key')
  const previousUntil = new Date(ctx.now().getTime() + overlapHours * hourMs)
  const key = await changeOperators(ctx, async (tx) => {
    const before = await findKey(tx, id)
    if (before) await requireGrantable(tx, actor, before.role)
    if (!(await replaceKey(tx, { id, digest, beginsWith, previousUntil }))) throw keyNotFound(id)
    ctx.audit.change({
      before: { begins_with: before?.beginsWith, previous_until: null },
      after: { begins_with: beginsWith, previous_until: timestamp(previousUntil) },
    })
    return (await findKey(tx, id)) as OperatorKey
  })
  return { key, text }
}

/** Revokes a key at once, in every process. Throws `not_found`. */
export async function endKey(ctx: Tools, id: number): Promise<void> {
  await changeOperators(ctx, async (tx) => {
    if (!(await revokeKey(tx, { id, now: ctx.now() }))) throw keyNotFound(id)
    ctx.audit.change({ before: { is_revoked: false }, after: { is_revoked: true } })
  })
}

const keyNotFound = (id: number) => new Failure('not_found', `API key not found: ${id}`)

/** Switches the operator's token on or off. Throws `owner_required` if that leaves nobody who may do everything, and
 * `permission_denied` for an actor who may not. */
export async function switchToken(
  ctx: Tools,
  { actor, isEnabled }: { actor: OperatorActor; isEnabled: boolean },
): Promise<Date | null> {
  return changeOperators(ctx, async (tx) => {
    requireAll(await permissionsOfActor(tx, actor), operatorPermissions)
    if (!isEnabled && (await countOtherOwners(tx, 0)) === 0) throw new Failure('owner_required')
    const disabledAt = isEnabled ? null : ((await findTokenDisabledAt(tx)) ?? ctx.now())
    saveTokenDisabledAt(tx, disabledAt)
    ctx.audit.change({ before: { is_enabled: !isEnabled }, after: { is_enabled: isEnabled } })
    return disabledAt
  })
}
