import type { ResponseBody } from 'feria/client'
import { conversationPage, legacyMessage, message, messageRefusal, refusal } from './bodies.ts'
import type { ConformCheck } from './check.ts'
import { eachIs, hasLength, responsePasses, someIs, sorted, valueIs } from './rules.ts'

type ConversationPage = ResponseBody<'/messages/packs/{pack_id}/sellers/{seller_id}', 'get'>

const conversationPath = '/messages/packs/{talk}/sellers/{user}'
const unrestrictedPath = '/messages/packs/{free_pack}/sellers/{user}'
const section = '4.2'
const unmarkedQuery = 'tag=post_sale&mark_as_read=false'

/** Checks of reading messages. */
const readChecks: readonly ConformCheck[] = [
  {
    section,
    says: 'a conversation has its page, its state and its limits',
    ask: `GET ${conversationPath}?${unmarkedQuery}`,
    gives: 200,
    body: conversationPage,
    holds: [hasLength('messages', { least: 1 })],
  },
  {
    section,
    says: 'tag=post_sale may be left out',
    gives: 200,
    body: conversationPage,
    ask: `GET ${conversationPath}?mark_as_read=false`,
  },
  {
    section,
    says: 'an order without a pack is its own pack',
    gives: 200,
    ask: `GET /messages/packs/{pack}/sellers/{user}?${unmarkedQuery}`,
    body: conversationPage,
  },
  {
    section: '2.12',
    says: 'the path of a conversation names pack and seller',
    gives: 200,
    ...{
      ask: `GET ${conversationPath}?${unmarkedQuery}`,
      holds: [valueIs('conversation_status.path', /^\/packs\/\d+\/seller/)],
    },
  },
  {
    ...{
      section,
      says: 'limit sets the number of messages',
      ask: `GET ${conversationPath}?${unmarkedQuery}&limit=1`,
      gives: 200,
    },
    holds: [valueIs('paging.limit', 1), hasLength('messages', { most: 1 })],
  },
  {
    section,
    says: 'offset skips messages',
    ask: `GET ${conversationPath}?${unmarkedQuery}&offset=1`,
    gives: 200,
    holds: [valueIs('paging.offset', 1)],
  },
  {
    section,
    open: true,
    says: 'a conversation has the newest messages first',
    ask: `GET ${conversationPath}?${unmarkedQuery}`,
    gives: 200,
    holds: [sorted('messages', 'message_date.created', 'descending')],
  },
  {
    section: '2.11',
    says: 'a message is read in the legacy format',
    gives: 200,
    ask: 'GET /messages/{message}?tag=post_sale',
    body: legacyMessage,
    holds: [valueIs('message_id', '{message}')],
  },
  ...['x-format-new', 'X-Pack-Format'].map(
    (name): ConformCheck => ({
      section: '9',
      open: true,
      says: `${name} selects the newer format`,
      gives: 200,
      ask: 'GET /messages/{message}?tag=post_sale',
      headers: { [name]: 'true' },
      body: { paging: 'null', conversation_status: 'null', messages: [message] },
      holds: [valueIs('messages[0].id', '{message}'), hasLength('messages', { least: 1, most: 1 })],
    }),
  ),
  {
    section,
    open: true,
    says: 'unread messages are counted by conversation',
    ask: 'GET /messages/unread?role=seller&tag=post_sale',
    gives: 200,
    body: { user_id: 'a whole number', results: [{ resource: 'text', count: 'a whole number' }] },
  },
  {
    section,
    open: true,
    says: 'unread messages of one conversation are counted',
    gives: 200,
    ask: 'GET /messages/unread/packs/{talk}/sellers/{user}?tag=post_sale',
    body: { user_id: 'a whole number', results: [{ resource: 'text', count: 'a whole number' }] },
  },
  ...['limit=0', 'limit=-1', 'limit=x', 'offset=-1', 'offset=x'].map(
    (query): ConformCheck => ({
      section: '7.2',
      says: `reading messages with ${query} is refused`,
      gives: 400,
      body: refusal,
      ask: `GET ${conversationPath}?${unmarkedQuery}&${query}`,
    }),
  ),
  {
    section: '7.2',
    says: 'a conversation of other users is refused',
    as: 'stranger',
    gives: 403,
    ask: `GET ${conversationPath}?${unmarkedQuery}`,
    body: refusal,
  },
  {
    section: '7.2',
    says: 'a message of other users is refused',
    as: 'stranger',
    gives: 403,
    body: refusal,
    ask: 'GET /messages/{message}?tag=post_sale',
  },
  {
    section: '7.2',
    says: 'an unknown message is refused',
    gives: 400,
    body: refusal,
    ask: `GET /messages/${'0'.repeat(32)}?tag=post_sale`,
  },
]

