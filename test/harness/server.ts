import type { FastifyInstance } from 'fastify'
import { type Authenticate, isOperator } from '../../src/http/caller.ts'
import type { AuthenticateOperator } from '../../src/http/operator.ts'
import type { Route } from '../../src/http/route.ts'
import { buildServer } from '../../src/http/server/server.ts'
import { tokenBearer } from '../../src/operators/authenticate.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { Context } from '../../src/platform/context.ts'
import { OutageLog } from '../../src/platform/database/outage-log.ts'
import { type Log, makeLog } from '../../src/platform/log.ts'
import { makeMetrics } from '../../src/platform/metrics.ts'
import { systemRandom } from '../../src/platform/random.ts'

export interface BareServer {
  server: FastifyInstance
  address: string
  port: number
}

/** The real server, listening, of nothing but these operations: without a database, for what the server
 * itself promises. */
export async function openBareServer(
  routes: readonly Route[],
  {
    authenticate = async () => undefined,
    authenticateOperator,
    arrivalMs,
    stallMs,
    env = {},
    log = makeLog('silent'),
  }: {
    authenticate?: Authenticate
    /** Default: knows the operator's token. */
    authenticateOperator?: AuthenticateOperator
    arrivalMs?: number
    stallMs?: number
    env?: Record<string, string>
    log?: Log
  } = {},
): Promise<BareServer> {
  const outageLog = new OutageLog({ log, currentWriteError: async () => undefined })
  const ctx = {
    config: readConfig({ FERIA_MODE: 'sandbox', ...env }),
    now: () => new Date(),
    random: systemRandom,
    metrics: makeMetrics(),
    log,
    outageLog,
    // What operations of a module need is left out: these servers have none of them.
  } as unknown as Context
  const bounds = {
    ...(arrivalMs === undefined ? {} : { arrivalMs }),
    ...(stallMs === undefined ? {} : { stallMs }),
  }
  const server = await buildServer(ctx, {
    routes,
    authenticate,
    authenticateOperator:
      authenticateOperator ??
      (async ({ authorization }) =>
        isOperator(authorization, ctx.config.operatorToken) ? tokenBearer : undefined),
    ...bounds,
  })
  server.addHook('onClose', async () => outageLog.close())
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  return { server, address, port: Number(new URL(address).port) }
}
