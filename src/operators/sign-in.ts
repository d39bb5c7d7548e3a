import { HashQueue } from '../identity/passwords/hash-queue.ts'
import { checkPassword, hashPassword } from '../identity/passwords/password.ts'
import {
  type AttemptLimit,
  accountLimit,
  ownLimits,
  returnAttempts,
  takeAttempts,
} from '../identity/sessions/attempts.ts'
import { digestOf } from '../identity/token.ts'
import { dayMs, hourMs, minuteMs, secondMs, timestamp } from '../kernel/clock.ts'
import { Failure, TooManyRequests } from '../kernel/failure.ts'
import type { Context } from '../platform/context.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { foldEmail } from './account.ts'
import { makeCredential } from './credentials.ts'
import { longestSessionMs } from './session.ts'
import {
  type AccountSecrets,
  findAccount,
  findSecrets,
  findSecretsByEmail,
  hasRecoveryCode,
  hasUnusedTotpStep,
  lockActiveAccount,
  replacePassword,
  useRecoveryCode,
  useTotpStep,
} from './store-accounts.ts'
import { hasSignedInFrom, insertSession } from './store-sessions.ts'
import { isTotpCode, recoveryDigestOf, totpStepOf } from './totp.ts'

type Tools = Pick<Context, 'audit' | 'db' | 'now' | 'random' | 'passwordCost'>

/** A network from which an account has signed in lately is not limited by the attempts of others. */
const knownNetworkMs = 30 * dayMs

export interface NewSession {
  accountId: number
  token: string
  expiresAt: Date
}

/** Limits the wrong attempts of one network at all accounts together, so that nobody tries one password everywhere. */
const networkLimit = (network: string): AttemptLimit => ({
  key: `operators network ${network}`,
  most: 30,
  windowMs: 15 * minuteMs,
  isShared: true,
})

interface SignInAttempt {
  email: string
  password: string
  code: string | undefined
  network: string
  userAgent: string | undefined
}

/**
 * Signs an operator in and returns the token of the new session. Unknown, disabled and invited accounts behave as a wrong
 * password does. Throws `sign_in_failed`, `code_required` or `too_many_requests`.
 */
export async function signInOperator(ctx: Tools, attempt: SignInAttempt): Promise<NewSession> {
  const { email, password, code, network, userAgent } = attempt
  const emailFolded = foldEmail(email)
  const account = await findSecretsByEmail(ctx.db, emailFolded)
  const since = new Date(ctx.now().getTime() - knownNetworkMs)
  // An unknown account is looked up as well, so that the answer takes as long.
  const isKnown = await hasSignedInFrom(ctx.db, { accountId: account?.id ?? 0, network, since })
  const accountKey = `operator ${digestOf(emailFolded)}`
  const limits = limitsOf({ network, accountKey, isKnown })
  const endsAt = await takeAttempts({ ...ctx, db: ctx.db.unextended }, limits)
  if (endsAt) return signInPastLimits(ctx, { ...attempt, account, accountKey, isKnown, endsAt })
  // Many networks can fill the queue of strangers. Who has the right code goes ahead of them, wherever it signs in.
  const hasRightCode = code !== undefined && (await isRightCode(ctx, account, code))
  const { isRight, isDated } = await checkPassword(ctx, {
    password,
    stored: account?.passwordHash ?? undefined,
    isStranger: !isKnown && !hasRightCode,
  })
  if (!isRight || !isActive(account)) throw new Failure('sign_in_failed')
  await requireCode(ctx, account, code)
  const { id } = account
  let { passwordHash } = account
  if (isDated) {
    const hash = await hashPassword(ctx, password)
    if (await replacePassword(ctx.db.unextended, { id, before: passwordHash, hash }))
      passwordHash = hash
  }
  await returnAttempts(ctx.db.unextended, limits)
  return openSession(ctx, { ...sessionOf({ ...account, passwordHash }), network, userAgent })
}

/** Uses up a code if the account has two-factor authentication. Throws `code_required` or `sign_in_failed`. */
export async function requireCode(
  ctx: Pick<Tools, 'db' | 'now'>,
  account: AccountSecrets,
  code: string | undefined,
): Promise<void> {
  if (account.totpSecret === null) return
  if (code === undefined) throw new Failure('code_required')
  if (!(await useCode({ db: ctx.db.unextended, now: ctx.now }, account, code))) {
    throw new Failure('sign_in_failed')
  }
}

