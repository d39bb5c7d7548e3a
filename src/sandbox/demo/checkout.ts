import { amount, amountToNumber } from '../../kernel/money.ts'
import { sites } from '../../kernel/sites.ts'
import type { Listing } from '../../listings/listing.ts'
import type { Checkout } from '../../orders/commands/bodies.ts'
import type { CostType } from '../../shipments/shipment.ts'
import type { DemoSite } from './addresses.ts'
import { discountsOf, totalOf } from './discounts.ts'
import { activeListingsOf, dollarRateOn, listingsById, mainListingId } from './listings.ts'
import { percentOf } from './payments.ts'
import type { SeededRandom } from './random.ts'
import { drawShipping } from './shipment-data.ts'
import type { DemoBuyer, DemoSeller } from './users.ts'

/** The fixed features of a checkout. The others are drawn by their usual shares. */
export interface CheckoutPlan {
  /** Undefined: the first sale of the scenario is between the demo seller and buyer. */
  site?: DemoSite
  /** The buyer with a closed account instead of the demo buyer. */
  buyer?: 'gone'
  /** The number of orders of a pack. */
  orders?: number
  lines?: number
  units?: number
  kind?: 'varied' | 'made' | 'used' | 'main' | 'ready'
  shipping?: Transport
  /** Who pays for the shipping. */
  transport?: CostType
  status?: 'payment_required'
  features?: readonly CheckoutFeature[]
  channel?: NonNullable<NonNullable<Checkout['context']>['channel']>
  flows?: NonNullable<NonNullable<Checkout['context']>['flows']>
  tags?: string[]
}

/** A logistic type of mode me2, another mode, or no shipment. */
type Transport = (typeof transportDraw)[number] | 'default' | 'not_specified'

type CheckoutFeature =
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

