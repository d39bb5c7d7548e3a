import type { ClaimStage } from '../../claims/claim.ts'
import type { ShipmentStatus } from '../../shipments/shipment.ts'
import { shipmentSubstatuses } from '../../shipments/substatus.ts'
import type { Facets } from '../facets.ts'
import type { Rating } from '../order.ts'
import type { OrderStatus } from '../status.ts'
import {
  booleanLetters,
  type FilterId,
  filterValuesOf,
  type MediationStatusFilter,
  type SearchParty,
} from './filters.ts'

/** The filters in an answer. Their sequence and names are those that existing clients know. */

interface FilterDescription {
  name: string
  type: 'text' | 'boolean' | 'long'
  /** Names of the values that every answer lists. Other values of orders are listed with their id as name. */
  values: Readonly<Record<string, string>>
}

const rating: Readonly<Record<Rating['rating'], string>> = {
  negative: 'Negative',
  neutral: 'Neutral',
  positive: 'Positive',
}
const fulfilled = { F: 'Transaction was aborted', T: 'Transaction actually happened' }

const orderStatusNames: Readonly<Record<OrderStatus, string>> = {
  paid: 'Order Paid',
  confirmed: 'Order Confirmed',
  payment_in_process: 'Payment in Process',
  payment_required: 'Payment Required',
  partially_paid: 'Partially Paid',
  partially_refunded: 'Partially Refunded',
  pending_cancel: 'Cancellation Pending',
  cancelled: 'Order Cancelled',
  manually_cancelled: 'Order Cancelled by Hand',
  invalid: 'Invalid',
}

const shippingStatusNames: Readonly<Record<ShipmentStatus, string> & Record<string, string>> = {
  to_be_agreed: 'To be agreed',
  pending: 'Pending',
  handling: 'Handling',
  ready_to_ship: 'Ready to ship',
  shipped: 'Shipped',
  delivered: 'Delivered',
  not_delivered: 'Not delivered',
  not_verified: 'Not verified',
  cancelled: 'Cancelled',
  // Values that clients know and that no shipment has.
  closed: 'Closed',
  error: 'Error',
  active: 'Active',
  not_specified: 'Not specified',
  stale_ready_to_ship: 'Stale ready to ship',
  stale_shipped: 'Stale shipped',
}

const filterDescriptions: Readonly<Record<FilterId, FilterDescription>> = {
  'order.status': { name: 'Order Status', type: 'text', values: orderStatusNames },
  'shipping.status': { name: 'Shipping Status', type: 'text', values: shippingStatusNames },
  'feedback.sale.rating': { name: 'Feedback rating', type: 'text', values: rating },
  'feedback.purchase.rating': { name: 'Feedback rating', type: 'text', values: rating },
  'feedback.sale.fulfilled': {
    name: 'Feedback sale fulfilled',
    type: 'boolean',
    values: fulfilled,
  },
  'feedback.purchase.fulfilled': {
    name: 'Feedback purchase fulfilled',
    type: 'boolean',
    values: fulfilled,
  },
  'shipping.service_id': {
    name: 'Shipping Service',
    type: 'long',
    values: {
      61: 'Estándar',
      62: 'Prioritario',
      63: 'Estándar',
      64: 'Prioritario',
      81: 'Moto Express',
      151: 'Estándar',
      152: 'Estándar',
      153: 'Estándar',
      154: 'Prioritario',
      251: 'Otros',
      311: 'Colecta Normal',
      312: 'Colecta Express',
      321: 'Colecta Retiro Sucursal',
      341: 'Estándar',
      351: 'Prioritario',
      381: 'Prioritario',
    },
  },
  'shipping.substatus': {
    name: 'Shipping Substatus',
    type: 'text',
    values: shipmentSubstatuses,
  },
  'feedback.status': {
    name: 'Feedback Status',
    type: 'text',
    values: {
      pending: 'Waiting for your feedback',
      waiting_buyer: "Waiting for Buyer's feedback",
      waiting_seller: "Waiting for Seller's feedback",
      completed: 'Feedback completed',
    },
  },
  tags: {
    name: 'Tags',
    type: 'text',
    values: {
      paid: 'Order Paid',
      not_delivered: 'Not Delivered',
      delivered: 'Delivered',
      not_paid: 'Order Not Paid',
      claim_closed: 'Claim Closed',
      claim_opened: 'Claim Opened',
      not_processed: 'Not processed order',
      processed: 'Processed order',
    },
  },
  'mediations.stage': {
    name: 'Mediation Stage',
    type: 'text',
    values: { claim: 'Claim', dispute: 'Dispute' } satisfies Partial<Record<ClaimStage, string>>,
  },
  'mediations.status': {
    name: 'Mediation Status',
    type: 'text',
    values: {
      claim_opened: 'Claim opened',
      claim_closed: 'Claim closed',
      dispute_opened: 'Dispute opened',
      dispute_closed: 'Dispute closed',
      seller_dispute_opened: 'Seller dispute opened',
      seller_dispute_closed: 'Seller dispute closed',
      opened: 'Opened',
      closed: 'Closed',
    } satisfies Record<MediationStatusFilter, string>,
  },
}

