import { hash, timingSafeEqual } from 'node:crypto'
import { networkOf } from './network.ts'
import type { TokenScope } from './scopes.ts'

/** The bearer of an access token. `applicationId` is null for a token without an application. */
export interface Caller {
  readonly userId: number
  readonly applicationId: number | null
  /** Whether the application got the token for itself (`grant_type=client_credentials`). `userId` was its owner then. */
  readonly isClientCredentials?: boolean
  readonly scopes: readonly TokenScope[]
}

/** The key of a caller in limits and queues: an application, a user or a network. */
export type CallerKey = string | number

/** Returns the key of a caller: the application of its token, or its user, or its network. */
export function callerKeyOf({ caller, ip }: { caller: Caller | undefined; ip: string }): CallerKey {
  return caller ? (caller.applicationId ?? `user ${caller.userId}`) : `network ${networkOf(ip)}`
}

/** Returns the caller of an access token. Undefined for an unknown, expired or revoked one. */
export type Authenticate = (token: string) => Promise<Caller | undefined>

/** Returns the token of a request: `Authorization: Bearer …` or `?access_token=…`. Undefined if there is none. */
export function tokenOf(request: {
  headers: { authorization?: string | undefined }
  query: unknown
}): string | undefined {
  const header = request.headers.authorization
  if (header !== undefined) {
    const match = /^Bearer +(\S+)$/i.exec(header)
    return match ? match[1] : ''
  }
  const values = [(request.query as Record<string, unknown>)['access_token'] ?? []].flat()
  const [token] = values
  // A repeated parameter counts once if all its values are equal.
  const isOne = typeof token === 'string' && values.every((value) => value === token)
  return isOne && token !== '' ? token : undefined
}

/** Returns the token of an `Authorization` header, or undefined. */
export function bearerTokenOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}

/** Returns whether the `Authorization` header has the operator's token, compared in constant time. The query is not
 * read, because queries end up in the logs of proxies. */
export function isOperator(authorization: string | undefined, operatorToken: string): boolean {
  const token = bearerTokenOf(authorization)
  if (token === undefined) return false
  return timingSafeEqual(digest(token), digest(operatorToken))
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
