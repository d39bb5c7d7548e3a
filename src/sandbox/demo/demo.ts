import type { Claim } from '../../claims/claim.ts'
import type { FeedbackRecord } from '../../feedback/store.ts'
import type { User } from '../../identity/user.ts'
import { dayMs, hourMs } from '../../kernel/clock.ts'
import { memoized } from '../../kernel/memoized.ts'
import { sites } from '../../kernel/sites.ts'
import type { Listing } from '../../listings/listing.ts'
import type { Order } from '../../orders/order.ts'
import type { Shipment } from '../../shipments/shipment.ts'
import {
  pickWeighted,
  type SeededRandom,
  seededRandom,
  type WeightedList,
  weightedListOf,
} from '../random.ts'
import { checkoutsOf } from './checkout.ts'
import type { DemoConversation } from './conversation-builder.ts'
import { drawConversation, namedConversation } from './conversations.ts'
import { type DemoFiles, demoFiles } from './data.ts'
import { createExtras, type DemoExtras } from './extras.ts'
import {
  type DemoSite,
  demoApplication,
  demoBuyerId,
  demoSellerId,
  demoSites,
  firstDemoIds,
  mostDemoOrders,
} from './ids.ts'
import { demoListings, dollarRateOn } from './listings.ts'
import { type DemoNote, DemoSale, notesPerOrder, paymentsPerOrder, type SaleIds } from './sale.ts'
import { executeSteps } from './steps.ts'
import { buyersOf, demoBuyers, demoSellers, formerBuyer } from './users.ts'