/** The number of orders with the same facets. */
export interface FacetCount {
  readonly facets: Facets
  readonly n: number
}

/** The counts of a search by facets. */
export interface FacetCounts {
  /** The orders that the search found. */
  readonly counted: readonly FacetCount[]
  /** The same without the filter `order.status`. */
  readonly inAnyStatus: readonly FacetCount[]
}

/**
 * Returns every filter with the number of orders for each of its values, those without a name last, by id. Statuses are counted as a search for that
 * status would: without the `order.status` of this search, and with cancelled orders.
 */
export function availableOrderFilters(
  { counted, inAnyStatus }: FacetCounts,
  viewpoint: SearchParty,
): object[] {
  return Object.entries(filterDescriptions).map(([id, { name, type, values: names }]) => {
    const results = new Map(Object.keys(names).map((value) => [value, 0]))
    for (const { facets, n } of id === 'order.status' ? inAnyStatus : counted) {
      for (const value of new Set<string>(filterValuesOf[id as FilterId](facets, viewpoint))) {
        results.set(value, (results.get(value) ?? 0) + n)
      }
    }
    const entries = [...results]
    const named = entries.slice(0, Object.keys(names).length)
    // The counts come in any order, and the same search must have the same answer.
    const others = entries.slice(named.length).toSorted(([one], [other]) => (one < other ? -1 : 1))
    const values = [...named, ...others].map(([value, n]) => ({
      ...withName(value, names),
      results: n,
    }))
    return { id, name, type, values }
  })
}

/** The dates that searches filter by, each with `.from` and `.to`. */
export const dateFilterNames = {
  'order.date_created': 'Order Date Created',
  'order.date_closed': 'Order Date Closed',
  'order.date_last_updated': 'Order Date Last Updated',
}

/** Returns the filters of a query with their values. */
export function appliedOrderFilters(query: Readonly<Record<string, unknown>>): object[] {
  const lists = Object.entries({
    ...filterDescriptions,
    'tags.not': { ...filterDescriptions.tags, name: 'Tags not' },
  })
  return [
    ...lists.flatMap(([id, { name, values }]) => applied(query, { id, name }, values)),
    ...Object.entries(dateFilterNames).flatMap(([id, name]) => [
      ...applied(query, { id: `${id}.from`, name: `${name} from` }),
      ...applied(query, { id: `${id}.to`, name: `${name} to` }),
    ]),
  ]
}

/** Returns a filter with the values that the query chooses, as a list of one, or an empty list if it is not applied. */
function applied(
  query: Readonly<Record<string, unknown>>,
  filter: { id: string; name: string },
  names: Readonly<Record<string, string>> = {},
): object[] {
  const text = query[filter.id]
  if (typeof text !== 'string') return []
  const isBoolean = filter.id.endsWith('.fulfilled')
  const values = isBoolean
    ? [booleanLetters.get(text) ?? text]
    : text.split(',').map((value) => value.trim())
  return [{ ...filter, values: values.map((value) => withName(value, names)) }]
}

function withName(
  id: string,
  names: Readonly<Record<string, string>>,
): { id: string; name: string } {
  return { id, name: (Object.hasOwn(names, id) && names[id]) || id }
}
