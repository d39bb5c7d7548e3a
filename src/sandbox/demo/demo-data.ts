import type { Claim } from '../../claims/claim.ts'
import type { FeedbackRecord } from '../../feedback/store.ts'
import type { User } from '../../identity/user.ts'
import { dayMs, hourMs } from '../../kernel/clock.ts'
import type { Topic } from '../../kernel/topics.ts'
import { topics } from '../../kernel/topics.ts'
import type { Listing } from '../../listings/listing.ts'
import type { Order } from '../../orders/order.ts'
import type { Shipment } from '../../shipments/shipment.ts'
import { countryOf, type DemoSite, demoSites } from './addresses.ts'
import { checkoutsOf } from './checkout.ts'
import { demoListings } from './listings.ts'
import type { DemoConversation } from './messages/conversation-builder.ts'
import { drawConversation, namedConversation } from './messages/conversations.ts'
import {
  pickWeighted,
  type SeededRandom,
  seededRandom,
  type WeightedList,
  weightedListOf,
} from './random.ts'
import { type DemoNote, DemoSale, notesPerOrder, paymentsPerOrder, type SaleIds } from './sale.ts'
import type { DemoScenario } from './scenario-steps.ts'
import { demoScenarios } from './scenarios.ts'
import {
  buyersOf,
  type DemoSeller,
  deactivatedBuyer,
  demoBuyerId,
  demoBuyers,
  demoSellerId,
  demoSellers,
} from './users.ts'

export { demoBuyerId, demoSellerId }

export interface DemoData {
  /** Users and listings are the same for all options. */
  users: User[]
  listings: Listing[]
  /** Generated lazily, so that millions fit into memory. */
  orders: Iterable<DemoOrder>
}

export interface DemoOrder {
  order: Order
  /** Orders of a pack share the shipment. */
  shipment: Shipment | undefined
  feedback: readonly FeedbackRecord[]
  claims: readonly Claim[]
  notes: readonly DemoNote[]
  /** The conversation of the sale, with its first order only. */
  conversation: DemoConversation | undefined
}

/** The application of the demo seller and the demo buyer. */
export const demoApplication: { id: number; name: string; topics: Topic[] } = {
  id: 4_000_000_000_000_001,
  name: 'Feria demo',
  topics: [...topics],
}

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
} as const

/** Returns the ids of the sale after `count` orders. */
function idsAfter(count: number): SaleIds {
  return {
    order: firstDemoIds.order + count,
    pack: firstDemoIds.pack + count,
    shipment: firstDemoIds.shipment + count,
    payment: firstDemoIds.payment + count * paymentsPerOrder,
    request: firstDemoIds.request + count,
    claim: firstDemoIds.claim + count,
    feedback: firstDemoIds.feedback + count * 2,
    note: firstDemoIds.note + count * notesPerOrder,
  }
}

export interface DemoDataOptions {
  seed: number
  now: Date
  orders: number
  /** The number of existing demo orders. Ids continue after them. */
  after?: number
}

/**
 * Returns the demo data: users, listings, and orders of the last 13 months until `now` (one is older), some with messages.
 * The same options give the same data.
 *
 * The first orders are one sale of each scenario, between the demo seller and the demo buyer unless it is of another
 * site. The others are drawn from the scenarios, oldest first. Order ids have no gaps, so that `after` can continue.
 */
export function createDemoData({ seed, now, orders, after = 0 }: DemoDataOptions): DemoData {
  if (after + orders > mostDemoOrders) throw new Error('there are not that many demo ids')
  return {
    users: [...demoSellers, ...demoBuyers, deactivatedBuyer].map(({ user }) => user),
    listings: [...demoListings],
    orders: { [Symbol.iterator]: () => generateOrders({ seed, now, orders, after }) },
  }
}

/** Yields the orders of the demo data: first the named scenarios, then random ones up to the number of orders. */
function* generateOrders({
  seed,
  now,
  orders,
  after,
}: Required<DemoDataOptions>): Generator<DemoOrder> {
  const named = demoScenarios.reduce((sum, { plan }) => sum + (plan.orders ?? 1), 0)
  let made = 0
  const saleOf = (random: SeededRandom, scenario: DemoScenario, parties: Parties, at: Date) => {
    const isNamed = made < named
    const ids = idsAfter(after + made)
    // The last pack may be cut to the number of orders.
    const size = Math.min(scenario.plan.orders ?? 1, orders - made)
    const plan = scenario.plan.orders ? { ...scenario.plan, orders: size } : scenario.plan
    const deal = {
      random,
      ...parties,
      plan,
      packId: ids.pack,
      applicationId: demoApplication.id,
      at,
    }
    const sale = new DemoSale({ random, ...parties, ids, checkouts: checkoutsOf(deal), at, now })
    scenario.execute(sale)
    made += sale.orders.length
    sale.finish()
    // A generator of its own, so that messages do not change the sale.
    const context = {
      random: seededRandom(seed, ids.order),
      now,
      applicationId: demoApplication.id,
    }
    const talk = isNamed
      ? namedConversation(sale, scenario.name, context)
      : drawConversation(sale, context)
    return sale.orders.map((order) => partOf(sale, order, talk))
  }
  for (const scenario of demoScenarios) {
    if (made >= orders) return
    const random = seededRandom(seed, after + made)
    const { site, buyer } = scenario.plan
    const parties = site ? partiesOf(site, random) : demoParties(buyer)
    const [least, most] = scenario.ageDays
    const ageMs = (least + random.fraction() * (most - least)) * dayMs
    const at = wakingMoment(now.getTime() - ageMs, { site: parties.seller.site, now })
    yield* saleOf(random, scenario, parties, at)
  }
  while (made < orders) {
    const random = seededRandom(seed, after + made)
    const ageMs = ageOf((made - named + random.fraction()) / (orders - named))
    const scenario = pickWeighted(drawFor(ageMs), random)
    const parties = partiesOf(scenario.plan.site, random)
    const at = wakingMoment(now.getTime() - ageMs, { site: parties.seller.site, now })
    yield* saleOf(random, scenario, parties, at)
  }
}

