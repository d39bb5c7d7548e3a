import { type OrderPhase, type OrderStatus, phaseOf } from '../status.ts'

/** An order of a pack, as far as the pack shows it. */
export interface PackOrder {
  id: number
  buyerId: number
  status: OrderStatus
  shipmentId: number | null
  dateCreated: Date
  lastUpdated: Date
}

export const packStatuses = ['filed', 'released', 'cancelled'] as const
export type PackStatus = (typeof packStatuses)[number]

/** The status of a pack with a single order, by the phase of that order. */
const statusByPhase: Readonly<Record<OrderPhase, PackStatus>> = {
  awaiting_payment: 'filed',
  confirmed: 'released',
  paid: 'released',
  cancelling: 'released',
  cancelled: 'cancelled',
  invalid: 'cancelled',
}

/** Returns `cancelled` when all orders of a pack have ended, `filed` while one of the others awaits payment, and
 * `released` otherwise. */
export function packStatus(statuses: readonly OrderStatus[]): PackStatus {
  const open = statuses
    .map((status) => statusByPhase[phaseOf(status)])
    .filter((status) => status !== 'cancelled')
  if (open.length === 0) return 'cancelled'
  return open.includes('filed') ? 'filed' : 'released'
}
