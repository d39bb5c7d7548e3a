import type { User } from '../../identity/user.ts'
import { timestamp } from '../../kernel/clock.ts'
import type { ProductAttribute } from '../bodies.ts'
import type { Order } from '../order.ts'
import { type PackOrder, packStatus } from './pack.ts'
import type { OrderNote } from './store.ts'

/** Returns the product attributes that the checkout reported, or else those of the variations of all items, in their
 * order. Those of variations have no numeric id, which the format requires, so they are counted from 1. */
export function productView({ items, details }: Pick<Order, 'items' | 'details'>): {
  attributes: ProductAttribute[]
} {
  const reported = details.product_attributes
  if (reported) return { attributes: reported.map(({ name, value, id }) => ({ name, value, id })) }
  const variationAttributes = items.flatMap(({ item }) => item.variation_attributes) as {
    name: string
    value_name: string
  }[]
  return {
    attributes: variationAttributes.map(({ name, value_name }, index) => ({
      name,
      value: value_name,
      id: index + 1,
    })),
  }
}

/** Renders the buyer for an invoice. It leaves out missing fields, and all of them for a hidden buyer (`undefined`). */
export function billingView(buyer: User | undefined): object {
  const { doc_type, doc_number, address } = buyer?.billingInfo ?? noDocument
  const fields: [type: string, value: string | null | undefined][] = [
    ['SITE_ID', buyer?.siteId],
    ['FIRST_NAME', buyer?.firstName],
    ['LAST_NAME', buyer?.lastName],
    ['DOC_TYPE', doc_type],
    ['DOC_NUMBER', doc_number],
    ['STREET_NAME', address?.street_name],
    ['STREET_NUMBER', address?.street_number],
    ['ZIP_CODE', address?.zip_code],
    ['CITY_NAME', address?.city_name],
    ['STATE_NAME', address?.state_name],
    ['COMMENT', address?.comment],
    ['COUNTRY_ID', address?.country_id],
  ]
  return {
    billing_info: {
      additional_info: fields
        .filter(([, value]) => typeof value === 'string')
        .map(([type, value]) => ({ type, value })),
      doc_number,
      doc_type,
    },
  }
}

const noDocument: User['billingInfo'] = { doc_type: null, doc_number: null }

/** Renders a pack from the orders that the reader may see. */
export function packView(id: number, orders: readonly [PackOrder, ...PackOrder[]]): object {
  const sorted = orders.toSorted((a, b) => a.id - b.id)
  const created = Math.min(...orders.map(({ dateCreated }) => dateCreated.getTime()))
  const updated = Math.max(...orders.map(({ lastUpdated }) => lastUpdated.getTime()))
  return {
    // A pack has one shipment per seller, and the answer has a single field: it names the first one.
    shipment: { id: sorted.find(({ shipmentId }) => shipmentId !== null)?.shipmentId ?? null },
    orders: sorted.map((order) => ({ id: order.id })),
    id,
    status: packStatus(orders.map(({ status }) => status)),
    status_detail: null,
    buyer: { id: orders[0].buyerId },
    date_created: timestamp(new Date(created)),
    last_updated: timestamp(new Date(updated)),
  }
}

export function orderNoteView(note: OrderNote): object {
  return {
    id: note.id,
    date_created: timestamp(note.dateCreated),
    date_last_updated: timestamp(note.lastUpdated),
    note: note.note,
  }
}
