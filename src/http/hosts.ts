import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badField, Failure } from '../kernel/failure.ts'
import type { Config } from '../platform/config.ts'
import { isLoopback, isLoopbackName } from '../platform/loopback.ts'

/**
 * Refuses requests for a name that is none of this service's. A page whose own name was made to lead here
 * (DNS rebinding) would otherwise read everything that needs no token. Addresses pass: a browser that asks
 * for an address has resolved no name. In production this holds once a name is set.
 *
 * In a sandbox, which has a token that everybody knows, it also refuses writes of pages from elsewhere.
 */
export function guardHosts(server: FastifyInstance, { mode, http }: Config): void {
  const { publicUrl, allowedHosts } = http
  const names = new Set(allowedHosts)
  if (publicUrl !== undefined) names.add(hostnameOf(new URL(publicUrl).host))
  const isSandbox = mode === 'sandbox'
  const isGuarded = isSandbox || names.size > 0

  const isOwn = (host: string) =>
    host === '' || names.has(host) || isLoopbackName(host) || isIP(host) !== 0
  // An address says nothing of who serves the page, unless it is the host of the request.
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
    // Our own pages send no referrer, for which browsers hide their origin too; forms carry a token.
    if (origin === 'null' && request.routeOptions.config.isPage) return done()
    if (isOwnPage(pageHostOf(origin), requestHost)) return done()
    done(new Failure('foreign_origin', quoted(origin)))
  })
}

/** Returns the name or address of `name:port` as `isIP` takes it: in lower case, without brackets and
 * without the dot that may end a name. */
export function hostnameOf(host: string): string {
  const [, address, name] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host.toLowerCase()) ?? []
  return address ?? (name ?? host.toLowerCase()).replace(/\.$/, '')
}

/** HTTP/1.0 knows requests without one (RFC 9112, 3.2). */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion !== '1.0'
}

/** Node keeps the first and drops the others, whoever stands between may have read the last. */
function hasTwice({ rawHeaders }: IncomingMessage, header: string): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === header.length && name.toLowerCase() === header) count++
  }
  return count > 1
}

/** `GET http://name/path`: the host that is asked is that of the target, whatever `Host` says (RFC 9112,
 * 3.2.2). Returns false for a target that is no address. */
function takeTargetHost({ url = '/', headers }: IncomingMessage): boolean {
  if (url.startsWith('/') || url === '*') return true
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return false
  headers.host = new URL(url).host
  return true
}

/** Whoever looks after a process asks it by whatever name it has there. */
function isHealth({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === '/health/live' || routeOptions.url === '/health/ready'
}

function isWrite({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
}

/** Returns nothing for an origin that names no host, such as `null`. */
function pageHostOf(origin: string): string {
  return URL.canParse(origin) ? hostnameOf(new URL(origin).host) : ''
}

const quoted = (text: string) => text.slice(0, 100)
