/** Who transports what was sold (contract 2.13): the platform (`me2`), the seller with the platform's prices
 * (`me1`) or as the seller likes (`custom`); `not_specified` leaves it to the parties. */
export const shippingModes = ['me2', 'me1', 'custom', 'not_specified'] as const
export type ShippingMode = (typeof shippingModes)[number]
