import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { largestId, pathId } from '../../kernel/ids.ts'
import { Id, OrNull, Strict, Timestamp } from '../../kernel/schema.ts'
import { blocks, statusOf, untouched } from '../conversation.ts'
import { hasOptionsLeft } from '../guide/options.ts'
import { ConversationAnswer } from '../schemas.ts'
import { type ConversationKey, readThread } from '../store.ts'
import { readSale } from '../store-state.ts'
import { statusView } from '../view.ts'
import { blockConversation } from './commands.ts'
import { listConversations, listThread } from './store.ts'
import { behind, Judged, judgedView } from './view.ts'

const tag = 'Operator: messages'
const path = '/operator/conversations/packs/:pack_id/sellers/:seller_id'
const params = Type.Object({ pack_id: Type.String(), seller_id: Type.String() })

function conversationKeyOf(named: { pack_id: string; seller_id: string }): ConversationKey {
  return {
    packId: pathId('pack_id', named.pack_id),
    sellerId: pathId('seller_id', named.seller_id),
  }
}

const getConversations = route({
  method: 'GET',
  url: '/operator/conversations',
  scope: 'operator',
  tag,
  summary: 'The conversations of a seller, those of the newest packs first',
  query: Type.Object({
    seller_id: Id,
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: largestId,
        description: '`next_before` of the page before',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  }),
  answers: {
    200: Type.Object({
      conversations: Type.Array(
        Type.Object({
          pack_id: Id,
          seller_id: Id,
          buyer_id: Id,
          buyer_nickname: OrNull(Type.String()),
          messages: Type.Integer({ description: 'that both parties see' }),
          last_message_at: OrNull(Timestamp),
          block: OrNull(Type.Enum([...blocks])),
        }),
      ),
      next_before: OrNull(Type.Integer({ description: 'null at the end' })),
    }),
  },
  async handle({ db }, { query }) {
    const { seller_id: sellerId, before = null, limit = 50 } = query
    const found = await listConversations(db, { sellerId, before, limit: limit + 1 })
    const page = found.slice(0, limit)
    return ok({
      conversations: page.map((each) => ({
        pack_id: each.packId,
        seller_id: sellerId,
        buyer_id: each.buyerId,
        buyer_nickname: each.buyerNickname,
        messages: each.messages,
        last_message_at: timestamp(each.lastMessageAt),
        block: each.block,
      })),
      next_before: found.length > limit ? (page.at(-1)?.packId ?? null) : null,
    })
  },
})

const getConversation = route({
  method: 'GET',
  url: path,
  scope: 'operator',
  tag,
  summary: 'A conversation whole, with what was held back, newest message first',
  description:
    'Nothing is read by it: what a party has not read stays unread. `status_for_seller` and `status_for_buyer` are what each of them is answered (contract 2.12).',
  params,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    after: Type.Optional(Type.String({ maxLength: 60, description: '`next` of the page before' })),
  }),
  answers: {
    200: Type.Object({
      pack_id: Id,
      seller_id: Id,
      buyer_id: Id,
      order_ids: Type.Array(Id),
      block: OrNull(Type.Enum([...blocks])),
      date_blocked: OrNull(Timestamp),
      status_for_seller: ConversationAnswer,
      status_for_buyer: ConversationAnswer,
      messages: Type.Array(Judged),
      next: OrNull(Type.String({ description: 'null at the end' })),
    }),
  },
  async handle({ db, now, config }, { params: named, query }) {
    const place = conversationKeyOf(named)
    const limit = query.limit ?? 50
    const [sale, thread = untouched, messages] = await Promise.all([
      readSale(db, place),
      readThread(db, place),
      listThread(db, { ...place, ...behind(query.after), limit }),
    ])
    if (!sale) throw new Failure('not_found', `Conversation not found: ${place.packId}`)
    const hasOptions = hasOptionsLeft(sale, thread.spent, config.messages.guideCaps)
    const facts = { sale, thread, hasOptions, now: now() }
    const last = messages.length === limit ? messages.at(-1) : undefined
    return ok({
      pack_id: place.packId,
      seller_id: place.sellerId,
      buyer_id: sale.buyerId,
      order_ids: sale.orders.map(({ id }) => id),
      block: thread.block,
      date_blocked: timestamp(thread.blockedAt),
      status_for_seller: statusView(statusOf({ ...facts, viewpoint: 'seller' }), place),
      status_for_buyer: statusView(statusOf({ ...facts, viewpoint: 'buyer' }), place),
      messages: messages.map(judgedView),
      next: last ? `${last.dateCreated.getTime()}-${last.id}` : null,
    })
  },
})

const patchConversation = route({
  method: 'PATCH',
  url: path,
  scope: 'operator',
  tag,
  summary: 'End a conversation, or let it go on',
  description:
    'Wire 3. `blocked_by_buyer` stops its seller, `blocked_by_restrictions` both parties, null nobody.',
  params,
  body: Strict({ block: OrNull(Type.Enum([...blocks])) }),
  answers: {
    200: Type.Object({
      pack_id: Id,
      seller_id: Id,
      block: OrNull(Type.Enum([...blocks])),
      date_blocked: OrNull(Timestamp),
    }),
  },
  async handle(ctx, { params: named, body }) {
    const place = conversationKeyOf(named)
    const { block, blockedAt } = await blockConversation(ctx, place, body.block)
    return ok({
      pack_id: place.packId,
      seller_id: place.sellerId,
      block,
      date_blocked: timestamp(blockedAt),
    })
  },
})

export const conversationsAdminRoutes: Route[] = [
  getConversations,
  getConversation,
  patchConversation,
]
