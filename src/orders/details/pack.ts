import { hasEnded, type OrderStatus } from '../order.ts'

/** What a pack is made of: an order of it, as far as the pack shows it. */
export interface PackOrder {
  id: number
  buyerId: number
  status: OrderStatus
  shipmentId: number | null
  dateCreated: Date
  lastUpdated: Date
}

const released: readonly OrderStatus[] = [
  'confirmed',
  'paid',
  'partially_refunded',
  'pending_cancel',
]

export type PackStatus = 'filed' | 'released' | 'cancelled'

/** A pack is `cancelled` when all its orders have come to nothing, `released` when every other order
 * is a confirmed sale, and `filed` while one of them waits for money (wire 2). */
export function packStatus(statuses: readonly OrderStatus[]): PackStatus {
  const alive = statuses.filter((status) => !hasEnded({ status }))
  if (alive.length === 0) return 'cancelled'
  return alive.every((status) => released.includes(status)) ? 'released' : 'filed'
}
