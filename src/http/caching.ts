import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOperatorRoute, type Route } from './route.ts'
import { isTokenScope } from './scopes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route requires a token. */
    isPrivate?: boolean
  }
}

/** Returns whether a route requires a token, or may hand one out. */
export const isPrivate = (route: Pick<Route, 'scope' | 'url'>) =>
  isTokenScope(route.scope) || isOperatorRoute(route)

/** Sends `Cache-Control: no-store` with private answers, including refusals. Handlers of files and of the public
 * catalog set another value. */
export function forbidStoring(server: FastifyInstance): void {
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

/** Adds a request header to `Vary`. */
export function varyBy(reply: FastifyReply, name: string): void {
  const names = reply.getHeader('vary')
  reply.header('vary', names === undefined ? name : `${names}, ${name}`)
}