/** Drawn with equal chance, so an entry that is listed twice is twice as frequent. */
const transportDraw = [
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

/** The shares of features that the plan does not fix. */
const featureShares: Partial<Record<CheckoutFeature, number>> = {
  coupon: 0.05,
  discount: 0.15,
  cashback: 0.03,
  products: 0.03,
  taxes: 0.25,
  comment: 0.04,
  application: 0.02,
}

export interface CheckoutInput {
  random: SeededRandom
  seller: DemoSeller
  buyer: DemoBuyer
  plan: CheckoutPlan
  packId: number
  applicationId: number
  at: Date
}

/** Returns the checkouts of a sale. Those of a pack share buyer, seller and shipment. */
export function checkoutsOf(deal: CheckoutInput): Checkout[] {
  const count = deal.plan.orders ?? 1
  const transport = deal.plan.shipping ?? deal.random.pick(transportDraw)
  return Array.from({ length: count }, (_, index) => checkoutOf(deal, { transport, count, index }))
}

/** Returns the checkout of one order of a deal, with random extras unless the plan names them. */
function checkoutOf(
  deal: CheckoutInput,
  { transport, count, index }: { transport: Transport; count: number; index: number },
): Checkout {
  const { random, plan, seller, buyer } = deal
  const { site } = seller
  const { currency, language } = sites[site]
  const has = (feature: CheckoutFeature) =>
    plan.features?.includes(feature) || random.chance(featureShares[feature] ?? 0)
  const isCut = has('discount')
  const lines = linesOf(deal, { isCut, isFirst: index === 0 })
  const taxPercent = taxPercents[site]
  return {
    buyer_id: buyer.user.id,
    currency_id: currency,
    lines,
    ...(plan.status ? { status: plan.status } : {}),
    ...(transport === 'none' ? {} : { shipping: shippingOf(deal, { transport, lines, index }) }),
    ...(plan.channel || plan.flows ? { context: contextOf(plan) } : drawContext(random)),
    ...(count > 1 ? { pack_id: deal.packId } : {}),
    ...discountsOf({
      random,
      site,
      lines,
      // The coupon of a pack reduces its first order.
      applied: { coupon: index === 0 && has('coupon'), discount: isCut, cashback: has('cashback') },
    }),
    ...(has('products') ? { product_attributes: productsOf(language) } : {}),
    ...(taxPercent && has('taxes')
      ? { taxes: { amount: amountToNumber(percentOf(totalOf(lines), taxPercent, currency)) } }
      : {}),
    ...(plan.tags ? { tags: plan.tags } : {}),
    ...(has('comment') ? { comments: random.pick(comments[language]) } : {}),
    ...(has('pickup') ? { pickup_id: random.between(7_001, 7_999) } : {}),
    ...(has('application') ? { application_id: String(deal.applicationId) } : {}),
  }
}

/** Returns the extras that the buyer ordered with it. */
function productsOf(language: 'es' | 'pt'): NonNullable<Checkout['product_attributes']> {
  return products[language].map(([name, value], index) => ({ id: index + 1, name, value }))
}

/** Returns the lines of a checkout. The plan decides the first; most checkouts have one. */
function linesOf(
  { random, plan, seller }: CheckoutInput,
  { isCut, isFirst }: { isCut: boolean; isFirst: boolean },
): Checkout['lines'] {
  const count = plan.lines ?? (random.chance(0.06) ? 2 : 1)
  const onSale = activeListingsOf(seller.user.id)
  // Recent sales leave no time for production.
  const available = plan.kind === 'ready' ? onSale.filter(listingFilters.ready) : onSale
  // The plan determines the first line. The others may be any listing.
  const candidates =
    isFirst && plan.kind && plan.kind !== 'ready'
      ? available.filter(listingFilters[plan.kind])
      : favorBestsellers(available, random)
  const first = random.pick(candidates.length > 0 ? candidates : available)
  const start = available.indexOf(first)
  const chosen = Array.from({ length: Math.min(count, available.length) }, (_, index) =>
    index === 0 ? first : (available[(start + index) % available.length] as Listing),
  )
  return chosen.map((listing) => lineOf(listing, { random, plan, site: seller.site, isCut }))
}

const listingFilters: Record<NonNullable<CheckoutPlan['kind']>, (listing: Listing) => boolean> = {
  varied: (listing) => listing.stock.length > 1,
  made: (listing) => listing.manufacturingDays !== null,
  used: (listing) => listing.condition === 'used',
  ready: (listing) => listing.manufacturingDays === null,
  main: (listing) => listing.id === mainListingId,
}

/** The first two listings of a seller sell best. */
function favorBestsellers(listings: readonly Listing[], random: SeededRandom): readonly Listing[] {
  return random.chance(0.4) ? listings.slice(0, 2) : listings
}

/** Returns a line of a checkout with a random variation of the listing. */
function lineOf(
  listing: Listing,
  {
    random,
    plan,
    site,
    isCut,
  }: { random: SeededRandom; plan: CheckoutPlan; site: DemoSite; isCut: boolean },
): Checkout['lines'][number] {
  const variation = random.pick(listing.stock).variationId
  return {
    item_id: listing.id,
    ...(variation === 0 ? {} : { variation_id: variation }),
    quantity:
      plan.units ??
      (listing.condition === 'used' || random.chance(0.85) ? 1 : random.between(2, 3)),
    ...priceAt(listing, isCut ? random.pick(cuts) : 100),
    ...(plan.features?.includes('foreign_price')
      ? { base_currency_id: 'USD', base_exchange_rate: dollarRateOn(site) }
      : {}),
    ...(plan.features?.includes('wholesale_price') ? { differential_pricing_id: '33001' } : {}),
  }
}

type LinePrice = Required<
  Pick<Checkout['lines'][number], 'unit_price' | 'full_unit_price' | 'sale_fee'>
>
const cuts = [80, 85, 90]
/** Cache of prices: decimal arithmetic is slow, and there are few prices. */
const linePrices = new Map<string, LinePrice>()

function priceAt({ id, price, currencyId, listingTypeId }: Listing, percent: number): LinePrice {
  const cached = linePrices.get(`${id}/${percent}`)
  if (cached) return cached
  if (price === null) throw new Error(`${id} of the demo data has no price`)
  const unit = percentOf(amount(price), percent, currencyId)
  const linePrice = {
    unit_price: amountToNumber(unit),
    full_unit_price: Number(price),
    sale_fee: amountToNumber(percentOf(unit, commissionPercents[listingTypeId] ?? 0, currencyId)),
  }
  linePrices.set(`${id}/${percent}`, linePrice)
  return linePrice
}

/** Returns the shipping of a checkout. It leaves after the longest manufacturing time of its lines. */
function shippingOf(
  { random, plan, seller, buyer, at }: CheckoutInput,
  {
    transport,
    lines,
    index,
  }: { transport: Exclude<Transport, 'none'>; lines: Checkout['lines']; index: number },
): NonNullable<Checkout['shipping']> {
  const others = ['me1', 'custom', 'not_specified'] as const
  const mode = others.find((other) => other === transport)
  const madeDays = lines.map(({ item_id }) => listingsById.get(item_id)?.manufacturingDays ?? 0)
  const offer = drawShipping({
    random,
    site: seller.site,
    at,
    mode: mode ?? 'me2',
    logisticType: mode ? null : (transport as Exclude<typeof transport, (typeof others)[number]>),
    manufacturingDays: Math.max(...madeDays),
    costType: plan.transport,
    senderAddress: seller.address,
    receiverAddress: buyer.address,
  })
  // A pack is shipped once, so its first order carries the cost.
  return index === 0 ? offer : { ...offer, cost: 0 }
}

function contextOf({ channel, flows }: CheckoutPlan): NonNullable<Checkout['context']> {
  return { ...(channel ? { channel } : {}), ...(flows ? { flows } : {}) }
}

/** Most sales have no particular channel or flow. */
function drawContext(random: SeededRandom): Pick<Checkout, 'context'> {
  const share = random.fraction()
  if (share < 0.8) return {}
  if (share < 0.88) return { context: { channel: 'shops' } }
  if (share < 0.96) return { context: { flows: ['catalog'] } }
  return { context: { flows: [random.pick(['3x_campaign', 'supermarket', 'high_concurrency'])] } }
}
