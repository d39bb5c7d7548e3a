import { dayMs, hourMs } from '../../kernel/clock.ts'
import type { DemoSale } from './sale.ts'

/** The ways of demo shipments. */

/** The last status that a shipment reaches. */
export type FinalShipmentStatus =
  | 'handling'
  | 'ready_to_ship'
  | 'shipped'
  | 'delivered'
  | 'not_delivered'

type ShipmentLeg = [reached: FinalShipmentStatus, leastHours: number, mostHours: number]

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
} satisfies Record<string, ShipmentLeg[]>

/** Moves the shipment until `end`, or hands the goods over without one. Items made to order leave after their production. */
export function moveShipment(sale: DemoSale, end: FinalShipmentStatus = 'delivered'): void {
  const { mode, logisticType } = sale.shipment ?? { mode: 'not_specified', logisticType: null }
  const route: ShipmentLeg[] =
    logisticType === 'fulfillment' || logisticType === 'self_service'
      ? legs[logisticType]
      : legs[mode]
  const days = sale.orders.flatMap(({ items }) => items.map((line) => line.manufacturing_days ?? 0))
  // Production happens during handling or, without that leg, before the first one.
  const madeAt = route[0]?.[0] === 'handling' ? 1 : 0
  for (const [index, [reached, leastHours, mostHours]] of route.entries()) {
    const status = reached === 'delivered' && end === 'not_delivered' ? end : reached
    const madeMs = index === madeAt ? Math.max(...days) * dayMs : 0
    sale.afterDelay(madeMs + leastHours * hourMs, madeMs + mostHours * hourMs, (at) =>
      sale.updateShipment(at, status),
    )
    if (status === end) return
  }
}

/** Cancels the shipment of a cancelled sale, or returns it if it has left. */
export function recallShipment(sale: DemoSale, at: Date): void {
  const status = sale.shipment?.status
  if (status === undefined || status === 'delivered') return
  sale.updateShipment(
    at,
    status === 'shipped' || status === 'not_delivered' ? 'not_delivered' : 'cancelled',
  )
}
