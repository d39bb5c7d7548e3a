import type { FastifyReply, FastifyRequest } from 'fastify'
import { varyBy } from '../caching.ts'
import { presentsSecret } from '../reference/options.ts'
import type { Route } from '../route.ts'

/** CORS headers of public answers: pages of any origin may read the body and these headers. */
export const openHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-feria-ignored, x-request-id, retry-after, ratelimit, ratelimit-policy, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset',
}

/** Returns whether the operation reads bodies of unknown callers. */
export const isAnonymous = ({ scope }: Route) =>
  scope === 'public' || scope === 'mixed' || scope === 'page'

/** Removes the CORS header from answers to a request with a secret. No page of another origin may handle secrets. */
export function withholdCors(request: FastifyRequest, reply: FastifyReply): void {
  if (presentsSecret(request)) reply.removeHeader('access-control-allow-origin')
}

export async function varyByToken(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  varyBy(reply, 'authorization')
}
