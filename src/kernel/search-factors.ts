/** What moves a listing among equally good matches of a search. Each factor has a weight in days of the listing date. */
export const searchFactors = [
  'sales',
  'sold_out',
  'free_shipping',
  'reputation',
  'title_word',
] as const

/** The days by which each factor moves a listing (`scoreOf`). */
export type SearchFactors = Readonly<Record<(typeof searchFactors)[number], number>>

/** The most days of a factor. */
export const maxFactorDays = 3_650
