import { Type } from 'typebox'
import { created, ok, type Route, ready, route } from '../http/route.ts'
import { Failure } from '../kernel/failure.ts'
import { parseId } from '../kernel/ids.ts'
import { Bounded } from '../kernel/schema.ts'
import { orderOwners } from '../orders/store.ts'
import type { Context } from '../platform/context.ts'
import { untilVisible } from '../platform/database/visible.ts'
import { conversationFor, messageFor } from './read.ts'
import { isParty } from './sale.ts'
import {
  LegacyMessageAnswer,
  LegacySendBody,
  MessageAnswer,
  PageAnswer,
  SendBody,
  UnreadAnswer,
  WrappedAnswer,
} from './schemas.ts'
import { sendMessage } from './send/commands.ts'
import { type MessageAboutInput, readMessageAboutInput, readMessageInput } from './send/input.ts'
import type { ConversationKey } from './store.ts'
import { countUnread, listUnread } from './store-read.ts'
import { findPackOf, readSale } from './store-state.ts'
import { conversationPath, legacyView, messageView } from './view.ts'

const tag = 'Messages'
const ofConversation = Type.Object({ pack_id: Type.String(), seller_id: Type.String() })
const PostSale = Type.Optional(Bounded(1_000, '`post_sale`'))
/** Read by `limitOf` and `offsetOf`, whose refusals have words of the contract's. */
const Count = (description: string) => Type.Optional(Bounded(20_000, description))

const usualLimit = 10
const largestLimit = 1_000
/** Messages of one page. A thousand of the longest take 150 ms of processor time. */
const mostOfPage = 250

const getConversation = route({
  method: 'GET',
  url: '/messages/packs/:pack_id/sellers/:seller_id',
  scope: 'read',
  tag,
  summary: 'The conversation of a pack with its seller, newest message first',
  description:
    'Contract 4.2. `pack_id` is the order’s number where it has no pack. What the other party wrote is read by this, unless `mark_as_read=false`. What was moderated is seen by its writer alone. Refusals: contract 7.2.',
  params: ofConversation,
  query: Type.Object({
    tag: PostSale,
    limit: Count('1 to 1000, usually 10; a page has at most 250, as `paging.limit` then says'),
    offset: Count('from 0'),
    mark_as_read: Type.Optional(Type.Boolean()),
  }),
  answers: { 200: PageAnswer },
  async handle(ctx, { params, query, caller }) {
    const [limit, offset] = [limitOf(query.limit), offsetOf(query.offset)]
    const place = conversationKeyOf(params)
    if (!place) throw new Failure('conversation_denied', params.pack_id)
    const marks = query.mark_as_read !== false
    return ready(
      await conversationFor(ctx, { ...place, userId: caller.userId, limit, offset, marks }),
    )
  },
})

function conversationKeyOf(params: {
  pack_id: string
  seller_id: string
}): ConversationKey | undefined {
  const [packId, sellerId] = [parseId(params.pack_id), parseId(params.seller_id)]
  return packId === undefined || sellerId === undefined ? undefined : { packId, sellerId }
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return usualLimit
  if (!/^-?\d{1,9}$/.test(text) || Number(text) > largestLimit) throw new Failure('invalid_limit')
  if (Number(text) <= 0) throw new Failure('limit_not_positive')
  return Math.min(Number(text), mostOfPage)
}

function offsetOf(text: string | undefined): number {
  if (text === undefined) return 0
  if (!/^\d{1,9}$/.test(text)) throw new Failure('invalid_offset')
  return Number(text)
}

const postMessage = route({
  method: 'POST',
  url: '/messages/packs/:pack_id/sellers/:seller_id',
  scope: 'write',
  tag,
  summary: 'Write to the other party of a pack',
  description:
    'Contract 4.2. ISO-8859-1 and emoji. What is held back by moderation is answered too, as `moderated` and with its reason. Refusals, in the order in which they are looked for: contract 7.3.',
  params: ofConversation,
  query: Type.Object({ tag: PostSale }),
  body: SendBody,
  unchecked: true,
  needsApplication: true,
  failures: 'message',
  answers: { 201: MessageAnswer },
  async handle(ctx, { params, body, caller }) {
    const asked = readMessageInput(body, ctx.config.messages)
    const place = conversationKeyOf(params)
    if (!place) throw new Failure('sender_denied', `${asked.fromId} to order ${params.pack_id}`)
    return created(messageView(await sendMessage(ctx, { place, asked, caller })))
  },
})

