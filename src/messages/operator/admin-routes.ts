import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { siteInQuery } from '../../http/site-rule.ts'
import { Failure } from '../../kernel/failure.ts'
import { Bounded, OrNull, Site } from '../../kernel/schema.ts'
import { siteOfMessage } from '../site-rules.ts'
import { listHeldBack, messageOwners, readMessage } from '../store.ts'
import { overruleMessage } from './commands.ts'
import { ModeratedMessageAnswer, moderatedMessageView, parseMessageCursor } from './view.ts'

const tag = 'Operator: messages'

const getHeldBack = route({
  method: 'GET',
  url: '/operator/messages/moderated',
  scope: 'operator',
  permission: 'messages:read',
  sites: siteInQuery,
  tag,
  summary: 'List held-back messages',
  description:
    'Returns the messages of all sellers that moderation holds back, newest first. For the next page, send `next` of the response as `after`.',
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, description: 'Messages per page. Default: 50.' }),
    ),
    after: Type.Optional(Bounded(200, '`next` of the previous page.')),
    site_id: Type.Optional({ ...Site, description: 'Only messages of this site. Default: all.' }),
  }),
  answers: {
    200: Type.Object({ messages: Type.Array(ModeratedMessageAnswer), next: OrNull(Type.String()) }),
  },
  async handle({ db }, { query }) {
    const limit = query.limit ?? 50
    const siteId = query.site_id ?? null
    const cursor = parseMessageCursor(query.after)
    const messages = await listHeldBack(db, { ...cursor, siteId, limit })
    const last = messages.length === limit ? messages.at(-1) : undefined
    const next = last ? `${last.dateCreated.getTime()}-${last.id}` : null
    return ok({ messages: messages.map(moderatedMessageView), next })
  },
})

const getJudged = route({
  method: 'GET',
  url: '/operator/messages/:message_id',
  scope: 'operator',
  permission: 'messages:read',
  sites: siteOfMessage,
  tag,
  summary: 'Get a message with its moderation',
  description:
    'Returns one message, and which moderation rule matched which part of its text. 404 `not_found`: there is no such message.',
  refuses: { not_found: 'Message not found: a35cf79864a845ca9a3bf6aee59bb4d7' },
  params: Type.Object({ message_id: Type.String() }),
  answers: { 200: ModeratedMessageAnswer },
  async handle({ db }, { params }) {
    const id = params.message_id
    const message = await messageOwners.findRow(db, id, (owner) =>
      readMessage(db, { ...owner, id }),
    )
    if (!message) throw new Failure('not_found', `Message not found: ${id}`)
    return ok(moderatedMessageView(message))
  },
})

const postOverrule = route({
  method: 'POST',
  url: '/operator/messages/:message_id/overrule',
  scope: 'operator',
  permission: 'moderation:write',
  sites: siteOfMessage,
  audits: 'message',
  tag,
  summary: 'Release a held-back message',
  description:
    'Makes the message available from now on and notifies its receiver. You still see what moderation found in it. 404 `not_found`: there is no such message. 409 `status_not_reachable`: it is not held back.',
  refuses: {
    not_found: 'Message not found: a35cf79864a845ca9a3bf6aee59bb4d7',
    status_not_reachable: 'status: expected a message that is moderated',
  },
  params: Type.Object({ message_id: Type.String() }),
  answers: { 200: ModeratedMessageAnswer },
  async handle(ctx, { params }) {
    return ok(moderatedMessageView(await overruleMessage(ctx, params.message_id)))
  },
})

export const messagesAdminRoutes: Route[] = [getHeldBack, getJudged, postOverrule]
