import { hourMs, minuteMs } from '../../kernel/clock.ts'
import { fold } from '../../kernel/text.ts'
import type { Context } from '../../platform/context.ts'
import { checkPassword, hashPassword } from '../passwords/password.ts'
import { findUserByLogin, renewHash } from '../passwords/store.ts'
import { digestOf } from '../token.ts'
import { type Device, findAttempts, forgetAttempts, giveAttemptBack, takeAttempt } from './store.ts'

/** A limit of `most` attempts under one key. Its window begins with the first attempt. */
interface AttemptLimit {
  key: string
  most: number
  windowMs: number
  /** Whether attempts of others count too. A successful sign-in then returns one attempt instead of all. */
  isShared: boolean
}

/**
 * Returns the limits of one caller at one account: 5 wrong passwords a minute and 10 an hour, so 240 a day. The longer
 * window comes first, so that `Retry-After` reports it.
 */
const ownLimits = (key: string): AttemptLimit[] => [
  { key: `${key} hour`, most: 10, windowMs: hourMs, isShared: false },
  { key: `${key} minute`, most: 5, windowMs: minuteMs, isShared: false },
]

/** Returns the limits of a browser that has signed in to the account before. Attempts of others do not count. */
const deviceLimits = ({ digest }: Device) => ownLimits(`device ${digest}`)

/**
 * Returns the limits of a browser that has not signed in to the account before, in the order in which they are taken.
 * `network` is one IPv4 address or an IPv6 /64 (`networkOf`), `account` the digest of the typed name.
 *
 * - The network's limit comes first, because it bounds the rows that invented names create.
 * - The account's limit comes last. One network uses at most 10 of its 50 attempts an hour, so only five networks
 *   together can exhaust it. Even then `deviceLimits` still let the owner's devices in.
 */
const strangerLimits = (network: string, account: string): AttemptLimit[] => [
  { key: `network ${network}`, most: 100, windowMs: 15 * minuteMs, isShared: true },
  ...ownLimits(`network ${network} account ${account}`),
  { key: `account ${account}`, most: 50, windowMs: hourMs, isShared: true },
]

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
  for (const { key, isShared } of limits) {
    if (isShared) await giveAttemptBack(ctx.db, key)
    else await forgetAttempts(ctx.db, key)
  }
  return { result: 'signed in', userId: member.userId }
}

/** Counts an attempt against every limit. If one is exhausted, it counts against none and returns when that one ends. */
async function takeAttempts(
  { db, now }: Pick<Context, 'db' | 'now'>,
  limits: readonly AttemptLimit[],
): Promise<Date | undefined> {
  const at = now()
  for (const [index, { key, most, windowMs }] of limits.entries()) {
    const endsAt = new Date(at.getTime() + windowMs)
    if (await takeAttempt(db, { key, most, now: at, endsAt })) continue
    for (const counted of limits.slice(0, index)) await giveAttemptBack(db, counted.key)
    return (await findAttempts(db, { key, now: at }))?.endsAt ?? at
  }
  return undefined
}
