import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isSecure } from '../../http/address.ts'
import type { Config } from '../../platform/config.ts'

/** What tells one browser from another: 256 random bits, and whose session or device it is once somebody
 * has signed in. Nothing of it is derived from anything, so there is nothing to sign. */
export interface Cookie {
  secret: string
  userId: number | undefined
}

const shape = /^([0-9a-f]{64})(?:-([1-9]\d{0,15}))?$/

/** A session says who is signed in; a device, who has signed in there before (`devices.ts`). */
type Purpose = 'session' | 'device'

/** `__Host-` has browsers refuse it from another host, a subdomain's included. */
const nameOf = (purpose: Purpose, secure: boolean) => `${secure ? '__Host-' : ''}feria_${purpose}`

export function readCookie(
  purpose: Purpose,
  { cookie: header = '' }: IncomingHttpHeaders,
  config: Pick<Config, 'http'>,
): Cookie | undefined {
  const begins = `${nameOf(purpose, isSecure(config))}=`
  const pairs = header.split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(begins))?.slice(begins.length)
  const found = shape.exec(value ?? '')
  if (!found) return undefined
  return { secret: found[1] ?? '', userId: found[2] === undefined ? undefined : Number(found[2]) }
}

/** Returns the value of `Set-Cookie`. Without a life the cookie ends with the browser; a life of 0 removes it. */
export function writeCookie(
  purpose: Purpose,
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
