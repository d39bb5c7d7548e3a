import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../platform/config.ts'
import { isSecure } from '../sessions/cookie.ts'
import type { Refusal } from './asked.ts'

/** Under which name this service answers applications (RFC 8414, RFC 9207): its public address, or
 * where it was reached. */
export function issuerOf({ http }: Pick<Config, 'http'>, { host }: IncomingHttpHeaders): string {
  if (http.publicUrl !== undefined) return http.publicUrl
  const named = /^[\w.:[\]-]{1,255}$/.test(host ?? '') ? host : `${http.host}:${http.port}`
  return `${isSecure({ http }) ? 'https' : 'http'}://${named}`
}

/** The address that leads back to the application. `iss` says who answers, so that an application
 * which asks several services cannot be made to take one's answer for another's (RFC 9207). */
export function answerAddress(
  redirectUri: string,
  answer: { state: string | undefined; issuer: string } & ({ code: string } | Refusal),
): string {
  const told = new URLSearchParams(
    'code' in answer
      ? { code: answer.code }
      : { error: answer.error, error_description: answer.description },
  )
  if (answer.state !== undefined) told.set('state', answer.state)
  told.set('iss', answer.issuer)
  // Appended, not rebuilt: what was registered stays as it stands.
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${told}`
}
