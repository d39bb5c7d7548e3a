import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from './route.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only who proves to be somebody is answered. */
    isPrivate?: boolean
  }
}

export const isPrivate = ({ scope }: Pick<Route, 'scope'>) =>
  scope === 'read' || scope === 'write' || scope === 'operator'

/** Has no cache keep an answer that is for one caller, a refusal included. A handler that says otherwise
 * decides, as those of files and of the public catalogue do. */
export function keepPrivate(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isPrivate || bearsToken(request)) {
      reply.header('cache-control', 'no-store')
    }
    done()
  })
}

function bearsToken({ headers, query }: FastifyRequest): boolean {
  return headers.authorization !== undefined || 'access_token' in (query as object)
}

/** Tells caches that an answer depends on a header of the request, beside those that it named before. */
export function varyBy(reply: FastifyReply, name: string): void {
  const given = reply.getHeader('vary')
  reply.header('vary', given === undefined ? name : `${given}, ${name}`)
}