const postLegacyMessage = route({
  method: 'POST',
  url: '/messages',
  scope: 'write',
  tag,
  summary: 'The same as old clients send it: the body names what it is about',
  description: 'Wire 1. `to.resource` is `orders` or `packs`. Refusals: contract 7.3.',
  query: Type.Object({ tag: PostSale }),
  body: LegacySendBody,
  unchecked: true,
  needsApplication: true,
  failures: 'message',
  answers: { 201: LegacyMessageAnswer },
  async handle(ctx, { body, caller }) {
    const asked = readMessageAboutInput(body, ctx.config.messages)
    const place = await conversationKeyAbout(ctx, asked)
    const { subject } = asked
    return created(legacyView(await sendMessage(ctx, { place, asked, caller, subject })))
  },
})

/** The conversation about an order or a pack. A pack may be of several sellers: it is the one that
 * writes, or else the one that is written to. */
async function conversationKeyAbout(
  { reads }: Context,
  asked: MessageAboutInput,
): Promise<ConversationKey> {
  const { resource, resourceId, fromId, toId, siteId } = asked
  const owner = resource === 'orders' ? await orderOwners.find(reads, resourceId) : undefined
  const sellers = resource === 'packs' ? [fromId, toId ?? 0] : owner ? [owner.sellerId] : []
  for (const sellerId of sellers) {
    const packId = owner
      ? ((await untilVisible(() => findPackOf(reads, { sellerId, orderId: resourceId }))) ??
        resourceId)
      : resourceId
    const sale = await readSale(reads, { sellerId, packId })
    if (!isParty(sale, fromId)) continue
    if (sale.siteId !== siteId) throw new Failure('invalid_to_site')
    return { sellerId, packId }
  }
  throw new Failure('sender_denied', `${fromId} to order ${resourceId}`)
}

const getMessage = route({
  method: 'GET',
  url: '/messages/:message_id',
  scope: 'read',
  tag,
  summary: 'One message, for a party that sees it',
  description:
    'Contract 4.2. In the legacy format, or in the new one with the header `X-Pack-Format: true` (or `x-format-new: true`). Refusals: contract 7.2.',
  params: Type.Object({ message_id: Type.String() }),
  query: Type.Object({ tag: PostSale }),
  headers: Type.Object({
    'x-pack-format': Type.Optional(Type.String({ description: '`true` for the new format' })),
  }),
  answers: { 200: Type.Union([LegacyMessageAnswer, WrappedAnswer]) },
  async handle(ctx, { params, headers, caller }) {
    const message = await messageFor(ctx, { userId: caller.userId, id: params.message_id })
    const isNew = headers['x-pack-format'] === 'true' || headers['x-format-new'] === 'true'
    if (!isNew) return ok(legacyView(message))
    return ok({ paging: null, conversation_status: null, messages: [messageView(message)] })
  },
})

const getUnread = route({
  method: 'GET',
  url: '/messages/unread',
  scope: 'read',
  tag,
  summary: 'How much the caller has not read, conversation by conversation',
  description: 'Wire 3. `role`: as `seller` (when it is not said) or as `buyer`.',
  query: Type.Object({ tag: PostSale, role: Type.Optional(Type.Enum(['seller', 'buyer'])) }),
  answers: { 200: UnreadAnswer },
  async handle({ reads }, { query, caller }) {
    const { userId } = caller
    const unread = await listUnread(reads, { userId, role: query.role ?? 'seller' })
    return ok(unreadView(userId, unread))
  },
})

const getUnreadOfPack = route({
  method: 'GET',
  url: '/messages/unread/packs/:pack_id/sellers/:seller_id',
  scope: 'read',
  tag,
  summary: 'How much of one conversation the caller has not read',
  params: ofConversation,
  query: Type.Object({ tag: PostSale }),
  answers: { 200: UnreadAnswer },
  async handle({ reads }, { params, caller }) {
    const { userId } = caller
    const place = conversationKeyOf(params)
    const sale = place && (await readSale(reads, place))
    if (!place || !isParty(sale, userId)) throw new Failure('conversation_denied', params.pack_id)
    const n = await countUnread(reads, { ...place, userId })
    return ok(unreadView(userId, [{ ...place, n: n ?? 0 }]))
  },
})

function unreadView(userId: number, unread: readonly (ConversationKey & { n: number })[]): object {
  return {
    user_id: userId,
    results: unread.map(({ n, ...place }) => ({ resource: conversationPath(place), count: n })),
  }
}

/** Words before numbers: `/messages/unread` is no message. */
export const messageRoutes: Route[] = [
  getConversation,
  postMessage,
  postLegacyMessage,
  getUnread,
  getUnreadOfPack,
  getMessage,
]
