import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../kernel/failure.ts'

/** Counts a request against whoever makes it; throws `too_many_requests`. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * A quota a minute: of the application when a token names one, else of the user, else of the
 * address. Requests whose token is refused count against the address, so that guessing is bounded.
 */
export async function makeLimit(server: FastifyInstance, perMinute: number): Promise<CountRequest> {
  await server.register(rateLimit, { global: false })
  const count = server.createRateLimit({
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: ({ caller, ip }) =>
      caller ? (caller.applicationId ?? `user ${caller.userId}`) : `address ${ip}`,
  })
  return async (request, reply) => {
    const counted = await count(request)
    if (counted.isAllowed || !counted.isExceeded) return
    reply.header('retry-after', String(counted.ttlInSeconds))
    throw new Failure('too_many_requests')
  }
}