export interface DemoData {
  /** Users, listings and rates are the same for all options. */
  users: User[]
  listings: Listing[]
  /** The price of one dollar in each currency: invented, round rates that demo prices are made with. */
  dollarRates: { currency: Listing['currencyId']; rate: number }[]
  extras: DemoExtras
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
 * Returns the demo data: users, listings, extras, and orders of the last 13 months until `now` (one is older), some with messages.
 * The same options give the same data.
 *
 * The first orders are one sale of each scenario, between the demo seller and the demo buyer unless it is of another
 * site. The others are drawn from the scenarios, oldest first. Order ids have no gaps, so that `after` can continue.
 */
export function createDemoData({ seed, now, orders, after = 0 }: DemoDataOptions): DemoData {
  if (after + orders > mostDemoOrders) throw new Error('there are not that many demo ids')
  return {
    users: [...demoSellers(), ...demoBuyers(), formerBuyer()].map(({ user }) => user),
    listings: [...demoListings()],
    dollarRates: demoSites.map((site) => ({
      currency: sites[site].currency,
      rate: dollarRateOn(site),
    })),
    extras: createExtras(now),
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
  const { scenarios, ages } = demoFiles().scenarios
  const named = scenarios.reduce((sum, { sale }) => sum + (sale.orders ?? 1), 0)
  const { id: applicationId } = demoApplication
  let saleCount = 0
  const saleOf = (random: SeededRandom, scenario: DemoScenario, parties: Parties, at: Date) => {
    const isNamed = saleCount < named
    const ids = idsAfter(after + saleCount)
    // The last pack may be cut to the number of orders.
    const size = Math.min(scenario.sale.orders ?? 1, orders - saleCount)
    const checkouts = checkoutsOf({
      random,
      ...parties,
      plan: scenario.sale.orders ? { ...scenario.sale, orders: size } : scenario.sale,
      packId: ids.pack,
      applicationId,
      at,
    })
    const sale = new DemoSale({ random, ...parties, ids, checkouts, at, now })
    executeSteps(sale, scenario)
    saleCount += sale.orders.length
    sale.finish()
    // A generator of its own, so that messages do not change the sale.
    const context = { random: seededRandom(seed, ids.order), now, applicationId }
    const conversation = isNamed
      ? namedConversation(sale, scenario.name, context)
      : drawConversation(sale, context)
    return sale.orders.map((order) => partOf(sale, order, conversation))
  }
  for (const scenario of scenarios) {
    if (saleCount >= orders) return
    const random = seededRandom(seed, after + saleCount)
    const { site, buyer } = scenario.sale
    const parties = site ? partiesOf(site, random) : demoParties(buyer)
    const [least, most] = ages[scenario.age]?.days ?? [0, 0]
    const ageMs = (least + random.fraction() * (most - least)) * dayMs
    const at = wakingMoment(now.getTime() - ageMs, { site: parties.seller.site, now })
    yield* saleOf(random, scenario, parties, at)
  }
  while (saleCount < orders) {
    const random = seededRandom(seed, after + saleCount)
    const ageMs = ageOf((saleCount - named + random.fraction()) / (orders - named))
    const scenario = pickWeighted(drawFor(ageMs), random)
    const parties = partiesOf(scenario.sale.site, random)
    const at = wakingMoment(now.getTime() - ageMs, { site: parties.seller.site, now })
    yield* saleOf(random, scenario, parties, at)
  }
}

/** Returns the part of a sale that belongs to one of its orders. */
function partOf(
  { orders, shipment, feedback, claims, notes }: DemoSale,
  order: Order,
  conversation: DemoConversation | undefined,
): DemoOrder {
  return {
    order,
    shipment,
    feedback: feedback.filter((entry) => entry.feedback.orderId === order.id),
    claims: claims.filter(({ orderId }) => orderId === order.id),
    notes: notes.filter(({ notebook }) => notebook.orderId === order.id),
    conversation: order === orders[0] ? conversation : undefined,
  }
}

type DemoScenario = DemoFiles['scenarios']['scenarios'][number]
type Parties = Pick<DemoSale, 'seller' | 'buyer'>

const sellersDraws = memoized(() => ({
  all: weightedListOf(demoSellers()),
  bySite: new Map(
    demoSites.map((site) => [
      site,
      weightedListOf(demoSellers().filter((seller) => seller.site === site)),
    ]),
  ),
}))

function partiesOf(site: DemoSite | undefined, random: SeededRandom): Parties {
  const { all, bySite } = sellersDraws()
  const seller = pickWeighted((site && bySite.get(site)) ?? all, random)
  return { seller, buyer: random.pick(buyersOf(seller.site)) }
}

function demoParties(who?: 'former'): Parties {
  const seller = demoSellers().find(({ user }) => user.id === demoSellerId)
  const buyer = who ? formerBuyer() : demoBuyers().find(({ user }) => user.id === demoBuyerId)
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
const draws = memoized(() => {
  const { scenarios, ages } = demoFiles().scenarios
  // Infinity for states that last.
  const longestDays = ({ age }: DemoScenario) =>
    ages[age]?.passing ? ages[age].days[1] : Number.POSITIVE_INFINITY
  const limits = scenarios.map(longestDays).filter(Number.isFinite)
  return [...new Set([0, ...limits])]
    .sort((one, other) => other - one)
    .map((days) => ({
      days,
      draw: weightedListOf(scenarios.filter((scenario) => longestDays(scenario) > days)),
    }))
})

function drawFor(ageMs: number): WeightedList<DemoScenario> {
  const bracket = draws().find(({ days }) => ageMs >= days * dayMs) ?? draws().at(-1)
  if (!bracket) throw new Error('there are no scenarios')
  return bracket.draw
}

/** Cumulative sums of the relative sales in each hour of the day, in local time. */
const hourlySums = memoized(
  () => weightedListOf(demoFiles().sales.hourly.map((weight) => ({ weight }))).cumulativeWeights,
)

/** Moves a time within its day, so that sales follow the hours of the day. A result in the future is not moved. */
function wakingMoment(moment: number, { site, now }: { site: DemoSite; now: Date }): Date {
  const aheadMs = demoFiles().sites[site].utc_hours * hourMs
  const day = Math.floor((moment + aheadMs) / dayMs) * dayMs - aheadMs
  const sums = hourlySums()
  const point = ((moment - day) / dayMs) * (sums[23] ?? 0)
  const hour = sums.findIndex((sum) => point < sum)
  const before = sums[hour - 1] ?? 0
  const within = (point - before) / ((sums[hour] ?? 0) - before)
  const movedMs = day + Math.floor((hour + within) * hourMs)
  return new Date(movedMs <= now.getTime() ? movedMs : Math.floor(moment))
}
