import { LRUCache } from 'lru-cache'
import { bearerTokenOf, isOperator } from '../http/caller.ts'
import type { AuthenticateOperator, Operator } from '../http/operator.ts'
import { operatorPermissions } from '../http/permissions.ts'
import { digestOf } from '../identity/token.ts'
import { minuteMs, secondMs } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { Context } from '../platform/context.ts'
import { credentialKindOf, isAllowedAddress } from './credentials.ts'
import { permissionsOfRole } from './role.ts'
import { sessionEnd } from './session.ts'
import { siteLimitOf } from './site-limit.ts'
import { findTokenDisabledAt, operatorsChanged } from './store.ts'
import { findPresentedKey, markKeyUsed } from './store-keys.ts'
import { findPresentedSession, markSessionUsed } from './store-sessions.ts'

type Tools = Pick<Context, 'config' | 'db' | 'log' | 'now' | 'outageLog' | 'signals'>

const cacheSize = 1_000
const cacheMs = 5 * secondMs
/** The last use of a key or session is stored at most this often. */
const lastUsePrecisionMs = minuteMs

/** The bearer of the operator's token, who may do everything. */
export const tokenBearer: Operator = {
  actor: { kind: 'token' },
  permissions: new Set(operatorPermissions),
  sites: null,
}

interface Credential {
  operator: Operator
  /** When it ends, in milliseconds. `Infinity` if it does not. */
  endsAt: number
  allowedAddresses: readonly string[]
}

/**
 * Returns the function that finds the operator of a request. It caches credentials for 5 s. A change clears them in
 * every process. While a process does not receive changes, it uses no cache.
 */
export function createAuthenticateOperator(ctx: Tools): AuthenticateOperator {
  const isTokenEnabled = followToken(ctx)
  const cache = new LRUCache<string, Credential & { readAt: number }>({ max: cacheSize })
  // A look-up that began before a change must not enter the cache after it.
  let changes = 0
  const clear = () => {
    changes++
    cache.clear()
  }
  ctx.signals.on(operatorsChanged, clear)
  ctx.signals.on('reset', clear)

  async function findCredential(token: string): Promise<Credential | undefined> {
    const kind = credentialKindOf(token)
    if (kind === undefined) return undefined
    const digest = digestOf(token)
    const readAt = ctx.now().getTime()
    const hit = ctx.signals.listening ? cache.get(digest) : undefined
    if (hit && Math.abs(readAt - hit.readAt) < cacheMs) return hit
    const changesBefore = changes
    const credential = await (kind === 'key' ? readKey : readSession)(ctx, digest)
    if (credential && changesBefore === changes && ctx.signals.listening) {
      cache.set(digest, { ...credential, readAt })
    }
    return credential
  }

  return async ({ authorization, address }) => {
    const token = bearerTokenOf(authorization)
    if (token === undefined) return undefined
    if (isOperator(authorization, ctx.config.operatorToken)) {
      return (await isTokenEnabled()) ? tokenBearer : undefined
    }
    const credential = await findCredential(token)
    if (!credential || credential.endsAt <= ctx.now().getTime()) return undefined
    const { operator, allowedAddresses } = credential
    if (isAllowedAddress(address, allowedAddresses)) return operator
    const key = operator.actor.kind === 'key' ? operator.actor.id : ''
    throw new Failure('operator_only', '', `API key ${key} is not allowed from ${address}`)
  }
}

/**
 * Returns the function that tells whether the operator's token is switched on. It remembers the answer for 5 s, or until
 * it changes. While the database does not answer, the last answer holds, so that the metrics of an outage can be read.
 */
function followToken({ db, now, signals }: Tools): () => Promise<boolean> {
  let state: { isEnabled: boolean; readAt: number } | undefined
  let isCurrent = false
  let changes = 0
  const forget = () => {
    changes++
    isCurrent = false
  }
  signals.on(operatorsChanged, forget)
  signals.on('reset', forget)
  return async () => {
    const readAt = now().getTime()
    const isFresh = isCurrent && signals.listening
    if (state && isFresh && Math.abs(readAt - state.readAt) < cacheMs) return state.isEnabled
    const changesBefore = changes
    try {
      state = { isEnabled: (await findTokenDisabledAt(db)) === null, readAt }
      isCurrent = changesBefore === changes
    } catch (error) {
      if (!state) throw error
    }
    return state.isEnabled
  }
}

async function readKey(ctx: Tools, digest: string): Promise<Credential | undefined> {
  const key = await findPresentedKey(ctx.db, digest)
  if (!key) return undefined
  const { id, name, role, permissions, sites, allowedAddresses, expiresAt, lastUsedAt } = key
  const endsAt = expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (endsAt > ctx.now().getTime()) await markUsed(ctx, { lastUsedAt, id, mark: markKeyUsed })
  const operator: Operator = {
    actor: { kind: 'key', id, name },
    permissions: permissionsOfRole(role, permissions),
    sites: siteLimitOf(sites),
  }
  return { operator, endsAt, allowedAddresses }
}

async function readSession(ctx: Tools, digest: string): Promise<Credential | undefined> {
  const session = await findPresentedSession(ctx.db, digest)
  if (!session) return undefined
  const { id, accountId, name, role, permissions, sites, lastUsedAt, verifiedAt } = session
  if (sessionEnd(session) <= ctx.now()) return undefined
  await markUsed(ctx, { lastUsedAt, id, mark: markSessionUsed })
  const operator: Operator = {
    actor: { kind: 'account', id: accountId, name },
    permissions: permissionsOfRole(role, permissions),
    sites: siteLimitOf(sites),
    verifiedAt,
  }
  const endsAt = sessionEnd({ ...session, lastUsedAt: ctx.now() }).getTime()
  return { operator, endsAt, allowedAddresses: [] }
}

/** Stores the use of a credential if the last one was stored long enough ago. A request succeeds without it. */
async function markUsed<Id>(
  { db, log, now, outageLog }: Tools,
  use: {
    id: Id
    lastUsedAt: Date | null
    mark: (db: Tools['db'], use: { id: Id; now: Date; since: Date }) => Promise<void>
  },
): Promise<void> {
  const at = now()
  const since = new Date(at.getTime() - lastUsePrecisionMs)
  if (use.lastUsedAt !== null && use.lastUsedAt >= since) return
  try {
    await use.mark(db, { id: use.id, now: at, since })
  } catch (error) {
    if (!outageLog.record(error, {})) log.warn({ err: error }, 'the use of a credential')
  }
}
