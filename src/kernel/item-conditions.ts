/** The conditions of an item. */
export const itemConditions = ['new', 'used', 'not_specified'] as const
export type ItemCondition = (typeof itemConditions)[number]
