/** What kinds of market there are (contract 2.13, `vertical`). Contract 6 sets the last three apart: what
 * is sold there is talked and paid of elsewhere. */
export const verticals = ['core', 'real_estate', 'motors', 'services'] as const
export type Vertical = (typeof verticals)[number]
