/**
 * What a row of `order_counts` counts orders by, and so what its `bucket` holds. The numbers are stored: they
 * never change, and a further dimension takes the next one and widens the CHECK of the column.
 */
export const dimension = {
  /** All orders; the bucket is 0. */
  all: 0,
  /** The day of creation; days are whole days since 1970 (UTC). */
  createdDay: 1,
  /** The day of `sort_date`. */
  sortDay: 2,
  /** The day of the last update. */
  updatedDay: 3,
  /** The items that were bought: `order_baskets.basket`. */
  itemSet: 4,
  /** A word of the items' titles or ids: `wordNumber`. */
  word: 5,
} as const

export type Dimension = (typeof dimension)[keyof typeof dimension]
