import { amount, amountToNumber, sum } from '../../kernel/money.ts'
import { sites } from '../../kernel/sites.ts'
import type { Checkout } from '../../orders/commands/bodies.ts'
import { splitAmount } from '../../orders/discount.ts'
import type { DemoSite } from './addresses.ts'
import { percentOf } from './payments.ts'
import type { SeededRandom } from './random.ts'

/** Coupons, discounts and cashback of demo sales, with who pays for them. */

type Discount = NonNullable<Checkout['discounts']>[number]
type Line = Checkout['lines'][number]

export interface DiscountInput {
  random: SeededRandom
  site: DemoSite
  lines: readonly Line[]
  applied: { coupon: boolean; discount: boolean; cashback: boolean }
}

/** Returns the coupon and discounts of a checkout, without empty fields. */
export function discountsOf(bargain: DiscountInput): Pick<Checkout, 'coupon' | 'discounts'> {
  const coupon = bargain.applied.coupon ? couponOf(bargain) : undefined
  const discounts = [
    // Half of the coupons are of a campaign, the others of the order alone.
    ...(coupon && bargain.random.chance(0.5) ? [campaignOf(coupon, bargain)] : []),
    ...(bargain.applied.discount ? [priceReductionOf(bargain)] : []),
    ...(bargain.applied.cashback ? [cashbackOf(bargain)] : []),
  ]
  return { ...(coupon ? { coupon } : {}), ...(discounts.length > 0 ? { discounts } : {}) }
}

export const totalOf = (lines: readonly Line[]) =>
  sum(lines.map((line) => amount(line.unit_price ?? 0).times(line.quantity)))

const currencyOf = (site: DemoSite) => sites[site].currency

function couponOf({ random, lines, site }: DiscountInput): NonNullable<Checkout['coupon']> {
  const percent = random.pick([5, 10, 15])
  return {
    id: random.between(50_001, 50_020),
    amount: amountToNumber(percentOf(totalOf(lines), percent, currencyOf(site))),
  }
}

function campaignOf(coupon: NonNullable<Checkout['coupon']>, bargain: DiscountInput): Discount {
  const { random, site } = bargain
  return {
    type: 'coupon',
    coupon: { id: coupon.id },
    supplier: { platform_campaign: `${site}-${random.between(1_001, 1_009)}` },
    items: itemsOf(coupon.amount, bargain),
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
function cashbackOf(bargain: DiscountInput): Discount {
  const { random, site, lines } = bargain
  const currency_id = currencyOf(site)
  const value = amountToNumber(percentOf(totalOf(lines), 5, currency_id))
  return {
    type: 'cashback',
    cashback: { id: `CB-${random.between(100_000, 999_999)}` },
    counter_currency: { currency_id, value },
    supplier: { campaign_id: String(random.between(300, 320)) },
    items: itemsOf(value, bargain),
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
