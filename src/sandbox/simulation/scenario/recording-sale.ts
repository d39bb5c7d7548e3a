import type { ClaimBody } from '../../../claims/bodies.ts'
import type { FeedbackRole, RatingBody } from '../../../feedback/feedback.ts'
import type { OrderPatch } from '../../../orders/commands/bodies.ts'
import type { Order } from '../../../orders/order.ts'
import type { Payment, PaymentUpdate } from '../../../orders/payment.ts'
import type { ShipmentStatus } from '../../../shipments/shipment.ts'
import { DemoSale, paymentsPerOrder } from '../../demo/sale.ts'
import { shipmentUpdateOf } from '../../demo/shipment-data.ts'
import type { SimulatedAction, SimulatedStep } from './action.ts'

/** A demo sale that records the actions of its users, so that a simulation can repeat them by the commands. */
export class RecordingSale extends DemoSale {
  readonly steps: SimulatedStep[] = []

  override pay(at: Date, paymentIndex: number, news: (order: Order) => PaymentUpdate): void {
    const newsByOrder = new Map(this.orders.map((order) => [order.id, news(order)]))
    for (const [index, { id }] of this.orders.entries()) {
      this.#record(at, { kind: 'payment', index, paymentIndex, news: newsByOrder.get(id) ?? {} })
    }
    super.pay(at, paymentIndex, ({ id }) => newsByOrder.get(id) ?? {})
  }

  override updatePayments(at: Date, news: (payment: Payment) => PaymentUpdate | undefined): void {
    const newsByPayment = new Map<number, PaymentUpdate | undefined>()
    for (const [index, { payments }] of this.orders.entries()) {
      for (const payment of payments) {
        const paymentNews = news(payment)
        newsByPayment.set(payment.id, paymentNews)
        const paymentIndex = payment.id - this.ids.payment - index * paymentsPerOrder
        if (paymentNews)
          this.#record(at, { kind: 'payment', index, paymentIndex, news: paymentNews })
      }
    }
    super.updatePayments(at, ({ id }) => newsByPayment.get(id))
  }

  override patch(
    at: Date,
    patch: OrderPatch | ((order: Order, index: number) => OrderPatch | undefined),
  ): void {
    const patches = this.orders.map((order, index) =>
      typeof patch === 'function' ? patch(order, index) : patch,
    )
    for (const [index, orderPatch] of patches.entries()) {
      if (orderPatch) this.#record(at, { kind: 'change', index, patch: orderPatch })
    }
    super.patch(at, (_, index) => patches[index])
  }

  override updateShipment(at: Date, status: ShipmentStatus): void {
    const { shipment } = this
    if (shipment && shipment.status !== 'cancelled') {
      const patch = { status, ...shipmentUpdateOf(shipment, status, at) }
      this.#record(at, { kind: 'shipment', patch })
    }
    super.updateShipment(at, status)
  }

  override rate(at: Date, role: FeedbackRole, rating: RatingBody): void {
    this.#recordForAll(at, (index) => ({ kind: 'rating', index, role, rating }))
    super.rate(at, role, rating)
  }

  override changeRating(at: Date, role: FeedbackRole, rating: Partial<RatingBody>): void {
    this.#recordForAll(at, (index) => ({ kind: 'second_rating', index, role, rating }))
    super.changeRating(at, role, rating)
  }

  override reply(at: Date, role: FeedbackRole, reply: string): void {
    this.#recordForAll(at, (index) => ({ kind: 'reply', index, role, reply }))
    super.reply(at, role, reply)
  }

  override updateClaim(at: Date, body: ClaimBody): void {
    this.#record(at, { kind: 'claim', body })
    super.updateClaim(at, body)
  }

  #recordForAll(at: Date, action: (index: number) => SimulatedAction): void {
    for (const index of this.orders.keys()) this.#record(at, action(index))
  }

  #record(at: Date, action: SimulatedAction): void {
    this.steps.push({ at, action })
  }
}
