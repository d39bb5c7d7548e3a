import { isDeepStrictEqual } from 'node:util'
import { type Amount, amount, sum } from '../kernel/money.ts'

export const paymentStatuses = [
  'pending',
  'authorized',
  'in_process',
  'in_mediation',
  'approved',
  'rejected',
  'cancelled',
  'refunded',
  'charged_back',
] as const

export type PaymentStatus = (typeof paymentStatuses)[number]

/** Where the money of a payment is. */
type MoneyState = 'under_way' | 'credited' | 'returned' | 'never_came'

const phases: Readonly<Record<PaymentStatus, MoneyState>> = {
  pending: 'under_way',
  authorized: 'under_way',
  in_process: 'under_way',
  in_mediation: 'credited',
  approved: 'credited',
  rejected: 'never_came',
  cancelled: 'never_came',
  refunded: 'returned',
  charged_back: 'returned',
}
const inPhase = (phase: MoneyState) => paymentStatuses.filter((status) => phases[status] === phase)

/** Statuses in which the money is the seller's, unless it was refunded. */
export const creditedStatuses: readonly PaymentStatus[] = inPhase('credited')
/** Statuses in which the money may still come. */
export const underWayStatuses: readonly PaymentStatus[] = inPhase('under_way')
/** Statuses in which the money had come and went back to the payer. */
export const returnedStatuses: readonly PaymentStatus[] = inPhase('returned')

/** A payment as an order shows it. Amounts are JSON numbers; sums are computed with exact decimals. */
export interface Payment {
  id: number
  order_id: number
  payer_id: number
  collector: { id: number }
  card_id: number | null
  site_id: string
  reason: string
  payment_method_id: string | null
  payment_type: string | null
  operation_type: string
  currency_id: string
  installments: number
  installment_amount: number | null
  issuer_id: string | null
  status: PaymentStatus
  status_code: string | null
  status_detail: string | null
  transaction_amount: number
  transaction_amount_refunded: number
  taxes_amount: number
  shipping_cost: number
  coupon_id: number | null
  coupon_amount: number
  overpaid_amount: number
  total_paid_amount: number
  marketplace_fee: number | null
  deferred_period: string | null
  date_approved: string | null
  date_created: string
  date_last_modified: string
  authorization_code: string | null
  transaction_order_id: string | null
  activation_uri: string | null
  atm_transfer_reference: { transaction_id: string | null; company_id: string | null }
  available_actions: string[]
  reference_id: string | null
}

/** The fields of a payment that the operator may report; the others follow from the order and the time. */
export type PaymentUpdate = Partial<
  Omit<
    Payment,
    | 'id'
    | 'order_id'
    | 'collector'
    | 'site_id'
    | 'currency_id'
    | 'date_created'
    | 'date_last_modified'
  >
>

type PaymentState = Pick<
  Payment,
  | 'status'
  | 'status_detail'
  | 'date_approved'
  | 'transaction_amount'
  | 'transaction_amount_refunded'
>

/** Whether the payment was charged back and the seller is covered: the marketplace bears the loss. */
export function isReimbursed({ status, status_detail }: PaymentState): boolean {
  return status === 'charged_back' && status_detail === 'reimbursed'
}

/** Returns the charged-back payment, marked as covered: the seller keeps the money. */
export function withReimbursement(payment: Payment): Payment {
  return { ...payment, status_detail: 'reimbursed' }
}

/** Whether the seller has the money or a part of it. */
export function isCredited(payment: PaymentState): boolean {
  if (isReimbursed(payment)) return true
  const { transaction_amount: total, transaction_amount_refunded: refunded } = payment
  return creditedStatuses.includes(payment.status) && (refunded === 0 || refunded < total)
}

/** Whether the seller may still get the money. */
export const isUnderWay = ({ status }: PaymentState) => underWayStatuses.includes(status)

/** Whether the seller had the money and has lost all of it. */
export function isMoneyReturned(payment: PaymentState): boolean {
  if (isCredited(payment) || isUnderWay(payment)) return false
  return payment.date_approved !== null || returnedStatuses.includes(payment.status)
}

/** Whether all the money was refunded, even where the operator leaves the payment in a credited status. */
export function isRefunded(payment: PaymentState): boolean {
  const { transaction_amount: total, transaction_amount_refunded: refunded } = payment
  return (
    payment.status === 'refunded' ||
    (creditedStatuses.includes(payment.status) && refunded > 0 && refunded >= total)
  )
}