const seller = { user_id: '{user}' }
const buyer = { user_id: '{buyer}' }
const post = `POST ${unrestrictedPath}?tag=post_sale`
const refused = { section: '7.3', body: messageRefusal, writes: true, ask: post } as const

/** Checks of refusals that need no special state of the order. */
const refusals: readonly ConformCheck[] = [
  { ...refused, says: 'a message without a body is refused', gives: 400 },
  {
    ...refused,
    says: 'a message without a sender is refused',
    gives: 400,
    send: { to: buyer, text: 'Hola' },
  },
  {
    ...refused,
    says: 'a message without a receiver is refused',
    gives: 400,
    send: { from: seller, text: 'Hola' },
  },
  {
    ...refused,
    says: 'a receiver that is not a user id is refused',
    gives: 400,
    send: { from: seller, to: { user_id: 'x' }, text: 'Hola' },
  },
  {
    ...refused,
    says: 'a message to oneself is refused',
    gives: 400,
    send: { from: seller, to: seller, text: 'Hola' },
  },
  {
    ...refused,
    says: 'a message to an external address is refused',
    gives: 400,
    send: { from: seller, to: { user_id: 0, email: 'somebody@example.com' }, text: 'Hola' },
  },
  {
    ...refused,
    says: 'a message from a user without access to the order is refused',
    as: 'stranger',
    gives: 403,
    send: { from: { user_id: '{stranger}' }, to: buyer, text: 'Hola' },
  },
  {
    ...refused,
    says: 'a message to a user who is no party to the order is refused',
    gives: 403,
    send: { from: seller, to: { user_id: '{stranger}' }, text: 'Hola' },
  },
  {
    ...refused,
    says: 'characters outside of ISO-8859-1 are refused',
    gives: 400,
    send: { from: seller, to: buyer, text: 'Привет' },
  },
  {
    ...refused,
    says: 'a seller’s text of more than 350 characters is refused',
    gives: 400,
    send: { from: seller, to: buyer, text: 'a '.repeat(176) },
  },
  {
    ...refused,
    says: 'a buyer’s text of more than 3500 characters is refused',
    as: 'buyer',
    gives: 400,
    send: { from: buyer, to: seller, text: 'a '.repeat(1751) },
  },
  {
    ...refused,
    says: 'more than 25 attachments are refused',
    gives: 400,
    send: {
      from: seller,
      to: buyer,
      text: 'Hola',
      attachments: Array.from({ length: 26 }, (_, n) => `1_${n}.png`),
    },
  },
  {
    ...refused,
    says: 'a message without a token is refused',
    as: 'nobody',
    gives: 400,
    send: { from: seller, to: buyer, text: 'Hola' },
  },
  {
    ...refused,
    says: 'a message with a token of no application is refused',
    as: 'unbound',
    gives: 400,
    send: { from: seller, to: buyer, text: 'Hola' },
  },
  {
    ...refused,
    says: 'a message in a blocked conversation is refused',
    gives: 403,
    ask: 'POST /messages/packs/{blocked_pack}/sellers/{user}?tag=post_sale',
    send: { from: seller, to: buyer, text: 'Hola' },
    holds: [
      valueIs('code', 'forbidden'),
      valueIs('message', 'blocked_conversation_send_message_forbidden'),
    ],
  },
  {
    ...refused,
    says: 'a message before the delivery with fulfillment is refused',
    gives: 403,
    ask: 'POST /messages/packs/{fulfilled_pack}/sellers/{user}?tag=post_sale',
    send: { from: seller, to: buyer, text: 'Hola' },
  },
  {
    ...refused,
    section: '4.1',
    says: 'a first message without an option is refused in a guided sale',
    ask: 'POST /messages/packs/{cross_pack}/sellers/{user}?tag=post_sale',
    gives: 403,
    send: { from: seller, to: buyer, text: 'Hola' },
    holds: [valueIs('message', 'blocked_by_conversation_started_by_seller')],
  },
]

