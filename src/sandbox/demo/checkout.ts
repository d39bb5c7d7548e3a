import { amount, amountToNumber, sum } from '../../kernel/money.ts'
import { sites } from '../../kernel/sites.ts'
import type { Listing } from '../../listings/listing.ts'
import type { Checkout } from '../../orders/commands/bodies.ts'
import { splitAmount } from '../../orders/discount.ts'
import type { SeededRandom } from '../random.ts'
import { demoFiles, type SaleFeature, type SalePlan, type Transport } from './data.ts'
import { type DemoSite, mainListingId } from './ids.ts'
import { activeListingsOf, dollarRateOn, listingsById } from './listings.ts'
import { percentOf } from './payments.ts'
import { drawShipping } from './shipping.ts'
import type { DemoBuyer, DemoSeller } from './users.ts'

type Discount = NonNullable<Checkout['discounts']>[number]
type Line = Checkout['lines'][number]

export interface CheckoutInput {
  random: SeededRandom
  seller: DemoSeller
  buyer: DemoBuyer
  plan: SalePlan
  packId: number
  applicationId: number
  at: Date
}

/** Returns the checkouts of a sale. Those of a pack share buyer, seller and shipment. */
export function checkoutsOf(input: CheckoutInput): Checkout[] {
  const count = input.plan.orders ?? 1
  const transport = input.plan.shipping ?? input.random.pick(demoFiles().shipping.draw)
  return Array.from({ length: count }, (_, index) => checkoutOf(input, { transport, count, index }))
}

/** Returns the checkout of one order of a sale, with random extras unless the plan names them. */
function checkoutOf(
  input: CheckoutInput,
  { transport, count, index }: { transport: Transport; count: number; index: number },
): Checkout {
  const { random, plan, seller, buyer } = input
  const { currency, language } = sites[seller.site]
  const { sales, texts } = demoFiles()
  const has = (feature: SaleFeature) =>
    plan.features?.includes(feature) || random.chance(sales.features[feature] ?? 0)
  const isCut = has('discount')
  const lines = linesOf(input, { isCut, isFirst: index === 0 })
  const taxPercent = demoFiles().sites[seller.site].tax_percent
  return {
    buyer_id: buyer.user.id,
    currency_id: currency,
    lines,
    ...(plan.status ? { status: plan.status } : {}),
    ...(transport === 'none' ? {} : { shipping: shippingOf(input, { transport, lines, index }) }),
    ...(plan.channel || plan.flows ? { context: contextOf(plan) } : drawContext(random)),
    ...(count > 1 ? { pack_id: input.packId } : {}),
    ...discountsOf(
      { random, site: seller.site, lines },
      // The coupon of a pack reduces its first order.
      { coupon: index === 0 && has('coupon'), discount: isCut, cashback: has('cashback') },
    ),
    ...(has('products')
      ? {
          product_attributes: texts.products[language].map((extra, n) => ({ id: n + 1, ...extra })),
        }
      : {}),
    ...(taxPercent && has('taxes')
      ? { taxes: { amount: amountToNumber(percentOf(totalOf(lines), taxPercent, currency)) } }
      : {}),
    ...(plan.tags ? { tags: plan.tags } : {}),
    ...(has('comment') ? { comments: random.pick(texts.comments[language]) } : {}),
    ...(has('pickup') ? { pickup_id: random.between(7_001, 7_999) } : {}),
    ...(has('application') ? { application_id: String(input.applicationId) } : {}),
  }
}

/** Returns the lines of a checkout. The plan decides the first; most checkouts have one. */
function linesOf(
  { random, plan, seller }: CheckoutInput,
  { isCut, isFirst }: { isCut: boolean; isFirst: boolean },
): Line[] {
  const count = plan.lines ?? (random.chance(0.06) ? 2 : 1)
  const onSale = activeListingsOf(seller.user.id)
  // Recent sales leave no time for production.
  const available = plan.listing === 'ready' ? onSale.filter(listingFilters.ready) : onSale
  const candidates =
    isFirst && plan.listing && plan.listing !== 'ready'
      ? available.filter(listingFilters[plan.listing])
      : favorBestsellers(available, random)
  const first = random.pick(candidates.length > 0 ? candidates : available)
  const start = available.indexOf(first)
  const chosen = Array.from({ length: Math.min(count, available.length) }, (_, index) =>
    index === 0 ? first : (available[(start + index) % available.length] as Listing),
  )
  return chosen.map((listing) => lineOf(listing, { random, plan, site: seller.site, isCut }))
}

const listingFilters: Record<NonNullable<SalePlan['listing']>, (listing: Listing) => boolean> = {
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
  }: { random: SeededRandom; plan: SalePlan; site: DemoSite; isCut: boolean },
): Line {
  const variation = random.pick(listing.stock).variationId
  return {
    item_id: listing.id,
    ...(variation === 0 ? {} : { variation_id: variation }),
    quantity:
      plan.units ??
      (listing.condition === 'used' || random.chance(0.85) ? 1 : random.between(2, 3)),
    ...priceAt(listing, isCut ? random.pick(demoFiles().sales.price_percents) : 100),
    ...(plan.features?.includes('foreign_price')
      ? { base_currency_id: 'USD', base_exchange_rate: dollarRateOn(site) }
      : {}),
    ...(plan.features?.includes('wholesale_price') ? { differential_pricing_id: '33001' } : {}),
  }
}

type LinePrice = Required<Pick<Line, 'unit_price' | 'full_unit_price' | 'sale_fee'>>
/** Cache of prices: decimal arithmetic is slow, and there are few prices. */
const linePrices = new Map<string, LinePrice>()

