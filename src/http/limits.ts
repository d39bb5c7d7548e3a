import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TooManyRequests } from '../kernel/failure.ts'
import { callerKeyOf } from './caller.ts'
import { refuseBroken } from './failure.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body is a stream without a limit of time. */
    streams?: boolean
  }
}

/** Counts a request against its caller and sends the remaining quota in headers. Throws `too_many_requests`. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

const windowSeconds = 60

/**
 * Returns the rate limit per minute and caller: the application of the token, or the user, or the network. Requests
 * with a refused token count against the network, which bounds guessing. Every answer has the quota, its rest and the
 * seconds until it resets (draft-ietf-httpapi-ratelimit-headers-10, and `X-RateLimit-*`).
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
    const quota = await count(request)
    if (quota.isAllowed) return
    const { remaining, ttlInSeconds } = quota
    reply.headers({
      'ratelimit-policy': policy,
      ratelimit: `"minute";r=${remaining};t=${ttlInSeconds}`,
      // Most current clients read these names.
      'x-ratelimit-limit': perMinute,
      'x-ratelimit-remaining': remaining,
      'x-ratelimit-reset': ttlInSeconds,
    })
    if (quota.isExceeded) throw new TooManyRequests(ttlInSeconds)
  }
}

/** Time limit of a body to arrive, or of a pause in a stream. */
export const usualArrivalMs = 120_000

/** Refuses a body that does not arrive within `arrivalMs`: a slow one could hold its connection forever. A stream is
 * refused only after a pause of that length. */
export function limitArrival({ raw, routeOptions }: FastifyRequest, arrivalMs: number): void {
  const { headers } = raw
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return
  if (routeOptions.config.streams) return void raw.setTimeout(arrivalMs)
  const timer = setTimeout(() => {
    if (raw.complete) return
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    refuseBroken(late, raw.socket)
  }, arrivalMs)
  // A refused body is never read to its end. Its timer must not keep the process alive.
  timer.unref()
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer))
}

/** Time limit of a client that reads nothing of an answer. */
export const usualStallMs = 60_000

/** Ends the connection of a client that reads nothing of an answer for `stallMs`: the answer is held in memory until it
 * is read. An answer that is still being made is not limited. A stream that still arrives has the limit of its arrival. */
export function limitStall(
  { raw: request }: FastifyRequest,
  reply: FastifyReply,
  stallMs: number,
): void {
  if (!request.complete) return
  // Node counts anything that the socket sends on as activity.
  reply.raw.setTimeout(stallMs, () => {
    const { socket } = reply.raw
    if (socket && socket.writableLength > 0) socket.destroy()
  })
}
