import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { Id, OrNull, Strict, Timestamp } from '../../kernel/schema.ts'
import { blocks } from '../conversation.ts'
import type { Message } from '../message.ts'
import { MessageAnswer } from '../schemas.ts'
import { findMessageOwner, listHeldBack, readMessage } from '../store.ts'
import { messageView } from '../view.ts'
import { blockConversation, overruleMessage } from './commands.ts'

const tag = 'Operator: messages'

/** What only the operator reads: which rule held a message back, and for which part of its text. */
const Judged = Type.Object({
  ...MessageAnswer.properties,
  finding: OrNull(
    Type.Object({
      rule: Type.String(),
      text: Type.String({ description: 'the part of the text that was found' }),
      from: Type.Integer({ description: 'where it begins, in UTF-16 units' }),
      to: Type.Integer({ description: 'where it ends' }),
    }),
  ),
  option_id: OrNull(Type.String()),
  date_overruled: OrNull(Timestamp),
})

function judgedView(message: Message): object {
  const { finding, overruledAt } = message.moderation
  return {
    ...messageView(message),
    finding: finding && {
      rule: finding.rule,
      text: message.text.slice(finding.from, finding.to),
      from: finding.from,
      to: finding.to,
    },
    option_id: message.optionId,
    date_overruled: overruledAt?.toISOString() ?? null,
  }
}

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
    after: Type.Optional(Type.String({ description: '`next` of the page before' })),
  }),
  answers: {
    200: Type.Object({ messages: Type.Array(Judged), next: OrNull(Type.String()) }),
  },
  async handle({ db }, { query }) {
    const limit = query.limit ?? 50
    const found = await listHeldBack(db, { ...placeIn(query.after), limit })
    const last = found.length === limit ? found.at(-1) : undefined
    const next = last ? `${last.dateCreated.getTime()}-${last.id}` : null
    return ok({ messages: found.map(judgedView), next })
  },
})

function placeIn(after: string | undefined): { before: Date; id: string } {
  if (after === undefined) return { before: new Date('9999-12-31T00:00:00.000Z'), id: '' }
  const [, ms, id] = /^(\d{1,16})-([0-9a-f]{32})$/.exec(after) ?? []
  if (ms === undefined || id === undefined) {
    throw new Failure('bad_request', 'after: expected what `next` of a page said')
  }
  return { before: new Date(Number(ms)), id }
}

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
    const owner = await findMessageOwner(db, id)
    const message = owner && (await readMessage(db, { ...owner, id }))
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

const patchConversation = route({
  method: 'PATCH',
  url: '/operator/conversations/packs/:pack_id/sellers/:seller_id',
  scope: 'operator',
  tag,
  summary: 'End a conversation, or let it go on',
  description:
    'Wire 3. `blocked_by_buyer` stops its seller, `blocked_by_restrictions` both parties, null nobody.',
  params: Type.Object({ pack_id: Type.String(), seller_id: Type.String() }),
  body: Strict({ block: OrNull(Type.Enum([...blocks])) }),
  answers: {
    200: Type.Object({
      pack_id: Id,
      seller_id: Id,
      block: OrNull(Type.Enum([...blocks])),
      date_blocked: OrNull(Timestamp),
    }),
  },
  async handle(ctx, { params, body }) {
    const place = {
      packId: pathId('pack_id', params.pack_id),
      sellerId: pathId('seller_id', params.seller_id),
    }
    const { block, blockedAt } = await blockConversation(ctx, place, body.block)
    return ok({
      pack_id: place.packId,
      seller_id: place.sellerId,
      block,
      date_blocked: blockedAt?.toISOString() ?? null,
    })
  },
})

export const messagesIntake: Route[] = [getHeldBack, getJudged, postOverrule, patchConversation]
