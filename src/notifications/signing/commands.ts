import { hourMs } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { secretOf } from './sign.ts'
import {
  expireSecrets,
  insertSecret,
  listSecrets,
  lockSecrets,
  mostInForce,
  type SigningSecret,
} from './store.ts'

type Tools = Pick<Context, 'db' | 'now' | 'random'>

/** A target with the secrets that sign for it: made when there are none yet, since every delivery is
 * signed. */
export async function withSecret<Target extends { secrets: readonly string[] }>(
  { db, now, random }: Tools,
  { applicationId, target }: { applicationId: number; target: Target },
): Promise<Target> {
  if (target.secrets.length > 0) return target
  const secrets = await db.transaction(async (tx) => {
    await lockSecrets(tx, applicationId)
    const known = await listSecrets(tx, { applicationId, now: now() })
    if (known.length > 0) return known
    const made = newSecret(random, now())
    insertSecret(tx, { ...made, applicationId })
    return [made]
  })
  return { ...target, secrets: secrets.map(({ secret }) => secret) }
}

/** Makes a new secret that signs from now on; the ones before it sign as well for `overlapHours`. Throws
 * `too_many_secrets`. */
export async function rotateSecret(
  { db, now, random }: Tools,
  { applicationId, overlapHours }: { applicationId: number; overlapHours: number },
): Promise<SigningSecret> {
  const made = newSecret(random, now())
  await db.transaction(async (tx) => {
    await lockSecrets(tx, applicationId)
    const known = await listSecrets(tx, { applicationId, now: now() })
    if (overlapHours > 0 && known.length >= mostInForce) {
      throw new Failure('too_many_secrets')
    }
    const at = new Date(now().getTime() + overlapHours * hourMs)
    expireSecrets(tx, { applicationId, at })
    insertSecret(tx, { ...made, applicationId })
  })
  return made
}

function newSecret(random: Tools['random'], now: Date): SigningSecret {
  const [id, secret] = [random.hex(8), secretOf(random.hex(32))]
  return { id, secret, dateCreated: now, expiresAt: null }
}
