import type { Listing } from '../../listings/listing.ts'
import type { Message } from '../../messages/message.ts'
import type { Checkout } from '../../orders/commands/bodies.ts'
import { pickWeighted, type SeededRandom, weightedListOf } from '../random.ts'
import { checkoutsOf } from './checkout.ts'
import { usualConversation } from './conversations.ts'
import { type DemoFiles, demoFiles } from './data.ts'
import type { DemoSite } from './ids.ts'
import { listingsById } from './listings.ts'
import { DemoSale, type SaleIds, type SaleInput } from './sale.ts'
import { executeSteps } from './steps.ts'
import { type DemoBuyer, type DemoSeller, demoSellers } from './users.ts'

/** Sales as the demo data has them, for simulations. */

/** A sale that follows a scenario of the demo data, before it is made. */
export interface SaleDraft {
  scenario: DemoFiles['scenarios']['scenarios'][number]
  seller: DemoSeller
  buyer: DemoBuyer
  checkouts: readonly Checkout[]
  /** The listing of the first line. */
  listing: Listing | undefined
}

/** Ids within a draft only, and those of the application that takes part. */
const ids: SaleIds = {
  order: 1_001,
  pack: 2_001,
  shipment: 3_001,
  payment: 4_001,
  request: 5_001,
  claim: 6_001,
  feedback: 7_001,
  note: 8_001,
}
const applicationId = 1

/** Draws a scenario, a seller and the checkouts of a sale on one of these sites. */
export function draftSale(input: {
  random: SeededRandom
  sites: readonly DemoSite[]
  buyerOn: (site: DemoSite) => DemoBuyer
  at: Date
}): SaleDraft {
  const { random, sites, buyerOn, at } = input
  const candidates = demoFiles().scenarios.scenarios.filter(
    ({ sale }) => !sale.site || sites.includes(sale.site),
  )
  const scenario = pickWeighted(weightedListOf(candidates), random)
  const sellerSites = scenario.sale.site ? [scenario.sale.site] : sites
  const sellers = demoSellers().filter(({ site }) => sellerSites.includes(site))
  const seller = pickWeighted(weightedListOf(sellers), random)
  const buyer = buyerOn(seller.site)
  const plan = scenario.sale
  const checkouts = checkoutsOf({
    random,
    seller,
    buyer,
    plan,
    packId: ids.pack,
    applicationId,
    at,
  })
  const listing = listingsById().get(checkouts[0]?.lines[0]?.item_id ?? '')
  // Without the application, which would be the demo application.
  return { scenario, seller, buyer, checkouts: checkouts.map(withoutApplication), listing }
}

function withoutApplication({ application_id: _, ...checkout }: Checkout): Checkout {
  return checkout
}

/** Makes the sale of a draft by the steps of its scenario. Its lines may be of a new listing. */
export function makeSale(
  { scenario, seller, buyer, checkouts }: Omit<SaleDraft, 'listing'>,
  {
    newListing,
    ...input
  }: Pick<SaleInput, 'random' | 'at' | 'now' | 'record'> & { newListing: Listing | undefined },
): DemoSale {
  const existing = listingsById()
  const listings = newListing ? new Map([...existing, [newListing.id, newListing]]) : existing
  const sale = new DemoSale({ seller, buyer, checkouts, ids, listings, ...input })
  executeSteps(sale, scenario)
  return sale
}

/** Draws the messages that the parties of a sale write until `now`. */
export function drawMessages(
  sale: DemoSale,
  { random, now }: { random: SeededRandom; now: Date },
): readonly Message[] {
  return usualConversation(sale, { random, now, applicationId })?.messages ?? []
}
