import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts'
import { type Amount, amount, amountToNumber, decimalPlacesOf, sum } from '../../kernel/money.ts'
import { type Order, totalAmount } from '../../orders/order.ts'
import { isCredited, isUnderWay, type PaymentUpdate } from '../../orders/payment.ts'
import type { SeededRandom } from '../random.ts'
import { demoFiles, type PaymentMethod } from './data.ts'
import type { DemoSite } from './ids.ts'
import type { DemoSale } from './sale.ts'

/** Payments of demo sales, as an operator would report them. */

const cards = ['visa', 'master'] as const

/** Draws the payment method by its usual share on the site. */
function drawPaymentMethod(site: DemoSite, random: SeededRandom): PaymentMethod {
  const share = random.fraction()
  if (site === 'MLB' && share < 0.4) return 'transfer'
  if (share < 0.55) return 'card'
  if (share < 0.75) return 'balance'
  if (share < 0.88) return 'debit'
  return share < 0.96 ? 'cash' : 'transfer'
}

/** Returns the fields of a payment method, without amounts and status. */
function paymentMethodFields(
  way: PaymentMethod,
  { seller: { site }, random, buyer }: DemoSale,
): PaymentUpdate {
  switch (way) {
    case 'card':
    case 'debit': {
      const brand = random.pick(cards)
      return {
        payment_method_id: way === 'card' ? brand : `deb${brand}`,
        payment_type: way === 'card' ? 'credit_card' : 'debit_card',
        card_id: 8_000_000_000 + buyer.user.id,
        issuer_id: String(random.between(1_001, 1_020)),
        authorization_code: String(random.between(100_000, 999_999)),
      }
    }
    case 'balance':
      return { payment_method_id: 'account_money', payment_type: 'account_money' }
    case 'cash': {
      const { cash } = demoFiles().sites[site]
      return {
        payment_method_id: cash,
        payment_type: 'ticket',
        transaction_order_id: String(random.between(10_000_000, 99_999_999)),
        activation_uri: `https://payments.example/${cash}/${random.between(1e8, 1e9 - 1)}`,
      }
    }
    case 'transfer':
      return {
        payment_method_id: site === 'MLB' ? 'pix' : 'bank_transfer',
        payment_type: 'bank_transfer',
        atm_transfer_reference: {
          transaction_id: String(random.between(1e9, 1e10 - 1)),
          company_id: site === 'MLB' ? null : String(random.between(100, 999)),
        },
      }
  }
}

const accredited: PaymentUpdate = {
  status: 'approved',
  status_code: '0',
  status_detail: 'accredited',
}

/** Returns one payment of everything due for an order. */
function wholeOf(order: Order): PaymentUpdate {
  const { taxes, coupon, shipping_cost } = order.details
  return {
    transaction_amount: amountToNumber(totalAmount(order)),
    shipping_cost,
    taxes_amount: taxes.amount ?? 0,
    coupon_id: coupon.id,
    coupon_amount: coupon.amount,
    marketplace_fee: feeOf(order),
  }
}

/** Returns two payments: the first pays `percent` of the lines, the second the rest. */
function halvesOf(order: Order, percent: number): [PaymentUpdate, PaymentUpdate] {
  const whole = wholeOf(order)
  const first = percentOf(totalAmount(order), percent, order.currencyId)
  return [
    { transaction_amount: amountToNumber(first), marketplace_fee: 0 },
    { ...whole, transaction_amount: amountToNumber(totalAmount(order).minus(first)) },
  ]
}

/** Returns a percentage of an amount, rounded to the currency. */
export function percentOf(whole: Amount | number, percent: number, currency: string): Amount {
  return amount(Number(whole)).times(`${percent}e-2`).round(decimalPlacesOf(currency))
}

function feeOf(order: Order): number {
  const [only, ...others] = order.items
  if (only && others.length === 0 && only.quantity === 1) return only.sale_fee
  return amountToNumber(sum(order.items.map((line) => amount(line.sale_fee).times(line.quantity))))
}

/** Draws installments without interest. Their number divides the amount evenly. */
function installmentsOf(news: PaymentUpdate, order: Order, random: SeededRandom): PaymentUpdate {
  const paid = sum(
    [news.transaction_amount, news.shipping_cost, news.taxes_amount].map((part) =>
      amount(part ?? 0),
    ),
  ).minus(news.coupon_amount ?? 0)
  const places = decimalPlacesOf(order.currencyId)
  const coins = Number(paid.times(`1e${places}`))
  const counts = demoFiles().sales.installments
  const maximum = random.pick(counts)
  const installments = counts.find((count) => count <= maximum && coins % count === 0) ?? 1
  const installment = amount(`${coins / installments}e-${places}`)
  return { installments, installment_amount: amountToNumber(installment) }
}

