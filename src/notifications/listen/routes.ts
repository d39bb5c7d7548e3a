import { Type } from 'typebox'
import { created, nothing, ok, type Route, route } from '../../http/route.ts'
import { permitWhole, takesWhole } from '../../identity/owned/owner.ts'
import { parseTimestamp, secondMs } from '../../kernel/clock.ts'
import { badField } from '../../kernel/failure.ts'
import { largestId, pathId } from '../../kernel/ids.ts'
import { Id, IdText, Strict, Timestamp } from '../../kernel/schema.ts'
import { arrivalsOf } from './arrivals.ts'
import { acknowledge, closeListener, listen, openListener, rewind } from './commands.ts'
import { type Listener, listListeners } from './store.ts'

const tag = 'Notifications: listening'
const Seq = Type.Integer({ minimum: 0, maximum: largestId })

const ListenerView = Type.Object({
  application_id: Id,
  name: Type.String(),
  cursor: Seq,
  date_created: Timestamp,
  last_seen: Timestamp,
})

function view({ applicationId, name, cursorSeq, dateCreated, lastSeen }: Listener) {
  return {
    application_id: applicationId,
    name,
    cursor: cursorSeq,
    date_created: dateCreated.toISOString(),
    last_seen: lastSeen.toISOString(),
  }
}

const Entry = Type.Object({
  seq: Seq,
  id: Type.String(),
  topic: Type.String(),
  resource: Type.String(),
  user_id: Id,
  received: Timestamp,
  headers: Type.Object({}),
  body: Type.String({ description: 'the exact text that a delivery would have' }),
})

const params = Type.Object({ application_id: IdText })
const named = Type.Object({
  application_id: IdText,
  name: Type.String({ pattern: '^[A-Za-z0-9._-]{1,60}$' }),
})

const applicationOf = (params: { application_id: string }) =>
  pathId('application_id', params.application_id)

/** The same for who acts for the application as a whole and, under a prefix, for the operator. How far a
 * listener has read is the application's own affair, and nothing that it skips is gone from history, so reading
 * is all that the token must allow. */
function listenerRoutes(prefix: '' | '/operator', scope: 'read' | 'operator'): Route[] {
  const list = `${prefix}/applications/:application_id/listeners`
  const one = `${list}/:name`
  const common = { scope, tag, permit: permitWhole } as const
  const says = prefix === '' ? ` ${takesWhole}` : ''
  return [
    route({
      ...common,
      method: 'GET',
      url: list,
      summary: 'Who listens to the notifications of an application',
      params,
      answers: { 200: Type.Object({ listeners: Type.Array(ListenerView) }) },
      async handle({ db }, { params }) {
        const listeners = await listListeners(db, applicationOf(params))
        return ok({ listeners: listeners.map(view) })
      },
    }),
    route({
      ...common,
      method: 'PUT',
      url: one,
      summary: 'Begin to listen, or go on where a listener of this name stopped',
      description: `From now on the application is told of what happens, also without a callback; its notifications wait here, as long as history is kept, until they are acknowledged. \`feria listen\` does this and what follows.${says}`,
      params: named,
      body: Strict({}),
      answers: { 200: ListenerView, 201: ListenerView },
      async handle(ctx, { params }) {
        const applicationId = applicationOf(params)
        const { listener, isNew } = await openListener(ctx, { applicationId, name: params.name })
        return isNew ? created(view(listener)) : ok(view(listener))
      },
    }),
    route({
      ...common,
      method: 'GET',
      url: `${one}/notifications`,
      isUnqueued: true,
      summary: 'What has not been acknowledged, in order',
      description:
        'Waits up to `wait` seconds for something to arrive. `body` and `headers` are those that a delivery would have; `skipped` counts those that were too old to be kept; acknowledge `up_to` once all has been dealt with. At most 40 requests of an application wait at a time in one process, and 500 of all; the next one gets 429 with `Retry-After`.',
      params: named,
      query: Type.Object({
        wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 30 })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
      }),
      answers: {
        200: Type.Object({
          notifications: Type.Array(Entry),
          skipped: Type.Integer(),
          up_to: Seq,
        }),
      },
      async handle(ctx, { params, query, gone }) {
        const applicationId = applicationOf(params)
        const { wait = 0, limit = 100 } = query
        const listener = { applicationId, name: params.name }
        const page = { limit, waitMs: wait * secondMs, gone }
        const { heard, skipped, upTo } = await listen(ctx, { ...listener, ...page })
        const notifications = heard.map(({ filed, headers, body }) => ({
          seq: filed.seq,
          id: filed.id,
          topic: filed.topic,
          resource: filed.resource,
          user_id: filed.userId,
          received: filed.received.toISOString(),
          headers,
          body,
        }))
        const answer = ok({ notifications, skipped, up_to: upTo })
        // The server would wait for the connection of who waited here, or else for its time-out.
        const isClosing = arrivalsOf(ctx.signals).isClosing
        return isClosing ? { ...answer, headers: { connection: 'close' } } : answer
      },
    }),
    route({
      ...common,
      method: 'POST',
      url: `${one}/ack`,
      summary: 'Note that everything up to a number has arrived',
      params: named,
      body: Strict({ seq: Seq }),
      answers: { 200: ListenerView },
      async handle(ctx, { params, body }) {
        const applicationId = applicationOf(params)
        const { seq } = body
        return ok(view(await acknowledge(ctx, { applicationId, name: params.name, seq })))
      },
    }),
    route({
      ...common,
      method: 'POST',
      url: `${one}/rewind`,
      summary: 'Hear again what has arrived since a moment',
      params: named,
      body: Strict({ since: Timestamp }),
      answers: { 200: ListenerView },
      async handle(ctx, { params, body }) {
        const applicationId = applicationOf(params)
        const since = parseTimestamp(body.since)
        if (!since) throw badField('since', 'an ISO 8601 timestamp')
        return ok(view(await rewind(ctx, { applicationId, name: params.name, since })))
      },
    }),
    route({
      ...common,
      method: 'DELETE',
      url: one,
      summary: 'Stop listening; what was not acknowledged is not kept for it',
      params: named,
      answers: { 204: Type.Null() },
      async handle(ctx, { params }) {
        const applicationId = applicationOf(params)
        await closeListener(ctx, { applicationId, name: params.name })
        return nothing()
      },
    }),
  ]
}

export const listeningRoutes: Route[] = [
  ...listenerRoutes('', 'read'),
  ...listenerRoutes('/operator', 'operator'),
]
