import type { ClaimBody } from '../../../claims/bodies.ts'
import type { Role, Saying } from '../../../feedback/feedback.ts'
import type { OrderPatch } from '../../../orders/commands/bodies.ts'
import type { Order } from '../../../orders/order.ts'
import type { Payment, PaymentNews } from '../../../orders/payment.ts'
import type { ShipmentStatus } from '../../../shipments/shipment.ts'
import { newsOf } from '../../demo/parcels/parcel.ts'
import { paymentsPerOrder, Sale } from '../../demo/sale.ts'
import type { Action, Step } from './action.ts'

/** A demo sale that records the actions of its users, so that a simulation can repeat them by the commands. */
export class NotedSale extends Sale {
  readonly steps: Step[] = []

  override pay(at: Date, place: number, news: (order: Order) => PaymentNews): void {
    const newsByOrder = new Map(this.orders.map((order) => [order.id, news(order)]))
    for (const [index, { id }] of this.orders.entries()) {
      this.#record(at, { kind: 'payment', index, place, news: newsByOrder.get(id) ?? {} })
    }
    super.pay(at, place, ({ id }) => newsByOrder.get(id) ?? {})
  }

  override settle(at: Date, news: (payment: Payment) => PaymentNews | undefined): void {
    const newsByPayment = new Map<number, PaymentNews | undefined>()
    for (const [index, { payments }] of this.orders.entries()) {
      for (const payment of payments) {
        const paymentNews = news(payment)
        newsByPayment.set(payment.id, paymentNews)
        const place = payment.id - this.ids.payment - index * paymentsPerOrder
        if (paymentNews) this.#record(at, { kind: 'payment', index, place, news: paymentNews })
      }
    }
    super.settle(at, ({ id }) => newsByPayment.get(id))
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

  override carry(at: Date, status: ShipmentStatus): void {
    const { shipment } = this
    if (shipment && shipment.status !== 'cancelled') {
      const patch = { status, ...newsOf(shipment, status, at) }
      this.#record(at, { kind: 'shipment', patch })
    }
    super.carry(at, status)
  }

  override rate(at: Date, role: Role, said: Saying): void {
    this.#recordForAll(at, (index) => ({ kind: 'rating', index, role, said }))
    super.rate(at, role, said)
  }

  override rateAnew(at: Date, role: Role, said: Partial<Saying>): void {
    this.#recordForAll(at, (index) => ({ kind: 'second_rating', index, role, said }))
    super.rateAnew(at, role, said)
  }

  override reply(at: Date, role: Role, reply: string): void {
    this.#recordForAll(at, (index) => ({ kind: 'reply', index, role, reply }))
    super.reply(at, role, reply)
  }

  override claim(at: Date, body: ClaimBody): void {
    this.#record(at, { kind: 'claim', body })
    super.claim(at, body)
  }

  #recordForAll(at: Date, action: (index: number) => Action): void {
    for (const index of this.orders.keys()) this.#record(at, action(index))
  }

  #record(at: Date, action: Action): void {
    this.steps.push({ at, action })
  }
}
