import { isDeepStrictEqual } from 'node:util'
import type { ClaimBody } from '../../claims/bodies.ts'
import type { Claim } from '../../claims/claim.ts'
import { applyClaimBody } from '../../claims/update.ts'
import {
  applyRatingChanges,
  createFeedback,
  type FeedbackRole,
  isExpired,
  type RatingBody,
  withRatings,
  withReply,
  withVisibility,
} from '../../feedback/feedback.ts'
import type { FeedbackRecord } from '../../feedback/store.ts'
import { secondMs, timestamp } from '../../kernel/clock.ts'
import type { Listing } from '../../listings/listing.ts'
import type { Checkout, OrderPatch } from '../../orders/commands/bodies.ts'
import { buildOrder, buildShipment } from '../../orders/commands/checkout.ts'
import { claimOrderOf, withClaim } from '../../orders/commands/claims.ts'
import { applyOrderPatch } from '../../orders/commands/commands.ts'
import { withShipmentState } from '../../orders/commands/shipping.ts'
import type { NoteListKey, OrderNote } from '../../orders/details/store.ts'
import { hiddenUntil, type Order, withDerivedTags } from '../../orders/order.ts'
import { applyPaymentUpdate, type Payment, type PaymentUpdate } from '../../orders/payment.ts'
import { applyPaymentStatus } from '../../orders/refund.ts'
import { hasEnded } from '../../orders/status.ts'
import { applyShipmentPatch as patchedShipment } from '../../shipments/patch.ts'
import type { Shipment, ShipmentStatus } from '../../shipments/shipment.ts'
import type { SeededRandom } from '../random.ts'
import { listingsById } from './listings.ts'
import type { SaleAction } from './sale-action.ts'
import { shipmentUpdateOf } from './shipping.ts'
import type { DemoBuyer, DemoSeller } from './users.ts'

/** Ids of a sale. They follow from the number of orders before it. */
export interface SaleIds {
  order: number
  pack: number
  shipment: number
  /** The first of `paymentsPerOrder`. */
  payment: number
  request: number
  claim: number
  /** The first of two, one for each party. */
  feedback: number
  /** The first of `notesPerOrder`. */
  note: number
}

export const paymentsPerOrder = 4
export const notesPerOrder = 2

/** A private note of a party. */
export interface DemoNote {
  notebook: NoteListKey
  note: OrderNote
}

export interface SaleInput {
  random: SeededRandom
  seller: DemoSeller
  buyer: DemoBuyer
  ids: SaleIds
  checkouts: readonly Checkout[]
  at: Date
  now: Date
  /** Listings that the lines refer to. Default: those of the demo data. */
  listings?: ReadonlyMap<string, Listing>
  /** Receives every action with its time. */
  record?: (at: Date, action: SaleAction) => void
}

/** Hidden ratings are shown this long after the time for ratings ends. */
const shownAfterMs = 30 * secondMs

/**
 * A demo sale: one order, or the orders of a pack. Every step uses the pure functions of the real commands at its own
 * time. A step in the future is left out with all that follow, so a recent sale is less advanced.
 */
export class DemoSale {
  readonly random: SeededRandom
  readonly seller: DemoSeller
  readonly buyer: DemoBuyer
  readonly ids: SaleIds
  orders: readonly Order[]
  shipment: Shipment | undefined
  feedback: readonly FeedbackRecord[] = []
  claims: readonly Claim[] = []
  notes: readonly DemoNote[] = []
  #moment: number
  readonly #now: number
  readonly #record: (at: Date, action: SaleAction) => void
  #isStopped = false

  constructor(input: SaleInput) {
    this.random = input.random
    this.seller = input.seller
    this.buyer = input.buyer
    this.ids = input.ids
    this.#moment = input.at.getTime()
    this.#now = input.now.getTime()
    this.#record = input.record ?? (() => {})
    const isShipped = input.checkouts[0]?.shipping !== undefined
    this.orders = input.checkouts.map((checkout, index) =>
      buildOrder(checkout, {
        listings: input.listings ?? listingsById(),
        now: input.at,
        orderId: input.ids.order + index,
        shipmentId: isShipped ? input.ids.shipment : null,
      }),
    )
    const [first] = this.orders
    this.shipment = first && buildShipment(input.checkouts[0] as Checkout, first)
  }

