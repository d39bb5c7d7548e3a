import type { User } from '../../identity/user.ts'
import { timestamp } from '../../kernel/clock.ts'
import type { Order } from '../order.ts'
import type { ProductAttribute } from './bodies.ts'
import { type PackOrder, packStatus } from './pack.ts'
import type { Note } from './store.ts'

/** The products of an order (contract 2.6): as its checkout told them, or else the attributes of the
 * variations that were sold. */
export function productView({ items, details }: Pick<Order, 'items' | 'details'>): {
  attributes: ProductAttribute[]
} {
  const given = details.product_attributes
  if (given) return { attributes: given.map(({ name, value, id }) => ({ name, value, id })) }
  const ofLines = items.flatMap(({ item }) => item.variation_attributes) as {
    name: string
    value_name: string
  }[]
  return {
    attributes: ofLines.map(({ name, value_name }, index) => ({
      name,
      value: value_name,
      id: index + 1,
    })),
  }
}

/** Of whom an invoice speaks (wire 2): only what is known of the buyer; nothing where that is
 * hidden. */
export function billingView(buyer: User | undefined): object {
  const { doc_type, doc_number, address } = buyer?.billingInfo ?? noDocument
  const known: [type: string, value: string | null | undefined][] = [
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
      additional_info: known
        .filter(([, value]) => typeof value === 'string')
        .map(([type, value]) => ({ type, value })),
      doc_number,
      doc_type,
    },
  }
}

const noDocument: User['billingInfo'] = { doc_type: null, doc_number: null }

/** A pack, made of at least one order, as one of its parties sees it (wire 2). */
export function packView(id: number, orders: readonly [PackOrder, ...PackOrder[]]): object {
  const sorted = orders.toSorted((a, b) => a.id - b.id)
  const created = Math.min(...orders.map(({ dateCreated }) => dateCreated.getTime()))
  const updated = Math.max(...orders.map(({ lastUpdated }) => lastUpdated.getTime()))
  return {
    // The platform sends a pack at once; where several sellers each send their part, the first's.
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

export function noteView(note: Note): object {
  return {
    id: note.id,
    date_created: timestamp(note.dateCreated),
    date_last_updated: timestamp(note.lastUpdated),
    note: note.note,
  }
}
