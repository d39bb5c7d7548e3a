import { type Static, Type } from 'typebox'
import type { Caller } from '../../http/caller.ts'
import { ok, type Route, type RouteResponse, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import {
  permitWholeApplication,
  unknownApplication,
  wholeApplicationTokenRule,
  wholeRefusals,
} from '../../identity/applications/access.ts'
import { findApplication } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import { Id, OrNull, StrictObject, Timestamp } from '../../kernel/schema.ts'
import type { Context } from '../../platform/context.ts'
import { type QueueEditor, resumeModes, updateQueue } from './commands.ts'
import { isBreakerOpen } from './health.ts'
import { countPendingRetries, findQueue, listQueueEvents, queueStates } from './store.ts'
import { stateOfQueue, versionedQueue } from './versioned-queue.ts'
import { QueueEventAnswer } from './view.ts'

const tag = 'Operator: deliveries'
const ofApplication = Type.Object({ application_id: Id })

const inFlight = 'Limit of requests to the callback at the same time'
const rate = 'Limit of requests per second. Null: no limit'
const coalescing =
  'Whether of several waiting notifications of one topic and resource only the newest is sent'

const QueueAnswer = Type.Object({
  application_id: Id,
  callback_url: OrNull(Type.String()),
  state: Type.Enum([...queueStates], {
    description:
      '`open` sends, `paused` was stopped by somebody, `disabled` was stopped by the service because the receiver accepted nothing for days (five, unless the operator sets `FERIA_DELIVERY_DISABLE_HOURS`)',
  }),
  state_since: OrNull({ ...Timestamp, description: 'Since when. Null if it was always open' }),
  health: Type.Enum(['working', 'failing', 'probed'], {
    description:
      'How the callback fares: `working`, `failing`, or `probed`: after many failures one request at a time tests it',
  }),
  failures: Type.Integer({ description: 'Failed attempts in a row' }),
  failing_since: OrNull({
    ...Timestamp,
    description: 'Since when every attempt fails. Null if the latest was accepted',
  }),
  rests_until: OrNull({
    ...Timestamp,
    description: 'After failures: until when nothing is sent. Null if it does not rest',
  }),
  last_sequence: Type.Integer({ description: 'Sequence number of the newest notification' }),
  cursor_sequence: Type.Integer({
    description:
      'All notifications up to this sequence number were attempted, or skipped because a newer one was sent in their place',
  }),
  waiting: Type.Integer({ description: 'Notifications before their first attempt' }),
  parked: Type.Integer({ description: 'Pending retries: failed notifications that are retried' }),
  lost: Type.Integer({
    description:
      'Failed notifications that are not retried any more. Create a replay to send them again',
  }),
  retry_due: OrNull({
    ...Timestamp,
    description: 'When the next failed notification is retried. Null if there is none',
  }),
  in_flight: Type.Integer({ description: inFlight }),
  rate_per_second: OrNull(Type.Integer({ description: rate })),
  coalesces: Type.Boolean({ description: coalescing }),
  notes: Type.Array(QueueEventAnswer, {
    description: 'When it was paused, resumed or disabled, newest first',
  }),
})

const queueFields = {
  state: Type.Optional(
    Type.Enum(['open', 'paused'], {
      description: '`open` sends, also after `disabled`; `paused` stops. Left out: as it is',
    }),
  ),
  resume: Type.Optional(
    Type.Enum([...resumeModes], {
      description:
        'With `state: open`: which waiting notifications to send: all of them (`catch_up`, the default), the newest of each topic and resource (`latest`), or none (`skip`)',
    }),
  ),
}
const OwnQueuePatch = StrictObject(queueFields)
const QueuePatch = StrictObject({
  ...queueFields,
  in_flight: Type.Optional(
    OrNull(
      Type.Integer({ minimum: 1, maximum: 100, description: `${inFlight}. Left out: as it is` }),
    ),
  ),
  rate_per_second: Type.Optional(
    OrNull(
      Type.Integer({ minimum: 1, maximum: 10_000, description: `${rate}. Left out: as it is` }),
    ),
  ),
  coalesces: Type.Optional(
    OrNull(Type.Boolean({ description: `${coalescing}. Left out: as it is` })),
  ),
})

const patchDescription =
  'While deliveries are paused, notifications wait and nothing is lost. `resume` needs `state: open` and deliveries that are paused or disabled; otherwise you get 409 `status_not_reachable`.'

/** Makes the routes for callers that act for a whole application (no prefix) or for the operator, who may also set
 * limits. */
function queueRoutesUnder(prefix: '' | '/operator'): Route[] {
  const isOperators = prefix === '/operator'
  const url = `${prefix}/applications/:application_id/queue`
  const common = {
    url,
    tag: isOperators ? tag : 'Notifications',
    params: ofApplication,
    permit: permitWholeApplication,
    versioned: versionedQueue,
  } as const
  const access = isOperators
    ? ' An unknown application answers 404 `not_found`.'
    : ` ${wholeApplicationTokenRule}`
  const refusals = isOperators ? unknownApplication : wholeRefusals
  return [
    route({
      ...common,
      method: 'GET',
      scope: isOperators ? 'operator' : 'read',
      permission: 'deliveries:read',
      sites: allSites,
      summary: 'Get the delivery queue of an application',
      description: `Returns whether deliveries are open, paused or disabled, how the callback fares (\`working\`, \`failing\`, or \`probed\` with one request at a time) and how much waits.${access}`,
      refuses: refusals,
      answers: { 200: QueueAnswer },
      async handle(ctx, { params }) {
        const { application_id: applicationId } = params
        return queueResponse(ctx, applicationId)
      },
    }),
    route({
      ...common,
      method: 'PATCH',
      scope: isOperators ? 'operator' : 'write',
      permission: 'deliveries:write',
      sites: allSites,
      audits: 'application',
      summary: isOperators
        ? 'Pause, resume or limit the deliveries of an application'
        : 'Pause or resume the deliveries of an application',
      description: isOperators
        ? `${patchDescription} Set \`in_flight\` or \`coalesces\` to \`null\` to use the default of the settings, and \`rate_per_second\` to \`null\` for no limit.${access}`
        : `${patchDescription}${access}`,
      refuses: {
        ...refusals,
        status_not_reachable:
          'resume: expected `state: open` and deliveries that are paused or disabled; they are open',
      },
      body: isOperators ? QueuePatch : OwnQueuePatch,
      answers: { 200: QueueAnswer },
      async handle(ctx, { params, body, caller }) {
        const { application_id: applicationId } = params
        // The operator has no caller. For callers, `permit` has checked the application.
        if (!caller && !(await findApplication(ctx.reads, applicationId)))
          throw unknown(applicationId)
        await updateQueue(ctx, {
          applicationId,
          change: changeOf(body),
          by: changerOf(caller, applicationId),
        })
        return queueResponse(ctx, applicationId)
      },
    }),
  ]
}

/** Returns who changes the queue: the operator (no caller), the application with a token of its own, or its owner. */
function changerOf(caller: Caller | undefined, applicationId: number): QueueEditor {
  if (!caller) return 'operator'
  return caller.applicationId === applicationId ? 'application' : 'owner'
}

/** Returns the change that a body describes. A missing field stays as it is; null removes a limit. */
function changeOf(body: Static<typeof QueuePatch>) {
  const { state, resume, in_flight: inFlight, rate_per_second: ratePerSecond, coalesces } = body
  return {
    ...(state ? { state } : {}),
    ...(resume ? { resume } : {}),
    ...(inFlight !== undefined ? { inFlight } : {}),
    ...(ratePerSecond !== undefined ? { ratePerSecond } : {}),
    ...(coalesces !== undefined ? { coalesces } : {}),
  }
}

/** Answers the delivery queue of an application. Without a row it is open and empty. Throws `not_found`. */
async function queueResponse(ctx: Context, applicationId: number): Promise<RouteResponse> {
  const { db, now, config } = ctx
  const [application, queue, { parked, lost }, notes] = await Promise.all([
    findApplication(db, applicationId),
    findQueue(db, applicationId),
    countPendingRetries(db, applicationId),
    listQueueEvents(db, applicationId, 20),
  ])
  if (!application) throw unknown(applicationId)
  const { delivery } = config
  const { lastSeq = 0, cursorSeq = 0, failures = 0 } = queue ?? {}
  const isResting = queue !== undefined && failures > 0 && queue.restsUntil > now()
  const view = {
    application_id: applicationId,
    callback_url: application.callbackUrl,
    state: queue?.state ?? 'open',
    state_since: queue?.stateSince?.toISOString() ?? null,
    health:
      failures === 0
        ? 'working'
        : isBreakerOpen({ failures, failingSince: null })
          ? 'probed'
          : 'failing',
    failures,
    failing_since: queue?.failingSince?.toISOString() ?? null,
    rests_until: isResting ? queue.restsUntil.toISOString() : null,
    last_sequence: lastSeq,
    cursor_sequence: cursorSeq,
    waiting: lastSeq - cursorSeq,
    parked,
    lost,
    retry_due: queue?.retryDue?.toISOString() ?? null,
    in_flight: queue?.inFlight ?? delivery.inFlight,
    rate_per_second: queue?.ratePerSecond ?? null,
    coalesces: queue?.coalesces ?? delivery.coalesces,
    notes: notes.map(({ at, kind, details }) => ({ at: at.toISOString(), kind, details })),
  }
  return { ...ok(view), state: stateOfQueue(queue) }
}

function unknown(applicationId: number): Failure {
  return new Failure('not_found', `Application not found: ${applicationId}`)
}

export const queueRoutes: Route[] = queueRoutesUnder('')
export const queueAdminRoutes: Route[] = queueRoutesUnder('/operator')
