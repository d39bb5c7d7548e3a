import { Type } from 'typebox'
import { Failure } from '../kernel/failure.ts'
import type { Context } from '../platform/context.ts'
import { isUnavailable } from '../platform/database/errors.ts'
import { ok, type Route, route } from './route.ts'
import { allSites } from './site-rule.ts'

const statusOf = (status: string) =>
  Type.Object({ status: Type.String({ description: `Always \`${status}\``, examples: [status] }) })

/** The liveness probe. It does not touch the database, so that a slow database does not restart the process. */
const live = route({
  method: 'GET',
  url: '/health/live',
  scope: 'public',
  tag: 'Health',
  isUnqueued: true,
  summary: 'Check that the process runs',
  description:
    'Answers 200 while the process runs. Use it as a liveness probe: it does not ask the database.',
  answers: { 200: statusOf('live') },
  handle: async () => ok({ status: 'live' }),
})

const isReady = route({
  method: 'GET',
  url: '/health/ready',
  scope: 'public',
  tag: 'Health',
  isUnqueued: true,
  summary: 'Check that the process is ready',
  description:
    'Answers 200 if the database is reachable and accepts writes, otherwise 503. Use it as a readiness probe.',
  answers: { 200: statusOf('ready') },
  async handle({ db }) {
    const refusal = await db.writes.currentError()
    if (isUnavailable(refusal)) throw refusal
    // Any other error of the probe also means that the database is not ready. The log has the cause.
    if (refusal) throw Object.assign(new Failure('unavailable'), { cause: refusal })
    return ok({ status: 'ready' })
  },
})

const metricsOperation = {
  method: 'GET',
  url: '/metrics',
  tag: 'Health',
  isUnqueued: true,
  summary: 'Get the metrics',
  description: 'Returns the metrics of this process in the text format of Prometheus.',
  answers: { 200: Type.String({ examples: ['feria_up 1\n'] }) },
  async handle({ metrics: { collect } }: Context) {
    const { text, contentType } = await collect()
    return { status: 200, text, headers: { 'content-type': contentType } }
  },
} as const

/** The health operations on the main port, where only the operator reads the metrics. */
export const healthRoutes: Route[] = [
  live,
  isReady,
  route({ ...metricsOperation, scope: 'operator', permission: 'metrics:read', sites: allSites }),
]

/** The health operations on a separate port, which the operator shields. Metrics need no token there. */
export const separatePortHealthRoutes: Route[] = [
  live,
  isReady,
  route({ ...metricsOperation, scope: 'public', sameOrigin: true }),
]
