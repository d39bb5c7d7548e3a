/** The kinds of markets. The last three are classifieds: buyer and seller agree and pay elsewhere. */
export const verticals = ['core', 'real_estate', 'motors', 'services'] as const
export type Vertical = (typeof verticals)[number]
