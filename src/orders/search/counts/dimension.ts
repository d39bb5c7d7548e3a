/**
 * The property by which a row of `order_counts` counts orders; its value is in `bucket`. The numbers are stored, so
 * they must not change. A new dimension takes the next number and widens the CHECK of the column.
 */
export const countDimension = {
  /** All orders; the bucket is 0. */
  all: 0,
  /** The day of creation; days are whole days since 1970 (UTC). */
  createdDay: 1,
  /** The day of `sort_date`. */
  sortDay: 2,
  /** The day of the last update. */
  updatedDay: 3,
  /** The item set of the order: `order_baskets.basket`. */
  itemSet: 4,
  /** A word of the items' titles or ids: `wordHash`. */
  word: 5,
} as const

export type CountDimension = (typeof countDimension)[keyof typeof countDimension]