/** Pays a sale in full: at once, or in cash some hours later. `fixedWay` is the payment method, by default a random
 * one. */
export function payInFull(sale: DemoSale, fixedWay?: PaymentMethod): void {
  const way = fixedWay ?? drawPaymentMethod(sale.seller.site, sale.random)
  if (way === 'cash') {
    startPayment(sale, 'cash', { status: 'pending', status_detail: 'pending_waiting_payment' })
    sale.afterDelay(5 * hourMs, 2 * dayMs, (at) => sale.updatePayments(at, () => accredited))
    return
  }
  const means = paymentMethodFields(way, sale)
  const isInParts = way === 'card' && sale.random.chance(fixedWay ? 1 : 0.5)
  sale.afterDelay(minuteMs, 8 * minuteMs, (at) =>
    sale.pay(at, 0, (order) => {
      const whole = wholeOf(order)
      const parts = isInParts ? installmentsOf(whole, order, sale.random) : {}
      return { ...means, ...whole, ...parts, ...accredited }
    }),
  )
}

/** Adds a payment of the whole amount that is not credited. */
export function startPayment(sale: DemoSale, way: PaymentMethod, state: PaymentUpdate): void {
  const means = paymentMethodFields(way, sale)
  sale.afterDelay(minuteMs, 6 * minuteMs, (at) =>
    sale.pay(at, 0, (order) => ({ ...means, ...wholeOf(order), ...state })),
  )
}

/** Adds a rejected card payment. With `again`, another method works afterwards. */
export function addRejectedPayment(sale: DemoSale, again: boolean): void {
  const refused = ['cc_rejected_insufficient_amount', 'cc_rejected_call_for_authorize']
  const detail = sale.random.pick(refused)
  startPayment(sale, 'card', {
    status: 'rejected',
    status_code: '51',
    status_detail: detail,
  })
  if (!again) return
  const means = paymentMethodFields('balance', sale)
  sale.afterDelay(minuteMs, 10 * minuteMs, (at) =>
    sale.pay(at, 1, (order) => ({ ...means, ...wholeOf(order), ...accredited })),
  )
}

/** Pays in two payments by two methods, or only the first of them. */
export function payInTwoParts(sale: DemoSale, paid: 'both' | 'first' = 'both'): void {
  const percent = sale.random.between(30, 70)
  const means = [paymentMethodFields('balance', sale), paymentMethodFields('card', sale)]
  for (const paymentIndex of paid === 'both' ? [0, 1] : [0]) {
    sale.afterDelay(minuteMs, 5 * minuteMs, (at) =>
      sale.pay(at, paymentIndex, (order) => ({
        ...means[paymentIndex],
        ...halvesOf(order, percent)[paymentIndex],
        ...accredited,
      })),
    )
  }
}

/** Adds a transfer of more than is due. */
export function overpay(sale: DemoSale): void {
  const means = paymentMethodFields('transfer', sale)
  sale.afterDelay(minuteMs, hourMs, (at) =>
    sale.pay(at, 0, (order) => ({
      ...means,
      ...wholeOf(order),
      overpaid_amount: amountToNumber(percentOf(totalAmount(order), 5, order.currencyId)),
      ...accredited,
    })),
  )
}

/** Refunds `percent` of every payment. */
export function refundPart(sale: DemoSale, percent: number): void {
  sale.afterDelay(hourMs, dayMs, (at) =>
    sale.updatePayments(at, (payment) => ({
      transaction_amount_refunded: amountToNumber(
        percentOf(payment.transaction_amount, percent, payment.currency_id),
      ),
      status_detail: 'partially_refunded',
    })),
  )
}

/** Refunds credited payments and cancels pending ones, for the orders that `concerns` accepts. */
export function refundAll(sale: DemoSale, at: Date, concerns: (orderId: number) => boolean): void {
  sale.updatePayments(at, (payment) => {
    if (!concerns(payment.order_id)) return undefined
    if (isUnderWay(payment)) return { status: 'cancelled', status_detail: 'by_collector' }
    if (!isCredited(payment)) return undefined
    return {
      status: 'refunded',
      status_detail: 'refunded',
      transaction_amount_refunded: payment.transaction_amount,
    }
  })
}
