import type { ClaimBody } from '../../../claims/bodies.ts'
import type { Role, Saying } from '../../../feedback/feedback.ts'
import type { OrderPatch } from '../../../orders/commands/bodies.ts'
import type { Order } from '../../../orders/order.ts'
import type { Payment, PaymentNews } from '../../../orders/payment.ts'
import type { ShipmentStatus } from '../../../shipments/shipment.ts'
import { newsOf } from '../../demo/parcels/parcel.ts'
import { paymentsPerOrder, Sale } from '../../demo/sale.ts'
import type { Action, Step } from './action.ts'

/**
 * A sale that is told as those of the demo world are, and notes what its people do meanwhile, so that
 * they can do it again by the commands.
 */
export class NotedSale extends Sale {
  readonly steps: Step[] = []

  override pay(at: Date, place: number, news: (order: Order) => PaymentNews): void {
    const said = new Map(this.orders.map((order) => [order.id, news(order)]))
    for (const [index, { id }] of this.orders.entries()) {
      this.#note(at, { kind: 'payment', index, place, news: said.get(id) ?? {} })
    }
    super.pay(at, place, ({ id }) => said.get(id) ?? {})
  }

  override settle(at: Date, news: (payment: Payment) => PaymentNews | undefined): void {
    const said = new Map<number, PaymentNews | undefined>()
    for (const [index, { payments }] of this.orders.entries()) {
      for (const payment of payments) {
        const wanted = news(payment)
        said.set(payment.id, wanted)
        const place = payment.id - this.ids.payment - index * paymentsPerOrder
        if (wanted) this.#note(at, { kind: 'payment', index, place, news: wanted })
      }
    }
    super.settle(at, ({ id }) => said.get(id))
  }

  override patch(
    at: Date,
    patch: OrderPatch | ((order: Order, index: number) => OrderPatch | undefined),
  ): void {
    const said = this.orders.map((order, index) =>
      typeof patch === 'function' ? patch(order, index) : patch,
    )
    for (const [index, wanted] of said.entries()) {
      if (wanted) this.#note(at, { kind: 'change', index, patch: wanted })
    }
    super.patch(at, (_, index) => said[index])
  }

  override carry(at: Date, status: ShipmentStatus): void {
    const { shipment } = this
    if (shipment && shipment.status !== 'cancelled') {
      const patch = { status, ...newsOf(shipment, status, at) }
      this.#note(at, { kind: 'shipment', patch })
    }
    super.carry(at, status)
  }

  override rate(at: Date, role: Role, said: Saying): void {
    this.#ofEach(at, (index) => ({ kind: 'rating', index, role, said }))
    super.rate(at, role, said)
  }

  override rateAnew(at: Date, role: Role, said: Partial<Saying>): void {
    this.#ofEach(at, (index) => ({ kind: 'second_rating', index, role, said }))
    super.rateAnew(at, role, said)
  }

  override reply(at: Date, role: Role, reply: string): void {
    this.#ofEach(at, (index) => ({ kind: 'reply', index, role, reply }))
    super.reply(at, role, reply)
  }

  override claim(at: Date, body: ClaimBody): void {
    this.#note(at, { kind: 'claim', body })
    super.claim(at, body)
  }

  #ofEach(at: Date, action: (index: number) => Action): void {
    for (const index of this.orders.keys()) this.#note(at, action(index))
  }

  #note(at: Date, action: Action): void {
    this.steps.push({ at, action })
  }
}
