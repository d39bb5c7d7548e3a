import { ownLimits, returnAttempts } from '../../identity/sessions/attempts.ts'
import { digestOf } from '../../identity/token.ts'
import { minuteMs } from '../../kernel/clock.ts'
import { badField, Failure, Overloaded } from '../../kernel/failure.ts'
import type { OperatorActor } from '../../kernel/operator-actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import { foldEmail, requireOwnerAfter } from '../account.ts'
import { accountNotFound, accountToChange, changeOperators } from '../commands.ts'
import { type NewSession, openSession, requireCode, takeOrRefuse } from '../sign-in.ts'
import { publishOperatorsChanged } from '../store.ts'
import {
  type AccountSecrets,
  countOtherOwners,
  findAccount,
  findSecrets,
  type OperatorAccount,
  updateAccount,
} from '../store-accounts.ts'
import { endSessions, findSessionId, markSessionVerified } from '../store-sessions.ts'
import { type FlowPurpose, flowMs, isSignedInAnew, maxFlows, verifiedMsAgoOf } from './flow.ts'
import type {
  AuthorizationResponse,
  IdentityProvider,
  ProvenIdentity,
} from './identity-provider.ts'
import {
  countFlows,
  deleteExpiredFlows,
  deleteFlow,
  findAwaitingCode,
  findInvitedByEmail,
  findSecretsByIdentity,
  type Identity,
  insertFlow,
  linkAccount,
  lockLinkedAccount,
  takeFlow,
  unlinkAccount,
} from './store.ts'

type Tools = Pick<Context, 'audit' | 'db' | 'identityProvider' | 'now' | 'random'>

/** Flows that one network begins: as many as guesses of passwords. */
const networkLimit = (network: string) => [
  { key: `openid network ${network}`, most: 100, windowMs: 15 * minuteMs, isShared: true },
]
const accountLimits = (accountId: number) => ownLimits(`openid account ${accountId}`)

/** A flow that has begun. The browser keeps the verifier and shows it to nobody but us. */
export interface BegunFlow {
  authorizationUrl: string
  state: string
  verifier: string
}

/** Who is sent to the provider, and why. */
type FlowStart = { redirectUri: string } & (
  | { purpose: 'sign-in'; network: string }
  | { purpose: 'link' | 'verification'; accountId: number }
)

/** Begins a flow to the provider. Throws `not_found` without a provider, `provider_unavailable` or
 * `too_many_requests`. */
export async function beginFlow(ctx: Tools, start: FlowStart): Promise<BegunFlow> {
  const { now, random } = ctx
  const provider = requireProvider(ctx)
  const db = ctx.db.unextended
  const isSignIn = start.purpose === 'sign-in'
  await takeOrRefuse(ctx, isSignIn ? networkLimit(start.network) : accountLimits(start.accountId))
  const at = now()
  await deleteExpiredFlows(db, at)
  if ((await countFlows(db)) >= maxFlows) throw new Overloaded()
  const request = {
    redirectUri: start.redirectUri,
    state: random.hex(32),
    nonce: random.hex(32),
    verifier: random.hex(32),
  }
  const { state, verifier, nonce } = request
  const forcesSignIn = start.purpose === 'verification'
  const authorizationUrl = await provider.authorizationUrl(request, { forcesSignIn })
  await insertFlow(db, {
    id: digestOf(state),
    purpose: start.purpose,
    accountId: isSignIn ? null : start.accountId,
    verifierDigest: digestOf(verifier),
    nonce,
    subject: null,
    dateCreated: at,
    expiresAt: new Date(at.getTime() + flowMs),
  })
  return { authorizationUrl, state, verifier }
}

/** What a browser presents when it is back from the provider. */
export interface FlowAnswer extends AuthorizationResponse {
  redirectUri: string
  state: string
  verifier: string
}

/** A person whom the provider has signed in, and how long the flow took. */
interface FlowResult extends ProvenIdentity {
  elapsedMs: number
}

/** Uses up a flow and returns who the provider says it is. Throws `flow_ended`, `provider_refused` or
 * `provider_unavailable`. */
async function finishFlow(
  ctx: Tools,
  answer: FlowAnswer,
  { purpose, accountId }: { purpose: FlowPurpose; accountId: number | null },
): Promise<FlowResult> {
  const provider = requireProvider(ctx)
  const { state, verifier } = answer
  const at = ctx.now()
  const key = { id: digestOf(state), verifierDigest: digestOf(verifier), purpose, accountId }
  const flow = await takeFlow(ctx.db.unextended, { ...key, now: at })
  if (!flow) throw new Failure('flow_ended')
  const identity = await provider.identify({ ...answer, nonce: flow.nonce }, answer)
  return { ...identity, elapsedMs: at.getTime() - flow.dateCreated.getTime() }
}

