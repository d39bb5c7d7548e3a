import { dayMs, hourMs, timestamp } from '../../kernel/clock.ts'
import type { Checkout, OrderPatch } from '../../orders/commands/bodies.ts'
import { orderOf, shipmentOf } from '../../orders/commands/checkout.ts'
import { patched } from '../../orders/commands/commands.ts'
import {
  moved,
  type Order,
  statusByPayments,
  transitions,
  withFollowingTags,
} from '../../orders/order.ts'
import { type Payment, type PaymentNews, paymentWith } from '../../orders/payment.ts'
import type { Shipment, ShipmentStatus } from '../../shipments/shipment.ts'
import { listingsById } from './listings.ts'
import type { DemoBuyer, DemoSeller } from './people.ts'
import type { Random } from './random.ts'

/** Numbers for what belongs to one order: they follow from how many orders came before it. */
export interface SaleIds {
  order: number
  pack: number
  shipment: number
  /** The first of `paymentsPerOrder`. */
  payment: number
  request: number
}

export const paymentsPerOrder = 4

/**
 * A sale that is told as it happened: one order, or the orders of a pack. Every step goes through
 * the same pure functions as the real commands, each at its own moment; a step whose moment has not
 * come yet is left out with all that follow it, so that a young sale is simply not so far.
 */
export class Sale {
  readonly random: Random
  readonly seller: DemoSeller
  readonly buyer: DemoBuyer
  readonly ids: SaleIds
  orders: readonly Order[]
  shipment: Shipment | undefined
  #moment: number
  readonly #now: number
  #isStopped = false

  constructor(begin: {
    random: Random
    seller: DemoSeller
    buyer: DemoBuyer
    ids: SaleIds
    checkouts: readonly Checkout[]
    at: Date
    now: Date
  }) {
    this.random = begin.random
    this.seller = begin.seller
    this.buyer = begin.buyer
    this.ids = begin.ids
    this.#moment = begin.at.getTime()
    this.#now = begin.now.getTime()
    const isShipped = begin.checkouts[0]?.shipping !== undefined
    this.orders = begin.checkouts.map((checkout, index) =>
      orderOf(checkout, {
        listings: listingsById,
        now: begin.at,
        orderId: begin.ids.order + index,
        shipmentId: isShipped ? begin.ids.shipment : null,
      }),
    )
    const [first] = this.orders
    this.shipment = first && shipmentOf(begin.checkouts[0] as Checkout, first)
  }

  /** After at least `leastMs` and at most `mostMs`, this happens. */
  later(leastMs: number, mostMs: number, step: (at: Date) => void): void {
    this.#moment += this.random.between(Math.round(leastMs), Math.round(mostMs))
    if (this.#moment > this.#now) this.#isStopped = true
    if (!this.#isStopped) step(new Date(this.#moment))
  }

  /** A payment of every order, or news of one: `place` says which (0 is the first). */
  pay(at: Date, place: number, news: (order: Order) => PaymentNews): void {
    this.#change(at, (order, index) => this.#paid(at, { order, index, place, news: news(order) }))
  }

  /** News of every payment there is; nothing of those for which `news` is undefined. */
  settle(at: Date, news: (payment: Payment) => PaymentNews | undefined): void {
    this.#change(at, (before, index) =>
      before.payments.reduce((order, payment, place) => {
        const wanted = news(payment)
        return wanted ? this.#paid(at, { order, index, place, news: wanted }) : order
      }, before),
    )
  }

  /** The operator changes every order, or those for which `patch` says something. */
  patch(at: Date, patch: OrderPatch | ((order: Order, index: number) => OrderPatch | undefined)) {
    this.#change(at, (order, index) => {
      const wanted = typeof patch === 'function' ? patch(order, index) : patch
      return wanted === undefined ? order : patched(order, wanted, at)
    })
  }

  /** Where the parcel is. What is delivered says so on those of its orders that have not ended. */
  carry(at: Date, status: ShipmentStatus): void {
    if (this.shipment) {
      this.shipment = { ...this.shipment, status }
      const shipping = { status, substatus: null }
      this.#change(at, (order) => ({ ...order, parts: { ...order.parts, shipping } }))
    }
    if (status !== 'delivered') return
    this.patch(at, (order) =>
      transitions[order.status].length === 0
        ? undefined
        : { tags: { add: ['delivered'] }, fulfilled: true },
    )
  }

  #paid(at: Date, of: { order: Order; index: number; place: number; news: PaymentNews }): Order {
    const { order } = of
    const id = this.ids.payment + of.index * paymentsPerOrder + of.place
    const known = order.payments.find((payment) => payment.id === id)
    const about = { ...order, title: order.items[0]?.item.title ?? '' }
    const after = paymentWith(known, of.news, about, { id, now: timestamp(at) })
    const payments = known
      ? order.payments.map((payment) => (payment.id === id ? after : payment))
      : [...order.payments, after]
    const paid = { ...order, payments }
    return moved(paid, statusByPayments(paid), at)
  }

  #change(at: Date, decide: (order: Order, index: number) => Order): void {
    this.orders = this.orders.map((order, index) => {
      const decided = decide(order, index)
      return decided === order ? order : { ...withFollowingTags(decided), lastUpdated: at }
    })
  }
}

