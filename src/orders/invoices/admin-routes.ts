import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import { recordChanges } from '../../changes/record.ts'
import { created, ok, type Route, route } from '../../http/route.ts'
import { refuseErasedUsers } from '../../identity/erase.ts'
import { findUser } from '../../identity/store.ts'
import { parseTimestamp, timestamp } from '../../kernel/clock.ts'
import { badField } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { decimalPlacesOf, fitsCurrency } from '../../kernel/money.ts'
import { Id, IdText, Money, OrNull, StrictObject, Timestamp } from '../../kernel/schema.ts'
import type { Db } from '../../platform/database/database.ts'
import { untilVisible } from '../../platform/database/visible.ts'
import { findShipment } from '../../shipments/store.ts'
import { loadOrder, orderOwners } from '../store.ts'
import { invoicedOrderUnknown, invoiceSellerUnknown, invoiceSite } from './invoice.ts'
import { InvoiceAnswer, invoiceStatuses, invoiceView, loadInvoice } from './routes.ts'
import { siteOfInvoice } from './site-rules.ts'
import {
  type Invoice,
  insertInvoice,
  lockInvoice,
  type SavedInvoice,
  saveInvoice,
} from './store.ts'

const tag = 'Operator: invoices'
const url = '/operator/users/:user_id/invoices/:invoice_id'
const params = Type.Object({ user_id: IdText, invoice_id: IdText })
const maxInvoiceNumber = 999_999_999

const InvoiceBody = StrictObject({
  order_id: Type.Optional(OrNull(Id)),
  status: Type.Optional(Type.Enum([...invoiceStatuses])),
  invoice_number: Type.Integer({ minimum: 1, maximum: maxInvoiceNumber }),
  invoice_series: Type.Optional(Type.Integer({ minimum: 0, maximum: 999 })),
  invoice_key: Type.Optional(OrNull(Type.String({ pattern: '^[0-9]{44}$' }))),
  amount: Money,
  issued_date: Type.Optional(Timestamp),
})

const putInvoice = route({
  method: 'PUT',
  url,
  scope: 'operator',
  permission: 'finance:write',
  sites: siteOfInvoice,
  audits: 'invoice',
  tag,
  summary: 'Create or update an invoice',
  description:
    'Reports an invoice that automatic billing made for a seller of MLB, or its new state. The seller is notified on the topic `invoices`; a call that changes nothing sends no notification. `order_id` must be a sale of this user that the marketplace’s warehouse sends (fulfillment), else the answer is 400 `bad_request`. 409 `user_erased`: the user was erased.',
  refuses: { bad_request: "order_id: expected a sale of this user's", user_erased: '1001' },
  params,
  body: InvoiceBody,
  answers: { 200: InvoiceAnswer, 201: InvoiceAnswer },
  async handle({ audit, db, now }, { params, body }) {
    const userId = pathId('user_id', params.user_id)
    const id = pathId('invoice_id', params.invoice_id)
    const user = await findUser(db, userId)
    if (user?.siteId !== invoiceSite) throw invoiceSellerUnknown()
    await refuseErasedUsers(db, [userId])
    if (body.order_id) await checkAutomaticBilling(db, { userId, orderId: body.order_id })
    audit.relate('user', userId)
    if (body.order_id) audit.relate('order', body.order_id)
    const isNew = await db.transaction(async (tx) => {
      const at = now()
      const report = { ...body, id, userId }
      const first = invoiceFromBody(undefined, report, at)
      audit.personal(userId, { before: null, after: first })
      const isNew = await insertInvoice(tx, first, at)
      if (!isNew) {
        const previous = await lockInvoice(tx, { userId, id })
        const invoice = invoiceFromBody(previous, report, at)
        audit.personal(userId, { before: previous ?? null, after: invoice })
        if (previous && isSame(previous, invoice)) return false
        saveInvoice(tx, invoice, at)
      }
      const resource = `/users/${userId}/invoices/${id}`
      recordChanges(tx, [{ topic: 'invoices', resource, userIds: [userId], sellerId: userId, at }])
      return isNew
    })
    return (isNew ? created : ok)(invoiceView(await loadInvoice(db, { userId, id })))
  },
})

/** Throws a `bad_request` for an order that automatic billing does not cover. */
async function checkAutomaticBilling(
  db: Db,
  { userId: sellerId, orderId: id }: { userId: number; orderId: number },
): Promise<void> {
  const owner = await orderOwners.find(db, id)
  const isOwnSale = owner?.sellerId === sellerId
  const order = isOwnSale ? await untilVisible(() => loadOrder(db, { sellerId, id })) : undefined
  if (!order) throw invoicedOrderUnknown()
  const shipment =
    order.shipmentId === null
      ? undefined
      : await findShipment(db, { sellerId, id: order.shipmentId })
  if (shipment?.logisticType !== 'fulfillment') {
    throw badField('order_id', 'a sale that fulfillment sends')
  }
}

/** Returns the invoice that a body describes. Without an issue date it keeps the one of the previous version, or
 * gets the current time. Throws a `bad_request` if the amount does not fit BRL. */
function invoiceFromBody(
  previous: SavedInvoice | undefined,
  body: Static<typeof InvoiceBody> & { id: number; userId: number },
  now: Date,
): Invoice {
  if (!fitsCurrency(body.amount, 'BRL')) {
    throw badField('amount', `at most ${decimalPlacesOf('BRL')} decimal places`)
  }
  const issued = parseTimestamp(body.issued_date ?? previous?.issuedDate ?? '') ?? now
  return {
    id: body.id,
    userId: body.userId,
    orderId: body.order_id ?? null,
    status: body.status ?? 'authorized',
    number: body.invoice_number,
    series: body.invoice_series ?? 1,
    key: body.invoice_key ?? null,
    amount: body.amount,
    issuedDate: timestamp(issued),
  }
}

function isSame(previous: SavedInvoice, invoice: Invoice): boolean {
  const { dateCreated: _, lastUpdated: __, ...fields } = previous
  return isDeepStrictEqual(fields, { ...invoice })
}

export const invoicesAdminRoutes: Route[] = [putInvoice]
