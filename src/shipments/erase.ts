import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../platform/database/database.ts'
import type { Shipment } from './shipment.ts'
import { lockShipment, saveShipment } from './store.ts'

/**
 * Removes the address of one party from a shipment, and for a buyer also the name, the telephone, the comments and the
 * tracking number. Locks the shipment until the transaction ends. Returns whether anything changed.
 */
export async function eraseShipment(
  tx: Tx,
  shipment: { sellerId: number; id: number; role: 'buyer' | 'seller' },
): Promise<boolean> {
  const before = await lockShipment(tx, shipment)
  if (!before) return false
  const details = { ...before.details }
  if (shipment.role === 'seller') delete details.sender_address
  else for (const field of receiverFields) delete details[field]
  if (isDeepStrictEqual(details, before.details)) return false
  saveShipment(tx, { ...before, details })
  return true
}

const receiverFields = [
  'receiver_address',
  'receiver_name',
  'receiver_phone',
  'comments',
  'tracking_number',
] as const satisfies readonly (keyof Shipment['details'])[]