/**
 * Signs in whom the provider has signed in. An account with two-factor authentication takes a code too: after
 * `code_required`, the same answer is accepted with one. Throws also `identity_refused` and `sign_in_failed`.
 */
export async function signInWithProvider(
  ctx: Tools,
  attempt: {
    answer: FlowAnswer
    code: string | undefined
    network: string
    userAgent: string | undefined
  },
): Promise<NewSession> {
  const { answer, code, network, userAgent } = attempt
  const { issuer } = requireProvider(ctx)
  const db = ctx.db.unextended
  const key = { id: digestOf(answer.state), verifierDigest: digestOf(answer.verifier) }
  const awaitingSubject = await findAwaitingCode(db, { ...key, now: ctx.now() })
  const proven =
    awaitingSubject === undefined
      ? await finishFlow(ctx, answer, { purpose: 'sign-in', accountId: null })
      : undefined
  const identity = { issuer, subject: awaitingSubject ?? proven?.subject ?? '' }
  const account = await accountOf(ctx, identity, proven)
  if (account.status !== 'active') throw new Failure('identity_refused', 'the account is disabled')
  const takesCode = account.totpSecret !== null
  if (takesCode) {
    if (proven) await awaitCode(ctx, key, identity)
    const limits = accountLimits(account.id)
    if (code !== undefined) await takeOrRefuse(ctx, limits)
    await requireCode(ctx, account, code)
    await returnAttempts(db, limits)
    await deleteFlow(db, key.id)
  }
  const session = await openSession(ctx, {
    accountId: account.id,
    lockAccount: (tx) => lockLinkedAccount(tx, { id: account.id, ...identity }),
    network,
    userAgent,
    verifiedMsAgo: takesCode ? 0 : verifiedMsAgoOf(proven?.signInAgeMs),
  })
  await returnAttempts(db, networkLimit(network))
  return session
}

/** Keeps who signs in until a code was entered. */
async function awaitCode(
  { db, now }: Tools,
  key: { id: string; verifierDigest: string },
  { subject }: Identity,
): Promise<void> {
  const dateCreated = now()
  const expiresAt = new Date(dateCreated.getTime() + flowMs)
  const waiting = { purpose: 'sign-in', accountId: null, nonce: '', subject } as const
  await insertFlow(db.unextended, { ...key, ...waiting, dateCreated, expiresAt })
}

/** Returns the account that is linked to an identity. If there is none, it links an invited one with the e-mail address
 * that the provider has verified. Throws `identity_refused`. */
async function accountOf(
  ctx: Tools,
  identity: Identity,
  proven: ProvenIdentity | undefined,
): Promise<AccountSecrets> {
  const linked = await findSecretsByIdentity(ctx.db, identity)
  if (linked) return linked
  if (!proven) throw new Failure('flow_ended')
  const email = await proven.verifiedEmail()
  if (email === undefined) {
    throw new Failure(
      'identity_refused',
      'the provider has not verified an e-mail address of yours',
    )
  }
  return changeOperators(ctx, async (tx) => {
    // Another tab may have linked it meanwhile.
    const id =
      (await findSecretsByIdentity(tx, identity))?.id ??
      (await linkInvited(tx, ctx, identity, email))
    return (await findSecrets(tx, id)) as AccountSecrets
  })
}

/** Links the invited account with this e-mail address and returns its id. An active account links itself, so that
 * nobody gets into it by an address alone. Throws `identity_refused`. */
async function linkInvited(
  tx: Tx,
  { audit, now }: Tools,
  identity: Identity,
  email: string,
): Promise<number> {
  const at = now()
  const invited = await findInvitedByEmail(tx, { emailFolded: foldEmail(email), now: at })
  // Letters that only look alike after normalization may belong to somebody else at the mail server.
  if (invited?.email.toLowerCase() !== email.toLowerCase()) {
    throw new Failure(
      'identity_refused',
      'no account is linked to it and none is invited by its e-mail address. Ask for an invitation, or sign in with your password and link your account',
    )
  }
  const { id } = invited
  linkAccount(tx, { id, ...identity, now: at })
  audit.target(id)
  audit.change({
    before: { status: 'invited', identity_issuer: null },
    after: { status: 'active', identity_issuer: identity.issuer },
  })
  return id
}

