import { isDeepStrictEqual } from 'node:util'
import type { ClaimBody } from '../../claims/bodies.ts'
import type { Claim } from '../../claims/claim.ts'
import { claimWith } from '../../claims/news.ts'
import {
  changedFeedback,
  feedbackOf,
  isOver,
  type Role,
  repliedTo,
  type Saying,
  withRatings,
  withShown,
} from '../../feedback/feedback.ts'
import type { SavedFeedback } from '../../feedback/store.ts'
import { secondMs, timestamp } from '../../kernel/clock.ts'
import type { Listing } from '../../listings/listing.ts'
import type { Checkout, OrderPatch } from '../../orders/commands/bodies.ts'
import { orderOf, shipmentOf } from '../../orders/commands/checkout.ts'
import { factsOf, withClaim } from '../../orders/commands/claims.ts'
import { patched } from '../../orders/commands/commands.ts'
import { following } from '../../orders/commands/shipping.ts'
import type { Note, Notebook } from '../../orders/details/store.ts'
import { hiddenUntil, type Order, withFollowingTags } from '../../orders/order.ts'
import { type Payment, type PaymentNews, paymentWith } from '../../orders/payment.ts'
import { followPayments } from '../../orders/refund.ts'
import { hasEnded } from '../../orders/status.ts'
import { patched as patchedShipment } from '../../shipments/change.ts'
import type { Shipment, ShipmentStatus } from '../../shipments/shipment.ts'
import { listingsById } from './listings.ts'
import { newsOf } from './parcels/parcel.ts'
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
  claim: number
  /** The first of two, one a party. */
  feedback: number
  /** The first of `notesPerOrder`. */
  note: number
}

export const paymentsPerOrder = 4
export const notesPerOrder = 2

/** What a party wrote down for itself. */
export interface DemoNote {
  notebook: Notebook
  note: Note
}

/** A little after the time for ratings is over, what is hidden is shown. */
const shownAfterMs = 30 * secondMs

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
  feedback: readonly SavedFeedback[] = []
  claims: readonly Claim[] = []
  notes: readonly DemoNote[] = []
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
    /** What its lines may name; the demo world's unless said otherwise. */
    listings?: ReadonlyMap<string, Listing>
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
        listings: begin.listings ?? listingsById,
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
    if (this.#isStopped) return
    this.#showOverdue(this.#moment)
    step(new Date(this.#moment))
  }

  /** Nothing more is told: what time alone does until now happens. */
  end(): void {
    this.#showOverdue(this.#now)
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

  /** Where the parcel is, unless it was called back. What is delivered says so on those of its orders
   * that have not ended. */
  carry(at: Date, status: ShipmentStatus): void {
    if (this.shipment?.status === 'cancelled') return
    if (this.shipment) {
      const news = newsOf(this.shipment, status, at)
      const after = { ...patchedShipment(this.shipment, { status, ...news }, at), lastUpdated: at }
      this.shipment = after
      this.#change(at, (order) => following(order, after))
    } else if (status === 'delivered') {
      this.patch(at, (order) =>
        hasEnded(order.status) ? undefined : { tags: { add: ['delivered'] }, fulfilled: true },
      )
    }
  }

  /** A party rates the other one on every order. */
  rate(at: Date, role: Role, said: Saying): void {
    this.#rated(at, (order, known, index) => {
      const id = this.ids.feedback + 2 * index + (role === 'sale' ? 0 : 1)
      return [...known, feedbackOf(order, { id, role, said, applicationId: null, now: at })]
    })
  }

  /** A party has second thoughts about its rating. */
  rateAnew(at: Date, role: Role, asked: Partial<Saying>): void {
    this.#rated(at, (order, known) =>
      known.map((each) =>
        each.role === role ? changedFeedback(each, asked, { ...order, now: at }) : each,
      ),
    )
  }

  /** The other party replies to the rating of this role. */
  reply(at: Date, role: Role, reply: string): void {
    this.#rated(at, (_, known) =>
      known.map((each) => (each.role === role ? repliedTo(each, reply, at) : each)),
    )
  }

  /** A claim on the first order, or news of it. */
  claim(at: Date, body: ClaimBody): void {
    const [first] = this.orders
    if (!first) return
    const { claim: id } = this.ids
    const [known] = this.claims
    const claim = { ...claimWith(known, body, factsOf(first, id, at)), lastUpdated: at }
    this.claims = [claim]
    this.#change(at, (order) => (order === first ? unless(order, withClaim(order, claim)) : order))
  }

  /** A party notes something on the first order, for itself. */
  note(at: Date, authorId: number, text: string): void {
    const { order: orderId, note: first } = this.ids
    const note = { id: first + this.notes.length, note: text, dateCreated: at, lastUpdated: at }
    const notebook = { sellerId: this.seller.user.id, orderId, authorId }
    this.notes = [...this.notes, { notebook, note }]
  }

  #showOverdue(until: number): void {
    const due = this.orders
      .map((order) => hiddenUntil(order))
      .find((date) => date !== null && isOver({ expirationDate: date, now: new Date(until) }))
    if (!due) return
    this.#rated(new Date(Math.min(due.getTime() + shownAfterMs, until)), (_, known) => known)
  }

  #rated(
    at: Date,
    decide: (order: Order, known: SavedFeedback['feedback'][], index: number) => typeof known,
  ): void {
    const saved: SavedFeedback[] = []
    this.#change(at, (order, index) => {
      const own = this.feedback.filter(({ feedback }) => feedback.orderId === order.id)
      const known = own.map(({ feedback }) => feedback)
      const after = withShown(decide(order, known, index), { ...order, now: at })
      for (const feedback of after) {
        const same = own.find((each) => each.feedback === feedback)
        saved.push(same ?? { feedback, lastUpdated: at })
      }
      return unless(order, withRatings(order, after))
    })
    this.feedback = saved
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
    return followPayments(paid, at)
  }

  #change(at: Date, decide: (order: Order, index: number) => Order): void {
    this.orders = this.orders.map((order, index) => {
      const decided = decide(order, index)
      return decided === order ? order : { ...withFollowingTags(decided), lastUpdated: at }
    })
  }
}

/** The same order where nothing of it has changed, so that it does not count as updated. */
function unless(before: Order, decided: Order): Order {
  return isDeepStrictEqual(decided, before) ? before : decided
}
