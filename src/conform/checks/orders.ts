import type { ResponseBody } from 'feria/client'
import { discounts, order, partyOrder, refusal } from './bodies.ts'
import type { ConformCheck } from './check.ts'
import { hasLength, isError, responsePasses, someIs, valueIs } from './rules.ts'

type Order = ResponseBody<'/operator/orders', 'post'>

const read = 'GET /orders/{order}'
const section = '4.3'
const newer = { headers: { 'x-format-new': 'true' } } as const
const refused = { section: '7.5', body: refusal } as const

/** Checks of orders, without the search. */
export const orderChecks: readonly ConformCheck[] = [
  {
    section: '2.2',
    says: 'an order has its fields, for its seller',
    ask: read,
    gives: 200,
    body: partyOrder,
    holds: [valueIs('id', '{order}'), valueIs('seller.id', '{user}')],
  },
  {
    section,
    says: 'the buyer reads the order, too',
    ask: read,
    as: 'buyer',
    gives: 200,
    body: order,
    holds: [valueIs('buyer.id', '{buyer}')],
  },
  {
    section: '9',
    says: 'x-format-new selects the newer format',
    ask: read,
    ...newer,
    gives: 200,
    body: order,
    holds: [valueIs('shipping.id', '{shipping}')],
  },
  {
    section: '9',
    open: true,
    says: 'in the newer format, seller and shipping have only ids',
    ask: read,
    ...newer,
    gives: 200,
    holds: [
      responsePasses(
        'no e-mail of the parties',
        ({ seller, buyer }: Order) => !seller.email && !buyer.email,
      ),
    ],
  },
  {
    section: '5.2',
    says: 'the token is accepted in the query',
    as: 'nobody',
    gives: 200,
    ask: `${read}?access_token={token}`,
    holds: [valueIs('id', '{order}')],
  },
  {
    section: '2.2',
    says: 'the total is the sum of the lines',
    ask: read,
    gives: 200,
    holds: [
      responsePasses('total_amount to be the sum of quantity and unit_price', (body: Order) => {
        const sum = body.order_items.reduce(
          (total, line) => total + line.quantity * line.unit_price,
          0,
        )
        return Math.abs(sum - body.total_amount) < 0.01
      }),
    ],
  },
  {
    section: '2.4',
    says: 'a payment names its order',
    ask: read,
    gives: 200,
    holds: [valueIs('payments[0].order_id', '{order}'), valueIs('payments[0].payer_id', '{buyer}')],
  },
  {
    section: '2.2',
    says: 'a cancelled order has this status',
    ask: 'GET /orders/{cancelled}',
    gives: 200,
    body: order,
    holds: [valueIs('status', 'cancelled')],
  },
  {
    section: '2.2',
    says: 'an order of a pack has its id and tag',
    ask: 'GET /orders/{packed}',
    gives: 200,
    holds: [valueIs('pack_id', '{pack_of_many}'), someIs('tags', '', 'pack_order')],
  },
  {
    section: '2.6',
    says: 'the products of an order are read',
    ask: `${read}/product`,
    gives: 200,
    body: { attributes: [{ name: 'text', value: 'text', id: 'a whole number' }] },
  },
  {
    section: '2.7',
    says: 'the discounts of an order are read',
    ask: 'GET /orders/{recent}/discounts',
    gives: 200,
    body: discounts,
  },
  {
    section,
    says: 'the shipment has its cost in lead_time.cost',
    gives: 200,
    ask: 'GET /shipments/{shipping}',
    ...newer,
    body: { id: 'a whole number', lead_time: { cost: 'a number', currency_id: 'text' } },
  },
  {
    section: '4.6',
    open: true,
    says: 'a shipment is read in the older format',
    gives: 200,
    ask: 'GET /shipments/{shipping}',
    body: { id: 'a whole number', status: 'text', date_created: 'a timestamp', order_id: 'any' },
  },
  {
    section: '4.6',
    open: true,
    says: 'the shipment of an order is read',
    gives: 200,
    ask: 'GET /orders/{shipped}/shipments',
    holds: [valueIs('id', '{shipping}')],
  },
  {
    section: '4.6',
    open: true,
    says: 'an order without a shipment has none to read',
    gives: 204,
    ask: 'GET /orders/{unshipped}/shipments',
  },
  {
    ...{
      section: '4.6',
      open: true,
      says: 'the orders of a pack are read',
      ask: 'GET /packs/{pack_of_many}',
    },
    gives: 200,
    holds: [valueIs('id', '{pack_of_many}'), hasLength('orders', { least: 1 })],
    body: { id: 'a whole number', status: 'text', orders: [{ id: 'a whole number' }] },
  },
  {
    section: '6.2',
    says: 'a payment is read at the path in its notification',
    gives: 200,
    ask: 'GET /collections/{payment}',
    holds: [valueIs('id', '{payment}')],
  },
  {
    section: '6.2',
    says: 'a claim is read at the path in its notification',
    gives: 200,
    ask: 'GET /v1/claims/{claim}',
    holds: [valueIs('id', '{claim}')],
    body: { id: 'a whole number', status: 'text', stage: 'text', type: 'text', resource: 'text' },
  },
  {
    section: '4.6',
    open: true,
    says: 'the billing data of the buyer are read',
    gives: 200,
    ask: `${read}/billing_info`,
    body: { billing_info: { doc_type: 'any', doc_number: 'any', additional_info: 'any' } },
  },
  {
    section: '4.6',
    open: true,
    says: 'both ratings of an order are read',
    gives: 200,
    ask: 'GET /orders/{rated}/feedback',
    body: { sale: 'any', purchase: 'an object' },
    holds: [valueIs('purchase.id', '{feedback}')],
  },
  {
    section: '4.6',
    open: true,
    says: 'a rating is read',
    ask: 'GET /feedback/{feedback}',
    gives: 200,
    holds: [valueIs('id', '{feedback}')],
    body: { id: 'a whole number', rating: 'text', fulfilled: 'true or false', date_created: 'any' },
  },
  {
    section,
    open: true,
    says: 'an answer can be reduced to chosen fields',
    ask: `${read}?attributes=id,status`,
    gives: 200,
    holds: [
      responsePasses(
        'id and status alone',
        (body: object) => Object.keys(body).sort().join() === 'id,status',
      ),
    ],
  },
  {
    ...refused,
    says: 'an unknown order is not found',
    ask: 'GET /orders/1',
    gives: 404,
    holds: [isError('order_not_found', /order not found/i)],
  },
  {
    ...refused,
    says: 'an id that is not a number is refused',
    ask: 'GET /orders/abc',
    gives: 400,
    holds: [isError('invalid_order_id')],
  },
  {
    ...refused,
    says: 'the id null is refused',
    ask: 'GET /orders/null',
    gives: 400,
    holds: [isError('empty_order_id')],
  },
  {
    ...refused,
    says: 'an order without a token is refused',
    ask: read,
    as: 'nobody',
    gives: 401,
    holds: [isError('not_identified_user')],
  },
  {
    ...refused,
    says: 'an order of other users is refused',
    ask: read,
    as: 'stranger',
    gives: 403,
    holds: [isError('not_owned_order')],
  },
  {
    ...refused,
    open: true,
    says: 'an unknown rating is not found',
    ask: 'GET /feedback/1',
    gives: 404,
    holds: [isError('feedback_not_found')],
  },
  {
    ...refused,
    says: 'a reply to an unknown rating is refused',
    gives: 404,
    writes: true,
    ask: 'POST /feedback/1/reply',
    send: { reply: 'Gracias' },
    holds: [isError('feedback_not_found')],
  },
  ...['maybe', 1, null].map(
    (fulfilled): ConformCheck => ({
      ...refused,
      says: `a rating with fulfilled ${JSON.stringify(fulfilled)} is refused`,
      gives: 400,
      ...{
        writes: true,
        ask: 'POST /orders/{noted}/feedback',
        holds: [isError('invalid_fulfilled')],
      },
      send: { fulfilled, rating: 'positive', message: 'Bien' },
    }),
  ),
  {
    ...refused,
    says: 'a rating of an unfulfilled sale without a reason is refused',
    gives: 400,
    writes: true,
    ask: 'POST /orders/{noted}/feedback',
    holds: [isError('invalid_fulfilled')],
    send: { fulfilled: false, rating: 'negative', message: 'Mal' },
  },
  ...noteChecks(),
]

/** Checks of notes, which the contract does not describe. */
function noteChecks(): ConformCheck[] {
  const notes = 'orders/{noted}/notes'
  const own = { section: '4.6', open: true, writes: true } as const
  return [
    {
      ...own,
      says: 'a note is created',
      ask: `POST /${notes}`,
      gives: [200, 201],
      send: { note: 'from a conformance run' },
      keeps: { note: 'note.id' },
    },
    { ...own, says: 'notes are read', ask: `GET /${notes}`, gives: 200 },
    {
      ...own,
      says: 'a note is changed',
      ask: `PUT /${notes}/{note}`,
      gives: 200,
      send: { note: 'once more' },
    },
    {
      ...own,
      says: 'a note of more than 300 characters is refused',
      ask: `POST /${notes}`,
      gives: 400,
      send: { note: 'x'.repeat(301) },
    },
    { ...own, says: 'a note is deleted', ask: `DELETE /${notes}/{note}`, gives: [200, 204] },
  ]
}
