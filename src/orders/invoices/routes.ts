import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { parseId } from '../../kernel/ids.ts'
import { Id, OrNull, Timestamp } from '../../kernel/schema.ts'
import type { Db } from '../../platform/database/database.ts'
import { invoiceSite } from './invoice.ts'
import { findInvoice, type SavedInvoice } from './store.ts'

/** The states of an invoice at the tax office. */
export const invoiceStatuses = ['authorized', 'cancelled', 'denied'] as const

export const InvoiceAnswer = Type.Object({
  id: Id,
  user_id: Id,
  site_id: Type.Literal(invoiceSite),
  order_id: OrNull(Id),
  status: Type.Enum([...invoiceStatuses]),
  invoice_number: Type.Integer(),
  invoice_series: Type.Integer(),
  invoice_key: OrNull(Type.String()),
  amount: Type.Number(),
  currency_id: Type.String(),
  issued_date: Timestamp,
  date_created: Timestamp,
  last_updated: Timestamp,
})

const getInvoice = route({
  method: 'GET',
  url: '/users/:user_id/invoices/:invoice_id',
  scope: 'read',
  tag: 'Orders',
  summary: 'Get an invoice',
  description:
    'Returns an invoice that automatic billing made for you. Use it to read the resource of a notification on the topic `invoices`. An invoice of another user answers 404 `not_found`.',
  refuses: { not_found: 'Invoice not found: 90000001' },
  params: Type.Object({ user_id: Type.String(), invoice_id: Type.String() }),
  answers: { 200: InvoiceAnswer },
  async handle({ reads }, { params, caller }) {
    const [userId, id] = [parseId(params.user_id), parseId(params.invoice_id)]
    if (id === undefined || userId !== caller.userId) throw invoiceNotFound(params.invoice_id)
    return ok(invoiceView(await loadInvoice(reads, { userId, id })))
  },
})

/** Loads an invoice. Throws `not_found`. */
export async function loadInvoice(
  db: Db,
  { userId, id }: { userId: number; id: number },
): Promise<SavedInvoice> {
  const invoice = await findInvoice(db, { userId, id })
  if (!invoice) throw invoiceNotFound(String(id))
  return invoice
}

function invoiceNotFound(id: string): Failure {
  return new Failure('not_found', `Invoice not found: ${id}`)
}

/** Renders an invoice as the HTTP interface shows it. */
export function invoiceView(invoice: SavedInvoice): object {
  return {
    id: invoice.id,
    user_id: invoice.userId,
    site_id: invoiceSite,
    order_id: invoice.orderId,
    status: invoice.status,
    invoice_number: invoice.number,
    invoice_series: invoice.series,
    invoice_key: invoice.key,
    amount: invoice.amount,
    currency_id: 'BRL',
    issued_date: invoice.issuedDate,
    date_created: timestamp(invoice.dateCreated),
    last_updated: timestamp(invoice.lastUpdated),
  }
}

export const invoiceRoutes: Route[] = [getInvoice]