/**
 * Past the limits, one password is checked at a time. Whoever has seen a code could otherwise delay the checks of
 * others as long as it is good.
 */
const checksPastLimits = new HashQueue({ concurrency: 1, longest: 8 })

/**
 * Signs in with both factors after others have used up the attempts at the account. Strangers must not keep its owner
 * out, and without the code nobody learns whether a password is right. The password is hashed only after a right code,
 * so that requests past the limits cost next to nothing. Throws `too_many_requests` for all others.
 */
async function signInPastLimits(
  ctx: Tools,
  attempt: SignInAttempt & {
    account: AccountSecrets | undefined
    accountKey: string
    isKnown: boolean
    endsAt: Date
  },
): Promise<NewSession> {
  const { account, accountKey, isKnown, endsAt, network, password, code, userAgent } = attempt
  const refusal = new TooManyRequests((endsAt.getTime() - ctx.now().getTime()) / secondMs)
  if (code === undefined) throw refusal
  const db = ctx.db.unextended
  const tools = { db, now: ctx.now }
  const limits = pastLimitsOf({ network, accountKey, isKnown }, code)
  if (await takeAttempts(tools, limits)) throw refusal
  if (!(await isRightCode(tools, account, code)) || !isActive(account)) throw refusal
  const { isRight } = await checksPastLimits.run(
    () => checkPassword(ctx, { password, stored: account.passwordHash, isStranger: false }),
    { isStranger: true },
  )
  if (!isRight || !(await useCode(tools, account, code))) throw refusal
  await returnAttempts(db, limits)
  return openSession(ctx, { ...sessionOf(account), network, userAgent })
}

/** Returns the session of somebody who has just entered the password, and a code if the account takes one. */
function sessionOf(
  account: ActiveAccount,
): Pick<Parameters<typeof openSession>[1], 'accountId' | 'lockAccount' | 'verifiedMsAgo'> {
  // The account may have been disabled since then, or its password or app changed.
  const lockAccount = (tx: Tx) => lockActiveAccount(tx, account)
  return { accountId: account.id, lockAccount, verifiedMsAgo: 0 }
}

interface LimitedAccount {
  network: string
  accountKey: string
  isKnown: boolean
}

function limitsOf({ network, accountKey, isKnown }: LimitedAccount): AttemptLimit[] {
  const own = ownLimits(`network ${network} account ${accountKey}`)
  return isKnown ? own : [networkLimit(network), ...own, accountLimit(accountKey)]
}

/**
 * Returns the limits of attempts with a code once those of the account are used up. They bound how many codes somebody
 * who knows the password can try. A recovery code is too long to be guessed, so that its owner signs in even after that.
 */
function pastLimitsOf(
  { network, accountKey, isKnown }: LimitedAccount,
  code: string,
): AttemptLimit[] {
  const ofNetwork = networkLimit(network)
  if (!isTotpCode(code)) return [ofNetwork]
  const own = ownLimits(`network ${network} codes ${accountKey}`)
  return isKnown ? [ofNetwork, ...own] : [ofNetwork, ...own, codeLimit(accountKey)]
}

/** Limits the codes that all strangers together try at one account. */
const codeLimit = (accountKey: string): AttemptLimit => ({
  key: `codes ${accountKey}`,
  most: 200,
  windowMs: hourMs,
  isShared: true,
})

type ActiveAccount = AccountSecrets & { passwordHash: string }

function isActive(account: AccountSecrets | undefined): account is ActiveAccount {
  return account?.status === 'active' && account.passwordHash !== null
}

/** Opens a session. Throws `sign_in_failed` if the account has changed since it was checked. */
export async function openSession(
  { audit, db, now, random }: Pick<Tools, 'audit' | 'db' | 'now' | 'random'>,
  opened: {
    accountId: number
    /** Locks the account until the transaction ends. Returns false if it may not sign in like this any more. */
    lockAccount: (tx: Tx) => Promise<boolean>
    network: string
    userAgent: string | undefined
    /** How long ago the person entered a password or a code. */
    verifiedMsAgo: number
  },
): Promise<NewSession> {
  const { accountId, lockAccount, network, userAgent, verifiedMsAgo } = opened
  const { text: token, digest } = makeCredential(random, 'session')
  const at = now()
  const expiresAt = new Date(at.getTime() + longestSessionMs)
  await db.transaction(async (tx) => {
    if (!(await lockAccount(tx))) throw new Failure('sign_in_failed')
    const account = await findAccount(tx, accountId)
    audit.actor({ kind: 'account', id: accountId, name: account?.name ?? '' })
    const id = random.hex(8)
    audit.target(accountId)
    audit.relate('operator_account', accountId)
    audit.relate('operator_session', id)
    audit.change({ before: null, after: { expires_at: timestamp(expiresAt) } })
    insertSession(tx, {
      id,
      accountId,
      digest,
      network,
      userAgent: userAgent?.slice(0, 200) ?? null,
      dateCreated: at,
      lastUsedAt: at,
      verifiedAt: new Date(at.getTime() - verifiedMsAgo),
      expiresAt,
    })
  })
  return { accountId, token, expiresAt }
}

