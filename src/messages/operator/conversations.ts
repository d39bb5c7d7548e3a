import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { largestId } from '../../kernel/ids.ts'
import { Id, OrNull, StrictObject, Timestamp } from '../../kernel/schema.ts'
import { siteOfSeller } from '../../listings/site-rules.ts'
import { conversationBlocks, conversationStatusOf, emptyConversation } from '../conversation.ts'
import { readSale } from '../conversation-read-model.ts'
import { hasOptionsLeft } from '../option-rules.ts'
import { ConversationStatusAnswer } from '../schemas.ts'
import { siteOfConversation } from '../site-rules.ts'
import { readConversation } from '../store.ts'
import { conversationStatusView } from '../view.ts'
import { blockConversation } from './commands.ts'
import { conversationKeyOf, conversationParams, conversationUrl } from './path.ts'
import { listConversationMessages, listConversations } from './read-model.ts'
import { stateOfConversation, versionedConversation } from './versioned-conversation.ts'
import { ModeratedMessageAnswer, moderatedMessageView, parseMessageCursor } from './view.ts'

const tag = 'Operator: messages'

const getConversations = route({
  method: 'GET',
  url: '/operator/conversations',
  scope: 'operator',
  permission: 'messages:read',
  sites: siteOfSeller('seller_id'),
  tag,
  summary: 'List conversations',
  description:
    'Returns the conversations of one seller, newest pack first. For the next page, send `next_before` of the response as `before`.',
  query: Type.Object({
    seller_id: Id,
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: largestId,
        description: '`next_before` of the previous page.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 200,
        description: 'Conversations per page. Default: 50.',
      }),
    ),
  }),
  answers: {
    200: Type.Object({
      conversations: Type.Array(
        Type.Object({
          pack_id: Id,
          seller_id: Id,
          buyer_id: Id,
          buyer_nickname: OrNull(Type.String()),
          messages: Type.Integer({ description: 'Number of messages that both parties see.' }),
          last_message_at: OrNull(Timestamp),
          block: OrNull(Type.Enum([...conversationBlocks])),
        }),
      ),
      next_before: OrNull(Type.Integer({ description: 'Null on the last page.' })),
    }),
  },
  async handle({ db }, { query }) {
    const { seller_id: sellerId, before = null, limit = 50 } = query
    const conversations = await listConversations(db, { sellerId, before, limit: limit + 1 })
    const page = conversations.slice(0, limit)
    return ok({
      conversations: page.map((conversation) => ({
        pack_id: conversation.packId,
        seller_id: sellerId,
        buyer_id: conversation.buyerId,
        buyer_nickname: conversation.buyerNickname,
        messages: conversation.messages,
        last_message_at: timestamp(conversation.lastMessageAt),
        block: conversation.block,
      })),
      next_before: conversations.length > limit ? (page.at(-1)?.packId ?? null) : null,
    })
  },
})

const getConversation = route({
  method: 'GET',
  url: conversationUrl,
  scope: 'operator',
  permission: 'messages:read',
  sites: siteOfConversation,
  versioned: versionedConversation,
  tag,
  summary: 'Get a conversation',
  description:
    'Returns all messages of a conversation, held-back ones included, newest first. It does not mark messages as read. `status_for_seller` and `status_for_buyer` are the states that each party sees. 404 `not_found`: the seller has no such pack or order.',
  refuses: { not_found: 'Conversation not found: 2000006181551917' },
  params: conversationParams,
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, description: 'Messages per page. Default: 50.' }),
    ),
    after: Type.Optional(
      Type.String({ maxLength: 60, description: '`next` of the previous page.' }),
    ),
  }),
  answers: {
    200: Type.Object({
      pack_id: Id,
      seller_id: Id,
      buyer_id: Id,
      order_ids: Type.Array(Id),
      block: OrNull(Type.Enum([...conversationBlocks])),
      date_blocked: OrNull(Timestamp),
      status_for_seller: ConversationStatusAnswer,
      status_for_buyer: ConversationStatusAnswer,
      messages: Type.Array(ModeratedMessageAnswer),
      next: OrNull(Type.String({ description: 'Null on the last page.' })),
    }),
  },
  async handle({ db, now, config }, { params: pathParams, query }) {
    const key = conversationKeyOf(pathParams)
    const limit = query.limit ?? 50
    const [sale, thread = emptyConversation, messages] = await Promise.all([
      readSale(db, key),
      readConversation(db, key),
      listConversationMessages(db, { ...key, ...parseMessageCursor(query.after), limit }),
    ])
    if (!sale) throw new Failure('not_found', `Conversation not found: ${key.packId}`)
    const hasOptions = hasOptionsLeft(sale, thread.spent, config.messages.guideCaps)
    const facts = { sale, thread, hasOptions, now: now() }
    const last = messages.length === limit ? messages.at(-1) : undefined
    const answer = ok({
      pack_id: key.packId,
      seller_id: key.sellerId,
      buyer_id: sale.buyerId,
      order_ids: sale.orders.map(({ id }) => id),
      block: thread.block,
      date_blocked: timestamp(thread.blockedAt),
      status_for_seller: conversationStatusView(
        conversationStatusOf({ ...facts, viewpoint: 'seller' }),
        key,
      ),
      status_for_buyer: conversationStatusView(
        conversationStatusOf({ ...facts, viewpoint: 'buyer' }),
        key,
      ),
      messages: messages.map(moderatedMessageView),
      next: last ? `${last.dateCreated.getTime()}-${last.id}` : null,
    })
    return { ...answer, state: stateOfConversation(thread) }
  },
})

const patchConversation = route({
  method: 'PATCH',
  url: conversationUrl,
  scope: 'operator',
  permission: 'messages:write',
  sites: siteOfConversation,
  audits: 'conversation',
  versioned: versionedConversation,
  tag,
  summary: 'Block or unblock a conversation',
  description:
    'Sets who may not write: with `blocked_by_buyer` the seller, with `blocked_by_restrictions` both parties. Send null to lift the block. 404 `not_found`: the seller has no such pack or order.',
  refuses: { not_found: 'Conversation not found: 2000006181551917' },
  params: conversationParams,
  body: StrictObject({ block: OrNull(Type.Enum([...conversationBlocks])) }),
  answers: {
    200: Type.Object({
      pack_id: Id,
      seller_id: Id,
      block: OrNull(Type.Enum([...conversationBlocks])),
      date_blocked: OrNull(Timestamp),
    }),
  },
  async handle(ctx, { params: pathParams, body }) {
    const key = conversationKeyOf(pathParams)
    const { block, blockedAt } = await blockConversation(ctx, key, body.block)
    const answer = ok({
      pack_id: key.packId,
      seller_id: key.sellerId,
      block,
      date_blocked: timestamp(blockedAt),
    })
    return { ...answer, state: stateOfConversation({ block, blockedAt }) }
  },
})

export const conversationsAdminRoutes: Route[] = [
  getConversations,
  getConversation,
  patchConversation,
]
