import { hash } from 'node:crypto'
import { dayMs, minuteMs } from '../../kernel/clock.ts'
import type { Client } from '../applications/store.ts'
import type { Revoker } from '../store.ts'
import type { Code, RefreshToken } from './store.ts'

export const codeLifeMs = 10 * minuteMs
/** Six months (wire 5). */
export const refreshLifeMs = 183 * dayMs

/** What an application is answered (wire 5). */
export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
  user_id: number
  refresh_token?: string
}

const shape = /^TG-([0-9a-f]{24}|[0-9a-f]{32})-([1-9]\d{0,15})$/

/** A code or a refresh token, which look alike: `TG-<hex digits>-<user>`. */
export function writeGrant({ secret, userId }: { secret: string; userId: number }): string {
  return `TG-${secret}-${userId}`
}

/** The user that it says it is of, so that it can be looked up with that user's rows. */
export function userOfGrant(text: string): number | undefined {
  const user = shape.exec(text)?.[2]
  return user === undefined ? undefined : Number(user)
}

const verifierShape = /^[A-Za-z0-9._~-]{43,128}$/

/** Why a code or a refresh token is refused; each has its words in the table of failures. */
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
  /** Whether all that came of the same consent ends with it. */
  endsGrant: boolean
}

export type Verdict = 'honoured' | GrantRefusal

/** A refresh token that comes again within the grace may also be answered as it was the first time. */
export type RefreshVerdict = Verdict | 'repeated'

export const refuse = (cause: RefusalCause): GrantRefusal => ({ cause, endsGrant: false })
/** A spent code or refresh token that comes again is somebody's copy. */
export const reused: GrantRefusal = { cause: 'used', endsGrant: true }

/** Why what came of an ended consent is refused. */
export function causeOfEnd(revokedBy: Revoker | null): RefusalCause {
  if (revokedBy === null) return 'revoked'
  return revokedBy === 'reuse' ? 'ended_by_reuse' : `revoked_by_${revokedBy}`
}

/**
 * What becomes of a code. One that was used is somebody's copy, whoever came first. One whose proof
 * does not fit is left as it was: who can only guess at it must not be able to spend it.
 */
export function judgeCode(
  code: Code,
  handed: {
    redirectUri: string | undefined
    verifier: string | undefined
    client: Pick<Client, 'requiresPkce' | 'isPublic'>
    now: Date
  },
): Verdict {
  const { redirectUri, verifier, client, now } = handed
  if (code.revokedBy !== null) return { ...reused, cause: causeOfEnd(code.revokedBy) }
  if (code.usedAt !== null) return reused
  if (code.expiresAt <= now) return refuse('expired')
  if (code.redirectUri !== redirectUri) return refuse('redirect_uri')
  // A verifier without a challenge tells of a challenge that was taken out on the way (RFC 9700, 2.1.1).
  if (code.challenge === null) {
    if (verifier !== undefined) return refuse('verifier_unexpected')
    const isOpen = !client.requiresPkce && !client.isPublic
    return isOpen ? 'honoured' : refuse('challenge_missing')
  }
  if (verifier === undefined) return refuse('verifier_missing')
  const isRight = verifierShape.test(verifier) && challengeOf(verifier) === code.challenge
  return isRight ? 'honoured' : refuse('verifier_wrong')
}

/** S256 (RFC 7636, 4.2). */
export function challengeOf(verifier: string): string {
  return hash('sha256', verifier, 'base64url')
}

/** What becomes of a refresh token. `graceMs` is 0 for a client that has no grace. */
export function judgeRefresh(
  token: Pick<RefreshToken, 'usedAt' | 'revokedAt' | 'revokedBy' | 'expiresAt' | 'successor'>,
  { now, graceMs }: { now: Date; graceMs: number },
): RefreshVerdict {
  const { usedAt, revokedAt, revokedBy, successor } = token
  // Who ended the consent says more than that the token was spent before.
  if (revokedBy !== null && revokedBy !== 'reuse') {
    return { cause: causeOfEnd(revokedBy), endsGrant: usedAt !== null }
  }
  if (usedAt !== null) {
    // Another process's clock may be behind, so the grace runs both ways, as far as it is long.
    const isWithinGrace = Math.abs(now.getTime() - usedAt.getTime()) < graceMs
    const canRepeat = isWithinGrace && revokedAt === null && successor !== null
    return canRepeat ? 'repeated' : reused
  }
  if (revokedAt !== null) return refuse(causeOfEnd(revokedBy))
  return token.expiresAt <= now ? refuse('expired') : 'honoured'
}
