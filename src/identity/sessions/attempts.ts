import { hourMs, minuteMs } from '../../kernel/clock.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/database/database.ts'
import { findAttempts, forgetAttempts, giveAttemptBack, takeAttempt } from './store.ts'

/** A limit of `most` attempts under one key. Its window begins with the first attempt. */
export interface AttemptLimit {
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
export const ownLimits = (key: string): AttemptLimit[] => [
  { key: `${key} hour`, most: 10, windowMs: hourMs, isShared: false },
  { key: `${key} minute`, most: 5, windowMs: minuteMs, isShared: false },
]

/**
 * Returns the limits of a browser that has not signed in to the account before, in the order in which they are taken.
 * `network` is one IPv4 address or an IPv6 /64 (`networkOf`), `account` the digest of the typed name.
 *
 * - The network's limit comes first, because it bounds the rows that invented names create.
 * - The account's limit comes last. One network uses at most 10 of its 50 attempts an hour, so only five networks
 *   together can exhaust it. Even then `deviceLimits` still let the owner's devices in.
 */
export const strangerLimits = (network: string, account: string): AttemptLimit[] => [
  { key: `network ${network}`, most: 100, windowMs: 15 * minuteMs, isShared: true },
  ...ownLimits(`network ${network} account ${account}`),
  accountLimit(account),
]

/** Returns the limit of all strangers together at one account. */
export const accountLimit = (account: string): AttemptLimit => ({
  key: `account ${account}`,
  most: 50,
  windowMs: hourMs,
  isShared: true,
})

/** Counts an attempt against every limit. If one is exhausted, it counts against none and returns when that one ends. */
export async function takeAttempts(
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

/** Clears the caller's own counts after a success, and gives shared ones an attempt back. */
export async function returnAttempts(db: Db, limits: readonly AttemptLimit[]): Promise<void> {
  for (const { key, isShared } of limits) {
    if (isShared) await giveAttemptBack(db, key)
    else await forgetAttempts(db, key)
  }
}