  /** Executes a step after a random delay since the previous step, between `leastMs` and `mostMs`. If that is in the
   * future, neither this step nor any later one is executed. */
  afterDelay(leastMs: number, mostMs: number, step: (at: Date) => void): void {
    this.#moment += this.random.between(Math.round(leastMs), Math.round(mostMs))
    if (this.#moment > this.#now) this.#isStopped = true
    if (this.#isStopped) return
    this.#showOverdue(this.#moment)
    step(new Date(this.#moment))
  }

  /** Ends the scenario. Applies what time alone does until now, such as showing ratings. */
  finish(): void {
    this.#showOverdue(this.#now)
  }

  /** Adds or updates a payment of every order. `paymentIndex` counts the payments of an order, from 0. */
  pay(at: Date, paymentIndex: number, news: (order: Order) => PaymentUpdate): void {
    const updates = this.orders.map((order) => news(order))
    for (const [index, update] of updates.entries()) {
      this.#record(at, { kind: 'payment', index, paymentIndex, news: update })
    }
    this.#change(at, (order, index) =>
      this.#withPayment(at, { order, index, paymentIndex, news: updates[index] ?? {} }),
    )
  }

  /** Updates every payment, except those for which `news` returns undefined. */
  updatePayments(at: Date, news: (payment: Payment) => PaymentUpdate | undefined): void {
    const updates = this.orders.map(({ payments }) => payments.map((payment) => news(payment)))
    const changes = updates.flatMap((ofOrder, index) =>
      ofOrder.flatMap((update, position) => {
        const payment = this.orders[index]?.payments[position] as Payment
        const paymentIndex = payment.id - this.ids.payment - index * paymentsPerOrder
        return update ? [{ index, paymentIndex, news: update }] : []
      }),
    )
    for (const change of changes) this.#record(at, { kind: 'payment', ...change })
    this.#change(at, (before, index) =>
      changes
        .filter((change) => change.index === index)
        .reduce((order, change) => this.#withPayment(at, { ...change, order }), before),
    )
  }

  /** Patches every order, except those for which `patch` returns undefined. */
  patch(at: Date, patch: OrderPatch | ((order: Order) => OrderPatch | undefined)): void {
    const patches = this.orders.map((order) => (typeof patch === 'function' ? patch(order) : patch))
    for (const [index, orderPatch] of patches.entries()) {
      if (orderPatch) this.#record(at, { kind: 'change', index, patch: orderPatch })
    }
    this.#change(at, (order, index) => {
      const orderPatch = patches[index]
      return orderPatch === undefined ? order : applyOrderPatch(order, orderPatch, at)
    })
  }

  /** Moves the shipment to a status, unless it is cancelled. A delivery marks the orders that have not ended. */
  updateShipment(at: Date, status: ShipmentStatus): void {
    if (this.shipment?.status === 'cancelled') return
    if (this.shipment) {
      const patch = { status, ...shipmentUpdateOf(this.shipment, status, at) }
      this.#record(at, { kind: 'shipment', patch })
      const after = { ...patchedShipment(this.shipment, patch, at), lastUpdated: at }
      this.shipment = after
      this.#change(at, (order) => withShipmentState(order, after))
    } else if (status === 'delivered') {
      this.patch(at, (order) =>
        hasEnded(order.status) ? undefined : { tags: { add: ['delivered'] }, fulfilled: true },
      )
    }
  }

  /** Rates the other party on every order. */
  rate(at: Date, role: FeedbackRole, rating: RatingBody): void {
    this.#recordForAll(at, (index) => ({ kind: 'rating', index, role, rating }))
    this.#updateRatings(at, (order, ratings, index) => {
      const id = this.ids.feedback + 2 * index + (role === 'sale' ? 0 : 1)
      return [
        ...ratings,
        createFeedback(order, { id, role, body: rating, applicationId: null, now: at }),
      ]
    })
  }

  /** Changes the rating of a party. */
  changeRating(at: Date, role: FeedbackRole, changes: Partial<RatingBody>): void {
    this.#recordForAll(at, (index) => ({ kind: 'second_rating', index, role, rating: changes }))
    this.#updateRatings(at, (order, ratings) =>
      ratings.map((rating) =>
        rating.role === role ? applyRatingChanges(rating, changes, { ...order, now: at }) : rating,
      ),
    )
  }

  /** Replies to the rating of this role. */
  reply(at: Date, role: FeedbackRole, reply: string): void {
    this.#recordForAll(at, (index) => ({ kind: 'reply', index, role, reply }))
    this.#updateRatings(at, (_, ratings) =>
      ratings.map((rating) => (rating.role === role ? withReply(rating, reply, at) : rating)),
    )
  }

  /** Opens or updates a claim on the first order. */
  updateClaim(at: Date, body: ClaimBody): void {
    this.#record(at, { kind: 'claim', body })
    const [first] = this.orders
    if (!first) return
    const { claim: claimId } = this.ids
    const [existing] = this.claims
    const claim = {
      ...applyClaimBody(existing, body, claimOrderOf(first, claimId, at)),
      lastUpdated: at,
    }
    this.claims = [claim]
    this.#change(at, (order) =>
      order === first ? keepIfEqual(order, withClaim(order, claim)) : order,
    )
  }

  /** Adds a private note of a party to the first order. */
  addNote(at: Date, authorId: number, text: string): void {
    const { order: orderId, note: firstNoteId } = this.ids
    const note = {
      id: firstNoteId + this.notes.length,
      note: text,
      dateCreated: at,
      lastUpdated: at,
    }
    const notebook = { sellerId: this.seller.user.id, orderId, authorId }
    this.notes = [...this.notes, { notebook, note }]
  }

  #recordForAll(at: Date, action: (index: number) => SaleAction): void {
    for (const index of this.orders.keys()) this.#record(at, action(index))
  }

  #showOverdue(until: number): void {
    const due = this.orders
      .map((order) => hiddenUntil(order))
      .find((date) => date !== null && isExpired({ expirationDate: date, now: new Date(until) }))
    if (!due) return
    this.#updateRatings(
      new Date(Math.min(due.getTime() + shownAfterMs, until)),
      (_, ratings) => ratings,
    )
  }

  /** Changes the ratings of every order. Those that stay keep their date. */
  #updateRatings(
    at: Date,
    decide: (order: Order, ratings: FeedbackRecord['feedback'][], index: number) => typeof ratings,
  ): void {
    const saved: FeedbackRecord[] = []
    this.#change(at, (order, index) => {
      const orderFeedback = this.feedback.filter(({ feedback }) => feedback.orderId === order.id)
      const ratings = orderFeedback.map(({ feedback }) => feedback)
      const after = withVisibility(decide(order, ratings, index), { ...order, now: at })
      for (const feedback of after) {
        const unchanged = orderFeedback.find((entry) => entry.feedback === feedback)
        saved.push(unchanged ?? { feedback, lastUpdated: at })
      }
      return keepIfEqual(order, withRatings(order, after))
    })
    this.feedback = saved
  }

  /** Returns an order with a new payment, or a newer state of an existing one. */
  #withPayment(
    at: Date,
    input: { order: Order; index: number; paymentIndex: number; news: PaymentUpdate },
  ): Order {
    const { order } = input
    const id = this.ids.payment + input.index * paymentsPerOrder + input.paymentIndex
    const existing = order.payments.find((payment) => payment.id === id)
    const context = { ...order, title: order.items[0]?.item.title ?? '' }
    const after = applyPaymentUpdate(existing, input.news, context, { id, now: timestamp(at) })
    const payments = existing
      ? order.payments.map((payment) => (payment.id === id ? after : payment))
      : [...order.payments, after]
    const paid = { ...order, payments }
    return applyPaymentStatus(paid, at)
  }

  #change(at: Date, decide: (order: Order, index: number) => Order): void {
    this.orders = this.orders.map((order, index) => {
      const changed = decide(order, index)
      return changed === order ? order : { ...withDerivedTags(changed), lastUpdated: at }
    })
  }
}

/** Returns the order before if nothing changed, so that it does not count as updated. */
function keepIfEqual(before: Order, after: Order): Order {
  return isDeepStrictEqual(after, before) ? before : after
}
