import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts'
import type { OrderStatus } from '../../orders/status.ts'
import { type CancelCause, cancelDetailOf } from './causes.ts'
import type { CheckoutPlan } from './checkout.ts'
import { type FinalShipmentStatus, moveShipment, recallShipment } from './move-shipment.ts'
import { type PaymentMethod, payInFull, refundAll } from './payments.ts'
import type { DemoSale } from './sale.ts'

/** The steps of a scenario. */
export type ScenarioSteps = (sale: DemoSale) => void

/** A course that a sale can take. */
export interface DemoScenario {
  name: string
  /** The relative frequency among drawn sales. */
  weight: number
  plan: CheckoutPlan
  execute: ScenarioSteps
  /** The age in days of the first sale of the scenario, long enough to complete it. */
  ageDays: readonly [least: number, most: number]
  /** The state does not last, so it is not drawn for sales older than the upper bound of `days`. */
  isTransient: boolean
}

type ScenarioFactory = (
  name: string,
  weight: number,
  plan: CheckoutPlan,
  execute: ScenarioSteps,
) => DemoScenario
/** Makes scenarios of this age. `isTransient` scenarios end in a state that does not last. */
export const scenariosOfAge =
  (ageDays: DemoScenario['ageDays'], isTransient: boolean): ScenarioFactory =>
  (name, weight, plan, execute) => ({
    name,
    weight,
    plan,
    execute,
    ageDays,
    isTransient,
  })

/** Finished sales, older ones and those of the last weeks. */
export const finishedScenario = scenariosOfAge([65, 380], false)
export const recentScenario = scenariosOfAge([15, 40], false)
/** Sales in progress, those that wait for something, and new ones. */
export const activeScenario = scenariosOfAge([3, 5], true)
export const waitingScenario = scenariosOfAge([0.5, 8], true)
export const newScenario = scenariosOfAge([0.4, 0.9], true)

/** Runs steps in sequence. */
export const sequence =
  (...steps: readonly ScenarioSteps[]): ScenarioSteps =>
  (sale) => {
    for (const step of steps) step(sale)
  }

/** Pays, and ships until `end`. */
export const payAndShip =
  (end: FinalShipmentStatus = 'delivered', method?: PaymentMethod): ScenarioSteps =>
  (sale) => {
    payInFull(sale, method)
    moveShipment(sale, end)
  }

/** Pays by card. */
export const payByCard = (sale: DemoSale) => payInFull(sale, 'card')

/** Pays by card, ships until `end` if it is given, and cancels and refunds all orders. `status` is that of the cancelled
 * orders: `cancelled`, `manually_cancelled` or `invalid` (fraud). */
export const payAndCancel =
  (
    cause: CancelCause,
    end?: FinalShipmentStatus,
    status: OrderStatus = 'cancelled',
  ): ScenarioSteps =>
  (sale) => {
    payInFull(sale, 'card')
    if (end) moveShipment(sale, end)
    cancelOrders(sale, cause, { status })
  }

/** Cancels and refunds all orders, or the first `few`. If no order is left, the shipment is cancelled or, once sent,
 * returned; a delivered one stays. */
export function cancelOrders(
  sale: DemoSale,
  cause: CancelCause,
  { status = 'cancelled', few }: { status?: OrderStatus; few?: number } = {},
): void {
  const ids = sale.orders.slice(0, few).map((order) => order.id)
  sale.afterDelay(hourMs, dayMs, (at) => {
    const cancel_detail = cancelDetailOf(sale, cause)
    sale.patch(at, ({ id }) => (ids.includes(id) ? { status, cancel_detail } : undefined))
    if (ids.length === sale.orders.length) recallShipment(sale, at)
  })
  sale.afterDelay(1_000, 3_000, (at) => refundAll(sale, at, (id) => ids.includes(id)))
}

/** Pays by card, ships until `end` if it is given, and patches the orders. */
export const payAndPatch =
  (end: FinalShipmentStatus | undefined, patch: Parameters<DemoSale['patch']>[1]): ScenarioSteps =>
  (sale) => {
    payInFull(sale, 'card')
    if (end) moveShipment(sale, end)
    sale.afterDelay(10 * minuteMs, hourMs, (at) => sale.patch(at, patch))
  }

/** Requests a change or a return. */
export const requestChange =
  (request: 'change' | 'return', status: 'required' | 'accepted'): ScenarioSteps =>
  (sale) => {
    sale.afterDelay(dayMs, 3 * dayMs, (at) => {
      const orderRequest = { id: sale.ids.request, status, date_created: at.toISOString() }
      sale.patch(at, { order_request: { change: null, return: null, [request]: orderRequest } })
    })
  }

/** Adds a private note of each party. */
export function addNotes(sale: DemoSale): void {
  const isPortuguese = sale.seller.site === 'MLB'
  const [sellerNote, buyerNote] = isPortuguese
    ? ['Embrulhar para presente.', 'Presente de aniversário.']
    : ['Envolver para regalo.', 'Regalo de cumpleaños.']
  sale.afterDelay(minuteMs, 30 * minuteMs, (at) =>
    sale.addNote(at, sale.seller.user.id, sellerNote),
  )
  sale.afterDelay(minuteMs, 30 * minuteMs, (at) => sale.addNote(at, sale.buyer.user.id, buyerNote))
}
