import { messageRefusal, refusal } from './bodies.ts'
import type { ConformCheck } from './check.ts'
import { isError } from './rules.ts'

/** Operations that require a token. Each is called without one and with an invalid one. */
const privateOperations = [
  'GET /orders/{order}',
  'GET /orders/search?seller={user}',
  'GET /orders/{order}/product',
  'GET /orders/{recent}/discounts',
  'GET /shipments/{shipping}',
  'GET /messages/packs/{pack}/sellers/{user}?tag=post_sale&mark_as_read=false',
  'GET /messages/action_guide/packs/{pack}?tag=post_sale',
  'GET /messages/unread?tag=post_sale',
  'GET /myfeeds?app_id={application}',
  'GET /users/me',
]
/** Operations that anybody may call. */
const publicOperations = [
  'GET /sites',
  'GET /sites/{site}/categories',
  'GET /categories/{category}',
  'GET /categories/{category}/attributes',
  'GET /sites/{site}/domain_discovery/search?q={title}',
  'POST /catalog_domains/{domain}/attributes/{attribute}/top_values',
  'GET /sites/{site}/search?category={category}',
  'GET /items/{item}',
  'GET /users/{user}',
]

/** Checks of tokens and access. */
export const accessChecks: readonly ConformCheck[] = [
  ...privateOperations.flatMap((ask): ConformCheck[] => {
    const path = ask.split('?')[0]
    return [
      {
        section: '5.2',
        says: `${path} requires a token`,
        ask,
        as: 'nobody',
        gives: 401,
        body: path?.includes('action_guide') ? 'an object' : refusal,
      },
      {
        section: '5.2',
        says: `${path} refuses an invalid token`,
        ask,
        as: 'intruder',
        gives: 401,
        body: 'an object',
      },
    ]
  }),
  ...publicOperations.map(
    (ask): ConformCheck => ({
      section: '5.1',
      says: `${ask.split('?')[0]} requires no token`,
      ask,
      as: 'nobody',
      ...({ gives: 200, open: /items|users/.test(ask) } as { gives: 200; open: true }),
    }),
  ),
  {
    section: '5.1',
    open: true,
    says: 'pages of any origin may read public resources',
    ask: 'GET /sites',
    as: 'nobody',
    gives: 200,
    head: { 'access-control-allow-origin': /^\*$/ },
  },
  {
    section: '5.2',
    open: true,
    says: 'a read-only token cannot write',
    ask: 'POST /orders/{order}/notes',
    as: 'reader',
    send: { note: 'x' },
    gives: 403,
    body: refusal,
    holds: [isError('access_denied')],
    writes: true,
  },
  ...['orders', 'shipments'].map(
    (resource): ConformCheck => ({
      section: '5.3',
      says: `${resource} of other users are refused`,
      as: 'stranger',
      body: refusal,
      ask: resource === 'orders' ? 'GET /orders/{order}' : 'GET /shipments/{shipping}',
      gives: [403, 404],
    }),
  ),
  {
    section: '5.4',
    says: 'sending a message requires a token of an application',
    as: 'unbound',
    ...{
      ask: 'POST /messages/packs/{pack}/sellers/{user}?tag=post_sale',
      writes: true,
      gives: 400,
    },
    send: { from: { user_id: '{user}' }, to: { user_id: '{buyer}' }, text: 'Hola' },
    body: messageRefusal,
  },
]
