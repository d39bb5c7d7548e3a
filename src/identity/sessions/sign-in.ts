import { hourMs, minuteMs } from '../../kernel/clock.ts'
import { fold } from '../../kernel/text.ts'
import type { Context } from '../../platform/context.ts'
import { checkPassword, hashPassword } from '../passwords/password.ts'
import { findMember, renewHash } from '../passwords/store.ts'
import { digestOf } from '../token.ts'
import { type Device, findAttempts, forgetAttempts, giveAttemptBack, takeAttempt } from './store.ts'

/** So many attempts under one key within a time that begins with the first of them. */
interface Limit {
  key: string
  most: number
  windowMs: number
  /** Others count here too: signing in gives one attempt back instead of all. */
  isShared: boolean
}

/**
 * Limits of one caller at one account: five wrong passwords wait a minute, five more an hour. That is 240 a
 * day. The longer one comes first, so that `Retry-After` tells of it.
 */
const ownLimits = (key: string): Limit[] => [
  { key: `${key} hour`, most: 10, windowMs: hourMs, isShared: false },
  { key: `${key} minute`, most: 5, windowMs: minuteMs, isShared: false },
]

/** Limits of a browser that has signed in to the account before: what others try does not count here. */
const deviceLimits = ({ digest }: Device) => ownLimits(`device ${digest}`)

/**
 * Limits of all other attempts. The network's comes first, so that it bounds the keys that made-up
 * names leave behind. The account's comes last: five networks have to be shut before it holds up all of
 * them, and it leaves the devices of its owner alone.
 */
const strangerLimits = (network: string, account: string): Limit[] => [
  { key: `network ${network}`, most: 100, windowMs: 15 * minuteMs, isShared: true },
  ...ownLimits(`network ${network} account ${account}`),
  { key: `account ${account}`, most: 50, windowMs: hourMs, isShared: true },
]

export type SignIn =
  | { result: 'signed in'; userId: number }
  | { result: 'refused' }
  | { result: 'too many'; endsAt: Date }

/**
 * Tries a password. The attempt is counted before the password is looked at, so that many at once are
 * not more than the limits let through, and in the database, so that processes share the counts. An
 * account that does not exist counts, takes as long and is refused as any other. Throws `unavailable`
 * when too many passwords wait to be hashed.
 */
export async function signIn(
  ctx: Pick<Context, 'db' | 'now' | 'random' | 'passwordCost'>,
  attempt: { login: string; password: string; network: string; device: Device | undefined },
): Promise<SignIn> {
  const { login, password, network, device } = attempt
  const member = await findMember(ctx.db, login)
  const isKnown = device !== undefined && device.userId === member?.userId
  // By the name that was typed: counting a nickname and an e-mail address as one would tell that they
  // belong together. A digest, so that a key has one length and does not keep what was typed.
  const account = digestOf(fold(login))
  const limits = isKnown ? deviceLimits(device) : strangerLimits(network, account)
  const endsAt = await takeAttempts(ctx, limits)
  if (endsAt) return { result: 'too many', endsAt }
  const asked = { password, stored: member?.hash, isStranger: !isKnown }
  const { isRight, isDated } = await checkPassword(ctx, asked)
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

/** Takes an attempt of each limit, or of none: then it returns when the limit ends that has none left. */
async function takeAttempts(
  { db, now }: Pick<Context, 'db' | 'now'>,
  limits: readonly Limit[],
): Promise<Date | undefined> {
  const at = now()
  for (const [index, { key, most, windowMs }] of limits.entries()) {
    const endsAt = new Date(at.getTime() + windowMs)
    if (await takeAttempt(db, { key, most, now: at, endsAt })) continue
    for (const taken of limits.slice(0, index)) await giveAttemptBack(db, taken.key)
    return (await findAttempts(db, { key, now: at }))?.endsAt ?? at
  }
  return undefined
}
