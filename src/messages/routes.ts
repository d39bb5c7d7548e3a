import { Type } from 'typebox'
import { created, ok, okJsonText, type Route, route } from '../http/route.ts'
import { Failure } from '../kernel/failure.ts'
import { parseId } from '../kernel/ids.ts'
import { Bounded } from '../kernel/schema.ts'
import { findPackId, orderOwners } from '../orders/store.ts'
import type { Context } from '../platform/context.ts'
import { untilVisible } from '../platform/database/visible.ts'
import { readSale } from './conversation-read-model.ts'
import { readConversationPage, readVisibleMessage } from './read.ts'
import { isParty } from './sale.ts'
import {
  ConversationPageAnswer,
  LegacyMessageAnswer,
  LegacySendBody,
  MessageAnswer,
  SendBody,
  SingleMessagePageAnswer,
  UnreadAnswer,
} from './schemas.ts'
import { sendMessage } from './send/commands.ts'
import { type LegacyMessageInput, readLegacyMessageInput, readMessageInput } from './send/input.ts'
import type { ConversationKey } from './store.ts'
import { countUnread, listUnread } from './store-read.ts'
import { conversationPath, legacyMessageView, messageView } from './view.ts'

const tag = 'Messages'
const ConversationParams = Type.Object({ pack_id: Type.String(), seller_id: Type.String() })
const PostSale = Type.Optional(Bounded(1_000, '`post_sale`'))
/** `limitOf` and `offsetOf` check the value: their errors have a text of their own. */
const Count = (description: string) => Type.Optional(Bounded(20_000, description))

const defaultLimit = 10
const maxLimit = 1_000
/** Messages per page. A thousand of the longest take 150 ms of processor time. */
const maxPageSize = 250

