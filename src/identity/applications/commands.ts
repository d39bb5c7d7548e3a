import { hourMs, timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { digestOf } from '../token.ts'
import { publishRevocation } from '../tokens.ts'
import {
  type Client,
  findClient,
  replaceSecret,
  revokeBeyondScopes,
  revokeOwn,
  type SavedApplication,
  saveApplication,
} from './store.ts'

const usualOverlapHours = 24

/**
 * Writes an application, and ends what its settings no longer allow: tokens that may do more than its scopes,
 * and all that its former owner could act with: its own tokens and its secret, for which it gets `secretHash`.
 */
export async function writeApplication(
  { db }: Pick<Context, 'db'>,
  { keepsSecret, ...wanted }: SavedApplication & { keepsSecret: boolean },
): Promise<{ isNew: boolean; client: Client; hasNewOwner: boolean }> {
  const { id, now } = wanted
  return db.transaction(async (tx) => {
    const before = await findClient(tx, id)
    const ownerId = wanted.client?.ownerId
    const formerId = ownerId !== undefined && before?.ownerId !== ownerId ? before?.ownerId : null
    const hasNewOwner = typeof formerId === 'number'
    const isNew = await saveApplication(tx, { ...wanted, keepsSecret: keepsSecret && !hasNewOwner })
    const client = (await findClient(tx, id)) as Client
    const ended = hasNewOwner ? await revokeOwn(tx, { id, ownerId: formerId, now }) : []
    if (before && isNarrower(client, before)) {
      ended.push(...(await revokeBeyondScopes(tx, { id, scopes: client.scopes, now })))
    }
    publishAll(tx, ended)
    return { isNew, client, hasNewOwner }
  })
}

const isNarrower = (now: Client, before: Client) =>
  before.scopes.some((scope) => !now.scopes.includes(scope))

function publishAll(tx: Tx, userIds: readonly number[]): void {
  for (const userId of new Set(userIds)) publishRevocation(tx, userId)
}

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
