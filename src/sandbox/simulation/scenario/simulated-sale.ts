import { dayMs, minuteMs } from '../../../kernel/clock.ts'
import type { GuideOption } from '../../../kernel/guide-options.ts'
import { sites } from '../../../kernel/sites.ts'
import { optionRuleOf } from '../../../messages/option-rules.ts'
import type { DemoSite } from '../../demo/ids.ts'
import { draftSale, drawMessages, makeSale, type SaleDraft } from '../../demo/sale-draft.ts'
import { buyersOf } from '../../demo/users.ts'
import { type SeededRandom, seededRandom } from '../../random.ts'
import type { SimulatedStep } from './action.ts'
import { newBuyer, newListing } from './newcomers.ts'
import { questionTexts } from './questions.ts'

/** The start in scenario time: a morning, so that the parties can still write to each other that day. */
const scenarioStart = new Date('2026-03-10T13:00:00.000Z')
/** Longer than every scenario. */
const longestMs = 400 * dayMs

const shares = { newBuyer: 0.4, newListing: 0.06, asks: 0.3, isAnswered: 0.8, talks: 0.35 }

/** The part of a simulation's input that determines its sales. */
export interface SimulatedSaleInput {
  seed: number
  sites: readonly DemoSite[]
}

export interface SimulatedSale {
  /** The name of the demo scenario that it follows. */
  name: string
  site: DemoSite
  sellerId: number
  buyerId: number
  /** In order of time. */
  steps: readonly SimulatedStep[]
}

/** Returns the simulated sale of this number. Deterministic by seed, sites and number. */
export function simulateSale(
  { seed, sites: open }: SimulatedSaleInput,
  number: number,
): SimulatedSale {
  const random = seededRandom(seed, number)
  let isNew = false
  const draft = draftSale({
    random,
    sites: open,
    buyerOn: (site) => {
      isNew = random.chance(shares.newBuyer)
      return isNew ? newBuyer(site, { seed, number, random }) : random.pick(buyersOf(site))
    },
    at: scenarioStart,
  })
  const { scenario, seller, buyer } = draft
  const { site } = seller
  const { checkouts, listing } = withNewListing(draft, { seed, number, random })
  const itemId = checkouts[0]?.lines[0]?.item_id as string
  const saleSteps: SimulatedStep[] = []
  const sale = makeSale(
    { ...draft, checkouts },
    {
      random,
      newListing: listing,
      at: scenarioStart,
      now: new Date(scenarioStart.getTime() + longestMs),
      record: (at, action) => saleSteps.push({ at, action }),
    },
  )
  const before = (minutes: number) => new Date(scenarioStart.getTime() - minutes * minuteMs)
  const steps: SimulatedStep[] = [
    ...(isNew ? [{ at: before(42), action: { kind: 'user', user: buyer.user } } as const] : []),
    ...(listing ? [{ at: before(40), action: { kind: 'listing', listing } } as const] : []),
    ...questionOf(itemId, { random, site, before }),
    ...checkouts.map((checkout, index) => ({
      at: scenarioStart,
      action: { kind: 'order', index, checkout } as const,
    })),
    ...saleSteps,
    ...messagesOf(sale, { random, last: saleSteps.at(-1)?.at ?? scenarioStart }),
  ]
  return {
    name: scenario.name,
    site,
    sellerId: seller.user.id,
    buyerId: buyer.user.id,
    steps: steps.toSorted((one, other) => one.at.getTime() - other.at.getTime()),
  }
}

/** In some sales, replaces the first item by a new listing that resembles it. */
function withNewListing(
  { checkouts, listing: model }: SaleDraft,
  draw: { seed: number; number: number; random: SeededRandom },
) {
  const [first, ...rest] = checkouts
  const [line, ...others] = first?.lines ?? []
  // Discounts refer to their lines.
  const isPlain = line?.variation_id == null && !first?.discounts
  const isReplaceable = first && line && model?.condition === 'new' && isPlain
  if (!isReplaceable || !draw.random.chance(shares.newListing))
    return { checkouts, listing: undefined }
  const listing = newListing(model, draw)
  const lines = [{ ...line, item_id: listing.id }, ...others]
  return { checkouts: [{ ...first, lines }, ...rest], listing }
}

/** Returns the steps of a question before the sale, if there is one. */
function questionOf(
  itemId: string,
  {
    random,
    site,
    before,
  }: { random: SeededRandom; site: DemoSite; before: (minutes: number) => Date },
): SimulatedStep[] {
  if (!random.chance(shares.asks)) return []
  const [text, answer] = random.pick(questionTexts[sites[site].language])
  const question: SimulatedStep = { at: before(30), action: { kind: 'question', itemId, text } }
  const reply: SimulatedStep = { at: before(12), action: { kind: 'answer', text: answer } }
  return random.chance(shares.isAnswered) ? [question, reply] : [question]
}

/** Returns the steps of messages after the sale, in the language of the site. */
function messagesOf(
  sale: ReturnType<typeof makeSale>,
  { random, last }: { random: SeededRandom; last: Date },
): SimulatedStep[] {
  if (!random.chance(shares.talks)) return []
  const now = new Date(last.getTime() + 3 * dayMs)
  return drawMessages(sale, { random, now }).flatMap(
    ({ dateCreated: at, fromId, text, optionId }): SimulatedStep[] => {
      const by = fromId === sale.seller.user.id ? 'seller' : 'buyer'
      if (optionId === null) return [{ at, action: { kind: 'message', by, text } }]
      const option = optionId as GuideOption
      // Options with variables promise a date, and scenario dates are not real ones.
      if (optionRuleOf(option).vars) return []
      return [{ at, action: { kind: 'option', option, text } }]
    },
  )
}

/** Returns when the sale of this number begins, in milliseconds after the start: evenly, with jitter. */
export function saleStartMs(
  { seed, perMinute }: { seed: number; perMinute: number },
  number: number,
): number {
  const jitter = seededRandom(seed, number, 1).fraction()
  return Math.floor(((number + jitter) * minuteMs) / perMinute)
}