/** How far a parcel has come. */
export type Reached = 'handling' | 'ready_to_ship' | 'shipped' | 'delivered' | 'not_delivered'

type Leg = [reached: Reached, leastHours: number, mostHours: number]

const legs = {
  me2: [
    ['handling', 0.1, 0.5],
    ['ready_to_ship', 1, 18],
    ['shipped', 4, 30],
    ['delivered', 20, 110],
  ],
  fulfillment: [
    ['ready_to_ship', 0.1, 0.8],
    ['shipped', 2, 12],
    ['delivered', 10, 50],
  ],
  self_service: [
    ['ready_to_ship', 0.1, 2],
    ['shipped', 1, 5],
    ['delivered', 1, 6],
  ],
  me1: [
    ['ready_to_ship', 4, 20],
    ['shipped', 8, 48],
    ['delivered', 48, 190],
  ],
  custom: [
    ['shipped', 12, 60],
    ['delivered', 24, 120],
  ],
  not_specified: [['delivered', 24, 96]],
} satisfies Record<string, Leg[]>

/** Carries the parcel, or hands the goods over where there is none. What is made to order takes the
 * days that its listing says before it can leave. */
export function travel(sale: Sale, end: Reached = 'delivered'): void {
  const { mode, logisticType } = sale.shipment ?? { mode: 'not_specified', logisticType: null }
  const usual: Leg[] =
    logisticType === 'fulfillment' || logisticType === 'self_service'
      ? legs[logisticType]
      : legs[mode]
  const days = sale.orders.flatMap(({ items }) => items.map((line) => line.manufacturing_days ?? 0))
  // It is made while the parcel is handled, or else before anything is seen of it.
  const madeAt = usual[0]?.[0] === 'handling' ? 1 : 0
  for (const [index, [reached, leastHours, mostHours]] of usual.entries()) {
    const status = reached === 'delivered' && end === 'not_delivered' ? end : reached
    const madeMs = index === madeAt ? Math.max(...days) * dayMs : 0
    sale.later(madeMs + leastHours * hourMs, madeMs + mostHours * hourMs, (at) =>
      sale.carry(at, status),
    )
    if (status === end) return
  }
}

type CancelDetail = NonNullable<OrderPatch['cancel_detail']>

/** Why sales are cancelled, one of each group and more: in Spanish and in Portuguese. */
const causes = {
  regretted: [
    'buyer',
    'buyer_regret',
    'buyer',
    'El comprador se arrepintió',
    'O comprador desistiu',
  ],
  not_paid: [
    'buyer',
    'payment_not_made',
    'platform',
    'No se recibió el pago',
    'O pagamento não foi recebido',
  ],
  no_stock: [
    'seller',
    'out_of_stock',
    'seller',
    'El vendedor no tiene stock',
    'O vendedor não tem estoque',
  ],
  faulty: [
    'item',
    'item_defective',
    'seller',
    'El producto estaba fallado',
    'O produto estava com defeito',
  ],
  mediated: [
    'mediations',
    'mediation_refund',
    'platform',
    'Reclamo resuelto a favor del comprador',
    'Reclamação resolvida a favor do comprador',
  ],
  no_invoice: [
    'fiscal',
    'invoice_rejected',
    'platform',
    'No se pudo emitir la factura',
    'Não foi possível emitir a nota fiscal',
  ],
  fraud: [
    'fraud',
    'fraud_detected',
    'platform',
    'Pago con riesgo de fraude',
    'Pagamento com risco de fraude',
  ],
  not_sent: [
    'shipment',
    'shipment_not_dispatched',
    'platform',
    'El envío no se despachó a tiempo',
    'O envio não foi despachado a tempo',
  ],
  not_delivered: [
    'delivery',
    'delivery_failed',
    'platform',
    'El paquete no se pudo entregar',
    'O pacote não pôde ser entregue',
  ],
  duplicate: ['internal', 'duplicated_order', 'platform', 'Venta duplicada', 'Venda duplicada'],
} as const satisfies Record<
  string,
  [
    group: CancelDetail['group'],
    code: string,
    requestedBy: CancelDetail['requested_by'],
    es: string,
    pt: string,
  ]
>

export type Cause = keyof typeof causes

/** The cancellation that a patch gives with it, in the words of the sale's country. */
export function detailOf(sale: Sale, cause: Cause): CancelDetail {
  const [group, code, requested_by, es, pt] = causes[cause]
  return { group, code, requested_by, description: sale.seller.site === 'MLB' ? pt : es }
}

/** What becomes of the parcel of a sale that has come to nothing. */
export function callBack(sale: Sale, at: Date): void {
  const status = sale.shipment?.status
  if (status === undefined || status === 'delivered') return
  sale.carry(at, status === 'shipped' || status === 'not_delivered' ? 'not_delivered' : 'cancelled')
}
