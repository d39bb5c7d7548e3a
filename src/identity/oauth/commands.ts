import { isTokenScope } from '../../http/scopes.ts'
import { secondMs } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Client } from '../applications/store.ts'
import { lockAuthorization, widenAuthorization } from '../grants/store.ts'
import { findToken, findUser, type Revoker, revokeToken } from '../store.ts'
import { digestOf, userOfToken, usualLifeSeconds } from '../token.ts'
import { issueToken, publishRevocation } from '../tokens.ts'
import { expectedScopes, readScopes, type Wanted } from './authorization-input.ts'
import { isAuthenticated, type RegisteredClient } from './client.ts'
import {
  causeOfEnd,
  codeLifeMs,
  type GrantRefusal,
  judgeCode,
  judgeRefresh,
  type RefusalCause,
  refreshLifeMs,
  refuse,
  reused,
  type TokenAnswer,
  userOfGrant,
  writeGrant,
} from './grant.ts'
import {
  findCode,
  findRefresh,
  findTokenApplication,
  forgetSuccessors,
  insertCode,
  insertRefresh,
  type RefreshToken,
  revokeGrant,
  spendCode,
  spendRefresh,
} from './store.ts'
import { openAnswer, sealAnswer } from './successor.ts'

type Tools = Pick<Context, 'db' | 'now' | 'random'>

/** Writes down that a user lets an application do this, and makes a code for it. */
export async function grantCode(
  { db, now, random }: Tools,
  given: { userId: number; client: Client; redirectUri: string; wanted: Wanted },
): Promise<string> {
  const { userId, client, redirectUri, wanted } = given
  const code = writeGrant({ secret: random.hex(16), userId })
  await db.transaction(async (tx) => {
    const { scopes, challenge } = wanted
    await widenAuthorization(tx, { userId, applicationId: client.id, scopes }, now())
    insertCode(tx, {
      userId,
      applicationId: client.id,
      redirectUri,
      scopes,
      challenge,
      digest: digestOf(code),
      grantId: random.hex(16),
      expiresAt: new Date(now().getTime() + codeLifeMs),
    })
  })
  return code
}

/** Tokens for a code, once. A code that comes again ends what it led to. Throws `invalid_grant`. */
export async function exchangeCode(
  { db, now, random }: Tools,
  handed: { client: RegisteredClient; code: string; redirectUri?: string; verifier?: string },
): Promise<TokenAnswer> {
  const { client, redirectUri, verifier } = handed
  return answerOrFail(
    { client, kind: 'authorization code' },
    await db.transaction(async (tx) => {
      const locked = await lockGrant(tx, { text: handed.code, client })
      const code = locked && (await findCode(tx, locked.which))
      if (!code) return refuse('unknown')
      const { userId, grantId, revokedBy } = code
      const ended = refusalOfEnd(locked.authorization, revokedBy)
      if (ended) return ended
      const scopes = stillAllowed(client, code.scopes)
      const verdict = judgeCode(code, { redirectUri, verifier, client, now: now() })
      if (verdict !== 'honoured') {
        if (verdict.endsGrant) endGrant(tx, { userId, grantId, revokedBy: 'reuse', now: now() })
        return verdict
      }
      spendCode(tx, code, now())
      return issueTokens(
        { db: tx, now, random },
        { client, userId, grantId, scopes, granted: scopes },
      )
    }),
  )
}

/**
 * New tokens for a refresh token, which is spent by that. An authenticated client that presents it again
 * within the grace is answered the same. In any other case a spent one that comes again is somebody's
 * copy, whoever came first, so everything that came of the same consent ends (RFC 9700, 4.14.2). Throws
 * `invalid_grant`.
 */
