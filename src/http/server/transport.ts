import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { isLoopbackName } from '../../platform/loopback.ts'
import { hostnameOf } from './hosts.ts'

/** Reads the certificate and its key. The minimum is TLS 1.2, whatever the options of Node say. */
export function tlsOptions(tls: NonNullable<Config['http']['tls']>): SecureContextOptions {
  return {
    cert: readFileSync(tls.certFile),
    key: readFileSync(tls.keyFile),
    minVersion: 'TLSv1.2',
  }
}

const year = 'max-age=31536000'

/** Sends `Strict-Transport-Security` if the service is reached by https, without subdomains. Loopback names get none,
 * because other programs share them, and IP addresses neither (RFC 6797, 8.1.1). */
export function sendHsts(server: FastifyInstance, { http }: Config): void {
  if (http.tls === undefined && !http.publicUrl?.startsWith('https://')) return
  server.addHook('onRequest', (request, reply, done) => {
    const host = hostnameOf(request.host)
    if (host !== '' && !isLoopbackName(host) && isIP(host) === 0) {
      reply.header('strict-transport-security', year)
    }
    done()
  })
}
