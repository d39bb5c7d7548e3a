import type { FastifyInstance } from 'fastify'
import type { Context } from '../../platform/context.ts'

/**
 * Counts forwarded requests while no proxy is trusted, and logs the first one. Without a trusted proxy, all clients
 * behind it share the rate limit of its address. `feria doctor` reads the count.
 */
export function countUntrustedForwarding(
  server: FastifyInstance,
  { config, log, metrics }: Pick<Context, 'config' | 'log' | 'metrics'>,
): void {
  if (config.http.trustedProxies.length > 0) return
  let isLogged = false
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request
    if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) {
      metrics.untrustedForwarding.inc()
      if (!isLogged) {
        const fields = { proxy: request.ip, request: request.id }
        log.warn(
          fields,
          'a request came through a proxy that is not trusted: set FERIA_TRUSTED_PROXIES',
        )
      }
      isLogged = true
    }
    done()
  })
}
