import { hourMs, timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/database/database.ts'
import { digestOf } from '../token.ts'
import { replaceSecret } from './store.ts'

const usualOverlapHours = 24

/** Gives an application another secret, as it is answered; the one before it is taken for as long as was
 * asked for. Throws `not_found`. */
export async function rotateSecret(
  { db, now, random }: Pick<Context, 'now' | 'random'> & { db: Db },
  { id, overlap_hours: hours = usualOverlapHours }: { id: number; overlap_hours?: number },
): Promise<object> {
  const secret = random.hex(20)
  const until = new Date(now().getTime() + hours * hourMs)
  const given = { id, secretHash: digestOf(secret), until, now: now() }
  if (!(await replaceSecret(db, given))) {
    throw new Failure('not_found', `Application not found: ${id}`)
  }
  return { id, secret, previous_secret_until: timestamp(until) }
}