/** Returns the part of a sale that belongs to one of its orders. */
function partOf(
  { orders, shipment, feedback, claims, notes }: DemoSale,
  order: Order,
  talk: DemoConversation | undefined,
): DemoOrder {
  return {
    order,
    shipment,
    feedback: feedback.filter((entry) => entry.feedback.orderId === order.id),
    claims: claims.filter(({ orderId }) => orderId === order.id),
    notes: notes.filter(({ notebook }) => notebook.orderId === order.id),
    conversation: order === orders[0] ? talk : undefined,
  }
}

type Parties = Pick<DemoSale, 'seller' | 'buyer'>

const sellersDraw = weightedListOf(demoSellers)
const sellersDraws = new Map<DemoSite, WeightedList<DemoSeller>>(
  demoSites.map((site) => [
    site,
    weightedListOf(demoSellers.filter((seller) => seller.site === site)),
  ]),
)

function partiesOf(site: DemoSite | undefined, random: SeededRandom): Parties {
  const seller = pickWeighted((site && sellersDraws.get(site)) ?? sellersDraw, random)
  return { seller, buyer: random.pick(buyersOf(seller.site)) }
}

function demoParties(who?: 'gone'): Parties {
  const seller = demoSellers.find(({ user }) => user.id === demoSellerId)
  const buyer = who ? deactivatedBuyer : demoBuyers.find(({ user }) => user.id === demoBuyerId)
  if (!seller || !buyer) throw new Error('the demo data lacks the demo seller or buyer')
  return { seller, buyer }
}

/** A little less than 13 months, with a day of margin for the shift by `wakingMoment`. */
const longestAgeMs = 390 * dayMs

/** Maps evenly spread shares to ages with more recent sales than old ones, as trade grows. */
function ageOf(share: number): number {
  return longestAgeMs * (1 - share) ** 1.6
}

/** The scenarios by age of the sale. Passing states occur only in recent sales. */
const draws = [...new Set([0, ...demoScenarios.filter(isPassing).map(({ ageDays }) => ageDays[1])])]
  .sort((one, other) => other - one)
  .map((days) => ({
    days,
    draw: weightedListOf(
      demoScenarios.filter((scenario) => !scenario.isTransient || scenario.ageDays[1] > days),
    ),
  }))

function isPassing(scenario: DemoScenario): boolean {
  return scenario.isTransient
}

function drawFor(ageMs: number): WeightedList<DemoScenario> {
  const bracket = draws.find(({ days }) => ageMs >= days * dayMs) ?? draws[draws.length - 1]
  if (!bracket) throw new Error('there are no scenarios')
  return bracket.draw
}

/** Relative sales in each hour of the day, in local time. */
const hourly = [
  2, 1, 0.5, 0.3, 0.2, 0.3, 1, 2, 4, 5, 6, 6, 6, 5, 5, 5, 5.5, 6, 6.5, 7, 8, 8.5, 7, 4,
].map((weight, hour) => ({ weight, hour }))
const hourlySums = weightedListOf(hourly).cumulativeWeights

/** Moves a time within its day, so that sales follow `hourly`. A result in the future is not moved. */
function wakingMoment(moment: number, { site, now }: { site: DemoSite; now: Date }): Date {
  const aheadMs = countryOf(site).utcHours * hourMs
  const day = Math.floor((moment + aheadMs) / dayMs) * dayMs - aheadMs
  const point = ((moment - day) / dayMs) * (hourlySums[23] ?? 0)
  const hour = hourlySums.findIndex((sum) => point < sum)
  const before = hourlySums[hour - 1] ?? 0
  const within = (point - before) / ((hourlySums[hour] ?? 0) - before)
  const movedMs = day + Math.floor((hour + within) * hourMs)
  return new Date(movedMs <= now.getTime() ? movedMs : Math.floor(moment))
}
