import { fold } from '../../kernel/text.ts'
import type { Context } from '../../platform/context.ts'
import { checkPassword, hashPassword } from '../passwords/password.ts'
import { findUserByLogin, renewHash } from '../passwords/store.ts'
import { digestOf } from '../token.ts'
import { ownLimits, returnAttempts, strangerLimits, takeAttempts } from './attempts.ts'
import type { Device } from './store.ts'

/** Returns the limits of a browser that has signed in to the account before. Attempts of others do not count. */
const deviceLimits = ({ digest }: Device) => ownLimits(`device ${digest}`)

export type SignInResult =
  | { result: 'signed in'; userId: number }
  | { result: 'refused' }
  | { result: 'too many'; endsAt: Date }

/**
 * Checks a password and returns the result. The attempt is counted before the check, so that parallel attempts cannot
 * exceed a limit. Counts lie in the database, which all processes share. An unknown account behaves as a known one.
 * Throws `unavailable` when too many passwords wait to be hashed.
 */
export async function signIn(
  ctx: Pick<Context, 'db' | 'now' | 'random' | 'passwordCost'>,
  attempt: { login: string; password: string; network: string; device: Device | undefined },
): Promise<SignInResult> {
  const { login, password, network, device } = attempt
  const member = await findUserByLogin(ctx.db, login)
  const isKnownDevice = device !== undefined && device.userId === member?.userId
  // The key is the typed name: a shared key would reveal which nickname belongs to which e-mail address. A digest has a
  // fixed length and does not store the typed text.
  const account = digestOf(fold(login))
  const limits = isKnownDevice ? deviceLimits(device) : strangerLimits(network, account)
  const endsAt = await takeAttempts(ctx, limits)
  if (endsAt) return { result: 'too many', endsAt }
  const { isRight, isDated } = await checkPassword(ctx, {
    password,
    stored: member?.hash,
    isStranger: !isKnownDevice,
  })
  if (!member?.isActive || !isRight) return { result: 'refused' }
  if (isDated) {
    const hash = await hashPassword(ctx, password)
    await renewHash(ctx.db, { userId: member.userId, before: member.hash, hash })
  }
  await returnAttempts(ctx.db, limits)
  return { result: 'signed in', userId: member.userId }
}
