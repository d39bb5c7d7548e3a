import type { FastifyInstance } from 'fastify'
import type { Context } from '../platform/context.ts'

/**
 * Counts requests that name the proxies they came through while none is trusted, and logs the first one.
 * Behind such a proxy everybody shares the limits of its address; `feria doctor` reads the count.
 */
export function countUntrustedForwarding(
  server: FastifyInstance,
  { config, log, metrics }: Pick<Context, 'config' | 'log' | 'metrics'>,
): void {
  if (config.http.trustedProxies.length > 0) return
  let isNoted = false
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request
    if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) {
      metrics.untrustedForwarding.inc()
      if (!isNoted) {
        const fields = { proxy: request.ip, request: request.id }
        log.warn(fields, 'a request came through a proxy, and FERIA_TRUSTED_PROXIES names none')
      }
      isNoted = true
    }
    done()
  })
}
