/** How a sale is shipped: by the platform (`me2`), or by the seller in the other modes. With `custom` and
 * `not_specified`, seller and buyer agree on the shipment. */
export const shippingModes = ['me2', 'me1', 'custom', 'not_specified'] as const
export type ShippingMode = (typeof shippingModes)[number]

const carriers: Readonly<Record<ShippingMode, 'platform' | 'seller'>> = {
  me2: 'platform',
  me1: 'seller',
  custom: 'seller',
  not_specified: 'seller',
}

/** Returns whether the platform ships sales of this mode. */
export function isCarriedByPlatform(mode: ShippingMode): boolean {
  return carriers[mode] === 'platform'
}
