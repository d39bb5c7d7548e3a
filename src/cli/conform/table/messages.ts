import type { Check } from '../check.ts'
import { counts, each, is, some, sorted, that } from '../rules.ts'
import { conversationPage, legacyMessage, message, messageRefusal, refusal } from './bodies.ts'

const talk = '/messages/packs/{talk}/sellers/{user}'
const free = '/messages/packs/{free_pack}/sellers/{user}'
const section = '4.2'
const quiet = 'tag=post_sale&mark_as_read=false'

/** Checks of reading messages. */
const reading: readonly Check[] = [
  {
    section,
    says: 'a conversation has its page, its state and its limits',
    ask: `GET ${talk}?${quiet}`,
    gives: 200,
    body: conversationPage,
    holds: [counts('messages', { least: 1 })],
  },
  {
    section,
    says: 'tag=post_sale may be left out',
    gives: 200,
    body: conversationPage,
    ask: `GET ${talk}?mark_as_read=false`,
  },
  {
    section,
    says: 'an order without a pack is its own pack',
    gives: 200,
    ask: `GET /messages/packs/{pack}/sellers/{user}?${quiet}`,
    body: conversationPage,
  },
  {
    section: '2.12',
    says: 'the path of a conversation names pack and seller',
    gives: 200,
    ...{
      ask: `GET ${talk}?${quiet}`,
      holds: [is('conversation_status.path', /^\/packs\/\d+\/seller/)],
    },
  },
  {
    ...{
      section,
      says: 'as many messages as asked',
      ask: `GET ${talk}?${quiet}&limit=1`,
      gives: 200,
    },
    holds: [is('paging.limit', 1), counts('messages', { most: 1 })],
  },
  {
    section,
    says: 'from where asked',
    ask: `GET ${talk}?${quiet}&offset=1`,
    gives: 200,
    holds: [is('paging.offset', 1)],
  },
  {
    section,
    open: true,
    says: 'the newest message first',
    ask: `GET ${talk}?${quiet}`,
    gives: 200,
    holds: [sorted('messages', 'message_date.created', 'descending')],
  },
  {
    section: '2.11',
    says: 'one message, in the legacy format',
    gives: 200,
    ask: 'GET /messages/{message}?tag=post_sale',
    body: legacyMessage,
    holds: [is('message_id', '{message}')],
  },
  ...['x-format-new', 'X-Pack-Format'].map(
    (name): Check => ({
      section: '9',
      open: true,
      says: `the newer format by ${name}`,
      gives: 200,
      ask: 'GET /messages/{message}?tag=post_sale',
      headers: { [name]: 'true' },
      body: { paging: 'null', conversation_status: 'null', messages: [message] },
      holds: [is('messages[0].id', '{message}'), counts('messages', { least: 1, most: 1 })],
    }),
  ),
  {
    section,
    open: true,
    says: 'what has not been read, conversation by conversation',
    ask: 'GET /messages/unread?role=seller&tag=post_sale',
    gives: 200,
    body: { user_id: 'a whole number', results: [{ resource: 'text', count: 'a whole number' }] },
  },
  {
    section,
    open: true,
    says: 'what has not been read of one conversation',
    gives: 200,
    ask: 'GET /messages/unread/packs/{talk}/sellers/{user}?tag=post_sale',
    body: { user_id: 'a whole number', results: [{ resource: 'text', count: 'a whole number' }] },
  },
  ...['limit=0', 'limit=-1', 'limit=x', 'offset=-1', 'offset=x'].map(
    (query): Check => ({
      section: '7.2',
      says: `messages are not read with ${query}`,
      gives: 400,
      body: refusal,
      ask: `GET ${talk}?${quiet}&${query}`,
    }),
  ),
  {
    section: '7.2',
    says: 'a conversation of others',
    as: 'stranger',
    gives: 403,
    ask: `GET ${talk}?${quiet}`,
    body: refusal,
  },
  {
    section: '7.2',
    says: 'a message of others',
    as: 'stranger',
    gives: 403,
    body: refusal,
    ask: 'GET /messages/{message}?tag=post_sale',
  },
  {
    section: '7.2',
    says: 'a message that there is not',
    gives: 400,
    body: refusal,
    ask: `GET /messages/${'0'.repeat(32)}?tag=post_sale`,
  },
]

const seller = { user_id: '{user}' }
const buyer = { user_id: '{buyer}' }
const post = `POST ${free}?tag=post_sale`
const refused = { section: '7.3', body: messageRefusal, writes: true, ask: post } as const

