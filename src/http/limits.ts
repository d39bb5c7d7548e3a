import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TooManyRequests } from '../kernel/failure.ts'
import { callerKeyOf } from './caller.ts'
import { refuseBroken } from './failure.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may last as long as it keeps coming. */
    streams?: boolean
  }
}

/** Counts a request against whoever makes it, and tells what is left. Throws `too_many_requests`. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

const windowSeconds = 60

/**
 * A quota a minute: of the application when a token names one, else of the user, else of the
 * network. Requests whose token is refused count against the network, so that guessing is bounded. Every answer
 * tells the quota and what is left of it (draft-ietf-httpapi-ratelimit-headers-10, and `X-RateLimit-*`), with the
 * seconds until it begins anew.
 */
export async function makeLimit(server: FastifyInstance, perMinute: number): Promise<CountRequest> {
  await server.register(rateLimit, { global: false })
  const count = server.createRateLimit({
    max: perMinute,
    timeWindow: windowSeconds * 1000,
    keyGenerator: callerKeyOf,
  })
  const policy = `"minute";q=${perMinute};w=${windowSeconds}`
  return async (request, reply) => {
    const counted = await count(request)
    if (counted.isAllowed) return
    const { remaining, ttlInSeconds } = counted
    reply.headers({
      'ratelimit-policy': policy,
      ratelimit: `"minute";r=${remaining};t=${ttlInSeconds}`,
      // As most clients of today read it.
      'x-ratelimit-limit': perMinute,
      'x-ratelimit-remaining': remaining,
      'x-ratelimit-reset': ttlInSeconds,
    })
    if (counted.isExceeded) throw new TooManyRequests(ttlInSeconds)
  }
}

/** How long a body may take, or stand still where it is a stream. */
export const usualArrivalMs = 120_000

/** Refuses a body that has not come whole within its time: one that trickles in would hold its
 * connection for ever. A stream may last, but not stand still. */
export function limitArrival({ raw, routeOptions }: FastifyRequest, arrivalMs: number): void {
  const { headers } = raw
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return
  if (routeOptions.config.streams) return void raw.setTimeout(arrivalMs)
  const timer = setTimeout(() => {
    if (raw.complete) return
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    refuseBroken(late, raw.socket)
  }, arrivalMs)
  // A body that was refused is never read to its end; nobody waits for its timer then.
  timer.unref()
  for (const over of ['end', 'close']) raw.once(over, () => clearTimeout(timer))
}
