import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts'
import type { OrderStatus } from '../../orders/status.ts'
import { type Cause, detailOf } from './afterwards/causes.ts'
import type { Plan } from './checkouts/checkout.ts'
import { callBack, type Reached, travel } from './parcels/travel.ts'
import { payWhole, refundAll, type Way } from './payments.ts'
import type { Sale } from './sale.ts'

/** The steps of a scenario. */
export type ScenarioSteps = (sale: Sale) => void

/** A course that a sale can take. */
export interface Scenario {
  name: string
  /** The relative frequency among drawn sales. */
  weight: number
  plan: Plan
  tell: ScenarioSteps
  /** The age in days of the first sale of the scenario, long enough to complete it. */
  days: readonly [least: number, most: number]
  /** The state does not last, so it is not drawn for sales older than the upper bound of `days`. */
  isPassing: boolean
}

type Row = (name: string, weight: number, plan: Plan, tell: ScenarioSteps) => Scenario
/** Makes scenarios of this age. `isPassing`: their state does not last. */
export const began =
  (days: Scenario['days'], isPassing: boolean): Row =>
  (name, weight, plan, tell) => ({ name, weight, plan, tell, days, isPassing })

/** Finished sales, older ones and those of the last weeks. */
export const ended = began([65, 380], false)
export const endedLately = began([15, 40], false)
/** Sales in progress, those that wait for something, and new ones. */
export const underWay = began([3, 5], true)
export const waitsFor = began([0.5, 8], true)
export const justNow = began([0.4, 0.9], true)

/** Runs steps in sequence. */
export const inTurn =
  (...stories: readonly ScenarioSteps[]): ScenarioSteps =>
  (sale) => {
    for (const story of stories) story(sale)
  }

/** Pays, and ships until `end`. */
export const goes =
  (end: Reached = 'delivered', way?: Way): ScenarioSteps =>
  (sale) => {
    payWhole(sale, way)
    travel(sale, end)
  }

/** Pays by card. */
export const paid = (sale: Sale) => payWhole(sale, 'card')

/** Pays, ships until `end`, and cancels. */
export const fails =
  (cause: Cause, end?: Reached, status: OrderStatus = 'cancelled'): ScenarioSteps =>
  (sale) => {
    payWhole(sale, 'card')
    if (end) travel(sale, end)
    fail(sale, cause, { status })
  }

/** Cancels all orders, or the first `few`, and the shipment if no order is left. */
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

/** Pays, ships until `end`, and patches the orders. */
export const says =
  (end: Reached | undefined, patch: Parameters<Sale['patch']>[1]): ScenarioSteps =>
  (sale) => {
    payWhole(sale, 'card')
    if (end) travel(sale, end)
    sale.later(10 * minuteMs, hourMs, (at) => sale.patch(at, patch))
  }

/** Requests a change or a return. */
export const asks =
  (request: 'change' | 'return', status: 'required' | 'accepted'): ScenarioSteps =>
  (sale) => {
    sale.later(dayMs, 3 * dayMs, (at) => {
      const orderRequest = { id: sale.ids.request, status, date_created: at.toISOString() }
      sale.patch(at, { order_request: { change: null, return: null, [request]: orderRequest } })
    })
  }

/** Adds a private note of each party. */
export function notes(sale: Sale): void {
  const isPortuguese = sale.seller.site === 'MLB'
  const [sellers, buyers] = isPortuguese
    ? ['Embrulhar para presente.', 'Presente de aniversário.']
    : ['Envolver para regalo.', 'Regalo de cumpleaños.']
  sale.later(minuteMs, 30 * minuteMs, (at) => sale.note(at, sale.seller.user.id, sellers))
  sale.later(minuteMs, 30 * minuteMs, (at) => sale.note(at, sale.buyer.user.id, buyers))
}
