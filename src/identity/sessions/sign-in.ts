import { minuteMs } from '../../kernel/clock.ts'
import { fold } from '../../kernel/text.ts'
import type { Context } from '../../platform/context.ts'
import { checkPassword, hashPassword } from '../passwords/password.ts'
import { findMember, renewHash } from '../passwords/store.ts'
import { digestOf } from '../token.ts'
import { countAttempt, forgetAttempts, takeAttemptBack } from './store.ts'

/** Attempts within `windowMs` after which nobody may try any more until it is over. */
export const limits = { account: 10, address: 100, windowMs: 15 * minuteMs }

export type SignIn =
  | { result: 'signed in'; userId: number }
  | { result: 'refused' }
  | { result: 'too many'; endsAt: Date }

/**
 * Tries a password. Attempts are counted before anything is looked at, so that many at once are not
 * more than the limit lets through, and in the database, so that they are not as many as there are
 * processes. An account that is not there counts, takes as long and is refused as any other.
 */
export async function signIn(
  ctx: Pick<Context, 'db' | 'now' | 'random' | 'passwordCost'>,
  { login, password, network }: { login: string; password: string; network: string },
): Promise<SignIn> {
  const now = ctx.now()
  const endsAt = new Date(now.getTime() + limits.windowMs)
  // Digests: a key is of one length, whatever was typed, and tells nobody what it was.
  const account = `account ${digestOf(fold(login))}`
  const source = `network ${network}`
  for (const [key, most] of [
    [source, limits.address],
    [account, limits.account],
  ] as const) {
    const counted = await countAttempt(ctx.db, { key, now, endsAt })
    if (counted.n > most) return { result: 'too many', endsAt: counted.endsAt }
  }
  const member = await findMember(ctx.db, login)
  const { isRight, isDated } = await checkPassword(ctx, password, member?.hash)
  if (!member?.isActive || !isRight) return { result: 'refused' }
  if (isDated) {
    const hash = await hashPassword(ctx, password)
    await renewHash(ctx.db, { userId: member.userId, before: member.hash, hash })
  }
  await forgetAttempts(ctx.db, account)
  await takeAttemptBack(ctx.db, source)
  return { result: 'signed in', userId: member.userId }
}
