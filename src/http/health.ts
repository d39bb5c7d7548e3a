import { Type } from 'typebox'
import { Failure } from '../kernel/failure.ts'
import type { Context } from '../platform/context.ts'
import { isUnavailable } from '../platform/database/errors.ts'
import { ok, type Route, route } from './route.ts'

const Status = Type.Object({ status: Type.String() })

/** Is the process there at all? Touches nothing else, so a slow database does not get it restarted. */
const live = route({
  method: 'GET',
  url: '/health/live',
  scope: 'public',
  tag: 'Health',
  isUnqueued: true,
  summary: 'Whether the process runs',
  answers: { 200: Status },
  handle: async () => ok({ status: 'live' }),
})

const isReady = route({
  method: 'GET',
  url: '/health/ready',
  scope: 'public',
  tag: 'Health',
  isUnqueued: true,
  summary: 'Whether the process can work: its database is reachable and takes writes',
  answers: { 200: Status },
  async handle({ db }) {
    const refusal = await db.writes.ask()
    if (isUnavailable(refusal)) throw refusal
    // A database that refuses its probe for another reason is not ready either; the log says why.
    if (refusal) throw Object.assign(new Failure('unavailable'), { cause: refusal })
    return ok({ status: 'ready' })
  },
})

const figures = {
  method: 'GET',
  url: '/metrics',
  tag: 'Health',
  isUnqueued: true,
  summary: 'Figures of this service, in the text format of Prometheus',
  answers: { 200: Type.String() },
  async handle({ metrics: { collect } }: Context) {
    const { text, contentType } = await collect()
    return { status: 200, text, headers: { 'content-type': contentType } }
  },
} as const

/** How a process is, where it serves everything else too: its figures are for the operator. */
export const healthRoutes: Route[] = [live, isReady, route({ ...figures, scope: 'operator' })]

/** The same on a port of its own, which only those reach who may know. */
export const ownPortRoutes: Route[] = [
  live,
  isReady,
  route({ ...figures, scope: 'public', sameOrigin: true }),
]
