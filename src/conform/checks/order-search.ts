import type { ResponseBody } from 'feria/client'
import { orderSearchShape, refusal } from './bodies.ts'
import type { ConformCheck } from './check.ts'
import {
  eachContains,
  eachHasSome,
  eachIs,
  eachIsBetween,
  hasLength,
  isError,
  noneContains,
  noneIs,
  responsePasses,
  someIs,
  sorted,
  valueIs,
} from './rules.ts'

/** The item may be in any line of an order. */
const ofItem = eachHasSome('results', 'order_items', 'item.id', '{item}')
const base = 'GET /orders/search?seller={user}'
const section = '4.3'
const accepted = { section, gives: 200, body: orderSearchShape } as const
const refused = { section, gives: 400, body: refusal } as const

/** Returns the check of a filter, with the rules for the orders that it finds. */
function filtered(says: string, query: string, ...holds: ConformCheck['holds'] & {}): ConformCheck {
  return { ...accepted, says, ask: `${base}&${query}`, holds }
}

/** Checks of the order search, its results and limits. */
export const orderSearchChecks: readonly ConformCheck[] = [
  {
    section: '2.5',
    says: 'the results of a search have their fields',
    ask: base,
    gives: 200,
    body: orderSearchShape,
    holds: [eachIs('results', 'seller.id', '{user}')],
  },
  {
    section: '8',
    says: 'a page has offset 0 and limit 50 by default',
    ask: base,
    gives: 200,
    holds: [valueIs('paging.offset', 0), valueIs('paging.limit', 50)],
  },
  {
    ...accepted,
    says: 'a buyer searches the own orders',
    as: 'buyer',
    ask: 'GET /orders/search?buyer={buyer}',
    holds: [eachIs('results', 'buyer.id', '{buyer}')],
  },
  {
    ...accepted,
    says: 'a seller’s search leaves cancelled orders out',
    ask: base,
    holds: [noneIs('results', 'status', 'cancelled')],
  },
  filtered('by status', 'order.status=paid', eachIs('results', 'status', 'paid')),
  filtered(
    'cancelled ones when asked',
    'order.status=cancelled',
    eachIs('results', 'status', 'cancelled'),
  ),
  filtered(
    'by several statuses',
    'order.status=paid,cancelled',
    eachIs('results', 'status', /^(paid|cancelled)$/),
  ),
  filtered('by tag', 'tags=paid', eachContains('results', 'tags', 'paid')),
  filtered(
    'by several tags, all of them',
    'tags=paid,not_delivered',
    eachContains('results', 'tags', 'paid'),
    eachContains('results', 'tags', 'not_delivered'),
  ),
  filtered('without a tag', 'tags.not=paid', noneContains('results', 'tags', 'paid')),
  filtered('of the online-shop channel', 'tags=shops', eachContains('results', 'tags', 'shops')),
  filtered('by the id of an order', 'q={order}', someIs('results', 'id', '{order}')),
  filtered('by the id of an item', 'q={item}', ...[hasLength('results', { least: 1 }), ofItem]),
  filtered('by words of a title', 'q={word}', hasLength('results', { least: 1 })),
  filtered('by item', 'item={item}', ofItem),
  filtered('q is echoed', 'q={word}', valueIs('query', '{word}')),
  ...(['created', 'closed', 'last_updated'] as const).flatMap((what) => {
    const date = { created: '{created}', closed: '{closed}', last_updated: '{updated}' }[what]
    const filter = `order.date_${what}`
    const field = `date_${what}`
    return [
      filtered(
        `${filter}.from`,
        `${filter}.from=${date}`,
        eachIsBetween('results', field, { from: date }),
      ),
      filtered(
        `${filter}.to`,
        `${filter}.to=${date}`,
        eachIsBetween('results', field, { to: date }),
      ),
      filtered(
        `${filter}: both ends count`,
        `${filter}.from=${date}&${filter}.to=${date}`,
        someIs('results', 'id', '{order}'),
      ),
    ]
  }),
  ...['mediations.stage=claim,dispute', 'mediations.status=opened,closed'].map((filter) =>
    filtered(
      `by ${filter}`,
      filter,
      responsePasses('orders with a claim', ({ results }: ResponseBody<'/orders/search', 'get'>) =>
        results.every(({ mediations }) => mediations.length > 0),
      ),
    ),
  ),
  ...['sale', 'purchase'].flatMap((side) => [
    filtered(
      `by feedback.${side}.rating`,
      `feedback.${side}.rating=positive`,
      eachIs('results', `feedback.${side}.rating`, 'positive'),
    ),
    filtered(
      `by feedback.${side}.fulfilled`,
      `feedback.${side}.fulfilled=true`,
      eachIs('results', `feedback.${side}.fulfilled`, true),
    ),
  ]),
  filtered('by feedback.status', 'feedback.status=pending'),
  filtered('oldest first', 'sort=date_asc', sorted('results', 'date_closed', 'ascending')),
  filtered('newest first', 'sort=date_desc', sorted('results', 'date_closed', 'descending')),
  filtered('the sort is named', 'sort=date_desc', valueIs('sort.id', 'date_desc')),
  filtered(
    'the other sorts are named',
    'sort=date_asc',
    someIs('available_sorts', 'id', 'date_desc'),
    noneIs('available_sorts', 'id', 'date_asc'),
  ),
  filtered(
    'as many as asked',
    'limit=2',
    valueIs('paging.limit', 2),
    hasLength('results', { most: 2 }),
  ),
  filtered('from where asked', 'limit=1&offset=1', valueIs('paging.offset', 1)),
  filtered(
    'nothing behind the end',
    'order.status=paid&q=zzzzzzzzzz',
    hasLength('results', { most: 0 }),
  ),
  {
    ...accepted,
    open: true,
    says: 'an unknown status finds nothing',
    ask: `${base}&order.status=foo`,
    holds: [valueIs('paging.total', 0)],
  },
  {
    ...accepted,
    open: true,
    says: 'unknown parameters are ignored',
    ask: `${base}&no_such_parameter=1`,
  },
  {
    ...accepted,
    open: true,
    says: 'a fully encoded path is decoded',
    ask: 'GET /orders%2Fsearch%3Fseller%3D{user}',
  },
  {
    ...{
      section: '7.5',
      says: 'a search of other users’ orders is refused',
      as: 'stranger',
      gives: 403,
      body: refusal,
    },
    ask: base,
    holds: [isError('caller.id.invalid')],
  },
  {
    ...{
      section: '7.5',
      says: 'a search without a token is refused',
      as: 'nobody',
      gives: 401,
      body: refusal,
    },
    ask: base,
    holds: [isError('not_identified_user')],
  },
  { ...refused, says: 'a search without any filter is refused', ask: 'GET /orders/search' },
  ...[
    'sort=sideways',
    'limit=0',
    'limit=-1',
    'limit=x',
    'offset=-1',
    'offset=x',
    ...[
      'order.date_created.from=yesterday',
      'order.date_closed.to=32',
      'feedback.sale.fulfilled=7',
    ],
  ].map(
    (query): ConformCheck => ({
      ...refused,
      open: true,
      says: `a search with ${query} is refused`,
      ask: `${base}&${query}`,
    }),
  ),
]
