import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../platform/config.ts'

/** Returns whether browsers reach this service by https. */
export function isSecure({ http }: Pick<Config, 'http'>): boolean {
  return http.publicUrl?.startsWith('https://') ?? http.tls !== undefined
}

/** Returns the base address of this service, without a trailing slash: `FERIA_PUBLIC_URL`, or the name in the `Host`
 * header. */
export function baseAddress(
  { http }: Pick<Config, 'http'>,
  { host }: Pick<IncomingHttpHeaders, 'host'>,
): string {
  if (http.publicUrl !== undefined) return http.publicUrl
  const authority = /^[\w.:[\]-]{1,255}$/.test(host ?? '') ? host : `${http.host}:${http.port}`
  return `${isSecure({ http }) ? 'https' : 'http'}://${authority}`
}
