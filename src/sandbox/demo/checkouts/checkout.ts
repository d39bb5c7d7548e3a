import { amount, numberOf } from '../../../kernel/money.ts'
import { sites } from '../../../kernel/sites.ts'
import type { Listing } from '../../../listings/listing.ts'
import type { Checkout } from '../../../orders/commands/bodies.ts'
import type { CostType } from '../../../shipments/shipment.ts'
import { dollarOn, listingsById, mainListingId, onSaleBy } from '../listings.ts'
import { offerOf } from '../parcels/parcel.ts'
import { percentOf } from '../payments.ts'
import type { DemoBuyer, DemoSeller } from '../people.ts'
import type { DemoSite } from '../places.ts'
import type { Random } from '../random.ts'
import { bargainsOf, totalOf } from './discounts.ts'

/** What is fixed of a sale's beginning; whatever is not is drawn as it usually goes. */
export interface Plan {
  /** Where it is not said, the scenario that is told by its name is of the demo seller and buyer. */
  site?: DemoSite
  /** Somebody whose account is closed by now, rather than the demo buyer. */
  buyer?: 'gone'
  /** A pack of so many orders. */
  orders?: number
  lines?: number
  units?: number
  kind?: 'varied' | 'made' | 'used' | 'main' | 'ready'
  shipping?: Transport
  /** Who pays for it. */
  transport?: CostType
  status?: 'payment_required'
  has?: readonly Feature[]
  channel?: NonNullable<NonNullable<Checkout['context']>['channel']>
  flows?: NonNullable<NonNullable<Checkout['context']>['flows']>
  tags?: string[]
}

/** A logistic type of the platform's transport, another mode, or no shipment at all. */
export type Transport = (typeof usualTransports)[number] | 'default' | 'not_specified'

export type Feature =
  | 'coupon'
  | 'discount'
  | 'cashback'
  | 'products'
  | 'taxes'
  | 'comment'
  | 'pickup'
  | 'application'
  | 'foreign_price'
  | 'wholesale_price'

/** As often as they stand here. */
const usualTransports = [
  'drop_off',
  'drop_off',
  'cross_docking',
  'cross_docking',
  'cross_docking',
  'fulfillment',
  'fulfillment',
  'xd_drop_off',
  'self_service',
  'me1',
  'custom',
  'none',
] as const

const taxPercents: Partial<Record<DemoSite, number>> = { MLA: 3, MCO: 19 }
const commissionPercents: Record<string, number> = { gold_special: 13, gold_pro: 17 }

const comments = {
  es: ['Por favor, tocar timbre dos veces.', 'Es un regalo.', 'Necesito factura.'],
  pt: ['Por favor, tocar o interfone.', 'É para presente.', 'Preciso de nota fiscal.'],
}

const products = {
  es: [
    ['Grabado', 'Feliz cumpleaños'],
    ['Envoltorio', 'Papel madera'],
  ],
  pt: [
    ['Gravação', 'Feliz aniversário'],
    ['Embalagem', 'Papel kraft'],
  ],
} as const

/** How often a sale has what its plan does not speak of. */
const usually: Partial<Record<Feature, number>> = {
  coupon: 0.05,
  discount: 0.15,
  cashback: 0.03,
  products: 0.03,
  taxes: 0.25,
  comment: 0.04,
  application: 0.02,
}

export interface Deal {
  random: Random
  seller: DemoSeller
  buyer: DemoBuyer
  plan: Plan
  packId: number
  applicationId: number
  at: Date
}

/** The checkouts of one sale: one, or those of a pack, which share buyer, seller and shipment. */
export function checkoutsOf(deal: Deal): Checkout[] {
  const count = deal.plan.orders ?? 1
  const transport = deal.plan.shipping ?? deal.random.pick(usualTransports)
  return Array.from({ length: count }, (_, index) => checkoutOf(deal, { transport, count, index }))
}

function checkoutOf(
  deal: Deal,
  { transport, count, index }: { transport: Transport; count: number; index: number },
): Checkout {
  const { random, plan, seller, buyer } = deal
  const { site } = seller
  const { currency, language } = sites[site]
  const has = (feature: Feature) =>
    plan.has?.includes(feature) || random.chance(usually[feature] ?? 0)
  const isCut = has('discount')
  const lines = linesOf(deal, { isCut, isFirst: index === 0 })
  const taxPercent = taxPercents[site]
  return {
    buyer_id: buyer.user.id,
    currency_id: currency,
    lines,
    ...(plan.status ? { status: plan.status } : {}),
    ...(transport === 'none' ? {} : { shipping: shippingOf(deal, { transport, lines, index }) }),
    ...(plan.channel || plan.flows ? { context: contextOf(plan) } : usualContext(random)),
    ...(count > 1 ? { pack_id: deal.packId } : {}),
    ...bargainsOf({
      random,
      site,
      lines,
      // A pack's coupon is taken off its first order.
      has: { coupon: index === 0 && has('coupon'), discount: isCut, cashback: has('cashback') },
    }),
    ...(has('products') ? { product_attributes: productsOf(language) } : {}),
    ...(taxPercent && has('taxes')
      ? { taxes: { amount: numberOf(percentOf(totalOf(lines), taxPercent, currency)) } }
      : {}),
    ...(plan.tags ? { tags: plan.tags } : {}),
    ...(has('comment') ? { comments: random.pick(comments[language]) } : {}),
    ...(has('pickup') ? { pickup_id: random.between(7_001, 7_999) } : {}),
    ...(has('application') ? { application_id: String(deal.applicationId) } : {}),
  }
}

