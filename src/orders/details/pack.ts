import { type OrderPhase, type OrderStatus, phaseOf } from '../status.ts'

/** What a pack is made of: an order of it, as far as the pack shows it. */
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

/** What an order of each phase makes of a pack in which it stands alone. */
const ofPhase: Readonly<Record<OrderPhase, PackStatus>> = {
  awaiting_payment: 'filed',
  confirmed: 'released',
  paid: 'released',
  cancelling: 'released',
  cancelled: 'cancelled',
  invalid: 'cancelled',
}

/** A pack is `cancelled` when all its orders have ended, `released` when every other order is a confirmed
 * sale, and `filed` while one of them awaits payment (wire 2). */
export function packStatus(statuses: readonly OrderStatus[]): PackStatus {
  const open = statuses.map((status) => ofPhase[phaseOf(status)]).filter((of) => of !== 'cancelled')
  if (open.length === 0) return 'cancelled'
  return open.includes('filed') ? 'filed' : 'released'
}