const png = Uint8Array.from(
  atob(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
  (character) => character.charCodeAt(0),
)
const file = { name: 'photo.png', type: 'image/png', bytes: png }
const upload = 'POST /messages/attachments?tag=post_sale&site_id={site}'
const attachment = { section: '7.4', writes: true, body: refusal } as const

/** Checks of writing. Refusals come first: once a message is sent, the server would refuse with another error. */
const writing: readonly ConformCheck[] = [
  {
    section,
    writes: true,
    says: 'a file is uploaded',
    ask: upload,
    file,
    gives: [200, 201],
    body: { id: 'text' },
    holds: [valueIs('id', /^\d+_[0-9a-f-]{36}\.png$/)],
    keeps: { attachment: 'id' },
  },
  {
    ...attachment,
    says: 'an upload without site_id is refused',
    gives: 400,
    file,
    ask: 'POST /messages/attachments?tag=post_sale',
  },
  {
    ...attachment,
    says: 'an empty file is refused',
    gives: 400,
    ask: upload,
    file: { ...file, bytes: new Uint8Array() },
  },
  {
    ...attachment,
    says: 'a file name with a slash is refused',
    gives: 400,
    ask: upload,
    file: { ...file, name: 'a\\b.png' },
  },
  {
    ...attachment,
    says: 'a file of more than 25 MB is refused',
    gives: 400,
    ask: upload,
    file: { ...file, bytes: 25 * 1024 * 1024 + 1 },
  },
  {
    section,
    writes: true,
    says: 'a message is sent with a file',
    gives: [200, 201],
    ...{
      ask: post,
      send: {
        from: seller,
        to: buyer,
        text: 'Hola, va la foto. ¡Gracias! 😀',
        attachments: ['{attachment}'],
      },
    },
    body: message,
    keeps: { sent: 'id' },
    holds: [
      valueIs('status', 'available'),
      valueIs('from.user_id', '{user}'),
      valueIs('to.user_id', '{buyer}'),
    ],
  },
  {
    section,
    writes: true,
    says: 'the buyer reads the message, which marks it as read',
    ask: `GET ${unrestrictedPath}?tag=post_sale`,
    as: 'buyer',
    gives: 200,
    body: conversationPage,
    holds: [valueIs('messages[0].id', '{sent}')],
  },
  {
    section,
    writes: true,
    says: 'the seller sees that the message was read',
    gives: 200,
    ask: `GET ${unrestrictedPath}?${unmarkedQuery}`,
    body: conversationPage,
    holds: [
      responsePasses(
        'a moment in message_date.read',
        ({ messages }: ConversationPage) => messages[0]?.message_date.read != null,
      ),
    ],
  },
  {
    section,
    writes: true,
    says: 'the buyer downloads the file',
    as: 'buyer',
    gives: 200,
    ask: 'GET /messages/attachments/{attachment}?tag=post_sale&site_id={site}',
    head: { 'content-length': new RegExp(`^${png.length}$`) },
  },
  {
    ...{
      section: '7.4',
      writes: true,
      says: 'other users cannot download the file',
      as: 'stranger',
      gives: [403, 404],
    },
    ask: 'GET /messages/attachments/{attachment}?tag=post_sale&site_id={site}',
  },
  {
    section,
    writes: true,
    says: 'the buyer answers',
    as: 'buyer',
    gives: [200, 201],
    ask: post,
    send: { from: buyer, to: seller, text: 'Gracias' },
    body: message,
  },
  {
    section: '3.2',
    writes: true,
    says: 'a link to a social network is moderated',
    ask: post,
    send: { from: seller, to: buyer, text: 'Seguinos en https://www.facebook.com/tienda' },
    gives: [200, 201],
    body: message,
    keeps: { moderated: 'id' },
    holds: [
      valueIs('status', 'moderated'),
      valueIs('message_moderation.status', 'rejected'),
      ...[
        valueIs('message_moderation.reason', 'SOCIAL_NETWORK_LINK'),
        valueIs('message_date.available', null),
      ],
    ],
  },
  {
    section,
    writes: true,
    says: 'a moderated message is hidden from the other party',
    ask: `GET ${unrestrictedPath}?${unmarkedQuery}`,
    as: 'buyer',
    gives: 200,
    holds: [eachIs('messages', 'status', 'available')],
  },
  {
    section,
    writes: true,
    says: 'a moderated message is shown to its author',
    gives: 200,
    ask: `GET ${unrestrictedPath}?${unmarkedQuery}`,
    holds: [someIs('messages', 'id', '{moderated}')],
  },
]

/** Checks of messages and attachments. */
export const messageChecks: readonly ConformCheck[] = [...readChecks, ...refusals, ...writing]
