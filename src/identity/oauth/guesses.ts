import { dayMs, minuteMs, secondMs } from '../../kernel/clock.ts'
import { Failure, TooManyRequests } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { findAttempts, takeAttempt } from '../sessions/store.ts'
import { findApplicationNetwork, saveApplicationNetwork } from './store.ts'

type Tools = Pick<Context, 'db' | 'now'>

/** Refusals within a minute: of one application from one network, and of all applications from there. */
export const mostRefusals = { ofApplication: 60, ofNetwork: 300 }
const windowMs = minuteMs

/** How long a network stays one of an application's after the application last got a token there. */
const rememberedMs = 7 * dayMs

/** Who asks, before anything is proven. */
export interface Claimant {
  network: string
  /** Undefined where what the request names is no id. */
  applicationId: number | undefined
}

/**
 * Runs `work`, which proves something by secrets, unless the caller has guessed too often. An application
 * that has got tokens from this network lately is always heard: what others behind the same address get
 * wrong, in its name or another, does not hold it up. Its secret has 16 characters or more and a token 96
 * bits, so that the rate of requests is limit enough there. Throws `too_many_requests`.
 */
export async function guardGuesses<T>(
  { db, now }: Tools,
  claimant: Claimant,
  work: () => Promise<T>,
): Promise<T> {
  const at = now()
  if (await isKnown({ db, now }, claimant)) return work()
  const limits = limitsOf(claimant)
  for (const { key, most } of limits) {
    const counted = await findAttempts(db, { key, now: at })
    if (!counted || counted.n < most) continue
    throw new TooManyRequests((counted.endsAt.getTime() - at.getTime()) / secondMs)
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

function limitsOf({ network, applicationId }: Claimant): { key: string; most: number }[] {
  const ofNetwork = { key: `token ${network}`, most: mostRefusals.ofNetwork }
  if (applicationId === undefined) return [ofNetwork]
  const key = `token ${network} application ${applicationId}`
  return [{ key, most: mostRefusals.ofApplication }, ofNetwork]
}

async function isKnown({ db, now }: Tools, { network, applicationId }: Claimant): Promise<boolean> {
  if (applicationId === undefined) return false
  const expiresAt = await findApplicationNetwork(db, { applicationId, network })
  return expiresAt !== undefined && expiresAt > now()
}

/** Notes that an application got a token from this network; written again once half of the time is over. */
export async function noteNetwork({ db, now }: Tools, claimant: Claimant): Promise<void> {
  const { network, applicationId } = claimant
  if (applicationId === undefined) return
  const at = now().getTime()
  const known = await findApplicationNetwork(db, { applicationId, network })
  if (known !== undefined && known.getTime() > at + rememberedMs / 2) return
  await saveApplicationNetwork(db, {
    applicationId,
    network,
    expiresAt: new Date(at + rememberedMs),
  })
}
