import type { SiteId } from '../../kernel/sites.ts'
import { type Topic, topics } from '../../kernel/topics.ts'

/** The fixed names and ids of the demo data. All ids are below those that Feria issues. */

/** The sites of the demo data. */
export const demoSites = ['MLA', 'MLB', 'MLM', 'MCO', 'MLC', 'MLU'] as const satisfies SiteId[]
export type DemoSite = (typeof demoSites)[number]

/** The first seller and the first buyer. The ids of the others follow. */
export const demoSellerId = 100_000_001
export const demoBuyerId = 100_000_101

/** The application of the demo seller and the demo buyer. */
export const demoApplication: { id: number; name: string; topics: Topic[] } = {
  id: 4_000_000_000_000_001,
  name: 'Feria demo',
  topics: [...topics],
}

export const firstDemoItem = 100_000_001

/** The listing for a first sale: it has no variations and a large stock. */
export const mainListingId = `MLA${firstDemoItem}`

/** There is room for a hundred million orders below the first ids that Feria issues. */
export const mostDemoOrders = 100_000_000

/** First ids of the demo data. Packs have a range of their own, because no id may be that of an order and of a pack. */
export const firstDemoIds = {
  order: 1_999_999_900_000_001,
  pack: 1_999_999_800_000_001,
  shipment: 39_900_000_001,
  payment: 89_000_000_001,
  request: 69_900_000_001,
  claim: 4_900_000_001,
  feedback: 4_999_800_000_001,
  note: 9_800_000_001,
  question: 19_900_000_001,
  quotation: 8_800_000_001,
  invoice: 7_700_000_001,
} as const
