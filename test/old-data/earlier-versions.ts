import type { DerivationName } from '../../src/app/derivations.ts'
import { oldIndexings } from './old-listings.ts'
import { oldFilings } from './old-orders.ts'
import { oldTexts } from './old-texts.ts'

/** For each derivation, what earlier versions may have left. */
export const earlierVersions = {
  orders: oldFilings,
  listings: oldIndexings,
  ...oldTexts,
  lessons: { 'an earlier format': { format: 0 } },
} as const satisfies Record<DerivationName, object>
