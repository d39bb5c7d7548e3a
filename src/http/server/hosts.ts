import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badField, Failure } from '../../kernel/failure.ts'
import type { Config } from '../../platform/config.ts'
import { isLoopback, isLoopbackName } from '../../platform/loopback.ts'

/**
 * Refuses requests whose `Host` is not a name of this service. Otherwise a page could point its own name here (DNS
 * rebinding) and read everything that needs no token. IP addresses pass, because they need no DNS. In production
 * the check begins once a name is configured.
 *
 * A sandbox has a well-known operator token, so there it also refuses writes of pages from other origins.
 */
export function guardHosts(server: FastifyInstance, { mode, http }: Config): void {
  const { publicUrl, allowedHosts } = http
  const names = new Set(allowedHosts)
  if (publicUrl !== undefined) names.add(hostnameOf(new URL(publicUrl).host))
  const isSandbox = mode === 'sandbox'
  const isGuarded = isSandbox || names.size > 0

  const isOwn = (host: string) =>
    host === '' || names.has(host) || isLoopbackName(host) || isIP(host) !== 0
  // Anybody can serve a page from an IP address, so it counts only if the request goes to the same address.
  const isOwnPage = (host: string, requestHost: string) =>
    host !== '' && (host === requestHost || names.has(host) || isLoopback(host))

  server.addHook('onRequest', (request, _reply, done) => {
    if (lacksHost(request.raw)) return done(badField('Host', 'the name of this service'))
    if (hasTwice(request.raw, 'host')) return done(badField('Host', 'one header'))
    if (hasTwice(request.raw, 'authorization')) return done(badField('Authorization', 'one header'))
    if (!takeTargetHost(request.raw)) return done(badField('path', 'one that starts with /'))
    if (!isGuarded || isHealth(request)) return done()
    const requestHost = hostnameOf(request.host)
    if (!isOwn(requestHost)) return done(new Failure('misdirected_request', quoted(requestHost)))
    const { origin } = request.headers
    if (!isSandbox || origin === undefined || !isWrite(request)) return done()
    // Feria's own pages send no referrer, so browsers send `null` as their origin. Their forms carry a token.
    if (origin === 'null' && request.routeOptions.config.isPage) return done()
    if (isOwnPage(pageHostOf(origin), requestHost)) return done()
    done(new Failure('foreign_origin', quoted(origin)))
  })
}

/** Returns the name or address of `name:port` in lower case, without brackets and without a trailing dot. */
export function hostnameOf(host: string): string {
  const [, address, name] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host.toLowerCase()) ?? []
  return address ?? (name ?? host.toLowerCase()).replace(/\.$/, '')
}

/** Returns whether a required `Host` header is missing. HTTP/1.0 does not require it (RFC 9112, 3.2). */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion !== '1.0'
}

/** Returns whether a header is repeated. Node keeps the first one, but a proxy in between may have used the last. */
function hasTwice({ rawHeaders }: IncomingMessage, header: string): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === header.length && name.toLowerCase() === header) count++
  }
  return count > 1
}

/** Sets `Host` from an absolute target such as `GET http://name/path`, which takes precedence (RFC 9112, 3.2.2).
 * Returns false for a target that is not a valid URL. */
function takeTargetHost({ url = '/', headers }: IncomingMessage): boolean {
  if (url.startsWith('/') || url === '*') return true
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return false
  headers.host = new URL(url).host
  return true
}

/** Returns whether a request is a health probe. Probes use any name, so they are not checked. */
function isHealth({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === '/health/live' || routeOptions.url === '/health/ready'
}

function isWrite({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
}

/** Returns the host of an origin, or an empty text for an origin without one, such as `null`. */
function pageHostOf(origin: string): string {
  return URL.canParse(origin) ? hostnameOf(new URL(origin).host) : ''
}

const quoted = (text: string) => text.slice(0, 100)
