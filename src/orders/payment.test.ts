import assert from 'node:assert/strict'
import { contract } from '../../test/harness/contract.ts'
import {
  applyPaymentUpdate,
  creditedAmount,
  findAmountConflict,
  type Payment,
  type PaymentUpdate,
  paidAmount,
  paymentStatuses,
} from './payment.ts'

const order = {
  id: 5,
  buyerId: 2,
  sellerId: 1,
  siteId: 'MLA',
  currencyId: 'ARS',
  title: 'Mate',
}
const first = '2026-03-10T12:00:00.000Z'
const later = '2026-03-11T12:00:00.000Z'
const createPayment = (news: PaymentUpdate) =>
  applyPaymentUpdate(undefined, news, order, { id: 9, now: first })
const news = (payment: Payment, update: PaymentUpdate) =>
  applyPaymentUpdate(payment, update, order, { id: 9, now: later })

contract('2.4', 'a first payment takes from the order what the operator leaves out', () => {
  assert.deepEqual(createPayment({ status: 'approved', transaction_amount: 125.92 }), {
    id: 9,
    order_id: 5,
    payer_id: 2,
    collector: { id: 1 },
    card_id: null,
    site_id: 'MLA',
    reason: 'Mate',
    payment_method_id: null,
    payment_type: null,
    operation_type: 'regular_payment',
    currency_id: 'ARS',
    installments: 1,
    installment_amount: null,
    issuer_id: null,
    status: 'approved',
    status_code: null,
    status_detail: null,
    transaction_amount: 125.92,
    transaction_amount_refunded: 0,
    taxes_amount: 0,
    shipping_cost: 0,
    coupon_id: null,
    coupon_amount: 0,
    overpaid_amount: 0,
    total_paid_amount: 125.92,
    marketplace_fee: null,
    deferred_period: null,
    date_approved: first,
    date_created: first,
    date_last_modified: first,
    authorization_code: null,
    transaction_order_id: null,
    activation_uri: null,
    atm_transfer_reference: { transaction_id: null, company_id: null },
    available_actions: ['refund'],
    reference_id: null,
  })
})

contract('2.4', 'what is paid in all is an exact sum, the coupon taken off', () => {
  const parts = { shipping_cost: 0.2, taxes_amount: 0.3, overpaid_amount: 0.4, coupon_amount: 0.1 }
  assert.equal(createPayment({ transaction_amount: 0.1, ...parts }).total_paid_amount, 0.9)
  assert.equal(
    createPayment({ transaction_amount: 0.1, total_paid_amount: 7 }).total_paid_amount,
    7,
  )
})

contract('2.4', 'date_approved is when the money was credited, once', () => {
  for (const status of paymentStatuses) {
    const isCredited = status === 'approved' || status === 'in_mediation'
    const { date_approved, available_actions } = createPayment({ status, transaction_amount: 1 })
    assert.equal(date_approved, isCredited ? first : null, status)
    assert.deepEqual(available_actions, isCredited ? ['refund'] : [], status)
  }
  const approved = createPayment({ status: 'approved', transaction_amount: 1 })
  assert.equal(news(approved, { status: 'refunded' }).date_approved, first)
  assert.equal(createPayment({ status: 'approved', date_approved: later }).date_approved, later)
})

contract('2.4', 'news change what they say; the rest stays as the operator once said it', () => {
  const payment = createPayment({
    status: 'approved',
    transaction_amount: 10,
    total_paid_amount: 12,
    available_actions: ['refund', 'dispute'],
    issuer_id: '2007',
  })
  const same = news(payment, { issuer_id: '2008' })
  assert.deepEqual(same, { ...payment, issuer_id: '2008', date_last_modified: later })
  const dearer = news(payment, { shipping_cost: 5 })
  assert.equal(dearer.total_paid_amount, 15, 'another amount is another sum')
  const refunded = news(payment, { status: 'refunded' })
  assert.deepEqual(refunded.available_actions, [])
  assert.equal(refunded.total_paid_amount, 12)
})

contract('6.3', 'news that say nothing new leave the payment as it is, its dates too', () => {
  const atm = { transaction_id: 'T', company_id: 'C' }
  const payment = createPayment({
    status: 'approved',
    transaction_amount: 10,
    atm_transfer_reference: atm,
  })
  const reordered = { ...payment, atm_transfer_reference: { company_id: 'C', transaction_id: 'T' } }
  for (const stored of [payment, reordered])
    assert.equal(news(stored, { status: 'approved', atm_transfer_reference: atm }), stored)
})

contract('2.2', 'credited is what was approved less what went back; paid is with shipping', () => {
  const payments = [
    createPayment({ status: 'approved', transaction_amount: 100.1, shipping_cost: 5 }),
    createPayment({ status: 'approved', transaction_amount: 50, transaction_amount_refunded: 20 }),
    createPayment({ status: 'in_mediation', transaction_amount: 0.2 }),
    createPayment({ status: 'pending', transaction_amount: 1_000 }),
    createPayment({ status: 'refunded', transaction_amount: 1_000 }),
    createPayment({ status: 'charged_back', transaction_amount: 1_000 }),
  ]
  assert.equal(creditedAmount(payments).toString(), '130.3')
  assert.equal(paidAmount(payments).toString(), '155.3')
})

contract('2.4', 'more cannot go back than came, nor a coupon be worth more than the whole', () => {
  const cases: [given: PaymentUpdate, field: string | undefined][] = [
    [{ transaction_amount: 10 }, undefined],
    [{ transaction_amount: 10, transaction_amount_refunded: 10 }, undefined],
    [{ transaction_amount: 10, transaction_amount_refunded: 10.01 }, 'transaction_amount_refunded'],
    [{ transaction_amount: 10, coupon_amount: 10 }, undefined],
    [{ transaction_amount: 10, coupon_amount: 10.01 }, 'coupon_amount'],
  ]
  for (const [update, field] of cases)
    assert.equal(findAmountConflict(createPayment(update))?.[0], field, JSON.stringify(update))
})
