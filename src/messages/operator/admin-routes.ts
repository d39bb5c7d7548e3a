import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { Bounded, OrNull } from '../../kernel/schema.ts'
import { listHeldBack, messageOwners, readMessage } from '../store.ts'
import { overruleMessage } from './commands.ts'
import { behind, Judged, judgedView } from './view.ts'

const tag = 'Operator: messages'

const getHeldBack = route({
  method: 'GET',
  url: '/operator/messages/moderated',
  scope: 'operator',
  tag,
  summary: 'What moderation has held back, newest first',
  description:
    'Of all sellers. The next page is the one `after` the last message of this one; `next` says how to ask for it.',
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    after: Type.Optional(Bounded(200, '`next` of the page before')),
  }),
  answers: {
    200: Type.Object({ messages: Type.Array(Judged), next: OrNull(Type.String()) }),
  },
  async handle({ db }, { query }) {
    const limit = query.limit ?? 50
    const found = await listHeldBack(db, { ...behind(query.after), limit })
    const last = found.length === limit ? found.at(-1) : undefined
    const next = last ? `${last.dateCreated.getTime()}-${last.id}` : null
    return ok({ messages: found.map(judgedView), next })
  },
})

const getJudged = route({
  method: 'GET',
  url: '/operator/messages/:message_id',
  scope: 'operator',
  tag,
  summary: 'One message, with what moderation found in it',
  params: Type.Object({ message_id: Type.String() }),
  answers: { 200: Judged },
  async handle({ db }, { params }) {
    const id = params.message_id
    const message = await messageOwners.findRow(db, id, (owner) =>
      readMessage(db, { ...owner, id }),
    )
    if (!message) throw new Failure('not_found', `Message not found: ${id}`)
    return ok(judgedView(message))
  },
})

const postOverrule = route({
  method: 'POST',
  url: '/operator/messages/:message_id/overrule',
  scope: 'operator',
  tag,
  summary: 'Let a held back message pass',
  description:
    'It becomes available from now on, and its receiver is told. What was found in it stays with it, for the operator.',
  params: Type.Object({ message_id: Type.String() }),
  answers: { 200: Judged },
  async handle(ctx, { params }) {
    return ok(judgedView(await overruleMessage(ctx, params.message_id)))
  },
})

export const messagesAdminRoutes: Route[] = [getHeldBack, getJudged, postOverrule]