/** Links the own account to the identity of the answer. Throws `id_taken`. */
export async function linkOwnAccount(
  ctx: Tools,
  { accountId, answer }: { accountId: number; answer: FlowAnswer },
): Promise<OperatorAccount> {
  const { subject } = await finishFlow(ctx, answer, { purpose: 'link', accountId })
  const identity = { issuer: requireProvider(ctx).issuer, subject }
  const account = await changeOperators(ctx, async (tx) => {
    const before = await findAccount(tx, accountId)
    if (before?.status !== 'active') throw accountNotFound(accountId)
    if (before.identitySubject !== null) {
      throw new Failure('id_taken', 'account: is linked to an identity. Remove that link first.')
    }
    if (await findSecretsByIdentity(tx, identity)) {
      throw new Failure('id_taken', 'identity: is linked to another account.')
    }
    linkAccount(tx, { id: accountId, ...identity, now: ctx.now() })
    ctx.audit.target(accountId)
    ctx.audit.change({
      before: { identity_issuer: null },
      after: { identity_issuer: identity.issuer },
    })
    return (await findAccount(tx, accountId)) as OperatorAccount
  })
  await returnAttempts(ctx.db.unextended, accountLimits(accountId))
  return account
}

/**
 * Removes the link of an account and ends its sessions. Without a password, the account is invited again. Throws
 * `not_found`, `permission_denied` or `last_owner`.
 */
export async function unlinkIdentity(
  ctx: Tools,
  { actor, id }: { actor: OperatorActor; id: number },
): Promise<void> {
  await changeOperators(ctx, async (tx) => {
    const account = await accountToChange(tx, actor, id)
    const isLocked = account.status === 'disabled' || account.hasPassword
    const after = { ...account, status: isLocked ? account.status : ('invited' as const) }
    requireOwnerAfter(account, after, await countOtherOwners(tx, id))
    removeLink(tx, ctx, account)
    updateAccount(tx, { ...after, now: ctx.now() })
    endSessions(tx, { accountId: id, now: ctx.now() })
  })
}

/** Removes the link of the own account, which must have a password, and ends its other sessions. Throws `not_found` or
 * `bad_request`. */
export async function unlinkOwnAccount(
  ctx: Tools,
  { accountId, sessionDigest }: { accountId: number; sessionDigest: string },
): Promise<void> {
  await changeOperators(ctx, async (tx) => {
    const account = await findAccount(tx, accountId)
    if (!account) throw accountNotFound(accountId)
    if (!account.hasPassword) {
      throw badField(
        'account',
        'an account with a password, because it could not sign in otherwise',
      )
    }
    removeLink(tx, ctx, account)
    const exceptId = (await findSessionId(tx, sessionDigest)) ?? ''
    endSessions(tx, { accountId, now: ctx.now(), exceptId })
  })
}

function removeLink(tx: Tx, { audit, now }: Tools, account: OperatorAccount): void {
  const { id, identityIssuer } = account
  if (identityIssuer === null) throw new Failure('not_found', `Account ${id} has no link`)
  unlinkAccount(tx, { id, now: now() })
  audit.target(id)
  audit.change({ before: { identity_issuer: identityIssuer }, after: { identity_issuer: null } })
}

/** Stores that the person of a session signed in at the provider again. Throws `identity_refused` for another person,
 * `code_required` for an account with two-factor authentication, and `provider_refused` unless the provider says when. */
export async function verifyWithProvider(
  ctx: Tools,
  {
    accountId,
    sessionDigest,
    answer,
  }: { accountId: number; sessionDigest: string; answer: FlowAnswer },
): Promise<void> {
  const result = await finishFlow(ctx, answer, { purpose: 'verification', accountId })
  const identity = { issuer: requireProvider(ctx).issuer, subject: result.subject }
  if (!isSignedInAnew(result.signInAgeMs, result.elapsedMs)) throw new Failure('provider_refused')
  await ctx.db.transaction(async (tx) => {
    if (!(await lockLinkedAccount(tx, { id: accountId, ...identity }))) {
      throw new Failure('identity_refused', 'it is not that of the account')
    }
    // As with a password: what opens no session alone must not remove the second factor.
    if ((await findSecrets(tx, accountId))?.totpSecret != null) throw new Failure('code_required')
    const id = await findSessionId(tx, sessionDigest)
    if (id !== undefined) markSessionVerified(tx, { id, now: ctx.now() })
    publishOperatorsChanged(tx)
  })
  await returnAttempts(ctx.db.unextended, accountLimits(accountId))
}

function requireProvider({ identityProvider }: Pick<Tools, 'identityProvider'>): IdentityProvider {
  if (identityProvider) return identityProvider
  throw new Failure('not_found', 'No identity provider: FERIA_OIDC_ISSUER is not set')
}
