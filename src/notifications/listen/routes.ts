import { Type } from 'typebox'
import { created, noContent, ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { etagOf, withEtagField } from '../../http/versions.ts'
import {
  permitWholeApplication,
  unknownApplication,
  wholeApplicationTokenRule,
  wholeRefusals,
} from '../../identity/applications/access.ts'
import { parseTimestamp, secondMs } from '../../kernel/clock.ts'
import { badField } from '../../kernel/failure.ts'
import { largestId, pathId } from '../../kernel/ids.ts'
import { Id, IdText, MapOf, StrictObject, Timestamp } from '../../kernel/schema.ts'
import { topics } from '../../kernel/topics.ts'
import {
  acknowledgeNotifications,
  closeListener,
  openListener,
  rewindListener,
  waitForNotifications,
} from './commands.ts'
import { type Listener, listListeners } from './store.ts'
import { stateOfListener, versionedListener } from './versioned-listener.ts'

const tag = 'Notifications: listening'
const Seq = Type.Integer({ minimum: 0, maximum: largestId })

const ListenerView = Type.Object({
  application_id: Id,
  name: Type.String({ description: 'Name of the listener', examples: ['erp'] }),
  cursor: {
    ...Seq,
    description:
      'Sequence number of the last notification that it acknowledged. It gets later ones',
  },
  date_created: Timestamp,
  last_seen: { ...Timestamp, description: 'When it last asked for notifications' },
})

function listenerView({ applicationId, name, cursorSeq, dateCreated, lastSeen }: Listener) {
  return {
    application_id: applicationId,
    name,
    cursor: cursorSeq,
    date_created: dateCreated.toISOString(),
    last_seen: lastSeen.toISOString(),
  }
}

const ReceivedNotification = Type.Object({
  seq: {
    ...Seq,
    description: 'Sequence number of the notification: 1, 2, 3… in each application',
  },
  id: Type.String({
    description: '`_id` of the notification',
    examples: ['5da8a1b24be30a49eb66c52a'],
  }),
  topic: Type.Enum([...topics]),
  resource: Type.String(),
  user_id: Id,
  received: Timestamp,
  headers: MapOf(Type.String(), {
    description:
      'The headers that a delivery would have, with its signature. Operators without the permission `deliveries:write` get no signature',
    examples: [{ 'content-type': 'application/json', 'webhook-id': '5da8a1b24be30a49eb66c52a' }],
  }),
  body: Type.String({ description: 'the exact body that a delivery would have' }),
})

const params = Type.Object({ application_id: IdText })
const listenerParams = Type.Object({
  application_id: IdText,
  name: Type.String({
    pattern: '^[A-Za-z0-9._-]{1,60}$',
    description: 'Name of the listener, of your choice: one for each program that listens',
  }),
})

const applicationIdOf = (params: { application_id: string }) =>
  pathId('application_id', params.application_id)

/**
 * Makes the routes for callers that act for a whole application (no prefix) or for the operator. The scope is `read`
 * although a cursor moves: it is the application's own, and what it skips stays in the feed.
 */
function listenerRoutes(prefix: '' | '/operator', scope: 'read' | 'operator'): Route[] {
  const listUrl = `${prefix}/applications/:application_id/listeners`
  const listenerUrl = `${listUrl}/:name`
  const common = { scope, tag, permit: permitWholeApplication } as const
  const access = prefix === '' ? ` ${wholeApplicationTokenRule}` : ''
  const refusals = prefix === '' ? wholeRefusals : {}
  const ListedListener = prefix === '' ? ListenerView : withEtagField(ListenerView)
  const looking =
    prefix === ''
      ? ''
      : ' Without the permission `deliveries:write` you only look: the headers have no signature, and `last_seen` of the listener stays.'
  const unknown = ' An unknown listener answers 404 `not_found`.'
  const listenerRefusals = { ...refusals, not_found: 'Listener not found: erp' }
  return [
    route({
      ...common,
      method: 'GET',
      permission: 'deliveries:read',
      sites: allSites,
      url: listUrl,
      summary: 'List the listeners of an application',
      description: `Returns each listener with its cursor: the sequence number up to which it has acknowledged.${access}`,
      refuses: refusals,
      params,
      answers: {
        200: Type.Object({
          listeners: Type.Array(ListedListener),
        }),
      },
      async handle({ db, now }, { params }) {
        const listeners = await listListeners(db, applicationIdOf(params))
        if (prefix === '') return ok({ listeners: listeners.map(listenerView) })
        const withEtags = listeners.map((listener) => ({
          ...listenerView(listener),
          etag: etagOf(stateOfListener(listener), now()),
        }))
        return ok({ listeners: withEtags })
      },
    }),
    route({
      ...common,
      method: 'PUT',
      permission: 'deliveries:write',
      sites: allSites,
      audits: 'listener',
      url: listenerUrl,
      summary: 'Create or resume a listener',
      description: `Receives the notifications of an application without a callback URL. They wait from now on until you acknowledge them, as long as history is kept; an existing listener of this name continues at its cursor. An application may have 20 listeners; one more gets 400 \`bad_request\`. \`feria listen\` calls this and the operations below for you.${prefix === '' ? '' : ' An unknown application answers 404 `not_found`.'}${access}`,
      refuses: {
        ...(prefix === '' ? refusals : unknownApplication),
        bad_request:
          'name: expected an existing listener: an application has at most 20; delete one first',
      },
      params: listenerParams,
      body: StrictObject({}),
      answers: { 200: ListenerView, 201: ListenerView },
      async handle(ctx, { params }) {
        const applicationId = applicationIdOf(params)
        const { listener, isNew } = await openListener(ctx, { applicationId, name: params.name })
        return isNew ? created(listenerView(listener)) : ok(listenerView(listener))
      },
    }),
    route({
      ...common,
      method: 'GET',
      permission: 'deliveries:read',
      sites: allSites,
      url: `${listenerUrl}/notifications`,
      isUnqueued: true,
      isLongPoll: true,
      summary: 'Receive notifications',
      description: `Returns unacknowledged notifications in order, 100 by default. If there are none, it waits up to \`wait\` seconds for one. \`body\` and \`headers\` are those of a delivery; \`skipped\` counts notifications that were too old to be kept. Acknowledge \`up_to\` when you have handled all of them.${looking} In each process 40 requests per application and 500 in all may wait; one more gets 429 with \`Retry-After\`.${unknown}${access}`,
      refuses: listenerRefusals,
      params: listenerParams,
      query: Type.Object({
        wait: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 30,
            description: 'Seconds to wait for a notification. Default: 0',
          }),
        ),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 500,
            description: 'Most notifications. Default: 100',
          }),
        ),
      }),
      answers: {
        200: Type.Object({
          notifications: Type.Array(ReceivedNotification),
          skipped: Type.Integer({ description: 'Notifications that were too old to be kept' }),
          up_to: { ...Seq, description: 'Send it as `seq` to acknowledge all of these' },
        }),
      },
      async handle(ctx, { params, query, signal, permissions }) {
        const applicationId = applicationIdOf(params)
        const { wait = 0, limit = 100 } = query
        const listener = { applicationId, name: params.name }
        // Operators have permissions; the application itself has none, and always listens.
        const isListening = permissions?.has('deliveries:write') ?? true
        const page = { limit, isListening, waitMs: wait * secondMs, signal }
        const { deliveries, skipped, upTo } = await waitForNotifications(ctx, {
          ...listener,
          ...page,
        })
        const notifications = deliveries.map(({ notification, headers, body }) => ({
          seq: notification.seq,
          id: notification.id,
          topic: notification.topic,
          resource: notification.resource,
          user_id: notification.userId,
          received: notification.received.toISOString(),
          headers,
          body,
        }))
        const answer = ok({ notifications, skipped, up_to: upTo })
        // Otherwise a closing server waits for this kept-alive connection until its timeout.
        const isClosing = ctx.notificationWaiter.isClosing
        return isClosing ? { ...answer, headers: { connection: 'close' } } : answer
      },
    }),
    route({
      ...common,
      method: 'POST',
      permission: 'deliveries:write',
      sites: allSites,
      audits: 'listener',
      versioned: versionedListener,
      url: `${listenerUrl}/ack`,
      summary: 'Acknowledge notifications',
      description: `Moves the cursor of the listener forward to \`seq\`: all notifications up to it are acknowledged. A smaller number than the cursor changes nothing; a larger one than the newest notification gets 400 \`bad_request\`.${unknown}${access}`,
      refuses: {
        ...listenerRefusals,
        bad_request: 'seq: expected a number up to 4213, the newest notification',
      },
      params: listenerParams,
      body: StrictObject({
        seq: { ...Seq, description: '`up_to` of the answer, or `seq` of the last one you handled' },
      }),
      answers: { 200: ListenerView },
      async handle(ctx, { params, body }) {
        const applicationId = applicationIdOf(params)
        const { seq } = body
        const key = { applicationId, name: params.name }
        return ok(listenerView(await acknowledgeNotifications(ctx, { ...key, seq })))
      },
    }),
    route({
      ...common,
      method: 'POST',
      permission: 'deliveries:write',
      sites: allSites,
      audits: 'listener',
      versioned: versionedListener,
      url: `${listenerUrl}/rewind`,
      summary: 'Move the cursor to a time',
      description: `Moves the cursor of a listener (the place up to which it has acknowledged) back or forward, so that the next notifications are those written at \`since\` or later. Notifications that are too old to be kept do not come back. A time in the future gets 400 \`bad_request\`.${unknown}${access}`,
      refuses: { ...listenerRefusals, bad_request: 'since: expected a time in the past' },
      params: listenerParams,
      body: StrictObject({
        since: {
          ...Timestamp,
          description: '`received` of the earliest notification to get again',
        },
      }),
      answers: { 200: ListenerView },
      async handle(ctx, { params, body }) {
        const applicationId = applicationIdOf(params)
        const since = parseTimestamp(body.since)
        if (!since) throw badField('since', 'an ISO 8601 timestamp')
        return ok(
          listenerView(await rewindListener(ctx, { applicationId, name: params.name, since })),
        )
      },
    }),
    route({
      ...common,
      method: 'DELETE',
      permission: 'deliveries:write',
      sites: allSites,
      audits: 'listener',
      versioned: versionedListener,
      url: listenerUrl,
      summary: 'Delete a listener',
      description: `Deletes the listener and its cursor. Its notifications stay in the feed. After the last listener is gone, an application without a callback URL gets no new notifications.${unknown}${access}`,
      refuses: listenerRefusals,
      params: listenerParams,
      answers: { 204: Type.Null() },
      async handle(ctx, { params }) {
        const applicationId = applicationIdOf(params)
        await closeListener(ctx, { applicationId, name: params.name })
        return noContent()
      },
    }),
  ]
}

export const listeningRoutes: Route[] = [
  ...listenerRoutes('', 'read'),
  ...listenerRoutes('/operator', 'operator'),
]
