import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts'
import type { OrderStatus } from '../../orders/status.ts'
import { type Cause, detailOf } from './afterwards/causes.ts'
import type { Plan } from './checkouts/checkout.ts'
import { callBack, type Reached, travel } from './parcels/travel.ts'
import { payWhole, refundAll, type Way } from './payments.ts'
import type { Sale } from './sale.ts'

/** How a sale goes, step by step. */
export type ScenarioSteps = (sale: Sale) => void

/** A way in which a sale can go. */
export interface Scenario {
  name: string
  /** How often, among the orders that are drawn. */
  weight: number
  plan: Plan
  tell: ScenarioSteps
  /** How long ago the one told by name began: long enough for its story to come to its end. */
  days: readonly [least: number, most: number]
  /** A state that does not last: drawn for no order older than the most `days`. */
  isPassing: boolean
}

type Row = (name: string, weight: number, plan: Plan, tell: ScenarioSteps) => Scenario
/** How long ago one may have begun, and whether what it shows does not last. */
export const began =
  (days: Scenario['days'], isPassing: boolean): Row =>
  (name, weight, plan, tell) => ({ name, weight, plan, tell, days, isPassing })

/** Told by name of an older sale, and of one of the last weeks. */
export const ended = began([65, 380], false)
export const endedLately = began([15, 40], false)
/** On its way, waiting for something, and not much more than begun. */
export const underWay = began([3, 5], true)
export const waitsFor = began([0.5, 8], true)
export const justNow = began([0.4, 0.9], true)

/** One after the other. */
export const inTurn =
  (...stories: readonly ScenarioSteps[]): ScenarioSteps =>
  (sale) => {
    for (const story of stories) story(sale)
  }

/** Paid, and carried as far as that. */
export const goes =
  (end: Reached = 'delivered', way?: Way): ScenarioSteps =>
  (sale) => {
    payWhole(sale, way)
    travel(sale, end)
  }

/** Paid by card, and nothing more yet. */
export const paid = (sale: Sale) => payWhole(sale, 'card')

/** Paid and carried so far, then cancelled. */
export const fails =
  (cause: Cause, end?: Reached, status: OrderStatus = 'cancelled'): ScenarioSteps =>
  (sale) => {
    payWhole(sale, 'card')
    if (end) travel(sale, end)
    fail(sale, cause, { status })
  }

/** All orders end, or the first `few`; the parcel is called back when none is left. */
export function fail(
  sale: Sale,
  cause: Cause,
  { status = 'cancelled', few }: { status?: OrderStatus; few?: number } = {},
): void {
  const ids = sale.orders.slice(0, few).map((order) => order.id)
  sale.later(hourMs, dayMs, (at) => {
    const cancel_detail = detailOf(sale, cause)
    sale.patch(at, ({ id }) => (ids.includes(id) ? { status, cancel_detail } : undefined))
    if (ids.length === sale.orders.length) callBack(sale, at)
  })
  sale.later(1_000, 3_000, (at) => refundAll(sale, at, (id) => ids.includes(id)))
}

/** After the parcel has gone so far, the operator says something of the orders. */
export const says =
  (end: Reached | undefined, patch: Parameters<Sale['patch']>[1]): ScenarioSteps =>
  (sale) => {
    payWhole(sale, 'card')
    if (end) travel(sale, end)
    sale.later(10 * minuteMs, hourMs, (at) => sale.patch(at, patch))
  }

/** The buyer asks for another one, or to give it back. */
export const asks =
  (request: 'change' | 'return', status: 'required' | 'accepted'): ScenarioSteps =>
  (sale) => {
    sale.later(dayMs, 3 * dayMs, (at) => {
      const asked = { id: sale.ids.request, status, date_created: at.toISOString() }
      sale.patch(at, { order_request: { change: null, return: null, [request]: asked } })
    })
  }

/** What both parties write down for themselves. */
export function notes(sale: Sale): void {
  const isPortuguese = sale.seller.site === 'MLB'
  const [sellers, buyers] = isPortuguese
    ? ['Embrulhar para presente.', 'Presente de aniversário.']
    : ['Envolver para regalo.', 'Regalo de cumpleaños.']
  sale.later(minuteMs, 30 * minuteMs, (at) => sale.note(at, sale.seller.user.id, sellers))
  sale.later(minuteMs, 30 * minuteMs, (at) => sale.note(at, sale.buyer.user.id, buyers))
}
