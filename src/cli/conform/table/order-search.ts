import type { Check } from '../check.ts'
import {
  counts,
  each,
  eachHasSome,
  eachHolds,
  is,
  none,
  noneHolds,
  refuses,
  some,
  sorted,
  that,
  within,
} from '../rules.ts'
import { orderSearch, refusal } from './bodies.ts'

/** The item may be in any line of an order. */
const ofItem = eachHasSome('results', 'order_items', 'item.id', '{item}')
const base = 'GET /orders/search?seller={user}'
const section = '4.3'
const accepted = { section, gives: 200, body: orderSearch } as const
const refused = { section, gives: 400, body: refusal } as const

/** Returns the check of a filter, with the rules for the orders that it finds. */
function filtered(says: string, query: string, ...holds: Check['holds'] & {}): Check {
  return { ...accepted, says, ask: `${base}&${query}`, holds }
}

/** Checks of the order search, its results and limits. */
export const orderSearchChecks: readonly Check[] = [
  {
    section: '2.5',
    says: 'the results of a search have their fields',
    ask: base,
    gives: 200,
    body: orderSearch,
    holds: [each('results', 'seller.id', '{user}')],
  },
  {
    section: '8',
    says: 'a page has offset 0 and limit 50 by default',
    ask: base,
    gives: 200,
    holds: [is('paging.offset', 0), is('paging.limit', 50)],
  },
  {
    ...accepted,
    says: 'a buyer searches the own orders',
    as: 'buyer',
    ask: 'GET /orders/search?buyer={buyer}',
    holds: [each('results', 'buyer.id', '{buyer}')],
  },
  {
    ...accepted,
    says: 'a seller’s search leaves cancelled orders out',
    ask: base,
    holds: [none('results', 'status', 'cancelled')],
  },
  filtered('by status', 'order.status=paid', each('results', 'status', 'paid')),
  filtered(
    'cancelled ones when asked',
    'order.status=cancelled',
    each('results', 'status', 'cancelled'),
  ),
  filtered(
    'by several statuses',
    'order.status=paid,cancelled',
    each('results', 'status', /^(paid|cancelled)$/),
  ),
  filtered('by tag', 'tags=paid', eachHolds('results', 'tags', 'paid')),
  filtered(
    'by several tags, all of them',
    'tags=paid,not_delivered',
    eachHolds('results', 'tags', 'paid'),
    eachHolds('results', 'tags', 'not_delivered'),
  ),
  filtered('without a tag', 'tags.not=paid', noneHolds('results', 'tags', 'paid')),
  filtered('of the online-shop channel', 'tags=shops', eachHolds('results', 'tags', 'shops')),
  filtered('by the id of an order', 'q={order}', some('results', 'id', '{order}')),
  filtered('by the id of an item', 'q={item}', ...[counts('results', { least: 1 }), ofItem]),
  filtered('by words of a title', 'q={word}', counts('results', { least: 1 })),
  filtered('by item', 'item={item}', ofItem),
  filtered('q is echoed', 'q={word}', is('query', '{word}')),
  ...(['created', 'closed', 'last_updated'] as const).flatMap((what) => {
    const date = { created: '{created}', closed: '{closed}', last_updated: '{updated}' }[what]
    const filter = `order.date_${what}`
    const place = `date_${what}`
    return [
      filtered(
        `${filter}.from`,
        `${filter}.from=${date}`,
        within('results', place, { from: date }),
      ),
      filtered(`${filter}.to`, `${filter}.to=${date}`, within('results', place, { to: date })),
      filtered(
        `${filter}: both ends count`,
        `${filter}.from=${date}&${filter}.to=${date}`,
        some('results', 'id', '{order}'),
      ),
    ]
  }),
  ...['mediations.stage=claim,dispute', 'mediations.status=opened,closed'].map((filter) =>
    filtered(
      `by ${filter}`,
      filter,
      that('orders with a claim', ({ results }) =>
        results.every(({ mediations }: { mediations: unknown[] }) => mediations.length > 0),
      ),
    ),
  ),
  ...['sale', 'purchase'].flatMap((side) => [
    filtered(
      `by feedback.${side}.rating`,
      `feedback.${side}.rating=positive`,
      each('results', `feedback.${side}.rating`, 'positive'),
    ),
    filtered(
      `by feedback.${side}.fulfilled`,
      `feedback.${side}.fulfilled=true`,
      each('results', `feedback.${side}.fulfilled`, true),
    ),
  ]),
  filtered('by feedback.status', 'feedback.status=pending'),
  filtered('oldest first', 'sort=date_asc', sorted('results', 'date_closed', 'ascending')),
  filtered('newest first', 'sort=date_desc', sorted('results', 'date_closed', 'descending')),
  filtered('the sort is named', 'sort=date_desc', is('sort.id', 'date_desc')),
  filtered(
    'the other sorts are named',
    'sort=date_asc',
    some('available_sorts', 'id', 'date_desc'),
    none('available_sorts', 'id', 'date_asc'),
  ),
  filtered('as many as asked', 'limit=2', is('paging.limit', 2), counts('results', { most: 2 })),
  filtered('from where asked', 'limit=1&offset=1', is('paging.offset', 1)),
  filtered(
    'nothing behind the end',
    'order.status=paid&q=zzzzzzzzzz',
    counts('results', { most: 0 }),
  ),
  {
    ...accepted,
    open: true,
    says: 'an unknown status finds nothing',
    ask: `${base}&order.status=foo`,
    holds: [is('paging.total', 0)],
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
    holds: [refuses('caller.id.invalid')],
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
    holds: [refuses('not_identified_user')],
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
    (query): Check => ({
      ...refused,
      open: true,
      says: `a search with ${query} is refused`,
      ask: `${base}&${query}`,
    }),
  ),
]
