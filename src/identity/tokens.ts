import { LRUCache } from 'lru-cache'
import type { Authenticate, Caller } from '../http/caller.ts'
import type { TokenScope } from '../http/scopes.ts'
import { secondMs } from '../kernel/clock.ts'
import type { Context } from '../platform/context.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { findToken, insertToken } from './store.ts'
import { digestOf, formatToken, userOfToken } from './token.ts'

const cacheSize = 50_000
const cacheMs = 30 * secondMs
const channel = 'tokens'

/**
 * Returns the function that finds the caller of a token. It caches 50,000 callers for 30 s. A revocation clears the
 * user's entries in every process. While a process does not receive revocations, it uses no cache.
 */
export function createAuthenticate(ctx: Pick<Context, 'db' | 'now' | 'signals'>): Authenticate {
  const cache = new LRUCache<string, { caller: Caller; expiresAt: number }>({
    // `max` would allocate 2 MB at once.
    maxSize: cacheSize,
    sizeCalculation: () => 1,
    ttl: cacheMs,
  })
  // A look-up that began before a revocation must not enter the cache after it.
  let revocations = 0
  ctx.signals.on(channel, (userId) => {
    revocations++
    for (const [token, { caller }] of cache.entries()) {
      if (caller.userId === Number(userId)) cache.delete(token)
    }
  })
  ctx.signals.on('reset', () => {
    revocations++
    cache.clear()
  })

  return async (token) => {
    const hit = ctx.signals.listening ? cache.get(token) : undefined
    if (hit) return ctx.now().getTime() < hit.expiresAt ? hit.caller : undefined
    const userId = userOfToken(token)
    if (userId === undefined) return undefined
    const revocationsBefore = revocations
    const row = await findToken(ctx.db, { userId, digest: digestOf(token) })
    if (!row || row.expiresAt <= ctx.now()) return undefined
    const caller: Caller = {
      userId,
      applicationId: row.applicationId,
      isClientCredentials: row.isClientCredentials,
      scopes: row.scopes as readonly TokenScope[],
    }
    if (revocationsBefore === revocations && ctx.signals.listening)
      cache.set(token, { caller, expiresAt: row.expiresAt.getTime() })
    return caller
  }
}

/** Clears the user's cached tokens in every process. Call it in the transaction that revokes them. */
export function publishRevocation(tx: Tx, userId: number): void {
  tx.publish(channel, String(userId))
}

/** Creates an access token and returns it. Only its digest is stored. */
export async function issueToken(
  ctx: Pick<Context, 'now' | 'random'> & { db: Db },
  grant: {
    userId: number
    applicationId: number | null
    scopes: readonly TokenScope[]
    lifeSeconds: number
    /** The consent under which the token is issued, if any. */
    grantId?: string
    /** Whether the application asks for itself, in the name of its owner. */
    isClientCredentials?: boolean
  },
): Promise<string> {
  const now = ctx.now()
  const token = formatToken({ ...grant, secret: ctx.random.hex(16), now })
  await insertToken(ctx.db, {
    ...grant,
    grantId: grant.grantId ?? null,
    isClientCredentials: grant.isClientCredentials ?? false,
    digest: digestOf(token),
    expiresAt: new Date(now.getTime() + grant.lifeSeconds * secondMs),
  })
  return token
}
