import { LRUCache } from 'lru-cache'
import type { Authenticate, Caller } from '../http/caller.ts'
import type { TokenScope } from '../http/scopes.ts'
import { secondMs } from '../kernel/clock.ts'
import type { Context } from '../platform/context.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { findToken, insertToken } from './store.ts'
import { digestOf, userOfToken, writeToken } from './token.ts'

const remembered = 50_000
const rememberedMs = 30 * secondMs
const channel = 'tokens'

/**
 * Tells who bears a token. Answers are remembered for a bounded number of tokens and a bounded time,
 * and forgotten at once, in every process, when a token of that user is revoked; while a process
 * cannot hear of revocations it remembers nothing.
 */
export function makeAuthenticate(ctx: Pick<Context, 'db' | 'now' | 'signals'>): Authenticate {
  const known = new LRUCache<string, { caller: Caller; expiresAt: number }>({
    max: remembered,
    ttl: rememberedMs,
  })
  // A look-up that began before a revocation must not be remembered after it.
  let revocations = 0
  ctx.signals.on(channel, (userId) => {
    revocations++
    for (const [token, { caller }] of known.entries()) {
      if (caller.userId === Number(userId)) known.delete(token)
    }
  })
  ctx.signals.on('reset', () => {
    revocations++
    known.clear()
  })

  return async (token) => {
    const hit = ctx.signals.listening ? known.get(token) : undefined
    if (hit) return ctx.now().getTime() < hit.expiresAt ? hit.caller : undefined
    const userId = userOfToken(token)
    if (userId === undefined) return undefined
    const seen = revocations
    const row = await findToken(ctx.db, { userId, digest: digestOf(token) })
    if (!row || row.expiresAt <= ctx.now()) return undefined
    const caller: Caller = {
      userId,
      applicationId: row.applicationId,
      isClientCredentials: row.isClientCredentials,
      scopes: row.scopes as readonly TokenScope[],
    }
    if (seen === revocations && ctx.signals.listening)
      known.set(token, { caller, expiresAt: row.expiresAt.getTime() })
    return caller
  }
}

/** To be called in the transaction that revokes tokens of this user. */
export function publishRevocation(tx: Tx, userId: number): void {
  tx.publish(channel, String(userId))
}

/** Makes an access token; it is shown once and only its digest is kept. */
export async function issueToken(
  ctx: Pick<Context, 'now' | 'random'> & { db: Db },
  given: {
    userId: number
    applicationId: number | null
    scopes: readonly TokenScope[]
    lifeSeconds: number
    /** The consent that it comes of, where there was one. */
    grantId?: string
    /** The application asks for itself, in the name of its owner. */
    isClientCredentials?: boolean
  },
): Promise<string> {
  const now = ctx.now()
  const token = writeToken({ ...given, secret: ctx.random.hex(16), now })
  await insertToken(ctx.db, {
    ...given,
    grantId: given.grantId ?? null,
    isClientCredentials: given.isClientCredentials ?? false,
    digest: digestOf(token),
    expiresAt: new Date(now.getTime() + given.lifeSeconds * secondMs),
  })
  return token
}
