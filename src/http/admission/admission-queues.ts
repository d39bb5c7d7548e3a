import type { FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context.ts'
import { callerKeyOf } from '../caller.ts'
import type { Route } from '../route.ts'
import { Admission, type QueuedCaller } from './admission.ts'

/** Reads and writes have separate limits: writes wait for each other's locks and must not hold up reads. */
export interface AdmissionQueues {
  reads: Admission
  writes: Admission
}

const readsAtOnce = 64
/** Connections that stay free for reads and background work. */
const connectionsNotForWrites = 2
const mostWaiting = 1_000
/** Refusals are logged at most once in this time. */
const logEveryMs = 10_000

/** Opens the queues in front of the database. Their waits go to the metrics, and refusals to the log from time to
 * time. */
export function openAdmissionQueues({
  config,
  metrics,
  log,
}: Pick<Context, 'config' | 'metrics' | 'log'>): AdmissionQueues {
  const { queueWaitMs: waitMs } = config.http
  const { poolSize } = config.database
  let refused = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  const open = (queue: keyof AdmissionQueues, atOnce: number) =>
    new Admission({ atOnce, mostWaiting, waitMs }, (outcome, waitedMs) => {
      metrics.admission.observe({ queue, outcome }, waitedMs / 1_000)
      if (outcome === 'admitted') return
      refused++
      const now = performance.now()
      if (now < loggedAt + logEveryMs) return
      log.warn({ refused, queue }, 'overloaded: requests were refused')
      loggedAt = now
      refused = 0
    })
  return {
    reads: open('reads', readsAtOnce),
    writes: open('writes', Math.max(1, poolSize - connectionsNotForWrites)),
  }
}

/** Returns the queue of a route's requests, or undefined if they do not wait. */
export function admissionFor(
  route: Route,
  { reads, writes }: AdmissionQueues,
): Admission | undefined {
  if (route.isUnqueued || route.fromMemory || route.streams || route.takesFiles) return undefined
  return route.method === 'GET' ? reads : writes
}

/** Returns the claimant of a request. */
export function queuedCallerOf(request: FastifyRequest, { scope }: Route): QueuedCaller {
  const { raw } = request
  return {
    isOperator: scope === 'operator',
    key: callerKeyOf(request),
    hasLeft: () => raw.socket.destroyed,
  }
}
