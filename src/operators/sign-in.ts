import { checkPassword, hashPassword } from '../identity/passwords/password.ts'
import {
  type AttemptLimit,
  ownLimits,
  returnAttempts,
  strangerLimits,
  takeAttempts,
} from '../identity/sessions/attempts.ts'
import { digestOf } from '../identity/token.ts'
import { dayMs, secondMs } from '../kernel/clock.ts'
import { Failure, TooManyRequests } from '../kernel/failure.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { foldEmail } from './account.ts'
import { makeCredential } from './credentials.ts'
import { longestSessionMs } from './session.ts'
import {
  type AccountSecrets,
  findAccount,
  findSecrets,
  findSecretsByEmail,
  lockActiveAccount,
  replacePassword,
  useRecoveryCode,
  useTotpStep,
} from './store-accounts.ts'
import { hasSignedInFrom, insertSession } from './store-sessions.ts'
import { recoveryDigestOf, totpStepOf } from './totp.ts'

type Tools = Pick<Context, 'audit' | 'db' | 'now' | 'random' | 'passwordCost'>

/** A network from which an account has signed in lately is not limited by the attempts of others. */
const knownNetworkMs = 30 * dayMs

export interface NewSession {
  accountId: number
  token: string
  expiresAt: Date
}

/**
 * Signs an operator in and returns the token of the new session. Unknown, disabled and invited accounts behave as a wrong
 * password does. Throws `sign_in_failed`, `code_required` or `too_many_requests`.
 */
export async function signInOperator(
  ctx: Tools,
  attempt: {
    email: string
    password: string
    code: string | undefined
    network: string
    userAgent: string | undefined
  },
): Promise<NewSession> {
  const { email, password, code, network, userAgent } = attempt
  const emailFolded = foldEmail(email)
  const account = await findSecretsByEmail(ctx.db, emailFolded)
  const since = new Date(ctx.now().getTime() - knownNetworkMs)
  // An unknown account is looked up as well, so that the answer takes as long.
  const isKnown = await hasSignedInFrom(ctx.db, { accountId: account?.id ?? 0, network, since })
  const key = `operator ${digestOf(emailFolded)}`
  const limits = isKnown
    ? ownLimits(`network ${network} account ${key}`)
    : strangerLimits(network, key)
  await takeOrRefuse(ctx, limits)
  const passwordHash = account?.passwordHash ?? undefined
  const { isRight, isDated } = await checkPassword(ctx, {
    password,
    stored: passwordHash,
    isStranger: !isKnown,
  })
  if (account?.status !== 'active' || !isRight || passwordHash === undefined) {
    throw new Failure('sign_in_failed')
  }
  if (account.totpSecret !== null) {
    if (code === undefined) throw new Failure('code_required')
    if (!(await useCode({ db: ctx.db.unextended, now: ctx.now }, account, code)))
      throw new Failure('sign_in_failed')
  }
  const id = account.id
  let currentHash = passwordHash
  if (isDated) {
    const hash = await hashPassword(ctx, password)
    if (await replacePassword(ctx.db.unextended, { id, before: passwordHash, hash }))
      currentHash = hash
  }
  await returnAttempts(ctx.db.unextended, limits)
  return openSession(ctx, { accountId: id, passwordHash: currentHash, network, userAgent })
}

/** Opens a session, unless the account was disabled or its password changed since it was checked. */
async function openSession(
  { audit, db, now, random }: Tools,
  opened: {
    accountId: number
    passwordHash: string
    network: string
    userAgent: string | undefined
  },
): Promise<NewSession> {
  const { accountId, passwordHash, network, userAgent } = opened
  const { text: token, digest } = makeCredential(random, 'session')
  const at = now()
  const expiresAt = new Date(at.getTime() + longestSessionMs)
  await db.transaction(async (tx) => {
    if (!(await lockActiveAccount(tx, { id: accountId, passwordHash }))) {
      throw new Failure('sign_in_failed')
    }
    const account = await findAccount(tx, accountId)
    audit.actor({ kind: 'account', id: accountId, name: account?.name ?? '' })
    audit.target(accountId)
    insertSession(tx, {
      id: random.hex(8),
      accountId,
      digest,
      network,
      userAgent: userAgent?.slice(0, 200) ?? null,
      dateCreated: at,
      lastUsedAt: at,
      verifiedAt: at,
      expiresAt,
    })
  })
  return { accountId, token, expiresAt }
}

/**
 * Checks the password, or a code, of an account that is signed in. Throws `sign_in_failed` or `too_many_requests`: a
 * session allows as many wrong ones as a sign-in.
 */
export async function verifyAccount(
  ctx: Tools,
  accountId: number,
  proof: { password?: string; code?: string },
): Promise<AccountSecrets & { passwordHash: string }> {
  const limits = ownLimits(`operator verification ${accountId}`)
  await takeOrRefuse(ctx, limits)
  const account = await findSecrets(ctx.db, accountId)
  const isProven = account && (await isProof(ctx, account, proof))
  if (!isProven || account.passwordHash === null) throw new Failure('sign_in_failed')
  await returnAttempts(ctx.db.unextended, limits)
  return { ...account, passwordHash: account.passwordHash }
}

async function isProof(
  ctx: Tools,
  account: AccountSecrets,
  { password, code }: { password?: string; code?: string },
): Promise<boolean> {
  if (code !== undefined) return useCode(ctx, account, code)
  if (password === undefined) return false
  const stored = account.passwordHash ?? undefined
  return (await checkPassword(ctx, { password, stored, isStranger: false })).isRight
}

/** Uses up a code of the authenticator app, or a recovery code. Returns false if it is wrong or was used before. */
async function useCode(
  { db, now }: { db: Db } & Pick<Context, 'now'>,
  { id, totpSecret }: AccountSecrets,
  code: string,
): Promise<boolean> {
  if (totpSecret === null) return false
  const digits = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) {
    return useRecoveryCode(db, { id, digest: recoveryDigestOf(code), now: now() })
  }
  const step = totpStepOf(digits, totpSecret, now())
  return step !== undefined && useTotpStep(db, { id, step })
}

async function takeOrRefuse(ctx: Tools, limits: readonly AttemptLimit[]): Promise<void> {
  const endsAt = await takeAttempts({ ...ctx, db: ctx.db.unextended }, limits)
  if (endsAt) throw new TooManyRequests((endsAt.getTime() - ctx.now().getTime()) / secondMs)
}
