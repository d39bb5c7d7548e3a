import { Type } from 'typebox'
import { Failure } from '../kernel/failure.ts'
import { ok, type Route, route } from './route.ts'

const Status = Type.Object({ status: Type.String() })

/** Is the process there at all? Touches nothing else, so a slow database does not get it restarted. */
const live = route({
  method: 'GET',
  url: '/health/live',
  scope: 'public',
  tag: 'Health',
  summary: 'Whether the process runs',
  answers: { 200: Status },
  handle: async () => ok({ status: 'live' }),
})

const isReady = route({
  method: 'GET',
  url: '/health/ready',
  scope: 'public',
  tag: 'Health',
  summary: 'Whether the process can answer: its database is reachable',
  answers: { 200: Status },
  async handle({ db, log }) {
    try {
      await db.ping()
    } catch (error) {
      log.warn({ err: error }, 'not ready')
      throw new Failure('unavailable')
    }
    return ok({ status: 'ready' })
  },
})

const metrics = route({
  method: 'GET',
  url: '/metrics',
  scope: 'public',
  tag: 'Health',
  summary: 'Figures of this service, in the text format of Prometheus',
  answers: { 200: Type.String() },
  async handle({ metrics: { collect } }) {
    const { text, contentType } = await collect()
    return { status: 200, text, headers: { 'content-type': contentType } }
  },
})

export const healthRoutes: Route[] = [live, isReady, metrics]
