import { hash, timingSafeEqual } from 'node:crypto'
import { networkOf } from './network.ts'
import type { TokenScope } from './scopes.ts'

/** Who calls with an access token (contract 5). `applicationId` is null for a token that was issued
 * without an application. */
export interface Caller {
  readonly userId: number
  readonly applicationId: number | null
  /** The application holds the token for itself (`grant_type=client_credentials`); `userId` was its owner. */
  readonly isClientCredentials?: boolean
  readonly scopes: readonly TokenScope[]
}

/** Whom a request is counted against: an application, a user or a network. */
export type CallerKey = string | number

/** Returns the application of the caller's token, else the user, else the network. */
export function callerKeyOf({ caller, ip }: { caller: Caller | undefined; ip: string }): CallerKey {
  return caller ? (caller.applicationId ?? `user ${caller.userId}`) : `network ${networkOf(ip)}`
}

/** Finds the caller of an access token; undefined for an unknown, expired or revoked one. The room
 * that keeps tokens provides it. */
export type Authenticate = (token: string) => Promise<Caller | undefined>

/** The token of a request: `Authorization: Bearer …` or `?access_token=…` (contract 5.2). */
export function tokenOf(request: {
  headers: { authorization?: string | undefined }
  query: unknown
}): string | undefined {
  const header = request.headers.authorization
  if (header !== undefined) {
    const found = /^Bearer +(\S+)$/i.exec(header)
    return found ? found[1] : ''
  }
  const values = [(request.query as Record<string, unknown>)['access_token'] ?? []].flat()
  const [token] = values
  // Repeated with one value it counts once, as every parameter does (wire 7).
  const isOne = typeof token === 'string' && values.every((value) => value === token)
  return isOne && token !== '' ? token : undefined
}

/** Whether the Authorization header bears the operator's token. Compared by digest, in constant
 * time; never taken from the query, where it would end up in other people's logs. */
export function isOperator(authorization: string | undefined, operatorToken: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (given === undefined) return false
  return timingSafeEqual(digest(given), digest(operatorToken))
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
