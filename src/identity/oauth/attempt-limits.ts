import { dayMs, minuteMs, secondMs } from '../../kernel/clock.ts'
import { Failure, TooManyRequests } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { findAttempts, takeAttempt } from '../sessions/store.ts'
import { findApplicationNetwork, saveApplicationNetwork } from './store.ts'

type Tools = Pick<Context, 'db' | 'now'>

/** Failed attempts per minute: of one application from one network, and of all applications from that network. */
const maxFailedAttempts = { ofApplication: 60, ofNetwork: 300 }
const windowMs = minuteMs

/** How long a network stays trusted after an application last got a token from it. */
const trustMs = 7 * dayMs

/** The origin of a token request, before any secret is checked. */
export interface TokenRequester {
  network: string
  /** Undefined if the request names no valid id. */
  applicationId: number | undefined
}

/**
 * Runs `work`, which checks secrets, unless the claimant has failed too often. An application that recently got
 * tokens from this network is never blocked: failures of others behind the same address do not count against it.
 * Secrets have 16 characters or more and tokens 96 bits, so the request rate limits guesses there. Throws
 * `too_many_requests`.
 */
export async function limitFailedAttempts<T>(
  { db, now }: Tools,
  claimant: TokenRequester,
  work: () => Promise<T>,
): Promise<T> {
  const at = now()
  if (await isTrusted({ db, now }, claimant)) return work()
  const limits = limitsOf(claimant)
  for (const { key, most } of limits) {
    const attempts = await findAttempts(db, { key, now: at })
    if (!attempts || attempts.n < most) continue
    throw new TooManyRequests((attempts.endsAt.getTime() - at.getTime()) / secondMs)
  }
  try {
    return await work()
  } catch (error) {
    const isGuess = error instanceof Failure && /^invalid_(client|grant)/.test(error.code)
    const endsAt = new Date(at.getTime() + windowMs)
    if (isGuess) for (const limit of limits) await takeAttempt(db, { ...limit, now: at, endsAt })
    throw error
  }
}

function limitsOf({ network, applicationId }: TokenRequester): { key: string; most: number }[] {
  const ofNetwork = { key: `token ${network}`, most: maxFailedAttempts.ofNetwork }
  if (applicationId === undefined) return [ofNetwork]
  const key = `token ${network} application ${applicationId}`
  return [{ key, most: maxFailedAttempts.ofApplication }, ofNetwork]
}

async function isTrusted(
  { db, now }: Tools,
  { network, applicationId }: TokenRequester,
): Promise<boolean> {
  if (applicationId === undefined) return false
  const expiresAt = await findApplicationNetwork(db, { applicationId, network })
  return expiresAt !== undefined && expiresAt > now()
}

/** Trusts this network for the application. The row is renewed only after half of its time, to save writes. */
export async function trustNetwork({ db, now }: Tools, claimant: TokenRequester): Promise<void> {
  const { network, applicationId } = claimant
  if (applicationId === undefined) return
  const at = now().getTime()
  const trustedUntil = await findApplicationNetwork(db, { applicationId, network })
  if (trustedUntil !== undefined && trustedUntil.getTime() > at + trustMs / 2) return
  await saveApplicationNetwork(db, {
    applicationId,
    network,
    expiresAt: new Date(at + trustMs),
  })
}