/** Checks of refusals that need no special state of the order. */
const refusals: readonly Check[] = [
  { ...refused, says: 'no body', gives: 400 },
  { ...refused, says: 'no sender', gives: 400, send: { to: buyer, text: 'Hola' } },
  { ...refused, says: 'no receiver', gives: 400, send: { from: seller, text: 'Hola' } },
  {
    ...refused,
    says: 'a receiver that is no user id',
    gives: 400,
    send: { from: seller, to: { user_id: 'x' }, text: 'Hola' },
  },
  {
    ...refused,
    says: 'to oneself',
    gives: 400,
    send: { from: seller, to: seller, text: 'Hola' },
  },
  {
    ...refused,
    says: 'to an address that is not the platform’s',
    gives: 400,
    send: { from: seller, to: { user_id: 0, email: 'somebody@example.com' }, text: 'Hola' },
  },
  {
    ...refused,
    says: 'as a user who has no access to the order',
    as: 'stranger',
    gives: 403,
    send: { from: { user_id: '{stranger}' }, to: buyer, text: 'Hola' },
  },
  {
    ...refused,
    says: 'to somebody who does not belong to the order',
    gives: 403,
    send: { from: seller, to: { user_id: '{stranger}' }, text: 'Hola' },
  },
  {
    ...refused,
    says: 'letters that ISO-8859-1 does not have',
    gives: 400,
    send: { from: seller, to: buyer, text: 'Привет' },
  },
  {
    ...refused,
    says: 'more than 350 characters of a seller',
    gives: 400,
    send: { from: seller, to: buyer, text: 'a '.repeat(176) },
  },
  {
    ...refused,
    says: 'more than 3500 characters of a buyer',
    as: 'buyer',
    gives: 400,
    send: { from: buyer, to: seller, text: 'a '.repeat(1751) },
  },
  {
    ...refused,
    says: 'more than 25 attachments',
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
    says: 'no token',
    as: 'nobody',
    gives: 400,
    send: { from: seller, to: buyer, text: 'Hola' },
  },
  {
    ...refused,
    says: 'a token without an application',
    as: 'unbound',
    gives: 400,
    send: { from: seller, to: buyer, text: 'Hola' },
  },
  {
    ...refused,
    says: 'a conversation that is blocked',
    gives: 403,
    ask: 'POST /messages/packs/{blocked_pack}/sellers/{user}?tag=post_sale',
    send: { from: seller, to: buyer, text: 'Hola' },
    holds: [is('code', 'forbidden'), is('message', 'blocked_conversation_send_message_forbidden')],
  },
  {
    ...refused,
    says: 'a purchase that is fulfilment-managed and not delivered',
    gives: 403,
    ask: 'POST /messages/packs/{fulfilled_pack}/sellers/{user}?tag=post_sale',
    send: { from: seller, to: buyer, text: 'Hola' },
  },
  {
    ...refused,
    section: '4.1',
    says: 'a guided sale that does not begin with an option',
    ask: 'POST /messages/packs/{cross_pack}/sellers/{user}?tag=post_sale',
    gives: 403,
    send: { from: seller, to: buyer, text: 'Hola' },
    holds: [is('message', 'blocked_by_conversation_started_by_seller')],
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
const writing: readonly Check[] = [
  {
    section,
    writes: true,
    says: 'a file is uploaded',
    ask: upload,
    file,
    gives: [200, 201],
    body: { id: 'text' },
    holds: [is('id', /^\d+_[0-9a-f-]{36}\.png$/)],
    keeps: { attachment: 'id' },
  },
  {
    ...attachment,
    says: 'an upload without site_id',
    gives: 400,
    file,
    ask: 'POST /messages/attachments?tag=post_sale',
  },
  {
    ...attachment,
    says: 'an empty file',
    gives: 400,
    ask: upload,
    file: { ...file, bytes: new Uint8Array() },
  },
  {
    ...attachment,
    says: 'a name with a slash',
    gives: 400,
    ask: upload,
    file: { ...file, name: 'a\\b.png' },
  },
  {
    ...attachment,
    says: 'a file of more than 25 MB',
    gives: 400,
    ask: upload,
    file: { ...file, bytes: 25 * 1024 * 1024 + 1 },
  },
  {
    section,
    writes: true,
    says: 'a message is sent, with a file',
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
    holds: [is('status', 'available'), is('from.user_id', '{user}'), is('to.user_id', '{buyer}')],
  },
  {
    section,
    writes: true,
    says: 'the buyer finds it, and reading marks it as read',
    ask: `GET ${free}?tag=post_sale`,
    as: 'buyer',
    gives: 200,
    body: conversationPage,
    holds: [is('messages[0].id', '{sent}')],
  },
  {
    section,
    writes: true,
    says: 'the seller sees that it was read',
    gives: 200,
    ask: `GET ${free}?${quiet}`,
    body: conversationPage,
    holds: [that('a moment in message_date.read', ({ messages }) => messages[0].message_date.read)],
  },
  {
    section,
    writes: true,
    says: 'its file is read by the buyer',
    as: 'buyer',
    gives: 200,
    ask: 'GET /messages/attachments/{attachment}?tag=post_sale&site_id={site}',
    head: { 'content-length': new RegExp(`^${png.length}$`) },
  },
  {
    ...{
      section: '7.4',
      writes: true,
      says: 'its file is nobody else’s',
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
      is('status', 'moderated'),
      is('message_moderation.status', 'rejected'),
      ...[
        is('message_moderation.reason', 'SOCIAL_NETWORK_LINK'),
        is('message_date.available', null),
      ],
    ],
  },
  {
    section,
    writes: true,
    says: 'what was moderated is not shown to the other one',
    ask: `GET ${free}?${quiet}`,
    as: 'buyer',
    gives: 200,
    holds: [each('messages', 'status', 'available')],
  },
  {
    section,
    writes: true,
    says: 'what was moderated is shown to its author',
    gives: 200,
    ask: `GET ${free}?${quiet}`,
    holds: [some('messages', 'id', '{moderated}')],
  },
]

/** Checks of messages and attachments. */
export const messageChecks: readonly Check[] = [...reading, ...refusals, ...writing]
