import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure, type FailureCode } from '../kernel/failure.ts'
import type { Context } from '../platform/context.ts'
import {
  type Interference,
  type Refusal,
  simulatedHeader,
} from '../platform/interference/interference.ts'
import { bodyOf } from './failure.ts'
import type { Answer, Route } from './route.ts'

/** What the sandbox pretends of this request, if anything; the header tells of it. It has been late
 * enough by then. */
export async function interferenceWith(
  { interfere }: Pick<Context, 'interfere'>,
  { request, reply, route }: { request: FastifyRequest; reply: FastifyReply; route: Route },
): Promise<Interference | undefined> {
  if (!interfere || route.scope === 'operator' || route.tag === 'Health') return undefined
  const found = await interfere({
    method: route.method,
    route: route.url,
    path: request.url.split('?', 1)[0] ?? '',
    applicationId: request.caller?.applicationId ?? null,
    mayLackParts: route.mayLackParts === true,
  })
  if (!found) return undefined
  reply.header(simulatedHeader, found.names.join(', '))
  if (found.delayMs > 0) await wait(found.delayMs)
  return found
}

/** Cuts the connection; nothing is answered. */
export function cut(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.raw.socket.resetAndDestroy()
}

const codes: Readonly<Record<Refusal['status'], FailureCode>> = {
  409: 'conflict',
  429: 'too_many_requests',
  500: 'internal_server_error',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
}

/** The refusal as it would be answered if it were true: it is no defect, so nothing logs it as one. */
export function pretended(refusal: Refusal, { failures }: Pick<Route, 'failures'>): Answer {
  const failure = new Failure(codes[refusal.status])
  const after = refusal.status === 429 ? refusal.retryAfterSeconds : undefined
  const seconds = refusal.status === 503 ? 1 : after
  return {
    status: failure.status,
    body: bodyOf(failure, failures),
    ...(seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } }),
  }
}

/** The tools of a request some of whose parts are to look out of reach: the same but for that. What rooms
 * remember of a context is not found by it, so that it is only for reads that need none of that. */
export function withoutParts(ctx: Context, { parts }: Interference): Context {
  if (parts.length === 0) return ctx
  const faults = () => new Set([...ctx.faults(), ...parts])
  return Object.create(ctx, { faults: { value: faults } })
}
