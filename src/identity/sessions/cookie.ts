import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isSecure } from '../../http/address.ts'
import type { Config } from '../../platform/config.ts'

/** A cookie of a browser: 256 random bits, and the user of the session or device after sign-in. The bits are looked
 * up in the database, so the cookie needs no signature. */
export interface Cookie {
  secret: string
  userId: number | undefined
}

const shape = /^([0-9a-f]{64})(?:-([1-9]\d{0,15}))?$/

/** `session` identifies the signed-in user; `device` a user who has signed in there before (`devices.ts`). */
type CookiePurpose = 'session' | 'device'

/** With `__Host-`, browsers refuse the cookie from any other host, including subdomains. */
const nameOf = (purpose: CookiePurpose, secure: boolean) =>
  `${secure ? '__Host-' : ''}feria_${purpose}`

export function readCookie(
  purpose: CookiePurpose,
  { cookie: header = '' }: IncomingHttpHeaders,
  config: Pick<Config, 'http'>,
): Cookie | undefined {
  const begins = `${nameOf(purpose, isSecure(config))}=`
  const pairs = header.split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(begins))?.slice(begins.length)
  const match = shape.exec(value ?? '')
  if (!match) return undefined
  return { secret: match[1] ?? '', userId: match[2] === undefined ? undefined : Number(match[2]) }
}

/** Returns the value of `Set-Cookie`. Without `lifeSeconds` the cookie ends with the browser; 0 removes it. */
export function writeCookie(
  purpose: CookiePurpose,
  { secret, userId }: Cookie,
  { config, lifeSeconds }: { config: Pick<Config, 'http'>; lifeSeconds?: number },
): string {
  const secure = isSecure(config)
  const value = userId === undefined ? secret : `${secret}-${userId}`
  return [
    `${nameOf(purpose, secure)}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
    ...(lifeSeconds === undefined ? [] : [`Max-Age=${lifeSeconds}`]),
  ].join('; ')
}

/** Returns the CSRF token of a form, derived from the cookie. It proves that the same browser got the form, and it
 * does not reveal the cookie. */
export function formTokenOf({ secret }: Cookie): string {
  return hash('sha256', `form ${secret}`)
}

export function isFormTokenOf(cookie: Cookie, token: string): boolean {
  return timingSafeEqual(
    hash('sha256', token, 'buffer'),
    hash('sha256', formTokenOf(cookie), 'buffer'),
  )
}