/** What the buyer asked for with it. */
function productsOf(language: 'es' | 'pt'): NonNullable<Checkout['product_attributes']> {
  return products[language].map(([name, value], index) => ({ id: index + 1, name, value }))
}

function linesOf(
  { random, plan, seller }: Deal,
  { isCut, isFirst }: { isCut: boolean; isFirst: boolean },
): Checkout['lines'] {
  const count = plan.lines ?? (random.chance(0.06) ? 2 : 1)
  const onSale = onSaleBy(seller.user.id)
  // A story of a few days has no time for anything to be made.
  const all = plan.kind === 'ready' ? onSale.filter(kinds.ready) : onSale
  // What the plan asks for is the first line; the lines beside it may be anything else.
  const fitting =
    isFirst && plan.kind && plan.kind !== 'ready'
      ? all.filter(kinds[plan.kind])
      : usualOnes(all, random)
  const first = random.pick(fitting.length > 0 ? fitting : all)
  const start = all.indexOf(first)
  const chosen = Array.from({ length: Math.min(count, all.length) }, (_, index) =>
    index === 0 ? first : (all[(start + index) % all.length] as Listing),
  )
  return chosen.map((listing) => lineOf(listing, { random, plan, site: seller.site, isCut }))
}

const kinds: Record<NonNullable<Plan['kind']>, (listing: Listing) => boolean> = {
  varied: (listing) => listing.stock.length > 1,
  made: (listing) => listing.manufacturingDays !== null,
  used: (listing) => listing.condition === 'used',
  ready: (listing) => listing.manufacturingDays === null,
  main: (listing) => listing.id === mainListingId,
}

/** What a shop sells most is what stands first in it. */
function usualOnes(all: readonly Listing[], random: Random): readonly Listing[] {
  return random.chance(0.4) ? all.slice(0, 2) : all
}

function lineOf(
  listing: Listing,
  { random, plan, site, isCut }: { random: Random; plan: Plan; site: DemoSite; isCut: boolean },
): Checkout['lines'][number] {
  const variation = random.pick(listing.stock).variationId
  return {
    item_id: listing.id,
    ...(variation === 0 ? {} : { variation_id: variation }),
    quantity:
      plan.units ??
      (listing.condition === 'used' || random.chance(0.85) ? 1 : random.between(2, 3)),
    ...priceAt(listing, isCut ? random.pick(cuts) : 100),
    ...(plan.has?.includes('foreign_price')
      ? { base_currency_id: 'USD', base_exchange_rate: dollarOn(site) }
      : {}),
    ...(plan.has?.includes('wholesale_price') ? { differential_pricing_id: '33001' } : {}),
  }
}

type LinePrice = Required<
  Pick<Checkout['lines'][number], 'unit_price' | 'full_unit_price' | 'sale_fee'>
>
const cuts = [80, 85, 90]
/** Exact decimals are slow to reckon with, and there are few prices: each is worked out once. */
const linePrices = new Map<string, LinePrice>()

function priceAt({ id, price, currencyId, listingTypeId }: Listing, percent: number): LinePrice {
  const known = linePrices.get(`${id}/${percent}`)
  if (known) return known
  if (price === null) throw new Error(`${id} of the demo world has no price`)
  const unit = percentOf(amount(price), percent, currencyId)
  const made = {
    unit_price: numberOf(unit),
    full_unit_price: Number(price),
    sale_fee: numberOf(percentOf(unit, commissionPercents[listingTypeId] ?? 0, currencyId)),
  }
  linePrices.set(`${id}/${percent}`, made)
  return made
}

function shippingOf(
  { random, plan, seller, buyer, at }: Deal,
  {
    transport,
    lines,
    index,
  }: { transport: Exclude<Transport, 'none'>; lines: Checkout['lines']; index: number },
): NonNullable<Checkout['shipping']> {
  const others = ['me1', 'custom', 'not_specified'] as const
  const mode = others.find((other) => other === transport)
  const made = lines.map(({ item_id }) => listingsById.get(item_id)?.manufacturingDays ?? 0)
  const offer = offerOf({
    random,
    site: seller.site,
    at,
    mode: mode ?? 'me2',
    logisticType: mode ? null : (transport as Exclude<typeof transport, (typeof others)[number]>),
    madeDays: Math.max(...made),
    costType: plan.transport,
    senderAddress: seller.address,
    receiverAddress: buyer.address,
  })
  // A pack travels once, so its first order carries the cost.
  return index === 0 ? offer : { ...offer, cost: 0 }
}

function contextOf({ channel, flows }: Plan): NonNullable<Checkout['context']> {
  return { ...(channel ? { channel } : {}), ...(flows ? { flows } : {}) }
}

/** Most sales are made in the marketplace itself, and of no particular flow. */
function usualContext(random: Random): Pick<Checkout, 'context'> {
  const share = random.share()
  if (share < 0.8) return {}
  if (share < 0.88) return { context: { channel: 'shops' } }
  if (share < 0.96) return { context: { flows: ['catalog'] } }
  return { context: { flows: [random.pick(['3x_campaign', 'supermarket', 'high_concurrency'])] } }
}