export async function refreshTokens(
  { config, db, now, random }: Tools & Pick<Context, 'config'>,
  handed: { client: RegisteredClient; refreshToken: string; scope?: string },
): Promise<TokenAnswer> {
  const { client, refreshToken } = handed
  const graceMs = isAuthenticated(client) ? config.tokens.refreshGraceMs : 0
  return answerOrFail(
    { client, kind: 'refresh token' },
    await db.transaction(async (tx) => {
      const locked = await lockGrant(tx, { text: refreshToken, client })
      const token = locked && (await findRefresh(tx, locked.which))
      if (!token || token.applicationId !== client.id) return refuse('unknown')
      const { userId, grantId, revokedBy } = token
      const ended = refusalOfEnd(locked.authorization, revokedBy)
      if (ended) return ended
      const granted = stillAllowed(client, token.scopes)
      const scopes = readScopes(handed.scope, granted)
      const judged = judgeRefresh(token, { now: now(), graceMs })
      if (judged === 'repeated' && scopes) {
        const repeated = await repeatAnswer(tx, { token, refreshToken, scopes, now: now() })
        if (repeated) return repeated
      }
      const verdict = judged === 'repeated' ? reused : judged
      if (verdict !== 'honoured') {
        if (verdict.endsGrant) endGrant(tx, { userId, grantId, revokedBy: 'reuse', now: now() })
        return verdict
      }
      if (!scopes) throw new Failure('invalid_scope', expectedScopes(granted))
      const answer = await issueTokens(
        { db: tx, now, random },
        { client, userId, grantId, scopes, granted },
      )
      const successor = graceMs > 0 ? sealAnswer(random, refreshToken, answer) : null
      spendRefresh(tx, { ...token, successor, now: now() })
      return answer
    }),
  )
}

/** Returns what a refresh token was exchanged for, as long as both tokens of it are good, the new refresh
 * token is not spent, and the same scopes are asked for. */
async function repeatAnswer(
  tx: Tx,
  asked: { token: RefreshToken; refreshToken: string; scopes: readonly string[]; now: Date },
): Promise<TokenAnswer | undefined> {
  const { token, refreshToken, scopes, now } = asked
  const { userId } = token
  const answer = openAnswer(refreshToken, token.successor ?? '')
  if (answer?.scope !== scopes.join(' ')) return undefined
  const access = await findToken(tx, { userId, digest: digestOf(answer.access_token) })
  if (!access || access.expiresAt <= now) return undefined
  if (answer.refresh_token !== undefined) {
    const next = await findRefresh(tx, { userId, digest: digestOf(answer.refresh_token) })
    if (!next || next.usedAt !== null || next.revokedAt !== null) return undefined
  }
  const leftSeconds = Math.floor((access.expiresAt.getTime() - now.getTime()) / secondMs)
  return { ...answer, expires_in: Math.min(leftSeconds, answer.expires_in) }
}

/** Forgets what may not be answered again because the grace is over. */
export async function endGraces({
  config,
  db,
  now,
}: Pick<Context, 'config' | 'db' | 'now'>): Promise<false> {
  await forgetSuccessors(db, new Date(now().getTime() - config.tokens.refreshGraceMs))
  return false
}

/** What a user has granted, as far as the application may still have it. Throws `invalid_scope`. */
function stillAllowed(client: Client, granted: readonly string[]): readonly string[] {
  const allowed = granted.filter((scope) => client.scopes.includes(scope))
  if (allowed.length === 0) throw new Failure('invalid_scope', expectedScopes(client.scopes))
  return allowed
}

/** A token for an application's own doings, in the name of its owner. */
export async function ownToken(
  ctx: Tools,
  { client, scope }: { client: RegisteredClient; scope?: string },
): Promise<TokenAnswer> {
  if (!client.isProven) throw new Failure('invalid_client')
  if (client.isPublic)
    throw new Failure('unauthorized_client', 'a public application keeps no secret')
  const { ownerId } = client
  if (ownerId === null) throw new Failure('unauthorized_client', 'it has no owner to act for')
  // Nobody need be asked again: it may come for another whenever it likes.
  const allowed = client.scopes.filter(isTokenScope)
  const scopes = readScopes(scope, allowed)
  if (!scopes || scopes.length === 0) {
    throw new Failure('invalid_scope', expectedScopes(allowed))
  }
  const owner = await findUser(ctx.db, ownerId)
  if (owner?.status !== 'active')
    throw new Failure('unauthorized_client', 'its owner’s account is closed')
  return answerOf(ctx, { client, userId: ownerId, scopes, isClientCredentials: true })
}

/**
 * Revokes a token at the application's wish (RFC 7009): with a refresh token all that came of the same
 * consent, with an access token that one. One that there is not, or is no more, is fine already.
 */
