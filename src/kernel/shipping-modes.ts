/** Who transports what was sold (contract 2.13): the platform (`me2`), or the seller in the other modes. Where it is
 * `custom` or `not_specified`, seller and buyer agree on it. */
export const shippingModes = ['me2', 'me1', 'custom', 'not_specified'] as const
export type ShippingMode = (typeof shippingModes)[number]

const carriers: Readonly<Record<ShippingMode, 'platform' | 'seller'>> = {
  me2: 'platform',
  me1: 'seller',
  custom: 'seller',
  not_specified: 'seller',
}

/** Whether the platform transports what is sold in this mode, by one of the logistic types. */
export function isCarriedByPlatform(mode: ShippingMode): boolean {
  return carriers[mode] === 'platform'
}
