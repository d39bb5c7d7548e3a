import { dayMs, minuteMs } from '../../../kernel/clock.ts'
import type { GuideOption } from '../../../kernel/guide-options.ts'
import { sites } from '../../../kernel/sites.ts'
import { ruleOf } from '../../../messages/guide/matrix.ts'
import type { Checkout } from '../../../orders/commands/bodies.ts'
import { checkoutsOf } from '../../demo/checkouts/checkout.ts'
import { listingsById } from '../../demo/listings.ts'
import { buyersOf, type DemoSeller, demoSellers } from '../../demo/people.ts'
import type { DemoSite } from '../../demo/places.ts'
import { drawn, drawOf, type Random, randomOf } from '../../demo/random.ts'
import type { SaleIds } from '../../demo/sale.ts'
import { scenarios } from '../../demo/scenarios.ts'
import type { Scenario } from '../../demo/stories.ts'
import { MessageThread } from '../../demo/talk/talk.ts'
import { usually } from '../../demo/talk/usual.ts'
import type { Step } from './action.ts'
import { newBuyer, newListing } from './newcomers.ts'
import { NotedSale } from './noted-sale.ts'
import { questions } from './words.ts'

/** The story's own time: a morning, so that people have the day before them to talk. */
const toldAt = new Date('2026-03-10T13:00:00.000Z')
/** Long enough for every story to come to its end. */
const longestMs = 400 * dayMs

const shares = { newBuyer: 0.4, newListing: 0.06, asks: 0.3, isAnswered: 0.8, talks: 0.35 }

/** What a simulation is asked for, as far as its stories follow from it. */
export interface Telling {
  seed: number
  sites: readonly DemoSite[]
}

export interface SimulatedSale {
  /** The scenario of the demo world that it goes by. */
  name: string
  site: DemoSite
  sellerId: number
  buyerId: number
  /** In the order of their moments. */
  steps: readonly Step[]
}

/** Numbers that only the telling goes by; the commands draw others. */
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

/** The story of this number: the same for the same seed and sites, whenever it is told. */
export function simulateSale({ seed, sites: open }: Telling, number: number): SimulatedSale {
  const random = randomOf(seed, number)
  const { scenario, seller } = castOf(open, random)
  const { site } = seller
  const isNew = random.chance(shares.newBuyer)
  const buyer = isNew ? newBuyer(site, { seed, number, random }) : random.pick(buyersOf(site))
  const deal = { random, seller, buyer, plan: scenario.plan, packId: ids.pack, at: toldAt }
  // Whose software sold it is not told here: it would be that of the demo world.
  const bought = checkoutsOf({ ...deal, applicationId: 1 }).map(withoutApplication)
  const { checkouts, listing } = listed(bought, { seed, number, random })
  const itemId = checkouts[0]?.lines[0]?.item_id as string
  const listings = listing ? new Map([...listingsById, [listing.id, listing]]) : listingsById
  const now = new Date(toldAt.getTime() + longestMs)
  const sale = new NotedSale({
    random,
    seller,
    buyer,
    ids,
    checkouts,
    listings,
    at: toldAt,
    now,
  })
  scenario.tell(sale)
  const before = (minutes: number) => new Date(toldAt.getTime() - minutes * minuteMs)
  const steps: Step[] = [
    ...(isNew ? [{ at: before(42), action: { kind: 'user', user: buyer.user } } as const] : []),
    ...(listing ? [{ at: before(40), action: { kind: 'listing', listing } } as const] : []),
    ...questionOf(itemId, { random, site, before }),
    ...checkouts.map((checkout, index) => ({
      at: toldAt,
      action: { kind: 'order', index, checkout } as const,
    })),
    ...sale.steps,
    ...saidOf(sale, random),
  ]
  return {
    name: scenario.name,
    site,
    sellerId: seller.user.id,
    buyerId: buyer.user.id,
    steps: steps.toSorted((one, other) => one.at.getTime() - other.at.getTime()),
  }
}

function castOf(
  open: readonly DemoSite[],
  random: Random,
): { scenario: Scenario; seller: DemoSeller } {
  const fitting = scenarios.filter(({ plan }) => !plan.site || open.includes(plan.site))
  const scenario = drawn(drawOf(fitting), random)
  const where = scenario.plan.site ? [scenario.plan.site] : open
  const sellers = demoSellers.filter(({ site }) => where.includes(site))
  return { scenario, seller: drawn(drawOf(sellers), random) }
}

function withoutApplication({ application_id: _, ...checkout }: Checkout): Checkout {
  return checkout
}

/** Some sales are of what has just been listed: much like what would have been bought. */
function listed(
  checkouts: readonly Checkout[],
  of: { seed: number; number: number; random: Random },
) {
  const [first, ...rest] = checkouts
  const [line, ...others] = first?.lines ?? []
  const like = listingsById.get(line?.item_id ?? '')
  // What is taken off names its lines.
  const isPlain = line?.variation_id == null && !first?.discounts
  const canBe = first && line && like?.condition === 'new' && isPlain
  if (!canBe || !of.random.chance(shares.newListing)) return { checkouts, listing: undefined }
  const listing = newListing(like, of)
  const lines = [{ ...line, item_id: listing.id }, ...others]
  return { checkouts: [{ ...first, lines }, ...rest], listing }
}

/** What the buyer asked before buying. */
function questionOf(
  itemId: string,
  { random, site, before }: { random: Random; site: DemoSite; before: (minutes: number) => Date },
): Step[] {
  if (!random.chance(shares.asks)) return []
  const [text, answer] = random.pick(questions[sites[site].language])
  const asked: Step = { at: before(30), action: { kind: 'question', itemId, text } }
  const answered: Step = { at: before(12), action: { kind: 'answer', text: answer } }
  return random.chance(shares.isAnswered) ? [asked, answered] : [asked]
}

/** What the parties write to each other afterwards, in the language of their site. */
function saidOf(sale: NotedSale, random: Random): Step[] {
  if (!random.chance(shares.talks)) return []
  const last = sale.steps.at(-1)?.at ?? toldAt
  const now = new Date(last.getTime() + 3 * dayMs)
  const talk = new MessageThread(sale, { random, now, applicationId: 1 })
  if (!talk.span) return []
  usually(talk)
  return (talk.tell()?.messages ?? []).flatMap(
    ({ dateCreated: at, fromId, text, optionId }): Step[] => {
      const by = fromId === sale.seller.user.id ? 'seller' : 'buyer'
      if (optionId === null) return [{ at, action: { kind: 'message', by, text } }]
      const option = optionId as GuideOption
      // A promise is of a day, and the days of a story are not those of its telling.
      if (ruleOf(option).vars) return []
      return [{ at, action: { kind: 'option', option, text } }]
    },
  )
}

/** When the story of this number begins, after the first: evenly, a little early or late by chance. */
export function beginsAfter(
  { seed, perMinute }: { seed: number; perMinute: number },
  number: number,
): number {
  const early = randomOf(seed, number, 1).share()
  return Math.floor(((number + early) * minuteMs) / perMinute)
}