/** Checks the password of an account that is signed in. Throws `sign_in_failed` or `too_many_requests`. */
export async function checkOwnPassword(
  ctx: Tools,
  accountId: number,
  password: string,
): Promise<ActiveAccount> {
  const account = await limitProof(ctx, accountId, (account) =>
    isPasswordOf(ctx, account, password),
  )
  if (!isActive(account)) throw new Failure('sign_in_failed')
  return account
}

/**
 * Checks what the person of a session enters once more: a code if the account has an authenticator app, else the
 * password. Throws `code_required`, `sign_in_failed` or `too_many_requests`.
 */
export async function verifyAccount(
  ctx: Tools,
  accountId: number,
  { password, code }: { password?: string; code?: string },
): Promise<void> {
  await limitProof(ctx, accountId, async (account) => {
    if (code !== undefined) return useCode(ctx, account, code)
    // The password alone would let whoever learned it remove the second factor.
    if (account.totpSecret !== null) throw new Failure('code_required')
    return password !== undefined && (await isPasswordOf(ctx, account, password))
  })
}

/** Counts an attempt to prove who one is. A session allows as many wrong ones as a sign-in from one network. */
async function limitProof(
  ctx: Tools,
  accountId: number,
  isProven: (account: AccountSecrets) => Promise<boolean>,
): Promise<AccountSecrets> {
  const limits = ownLimits(`operator verification ${accountId}`)
  await takeOrRefuse(ctx, limits)
  const account = await findSecrets(ctx.db, accountId)
  if (account?.status !== 'active' || !(await isProven(account))) {
    throw new Failure('sign_in_failed')
  }
  await returnAttempts(ctx.db.unextended, limits)
  return account
}

async function isPasswordOf(
  ctx: Tools,
  { passwordHash }: AccountSecrets,
  password: string,
): Promise<boolean> {
  const stored = passwordHash ?? undefined
  return (await checkPassword(ctx, { password, stored, isStranger: false })).isRight
}

interface CodeTools {
  db: Db
  now: Context['now']
}

/** Uses up a code of the authenticator app, or a recovery code. Returns false if it is wrong or was used before. */
async function useCode(
  { db, now }: CodeTools,
  { id, totpSecret }: AccountSecrets,
  code: string,
): Promise<boolean> {
  if (totpSecret === null) return false
  if (!isTotpCode(code)) {
    return useRecoveryCode(db, { id, digest: recoveryDigestOf(code), now: now() })
  }
  const step = totpStepOf(code, totpSecret, now())
  return step !== undefined && useTotpStep(db, { id, step })
}

/**
 * Returns whether `useCode` would accept the code, without using it up. Without an account or an authenticator app it
 * does the same work and returns false, so that accounts cannot be probed.
 */
async function isRightCode(
  { db, now }: CodeTools,
  account: AccountSecrets | undefined,
  code: string,
): Promise<boolean> {
  const id = account?.id ?? 0
  if (!isTotpCode(code)) return hasRecoveryCode(db, { id, digest: recoveryDigestOf(code) })
  const secret = account?.totpSecret ?? null
  const step = totpStepOf(code, secret ?? dummyTotpSecret, now())
  return secret !== null && step !== undefined && hasUnusedTotpStep(db, { id, step })
}

/** The secret to check a code against when an account has none. */
const dummyTotpSecret = 'A'.repeat(32)

/** Counts an attempt against every limit. Throws `too_many_requests`. */
export async function takeOrRefuse(
  ctx: Pick<Tools, 'db' | 'now'>,
  limits: readonly AttemptLimit[],
): Promise<void> {
  const endsAt = await takeAttempts({ ...ctx, db: ctx.db.unextended }, limits)
  if (endsAt) throw new TooManyRequests((endsAt.getTime() - ctx.now().getTime()) / secondMs)
}