/** Returns how much of an order's total these payments cover: credited amounts less refunds. */
export function creditedAmount(payments: readonly Payment[]): Amount {
  return sum(payments.filter(isCredited).map(keptOf))
}

function keptOf(payment: Payment): Amount {
  const { transaction_amount: total, transaction_amount_refunded: refunded } = payment
  // The cover of a charged-back payment replaces the money that went back to the payer.
  if (isReimbursed(payment) && refunded === total) return amount(total)
  return amount(total).minus(refunded)
}

/** Returns `paid_amount` of an order, shipping included. A partly refunded payment counts in full, a fully refunded
 * one not at all. */
export function paidAmount(payments: readonly Payment[]): Amount {
  return sum(payments.filter(isCredited).map((payment) => amount(payment.total_paid_amount)))
}

/** Returns the default of `total_paid_amount`: everything that the payer pays, less the coupon. */
function totalPaid(payment: Payment): number {
  return sum([
    amount(payment.transaction_amount),
    amount(payment.shipping_cost),
    amount(payment.taxes_amount),
    amount(payment.overpaid_amount),
  ])
    .minus(payment.coupon_amount)
    .toNumber()
}

/** Returns `previous` with the reported changes, or a new payment. Without a change it returns `previous` itself. */
export function applyPaymentUpdate(
  previous: Payment | undefined,
  news: PaymentUpdate,
  order: {
    id: number
    buyerId: number
    sellerId: number
    siteId: string
    currencyId: string
    title: string
  },
  at: { id: number; now: string },
): Payment {
  const base: Payment = previous ?? {
    id: at.id,
    order_id: order.id,
    payer_id: order.buyerId,
    collector: { id: order.sellerId },
    card_id: null,
    site_id: order.siteId,
    reason: order.title,
    payment_method_id: null,
    payment_type: null,
    operation_type: 'regular_payment',
    currency_id: order.currencyId,
    installments: 1,
    installment_amount: null,
    issuer_id: null,
    status: 'pending',
    status_code: null,
    status_detail: null,
    transaction_amount: 0,
    transaction_amount_refunded: 0,
    taxes_amount: 0,
    shipping_cost: 0,
    coupon_id: null,
    coupon_amount: 0,
    overpaid_amount: 0,
    total_paid_amount: 0,
    marketplace_fee: null,
    deferred_period: null,
    date_approved: null,
    date_created: at.now,
    date_last_modified: at.now,
    authorization_code: null,
    transaction_order_id: null,
    activation_uri: null,
    atm_transfer_reference: { transaction_id: null, company_id: null },
    available_actions: [],
    reference_id: null,
  }
  const reported: Payment = { ...base, ...news }
  // A later report of the same chargeback does not undo the decision that the seller is covered.
  const isCovered = isReimbursed(base) && reported.status === base.status
  const merged = isCovered ? withReimbursement(reported) : reported
  // A value that the operator has reported stays until the data behind its default changes.
  const sameStatus = previous?.status === merged.status
  const sameTotal = previous !== undefined && totalPaid(previous) === totalPaid(merged)
  const after: Payment = {
    ...merged,
    date_approved:
      merged.date_approved ?? (creditedStatuses.includes(merged.status) ? at.now : null),
    available_actions:
      news.available_actions ?? (sameStatus ? previous.available_actions : defaultActions(merged)),
    total_paid_amount:
      news.total_paid_amount ?? (sameTotal ? previous.total_paid_amount : totalPaid(merged)),
  }
  if (previous !== undefined && isDeepStrictEqual(after, previous)) return previous
  return { ...after, date_last_modified: at.now }
}

function defaultActions(payment: Payment): string[] {
  return isCredited(payment) && !isReimbursed(payment) ? ['refund'] : []
}

/** Returns the field whose amount contradicts the others, and the value expected there; undefined if none does. */
export function findAmountConflict(
  payment: Payment,
): [field: string, expected: string] | undefined {
  if (payment.transaction_amount_refunded > payment.transaction_amount) {
    return ['transaction_amount_refunded', `at most ${payment.transaction_amount}, what was paid`]
  }
  if (payment.total_paid_amount < 0) return ['coupon_amount', 'at most what is to be paid']
  return undefined
}
