import { hash } from 'node:crypto'
import { dayMs, minuteMs } from '../../kernel/clock.ts'
import type { Client } from '../applications/store.ts'
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

/** What becomes of a code or a refresh token that is handed in: tokens, a refusal, or a refusal that
 * ends all that came of the same consent. */
export type Verdict = 'honoured' | 'refused' | 'reused'

/** A refresh token that comes again within the grace may also be answered as it was the first time. */
export type RefreshVerdict = Verdict | 'repeated'

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
  if (code.usedAt !== null) return 'reused'
  if (code.expiresAt <= now || code.redirectUri !== redirectUri) return 'refused'
  // A verifier without a challenge tells of a challenge that was taken out on the way (RFC 9700, 2.1.1).
  if (code.challenge === null) {
    const isOpen = verifier === undefined && !client.requiresPkce && !client.isPublic
    return isOpen ? 'honoured' : 'refused'
  }
  if (verifier === undefined || !verifierShape.test(verifier)) return 'refused'
  return challengeOf(verifier) === code.challenge ? 'honoured' : 'refused'
}

/** S256 (RFC 7636, 4.2). */
export function challengeOf(verifier: string): string {
  return hash('sha256', verifier, 'base64url')
}

/** What becomes of a refresh token. `graceMs` is 0 for a client that has no grace. */
export function judgeRefresh(
  token: Pick<RefreshToken, 'usedAt' | 'revokedAt' | 'expiresAt' | 'successor'>,
  { now, graceMs }: { now: Date; graceMs: number },
): RefreshVerdict {
  if (token.usedAt !== null) {
    // Another process's clock may be behind, so the grace runs both ways, as far as it is long.
    const isWithinGrace = Math.abs(now.getTime() - token.usedAt.getTime()) < graceMs
    const canRepeat = isWithinGrace && token.revokedAt === null && token.successor !== null
    return canRepeat ? 'repeated' : 'reused'
  }
  return token.revokedAt !== null || token.expiresAt <= now ? 'refused' : 'honoured'
}
