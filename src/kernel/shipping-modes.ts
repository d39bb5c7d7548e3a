/** Who transports what was sold (contract 2.13): the platform (`me2`), or the seller in the other modes. Where it is
 * `custom` or `not_specified`, seller and buyer agree on it. */
export const shippingModes = ['me2', 'me1', 'custom', 'not_specified'] as const
export type ShippingMode = (typeof shippingModes)[number]
