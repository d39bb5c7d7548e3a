import { parseId } from '../kernel/ids.ts'
import { paymentOwners } from '../orders/store.ts'
import { type ExportKind, nextKey } from './kind.ts'
import {
  countPayments,
  findPaymentWindowEnd,
  type PaymentExportFilter,
  type PaymentKey,
  readExportedPayments,
} from './payments-read-model.ts'

/** Payments as their parties read them. */
export const paymentExport: ExportKind<PaymentExportFilter, PaymentKey> = {
  name: 'payments',
  columns: {
    id: 'id',
    order_id: 'order_id',
    seller_id: 'collector.id',
    payer_id: 'payer_id',
    site_id: 'site_id',
    status: 'status',
    status_detail: 'status_detail',
    payment_method_id: 'payment_method_id',
    payment_type: 'payment_type',
    installments: 'installments',
    currency_id: 'currency_id',
    transaction_amount: 'transaction_amount',
    transaction_amount_refunded: 'transaction_amount_refunded',
    shipping_cost: 'shipping_cost',
    taxes_amount: 'taxes_amount',
    coupon_amount: 'coupon_amount',
    overpaid_amount: 'overpaid_amount',
    total_paid_amount: 'total_paid_amount',
    marketplace_fee: 'marketplace_fee',
    date_created: 'date_created',
    date_approved: 'date_approved',
    date_last_modified: 'date_last_modified',
    reason: 'reason',
    reference_id: 'reference_id',
  },
  firstKey: [0, 0, 0],
  async findKey(db, text) {
    const id = parseId(text)
    const owner = id === undefined ? undefined : await paymentOwners.find(db, id)
    return owner && id !== undefined ? [owner.sellerId, owner.orderId, id] : undefined
  },
  findWindowEnd: findPaymentWindowEnd,
  countRows: countPayments,
  async readPage({ db }, filter, range) {
    const rows = await readExportedPayments(db, filter, range)
    return {
      entries: rows.map(({ payment }) => payment),
      next: nextKey(rows, range, ({ sellerId, orderId, id }) => [sellerId, orderId, id]),
    }
  },
}