export async function revokeAtWish(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { client, token }: { client: RegisteredClient; token: string },
): Promise<void> {
  const digest = digestOf(token)
  const userId = userOfGrant(token) ?? userOfToken(token)
  if (userId === undefined) return
  const refresh = await findRefresh(db, { userId, digest })
  const access = await findTokenApplication(db, { userId, digest })
  const found = refresh ?? access
  if (!found) return
  if (found.applicationId !== client.id) throw refusalOf({ client, kind: 'token' }, 'unknown')
  await db.transaction(async (tx) => {
    await lockAuthorization(tx, { userId, applicationId: client.id })
    if (refresh) {
      const { grantId } = refresh
      endGrant(tx, { userId, grantId, revokedBy: 'application', now: now() })
    } else if (await revokeToken(tx, { userId, digest, now: now() })) publishRevocation(tx, userId)
  })
}

function endGrant(tx: Tx, ended: Parameters<typeof revokeGrant>[1]): void {
  publishRevocation(tx, ended.userId)
  revokeGrant(tx, ended)
}

/** Locks the authorization that a code or refresh token came of. Returns where its row is to be found, and whether
 * the authorization and its user are still there. */
async function lockGrant(
  tx: Tx,
  { text, client }: { text: string; client: Client },
): Promise<LockedGrant | undefined> {
  const userId = userOfGrant(text)
  if (userId === undefined) return undefined
  const which = { userId, applicationId: client.id, digest: digestOf(text) }
  if (!(await lockAuthorization(tx, which))) return { which, authorization: 'ended' }
  const user = await findUser(tx, userId)
  return { which, authorization: user?.status === 'active' ? 'in_force' : 'account_closed' }
}

interface LockedGrant {
  which: { userId: number; applicationId: number; digest: string }
  authorization: 'in_force' | 'ended' | 'account_closed'
}

/** Returns why nothing is issued under this authorization, or undefined while it is in force. */
function refusalOfEnd(
  authorization: LockedGrant['authorization'],
  revokedBy: Revoker | null,
): GrantRefusal | undefined {
  if (authorization === 'in_force') return undefined
  return refuse(authorization === 'ended' ? causeOfEnd(revokedBy) : authorization)
}

interface Presented {
  client: RegisteredClient
  kind: 'authorization code' | 'refresh token' | 'token'
}

/** What was refused is refused after the commit, which may have ended something. */
function answerOrFail(presented: Presented, result: TokenAnswer | GrantRefusal): TokenAnswer {
  if ('cause' in result) throw refusalOf(presented, result.cause)
  return result
}

/** The cause is for a client that has proved who it is. Anybody else learns nothing about what it holds. */
function refusalOf({ client, kind }: Presented, cause: RefusalCause): Failure {
  return isAuthenticated(client)
    ? new Failure(`invalid_grant_${cause}`, kind)
    : new Failure('invalid_grant')
}

interface Handed {
  client: Client
  userId: number
  scopes: readonly string[]
  grantId: string
  /** What the consent was to: a refresh token stands for all of it (RFC 6749, 6). */
  granted: readonly string[]
}

async function issueTokens(
  ctx: Pick<Context, 'now' | 'random'> & { db: Tx },
  { granted, ...given }: Handed,
): Promise<TokenAnswer> {
  const answer = await answerOf(ctx, given)
  if (!granted.includes('offline_access')) return answer
  const { userId, grantId, client } = given
  const refreshToken = writeGrant({ secret: ctx.random.hex(12), userId })
  insertRefresh(ctx.db, {
    userId,
    grantId,
    applicationId: client.id,
    scopes: granted,
    digest: digestOf(refreshToken),
    expiresAt: new Date(ctx.now().getTime() + refreshLifeMs),
  })
  return { ...answer, refresh_token: refreshToken }
}

async function answerOf(
  ctx: Parameters<typeof issueToken>[0],
  given: {
    client: Client
    userId: number
    scopes: readonly string[]
    grantId?: string
    isClientCredentials?: boolean
  },
): Promise<TokenAnswer> {
  const { client, userId, scopes, grantId, isClientCredentials = false } = given
  const token = await issueToken(ctx, {
    userId,
    applicationId: client.id,
    lifeSeconds: usualLifeSeconds,
    isClientCredentials,
    scopes: scopes.filter(isTokenScope),
    ...(grantId === undefined ? {} : { grantId }),
  })
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: usualLifeSeconds,
    scope: scopes.join(' '),
    user_id: userId,
  }
}
