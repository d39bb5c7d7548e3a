/** In what condition an item may be (contract 2.13, `item_conditions`). */
export const itemConditions = ['new', 'used', 'not_specified'] as const
export type ItemCondition = (typeof itemConditions)[number]
