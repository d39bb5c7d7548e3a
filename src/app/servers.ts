import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { auditOperation } from '../audit/audited-operation.ts'
import { listOperatorChanges } from '../audit/operator-changes.ts'
import { separatePortHealthRoutes } from '../http/health.ts'
import { buildServer } from '../http/server/server.ts'
import { createAuthenticate } from '../identity/tokens.ts'
import { serverClosing } from '../notifications/listen/waiter.ts'
import { createAuthenticateOperator } from '../operators/authenticate.ts'
import type { Context } from '../platform/context.ts'
import { serveConsole } from './console.ts'
import { routes } from './routes.ts'

const openApiFile = new URL('../../docs/openapi.json', import.meta.url)

/** Returns the OpenAPI document with the public address. `npm run docs` writes the file; to generate it here would hold
 * up all requests for half a second. */
async function readOpenApiFile(publicUrl: string | undefined): Promise<string> {
  const { openapi, info, ...rest } = JSON.parse(await readFile(openApiFile, 'utf8'))
  const servers = publicUrl ? { servers: [{ url: publicUrl }] } : {}
  return JSON.stringify({ openapi, info, ...servers, ...rest })
}

/** Returns the server of the HTTP interface. It does not listen yet. */
export async function openServer(ctx: Context): Promise<FastifyInstance> {
  const server = await buildServer(ctx, {
    routes,
    authenticate: createAuthenticate(ctx),
    authenticateOperator: createAuthenticateOperator(ctx),
    audit: auditOperation,
    listOperatorChanges,
    readOpenApi: () => readOpenApiFile(ctx.config.http.publicUrl),
  })
  await serveConsole(server, ctx)
  // Answer the clients that wait for notifications. Otherwise closing would wait for them.
  server.addHook('preClose', async () => ctx.signals.deliver(serverClosing))
  return server
}

/** Returns the server of health and metrics for a separate port. It does not listen yet. */
export async function openHealthServer(ctx: Context): Promise<FastifyInstance> {
  return buildServer(ctx, {
    routes: separatePortHealthRoutes,
    authenticate: createAuthenticate(ctx),
    authenticateOperator: createAuthenticateOperator(ctx),
  })
}
