import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure, type FailureCode } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import {
  type SimulatedFaults,
  type SimulatedRefusal,
  simulatedHeader,
} from '../../platform/simulated-faults.ts'
import { errorBodyOf } from '../failure.ts'
import { isOperatorRoute, type Route, type RouteResponse } from '../route.ts'

/** Returns the fault that the sandbox simulates for this request, or undefined. It sets the header that names the fault
 * and waits for the simulated delay. */
export async function simulateFaults(
  { interfere }: Pick<Context, 'interfere'>,
  { request, reply, route }: { request: FastifyRequest; reply: FastifyReply; route: Route },
): Promise<SimulatedFaults | undefined> {
  if (!interfere || isOperatorRoute(route) || route.tag === 'Health') return undefined
  const interference = await interfere({
    method: route.method,
    route: route.url,
    path: request.url.split('?', 1)[0] ?? '',
    applicationId: request.caller?.applicationId ?? null,
    mayLackParts: route.mayLackParts === true,
  })
  if (!interference) return undefined
  reply.header(simulatedHeader, interference.names.join(', '))
  if (interference.delayMs > 0) await wait(interference.delayMs)
  return interference
}

/** Resets the connection without an answer. */
export function resetConnection(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.raw.socket.resetAndDestroy()
}

const codes: Readonly<Record<SimulatedRefusal['status'], FailureCode>> = {
  409: 'conflict',
  429: 'too_many_requests',
  500: 'internal_server_error',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
}

/** Renders a simulated refusal exactly as a real one. It does not go through the log, because it is no defect. */
export function simulatedAnswer(
  refusal: SimulatedRefusal,
  { failures }: Pick<Route, 'failures'>,
): RouteResponse {
  const failure = new Failure(codes[refusal.status])
  const limitSeconds = refusal.status === 429 ? refusal.retryAfterSeconds : undefined
  const seconds = refusal.status === 503 ? 1 : limitSeconds
  return {
    status: failure.status,
    body: errorBodyOf(failure, failures),
    ...(seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } }),
  }
}

/** Returns a context in which some parts of the answer seem unavailable. State that modules keep per context is not
 * found under it, so it suits only reads that need no such state. */
export function withoutParts(ctx: Context, { parts }: SimulatedFaults): Context {
  if (parts.length === 0) return ctx
  const faults = () => new Set([...ctx.faults(), ...parts])
  return Object.create(ctx, { faults: { value: faults } })
}
