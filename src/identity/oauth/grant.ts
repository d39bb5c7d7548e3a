import { hash } from 'node:crypto'
import { dayMs, minuteMs } from '../../kernel/clock.ts'
import type { OAuthClient } from '../applications/store.ts'
import type { Revoker } from '../store.ts'
import type { AuthorizationCode, RefreshToken } from './store.ts'

export const codeLifeMs = 10 * minuteMs
/** Six months. */
export const refreshLifeMs = 183 * dayMs

/** The body of an answer to a token request. */
export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
  user_id: number
  refresh_token?: string
}

const shape = /^TG-([0-9a-f]{24}|[0-9a-f]{32})-([1-9]\d{0,15})$/

/** Formats an authorization code or a refresh token: `TG-<hex digits>-<user>`. */
export function formatGrant({ secret, userId }: { secret: string; userId: number }): string {
  return `TG-${secret}-${userId}`
}

/** Returns the user id written in a code or refresh token, which names the shard of its row. */
export function userOfGrant(text: string): number | undefined {
  const user = shape.exec(text)?.[2]
  return user === undefined ? undefined : Number(user)
}

const verifierShape = /^[A-Za-z0-9._~-]{43,128}$/

/** Why a code or refresh token is refused. The failure `invalid_grant_<cause>` has the text of each. */
export type RefusalCause =
  | 'unknown'
  | 'expired'
  | 'used'
  | 'ended_by_reuse'
  | 'revoked'
  | 'revoked_by_user'
  | 'revoked_by_application'
  | 'revoked_by_operator'
  | 'account_closed'
  | 'redirect_uri'
  | 'verifier_missing'
  | 'verifier_wrong'
  | 'verifier_unexpected'
  | 'challenge_missing'

export interface GrantRefusal {
  cause: RefusalCause
  /** Whether everything issued under the same consent must be revoked. */
  endsGrant: boolean
}

export type GrantVerdict = 'honoured' | GrantRefusal

/** `repeated`: a spent refresh token came again within the grace period and gets its first answer again. */
export type RefreshVerdict = GrantVerdict | 'repeated'

export const grantRefusal = (cause: RefusalCause): GrantRefusal => ({ cause, endsGrant: false })
/** The refusal of a spent code or refresh token: a second use means that it was copied. */
export const reuseRefusal: GrantRefusal = { cause: 'used', endsGrant: true }

/** Returns the cause of refusal for a consent that ended. */
export function refusalCauseOf(revokedBy: Revoker | null): RefusalCause {
  if (revokedBy === null) return 'revoked'
  return revokedBy === 'reuse' ? 'ended_by_reuse' : `revoked_by_${revokedBy}`
}

/**
 * Decides whether a code is exchanged. A used code counts as copied, whoever used it first. A wrong redirect address
 * or verifier does not spend the code, so that an attacker without the verifier cannot destroy it.
 */
export function validateCode(
  code: AuthorizationCode,
  request: {
    redirectUri: string | undefined
    verifier: string | undefined
    client: Pick<OAuthClient, 'requiresPkce' | 'isPublic'>
    now: Date
  },
): GrantVerdict {
  const { redirectUri, verifier, client, now } = request
  if (code.revokedBy !== null) return { ...reuseRefusal, cause: refusalCauseOf(code.revokedBy) }
  if (code.usedAt !== null) return reuseRefusal
  if (code.expiresAt <= now) return grantRefusal('expired')
  if (code.redirectUri !== redirectUri) return grantRefusal('redirect_uri')
  // A verifier without a challenge means that an attacker removed the challenge on the way (RFC 9700, 2.1.1).
  if (code.challenge === null) {
    if (verifier !== undefined) return grantRefusal('verifier_unexpected')
    const isOpen = !client.requiresPkce && !client.isPublic
    return isOpen ? 'honoured' : grantRefusal('challenge_missing')
  }
  if (verifier === undefined) return grantRefusal('verifier_missing')
  const isRight = verifierShape.test(verifier) && challengeOf(verifier) === code.challenge
  return isRight ? 'honoured' : grantRefusal('verifier_wrong')
}

/** Returns the S256 challenge of a PKCE verifier (RFC 7636, 4.2). */
function challengeOf(verifier: string): string {
  return hash('sha256', verifier, 'base64url')
}

/** Decides whether a refresh token is exchanged. `graceMs` is 0 for a client without a grace period. */
export function validateRefreshToken(
  token: Pick<RefreshToken, 'usedAt' | 'revokedAt' | 'revokedBy' | 'expiresAt' | 'successor'>,
  { now, graceMs }: { now: Date; graceMs: number },
): RefreshVerdict {
  const { usedAt, revokedAt, revokedBy, successor } = token
  // A revocation explains more than an earlier use, so it is reported first.
  if (revokedBy !== null && revokedBy !== 'reuse') {
    return { cause: refusalCauseOf(revokedBy), endsGrant: usedAt !== null }
  }
  if (usedAt !== null) {
    // The clock of another process may be behind, so the grace period extends in both directions.
    const isWithinGrace = Math.abs(now.getTime() - usedAt.getTime()) < graceMs
    const canRepeat = isWithinGrace && revokedAt === null && successor !== null
    return canRepeat ? 'repeated' : reuseRefusal
  }
  if (revokedAt !== null) return grantRefusal(refusalCauseOf(revokedBy))
  return token.expiresAt <= now ? grantRefusal('expired') : 'honoured'
}
