import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../platform/config.ts'

/** What tells one browser from another: 256 random bits, and whose session it is once somebody has
 * signed in. Nothing of it is derived from anything, so there is nothing to sign. */
export interface Cookie {
  secret: string
  userId: number | undefined
}

const shape = /^([0-9a-f]{64})(?:-([1-9]\d{0,15}))?$/

/** Whether browsers reach this service by https, so that the cookie may ask for it. */
export function isSecure({ http }: Pick<Config, 'http'>): boolean {
  return http.publicUrl?.startsWith('https://') ?? http.tls !== undefined
}

/** `__Host-` has browsers refuse it from another host, a subdomain's included. */
const nameOf = (secure: boolean) => (secure ? '__Host-feria_session' : 'feria_session')

export function readCookie(
  { cookie: header = '' }: IncomingHttpHeaders,
  config: Pick<Config, 'http'>,
): Cookie | undefined {
  const begins = `${nameOf(isSecure(config))}=`
  const pairs = header.split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(begins))?.slice(begins.length)
  const found = shape.exec(value ?? '')
  if (!found) return undefined
  return { secret: found[1] ?? '', userId: found[2] === undefined ? undefined : Number(found[2]) }
}

/** The `Set-Cookie` of it. Without a life it ends with the browser; with none it is taken away. */
export function writeCookie(
  { secret, userId }: Cookie,
  { config, lifeSeconds }: { config: Pick<Config, 'http'>; lifeSeconds?: number },
): { 'set-cookie': string } {
  const secure = isSecure(config)
  const value = userId === undefined ? secret : `${secret}-${userId}`
  return {
    'set-cookie': [
      `${nameOf(secure)}=${value}`,
      'Path=/',
      'HttpOnly',
      'SameSite=Lax',
      ...(secure ? ['Secure'] : []),
      ...(lifeSeconds === undefined ? [] : [`Max-Age=${lifeSeconds}`]),
    ].join('; '),
  }
}

/** What a form carries to show that it came from a page of ours: only who was sent the cookie can be
 * sent it, and the cookie cannot be worked out from it. */
export function formTokenOf({ secret }: Cookie): string {
  return hash('sha256', `form ${secret}`)
}

export function isFormTokenOf(cookie: Cookie, given: string): boolean {
  return timingSafeEqual(
    hash('sha256', given, 'buffer'),
    hash('sha256', formTokenOf(cookie), 'buffer'),
  )
}