function priceAt({ id, price, currencyId, listingTypeId }: Listing, percent: number): LinePrice {
  const cached = linePrices.get(`${id}/${percent}`)
  if (cached) return cached
  if (price === null) throw new Error(`${id} of the demo data has no price`)
  const unit = percentOf(amount(price), percent, currencyId)
  const commission = demoFiles().sales.commission_percent[listingTypeId] ?? 0
  const linePrice = {
    unit_price: amountToNumber(unit),
    full_unit_price: Number(price),
    sale_fee: amountToNumber(percentOf(unit, commission, currencyId)),
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
  }: { transport: Exclude<Transport, 'none'>; lines: readonly Line[]; index: number },
): NonNullable<Checkout['shipping']> {
  const isMode = transport === 'me1' || transport === 'custom' || transport === 'not_specified'
  const madeDays = lines.map(({ item_id }) => listingsById().get(item_id)?.manufacturingDays ?? 0)
  const offer = drawShipping({
    random,
    site: seller.site,
    at,
    ...(isMode
      ? { mode: transport, logisticType: null }
      : { mode: 'me2', logisticType: transport }),
    manufacturingDays: Math.max(...madeDays),
    costType: plan.transport,
    senderAddress: seller.address,
    receiverAddress: buyer.address,
  })
  // A pack is shipped once, so its first order carries the cost.
  return index === 0 ? offer : { ...offer, cost: 0 }
}

function contextOf({ channel, flows }: SalePlan): NonNullable<Checkout['context']> {
  return { ...(channel ? { channel } : {}), ...(flows ? { flows } : {}) }
}

/** Most sales have no particular channel or flow. */
function drawContext(random: SeededRandom): Pick<Checkout, 'context'> {
  const share = random.fraction()
  if (share < 0.8) return {}
  if (share < 0.88) return { context: { channel: 'shops' } }
  if (share < 0.96) return { context: { flows: ['catalog'] } }
  return { context: { flows: [random.pick(demoFiles().sales.flows)] } }
}

interface DiscountInput {
  random: SeededRandom
  site: DemoSite
  lines: readonly Line[]
}

/** Returns the coupon and discounts of a checkout, without empty fields. */
function discountsOf(
  input: DiscountInput,
  applied: { coupon: boolean; discount: boolean; cashback: boolean },
): Pick<Checkout, 'coupon' | 'discounts'> {
  const coupon = applied.coupon ? couponOf(input) : undefined
  const discounts = [
    // Half of the coupons are of a campaign, the others of the order alone.
    ...(coupon && input.random.chance(0.5) ? [campaignOf(coupon, input)] : []),
    ...(applied.discount ? [priceReductionOf(input)] : []),
    ...(applied.cashback ? [cashbackOf(input)] : []),
  ]
  return { ...(coupon ? { coupon } : {}), ...(discounts.length > 0 ? { discounts } : {}) }
}

const totalOf = (lines: readonly Line[]) =>
  sum(lines.map((line) => amount(line.unit_price ?? 0).times(line.quantity)))

const currencyOf = (site: DemoSite) => sites[site].currency

function couponOf({ random, lines, site }: DiscountInput): NonNullable<Checkout['coupon']> {
  const percent = random.pick([5, 10, 15])
  return {
    id: random.between(50_001, 50_020),
    amount: amountToNumber(percentOf(totalOf(lines), percent, currencyOf(site))),
  }
}

function campaignOf(coupon: NonNullable<Checkout['coupon']>, input: DiscountInput): Discount {
  const { random, site } = input
  return {
    type: 'coupon',
    coupon: { id: coupon.id },
    supplier: { platform_campaign: `${site}-${random.between(1_001, 1_009)}` },
    items: itemsOf(coupon.amount, input),
  }
}

/** Returns the price reduction of the lines. The seller pays 60 %, the platform the rest. */
function priceReductionOf({ random, lines, site }: DiscountInput): Discount {
  const campaign = random.between(7_001, 7_040)
  return {
    type: 'discount',
    supplier: { offer_id: `OFFER-${lines[0]?.item_id}-${campaign}`, funding_mode: 'sale_fee' },
    items: lines.map(({ item_id, quantity, unit_price = 0, full_unit_price = 0 }, index) => {
      const total = amount(full_unit_price).minus(unit_price).times(quantity)
      const seller = percentOf(total, 60, currencyOf(site))
      const amounts = { total: amountToNumber(total), seller: amountToNumber(seller) }
      return { id: item_id, element_id: index + 1, quantity, amounts }
    }),
  }
}

/** Returns cashback of 5 %, which the platform pays. */
function cashbackOf(input: DiscountInput): Discount {
  const { random, site, lines } = input
  const currency_id = currencyOf(site)
  const value = amountToNumber(percentOf(totalOf(lines), 5, currency_id))
  return {
    type: 'cashback',
    cashback: { id: `CB-${random.between(100_000, 999_999)}` },
    counter_currency: { currency_id, value },
    supplier: { campaign_id: String(random.between(300, 320)) },
    items: itemsOf(value, input),
  }
}

function itemsOf(total: number, { lines, site }: DiscountInput): Discount['items'] {
  const priced = lines.map(({ item_id: id, quantity, unit_price = 0 }) => ({
    item: { id },
    quantity,
    unit_price,
  }))
  return splitAmount(total, priced, currencyOf(site)).map((part, index) => ({
    id: lines[index]?.item_id ?? '',
    element_id: index + 1,
    amounts: { total: part },
  }))
}
