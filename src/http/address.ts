import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../platform/config.ts'

/** Whether browsers reach this service by https. */
export function isSecure({ http }: Pick<Config, 'http'>): boolean {
  return http.publicUrl?.startsWith('https://') ?? http.tls !== undefined
}

/** Returns the address of this service, without a slash at its end: its public address
 * (`FERIA_PUBLIC_URL`), or where it was reached. */
export function baseAddress(
  { http }: Pick<Config, 'http'>,
  { host }: Pick<IncomingHttpHeaders, 'host'>,
): string {
  if (http.publicUrl !== undefined) return http.publicUrl
  const named = /^[\w.:[\]-]{1,255}$/.test(host ?? '') ? host : `${http.host}:${http.port}`
  return `${isSecure({ http }) ? 'https' : 'http'}://${named}`
}
