import { hourMs, timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import { secretOf } from './sign.ts'
import {
  expireSecrets,
  insertSecret,
  listSecrets,
  lockSecrets,
  maxActiveSecrets,
  type SigningSecret,
} from './store.ts'

type Tools = Pick<Context, 'db' | 'now' | 'random'>

/** Returns the target with its signing secrets. Creates a secret if there is none, because every delivery is signed. */
export async function withSigningSecrets<Target extends { secrets: readonly string[] }>(
  tools: Tools,
  { applicationId, target }: { applicationId: number; target: Target },
): Promise<Target> {
  if (target.secrets.length > 0) return target
  const secrets = await tools.db.transaction(async (tx) => {
    await lockSecrets(tx, applicationId)
    return ensureSecret(tx, tools, applicationId)
  })
  return { ...target, secrets: secrets.map(({ secret }) => secret) }
}

/** Returns the secrets in force. Creates one if there is none. The caller has locked the delivery queue. */
export async function ensureSecret(
  tx: Tx,
  { now, random }: Pick<Tools, 'now' | 'random'>,
  applicationId: number,
): Promise<SigningSecret[]> {
  const existing = await listSecrets(tx, { applicationId, now: now() })
  if (existing.length > 0) return existing
  const secret = newSecret(random, now())
  insertSecret(tx, { ...secret, applicationId })
  return [secret]
}

/** Creates a secret that signs from now on. Older ones sign too for `overlapHours`. Throws `too_many_secrets`. */
export async function rotateSigningSecret(
  { audit, db, now, random }: Tools & Pick<Context, 'audit'>,
  { applicationId, overlapHours }: { applicationId: number; overlapHours: number },
): Promise<SigningSecret> {
  const secret = newSecret(random, now())
  await db.transaction(async (tx) => {
    await lockSecrets(tx, applicationId)
    const existing = await listSecrets(tx, { applicationId, now: now() })
    if (overlapHours > 0 && existing.length >= maxActiveSecrets) {
      throw new Failure('too_many_secrets')
    }
    const at = new Date(now().getTime() + overlapHours * hourMs)
    audit.change({
      before: { secret_ids: existing.map(({ id }) => id) },
      after: { secret_ids: [secret.id], others_until: timestamp(at) },
    })
    expireSecrets(tx, { applicationId, at })
    insertSecret(tx, { ...secret, applicationId })
  })
  return secret
}

function newSecret(random: Tools['random'], now: Date): SigningSecret {
  const [id, secret] = [random.hex(8), secretOf(random.hex(32))]
  return { id, secret, dateCreated: now, expiresAt: null }
}