const getConversation = route({
  method: 'GET',
  url: '/messages/packs/:pack_id/sellers/:seller_id',
  scope: 'read',
  tag,
  summary: 'Get a conversation',
  description:
    'Returns the messages of a pack with one seller, newest first, and whether you may write. Use the order id as `pack_id` when the order has no pack. The call marks the messages that you received as read, unless you send `mark_as_read=false`. Only the sender sees a moderated message. 403 `forbidden`: you are neither the seller nor the buyer. 400 `bad_request`: wrong `limit` or `offset`.',
  refuses: {
    conversation_denied: '2000006181551917',
    invalid_limit: '',
    limit_not_positive: '',
    invalid_offset: '',
  },
  params: ConversationParams,
  query: Type.Object({
    tag: PostSale,
    limit: Count(
      'Messages per page, 1 to 1000. Default: 10. A page has at most 250; `paging.limit` is what was used.',
    ),
    offset: Count('How many of the newest messages to skip. Default: 0.'),
    mark_as_read: Type.Optional(
      Type.Boolean({ description: 'Whether to mark received messages as read. Default: true.' }),
    ),
  }),
  answers: { 200: ConversationPageAnswer },
  async handle(ctx, { params, query, caller }) {
    const [limit, offset] = [limitOf(query.limit), offsetOf(query.offset)]
    const key = conversationKeyOf(params)
    if (!key) throw new Failure('conversation_denied', params.pack_id)
    return okJsonText(
      await readConversationPage(ctx, {
        ...key,
        userId: caller.userId,
        limit,
        offset,
        marksAsRead: query.mark_as_read !== false,
      }),
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
  if (text === undefined) return defaultLimit
  if (!/^-?\d{1,9}$/.test(text) || Number(text) > maxLimit) throw new Failure('invalid_limit')
  if (Number(text) <= 0) throw new Failure('limit_not_positive')
  return Math.min(Number(text), maxPageSize)
}

function offsetOf(text: string | undefined): number {
  if (text === undefined) return 0
  if (!/^\d{1,9}$/.test(text)) throw new Failure('invalid_offset')
  return Number(text)
}

/** The errors of sending a message, with the text in the example of each. */
const sendingRefusals = {
  from_required: '',
  text_required: '',
  unsupported_text: '',
  message_too_long: '350',
  sender_denied: '468424240 to order 2000006181551917',
  receiver_denied: '2000006181551917',
  conversation_blocked: '',
  guide_required: '',
  attachment_key_invalid: '',
}

const postMessage = route({
  method: 'POST',
  url: '/messages/packs/:pack_id/sellers/:seller_id',
  scope: 'write',
  tag,
  summary: 'Send a message',
  description:
    'Sends a text to the other party of a pack: at most 350 characters from a seller, 3,500 from a buyer, in ISO-8859-1 and emoji. The token must belong to an application. A message that moderation holds back is returned too, with `status` `moderated` and the reason. 400 `bad_request`: a field is missing or wrong, or the text is too long or has unsupported characters. 403 `forbidden`: you may not write to this pack, or the conversation is blocked (message `blocked_conversation_send_message_forbidden`). With the message `blocked_by_conversation_started_by_seller`, begin with an option of the action guide. 422 `unprocessable_entity`: an attachment id is invalid.',
  refuses: sendingRefusals,
  params: ConversationParams,
  query: Type.Object({ tag: PostSale }),
  body: SendBody,
  checksBodyItself: true,
  needsApplication: true,
  failures: 'message',
  answers: { 201: MessageAnswer },
  async handle(ctx, { params, body, caller }) {
    const input = readMessageInput(body, ctx.config.messages)
    const key = conversationKeyOf(params)
    if (!key) throw new Failure('sender_denied', `${input.fromId} to order ${params.pack_id}`)
    return created(messageView(await sendMessage(ctx, { key, input, caller })))
  },
})

const postLegacyMessage = route({
  method: 'POST',
  url: '/messages',
  scope: 'write',
  tag,
  summary: 'Send a message (legacy format)',
  description:
    'Sends a message whose body names the order or pack: `to.resource` is `orders` or `packs`. At most 350 characters from a seller, 3,500 from a buyer. New clients should use `POST /messages/packs/{pack_id}/sellers/{seller_id}`, whose errors are the same. 400 `bad_request`: a field is missing or wrong, or `to.site_id` is not the site of the sale. 403 `forbidden`: you may not write to this order or pack, or the conversation is blocked. 422 `unprocessable_entity`: an attachment id is invalid.',
  refuses: {
    ...sendingRefusals,
    resource_required: '',
    invalid_resource: '',
    invalid_to_site: '',
  },
  query: Type.Object({ tag: PostSale }),
  body: LegacySendBody,
  checksBodyItself: true,
  needsApplication: true,
  failures: 'message',
  answers: { 201: LegacyMessageAnswer },
  async handle(ctx, { body, caller }) {
    const input = readLegacyMessageInput(body, ctx.config.messages)
    const key = await findConversationKey(ctx, input)
    const { subject } = input
    return created(legacyMessageView(await sendMessage(ctx, { key, input, caller, subject })))
  },
})

/** Returns the conversation about an order or a pack. A pack may have several sellers: the sender is tried as seller
 * first, then the receiver. `sendMessage` checks later that the sender is the caller. Throws `sender_denied`, and `invalid_to_site` when the sale is on another site. */
async function findConversationKey(
  { reads }: Context,
  input: LegacyMessageInput,
): Promise<ConversationKey> {
  const { resource, resourceId, fromId, toId, siteId } = input
  const owner = resource === 'orders' ? await orderOwners.find(reads, resourceId) : undefined
  const sellers = resource === 'packs' ? [fromId, toId ?? 0] : owner ? [owner.sellerId] : []
  for (const sellerId of sellers) {
    const packId = owner
      ? ((await untilVisible(() => findPackId(reads, { sellerId, orderId: resourceId }))) ??
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
  summary: 'Get a message',
  description:
    'Returns one message to its sender or receiver. Use it to read what a notification of the topic `messages` names. The legacy format is the default; `X-Pack-Format: true` (or `x-format-new: true`) selects the new one. 400 `bad_request`: the message does not exist. 403 `forbidden`: you may not see it. 404 `not_found`: it is not stored yet, retry after a few seconds.',
  refuses: {
    unknown_message: '',
    message_denied: '468424240 to message with id a35cf79864a845ca9a3bf6aee59bb4d7',
    message_not_retrieved: 'a35cf79864a845ca9a3bf6aee59bb4d7',
  },
  params: Type.Object({ message_id: Type.String() }),
  query: Type.Object({ tag: PostSale }),
  headers: Type.Object({
    'x-pack-format': Type.Optional(Type.String({ description: '`true` selects the new format.' })),
    'x-format-new': Type.Optional(Type.String({ description: 'The same as `x-pack-format`.' })),
  }),
  answers: { 200: Type.Union([LegacyMessageAnswer, SingleMessagePageAnswer]) },
  async handle(ctx, { params, headers, caller }) {
    const message = await readVisibleMessage(ctx, { userId: caller.userId, id: params.message_id })
    const isNew = headers['x-pack-format'] === 'true' || headers['x-format-new'] === 'true'
    if (!isNew) return ok(legacyMessageView(message))
    return ok({ paging: null, conversation_status: null, messages: [messageView(message)] })
  },
})

const getUnread = route({
  method: 'GET',
  url: '/messages/unread',
  scope: 'read',
  tag,
  summary: 'Count unread messages',
  description:
    'Returns how many messages you have not read in each conversation. Conversations without unread messages are left out.',
  query: Type.Object({
    tag: PostSale,
    role: Type.Optional(
      Type.Enum(['seller', 'buyer'], {
        description: 'Your role in the conversations. Default: `seller`.',
      }),
    ),
  }),
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
  summary: 'Count unread messages of a conversation',
  description:
    'Returns how many messages of one conversation you have not read. 403 `forbidden`: you are neither the seller nor the buyer.',
  refuses: { conversation_denied: '2000006181551917' },
  params: ConversationParams,
  query: Type.Object({ tag: PostSale }),
  answers: { 200: UnreadAnswer },
  async handle({ reads }, { params, caller }) {
    const { userId } = caller
    const key = conversationKeyOf(params)
    const sale = key && (await readSale(reads, key))
    if (!key || !isParty(sale, userId)) throw new Failure('conversation_denied', params.pack_id)
    const n = await countUnread(reads, { ...key, userId })
    return ok(unreadView(userId, [{ ...key, n: n ?? 0 }]))
  },
})

function unreadView(userId: number, unread: readonly (ConversationKey & { n: number })[]): object {
  return {
    user_id: userId,
    results: unread.map(({ n, ...key }) => ({ resource: conversationPath(key), count: n })),
  }
}

/** Fixed paths precede `/messages/:message_id`, so that `/messages/unread` is not taken for a message. */
export const messageRoutes: Route[] = [
  getConversation,
  postMessage,
  postLegacyMessage,
  getUnread,
  getUnreadOfPack,
  getMessage,
]
