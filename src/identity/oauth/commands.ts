import { isTokenScope } from '../../http/scopes.ts'
import { secondMs } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OAuthClient } from '../applications/store.ts'
import { lockAuthorization, widenAuthorization } from '../grants/store.ts'
import { findToken, findUser, type Revoker, revokeToken } from '../store.ts'
import { defaultTokenLifeSeconds, digestOf, userOfToken } from '../token.ts'
import { issueToken, publishRevocation } from '../tokens.ts'
import { expectedScopes, type RequestedGrant, readScopes } from './authorization-input.ts'
import { type IdentifiedClient, isAuthenticated } from './client.ts'
import {
  codeLifeMs,
  formatGrant,
  type GrantRefusal,
  grantRefusal,
  type RefusalCause,
  refreshLifeMs,
  refusalCauseOf,
  reuseRefusal,
  type TokenAnswer,
  userOfGrant,
  validateCode,
  validateRefreshToken,
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

/** Records the consent of a user and returns an authorization code for it. */
export async function grantCode(
  { db, now, random }: Tools,
  consent: { userId: number; client: OAuthClient; redirectUri: string; wanted: RequestedGrant },
): Promise<string> {
  const { userId, client, redirectUri, wanted } = consent
  const code = formatGrant({ secret: random.hex(16), userId })
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

/** Exchanges an authorization code for tokens, once. A second use revokes everything issued under the same consent.
 * Throws `invalid_grant`. */
export async function exchangeCode(
  { db, now, random }: Tools,
  request: { client: IdentifiedClient; code: string; redirectUri?: string; verifier?: string },
): Promise<TokenAnswer> {
  const { client, redirectUri, verifier } = request
  return answerOrFail(
    { client, kind: 'authorization code' },
    await db.transaction(async (tx) => {
      const locked = await lockGrant(tx, { text: request.code, client })
      const code = locked && (await findCode(tx, locked.key))
      if (!code) return grantRefusal('unknown')
      const { userId, grantId, revokedBy } = code
      const ended = refusalOfEnd(locked.authorization, revokedBy)
      if (ended) return ended
      const scopes = stillAllowed(client, code.scopes)
      const verdict = validateCode(code, { redirectUri, verifier, client, now: now() })
      if (verdict !== 'honoured') {
        if (verdict.endsGrant) endGrant(tx, { userId, grantId, revokedBy: 'reuse', now: now() })
        return verdict
      }
      spendCode(tx, code, now())
      return issueTokens(
        { db: tx, now, random },
        { client, userId, grantId, scopes, grantedScopes: scopes },
      )
    }),
  )
}

/**
 * Exchanges a refresh token for new tokens and spends it. An authenticated client that repeats the request within
 * the grace period gets the same answer. Any other second use means that the token was copied: everything issued
 * under the same consent is revoked (RFC 9700, 4.14.2). Throws `invalid_grant`.
 */
export async function refreshTokens(
  { config, db, now, random }: Tools & Pick<Context, 'config'>,
  request: { client: IdentifiedClient; refreshToken: string; scope?: string },
): Promise<TokenAnswer> {
  const { client, refreshToken } = request
  const graceMs = isAuthenticated(client) ? config.tokens.refreshGraceMs : 0
  return answerOrFail(
    { client, kind: 'refresh token' },
    await db.transaction(async (tx) => {
      const locked = await lockGrant(tx, { text: refreshToken, client })
      const token = locked && (await findRefresh(tx, locked.key))
      if (!token || token.applicationId !== client.id) return grantRefusal('unknown')
      const { userId, grantId, revokedBy } = token
      const ended = refusalOfEnd(locked.authorization, revokedBy)
      if (ended) return ended
      const granted = stillAllowed(client, token.scopes)
      const scopes = readScopes(request.scope, granted)
      const judged = validateRefreshToken(token, { now: now(), graceMs })
      if (judged === 'repeated' && scopes) {
        const repeated = await repeatAnswer(tx, { token, refreshToken, scopes, now: now() })
        if (repeated) return repeated
      }
      const verdict = judged === 'repeated' ? reuseRefusal : judged
      if (verdict !== 'honoured') {
        if (verdict.endsGrant) endGrant(tx, { userId, grantId, revokedBy: 'reuse', now: now() })
        return verdict
      }
      if (!scopes) throw new Failure('invalid_scope', expectedScopes(granted))
      const answer = await issueTokens(
        { db: tx, now, random },
        { client, userId, grantId, scopes, grantedScopes: granted },
      )
      const successor = graceMs > 0 ? sealAnswer(random, refreshToken, answer) : null
      spendRefresh(tx, { ...token, successor, now: now() })
      return answer
    }),
  )
}

/** Returns the earlier answer to a refresh token, or undefined. The scopes must be the same, its access token valid,
 * and its refresh token neither spent nor revoked. */
async function repeatAnswer(
  tx: Tx,
  repeated: { token: RefreshToken; refreshToken: string; scopes: readonly string[]; now: Date },
): Promise<TokenAnswer | undefined> {
  const { token, refreshToken, scopes, now } = repeated
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

/** Deletes stored answers whose grace period is over. Returns false: the loop has nothing more to do at once. */
export async function deleteExpiredSuccessors({
  config,
  db,
  now,
}: Pick<Context, 'config' | 'db' | 'now'>): Promise<false> {
  await forgetSuccessors(db, new Date(now().getTime() - config.tokens.refreshGraceMs))
  return false
}

/** Returns the granted scopes that the application may still have. Throws `invalid_scope` if none is left. */
function stillAllowed(client: OAuthClient, granted: readonly string[]): readonly string[] {
  const allowed = granted.filter((scope) => client.scopes.includes(scope))
  if (allowed.length === 0) throw new Failure('invalid_scope', expectedScopes(client.scopes))
  return allowed
}

/** Issues a token to the application itself, in the name of its owner (`client_credentials`). Throws
 * `invalid_client`, `unauthorized_client` or `invalid_scope`. */
export async function issueClientCredentialsToken(
  ctx: Tools,
  { client, scope }: { client: IdentifiedClient; scope?: string },
): Promise<TokenAnswer> {
  if (!client.hasValidSecret) throw new Failure('invalid_client')
  if (client.isPublic)
    throw new Failure('unauthorized_client', 'a public application keeps no secret')
  const { ownerId } = client
  if (ownerId === null) throw new Failure('unauthorized_client', 'it has no owner to act for')
  // No refresh token, so no grant scopes: the application can ask for another token at any time.
  const allowed = client.scopes.filter(isTokenScope)
  const scopes = readScopes(scope, allowed)
  if (!scopes || scopes.length === 0) {
    throw new Failure('invalid_scope', expectedScopes(allowed))
  }
  const owner = await findUser(ctx.db, ownerId)
  if (owner?.status !== 'active')
    throw new Failure('unauthorized_client', 'its owner’s account is closed')
  return issueAccessToken(ctx, { client, userId: ownerId, scopes, isClientCredentials: true })
}

/**
 * Revokes a token for its application (RFC 7009). A refresh token ends everything issued under the same consent, an
 * access token only itself. An unknown or expired token is no error. Throws `invalid_grant` for another
 * application's token.
 */
export async function revokeForClient(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { client, token }: { client: IdentifiedClient; token: string },
): Promise<void> {
  const digest = digestOf(token)
  const userId = userOfGrant(token) ?? userOfToken(token)
  if (userId === undefined) return
  const refresh = await findRefresh(db, { userId, digest })
  const access = await findTokenApplication(db, { userId, digest })
  const storedToken = refresh ?? access
  if (!storedToken) return
  if (storedToken.applicationId !== client.id) throw refusalOf({ client, kind: 'token' }, 'unknown')
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

/** Locks the authorization of a code or refresh token. Returns the key of its row, and whether the authorization is
 * in force. */
async function lockGrant(
  tx: Tx,
  { text, client }: { text: string; client: OAuthClient },
): Promise<LockedGrant | undefined> {
  const userId = userOfGrant(text)
  if (userId === undefined) return undefined
  const key = { userId, applicationId: client.id, digest: digestOf(text) }
  if (!(await lockAuthorization(tx, key))) return { key, authorization: 'ended' }
  const user = await findUser(tx, userId)
  return { key, authorization: user?.status === 'active' ? 'in_force' : 'account_closed' }
}

interface LockedGrant {
  key: { userId: number; applicationId: number; digest: string }
  authorization: 'in_force' | 'ended' | 'account_closed'
}

/** Returns the refusal for an authorization that has ended, or undefined while it is in force. */
function refusalOfEnd(
  authorization: LockedGrant['authorization'],
  revokedBy: Revoker | null,
): GrantRefusal | undefined {
  if (authorization === 'in_force') return undefined
  return grantRefusal(authorization === 'ended' ? refusalCauseOf(revokedBy) : authorization)
}

interface PresentedGrant {
  client: IdentifiedClient
  kind: 'authorization code' | 'refresh token' | 'token'
}

/** Throws a refusal. Called after the commit, because a refusal may have revoked tokens that must stay revoked. */
function answerOrFail(presented: PresentedGrant, result: TokenAnswer | GrantRefusal): TokenAnswer {
  if ('cause' in result) throw refusalOf(presented, result.cause)
  return result
}

/** Only an authenticated client learns the cause. Anybody else must not learn whether a token exists. */
function refusalOf({ client, kind }: PresentedGrant, cause: RefusalCause): Failure {
  return isAuthenticated(client)
    ? new Failure(`invalid_grant_${cause}`, kind)
    : new Failure('invalid_grant')
}

interface TokenGrant {
  client: OAuthClient
  userId: number
  scopes: readonly string[]
  grantId: string
  /** All scopes of the consent, which a refresh token keeps (RFC 6749, 6). `scopes` may be fewer. */
  grantedScopes: readonly string[]
}

/** Issues an access token, and a refresh token if `offline_access` was granted. */
async function issueTokens(
  ctx: Pick<Context, 'now' | 'random'> & { db: Tx },
  { grantedScopes, ...grant }: TokenGrant,
): Promise<TokenAnswer> {
  const answer = await issueAccessToken(ctx, grant)
  if (!grantedScopes.includes('offline_access')) return answer
  const { userId, grantId, client } = grant
  const refreshToken = formatGrant({ secret: ctx.random.hex(12), userId })
  insertRefresh(ctx.db, {
    userId,
    grantId,
    applicationId: client.id,
    scopes: grantedScopes,
    digest: digestOf(refreshToken),
    expiresAt: new Date(ctx.now().getTime() + refreshLifeMs),
  })
  return { ...answer, refresh_token: refreshToken }
}

/** Issues an access token with those scopes that access tokens carry. */
async function issueAccessToken(
  ctx: Parameters<typeof issueToken>[0],
  grant: {
    client: OAuthClient
    userId: number
    scopes: readonly string[]
    grantId?: string
    isClientCredentials?: boolean
  },
): Promise<TokenAnswer> {
  const { client, userId, scopes, grantId, isClientCredentials = false } = grant
  const token = await issueToken(ctx, {
    userId,
    applicationId: client.id,
    lifeSeconds: defaultTokenLifeSeconds,
    isClientCredentials,
    scopes: scopes.filter(isTokenScope),
    ...(grantId === undefined ? {} : { grantId }),
  })
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: defaultTokenLifeSeconds,
    scope: scopes.join(' '),
    user_id: userId,
  }
}
