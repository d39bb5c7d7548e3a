import { badField } from '../../kernel/failure.ts'
import { amount, numberOf, placesOf } from '../../kernel/money.ts'
import type { DiscountBody } from './bodies.ts'

/** A discount as it is answered (contract 2.7); which of the optional parts it has follows from its
 * type. */
export interface Discount {
  type: DiscountBody['type']
  coupon?: { id: number }
  cashback?: { id: string }
  counter_currency?: { currency_id: string; value: number } | null
  supplier: {
    platform_campaign: string | null
    offer_id: string | null
    funding_mode: string | null
    campaign_id: string | null
  }
  items: readonly DiscountedItem[]
}

export interface DiscountedItem {
  id: string
  /** Which line of the order, counted from 1: an item may stand in several. */
  element_id: number
  quantity: number
  amounts: { total: number; seller: number }
}

/** What discounts need to know of a line. */
interface Line {
  item: { id: string }
  quantity: number
  unit_price: number
}

interface Discounted {
  currencyId: string
  items: readonly Line[]
  details: { coupon: { id: number | null; amount: number }; discounts?: readonly Discount[] }
}

type AmountGiven = [field: string, value: number | undefined, currency: string]

/** The amounts of a checkout's discounts, each with its field and its currency. */
export function discountAmounts(
  discounts: readonly DiscountBody[],
  currency: string,
): AmountGiven[] {
  return discounts.flatMap(({ items, counter_currency: counter }, index) => {
    const field = `discounts[${index}]`
    const ofItems = items.flatMap(({ amounts: { total, seller } }, place): AmountGiven[] => [
      [`${field}.items[${place}].amounts.total`, total, currency],
      [`${field}.items[${place}].amounts.seller`, seller, currency],
    ])
    if (!counter) return ofItems
    return [[`${field}.counter_currency.value`, counter.value, counter.currency_id], ...ofItems]
  })
}

/** The discounts of a checkout on these lines. Throws a `bad_request` that names the field. */
export function discountsOf(
  discounts: readonly DiscountBody[],
  lines: readonly Line[],
): Discount[] {
  return discounts.map((body, index) => {
    const field = `discounts[${index}]`
    checkType(body, field)
    const items = body.items.map((_, place) =>
      itemOf(body, lines, { place, field: `${field}.items[${place}]` }),
    )
    return {
      type: body.type,
      ...(body.coupon ? { coupon: body.coupon } : {}),
      ...(body.cashback ? { cashback: body.cashback } : {}),
      ...(body.type === 'cashback' ? { counter_currency: body.counter_currency ?? null } : {}),
      supplier: { ...noSupplier, ...body.supplier },
      items,
    }
  })
}

const noSupplier: Discount['supplier'] = {
  platform_campaign: null,
  offer_id: null,
  funding_mode: null,
  campaign_id: null,
}

/** Which part belongs to which type, and which is required there. */
function checkType({ type, ...body }: DiscountBody, field: string): void {
  for (const own of ['coupon', 'cashback'] as const) {
    if (type === own && !body[own]) throw badField(`${field}.${own}`, `a value, this is a ${own}`)
    if (type !== own && body[own]) throw badField(`${field}.${own}`, `no such field of a ${type}`)
  }
  if (type !== 'cashback' && body.counter_currency) {
    throw badField(`${field}.counter_currency`, `no such field of a ${type}`)
  }
}

function itemOf(
  { items }: DiscountBody,
  lines: readonly Line[],
  { place, field }: { place: number; field: string },
): DiscountedItem {
  const { id, element_id, quantity, amounts } = items[place] as DiscountBody['items'][number]
  const own = lines.flatMap((line, index) => (line.item.id === id ? [index + 1] : []))
  const element = element_id ?? own[0]
  if (element === undefined) throw badField(`${field}.id`, 'an item of the lines')
  if (!own.includes(element)) {
    throw badField(`${field}.element_id`, `the number of a line of ${id}: ${own.join(' or ')}`)
  }
  const elementOf = (each: DiscountBody['items'][number]) =>
    each.element_id ?? lines.findIndex((line) => line.item.id === each.id) + 1
  if (items.findIndex((each) => elementOf(each) === element) !== place) {
    throw badField(`${field}.element_id`, 'a line that this discount has not named before')
  }
  const sold = lines[element - 1]?.quantity ?? 0
  if (quantity !== undefined && quantity > sold) {
    throw badField(`${field}.quantity`, `at most ${sold}, as many as were sold`)
  }
  const seller = amounts.seller ?? 0
  if (seller > amounts.total) {
    throw badField(`${field}.amounts.seller`, `at most the total, ${amounts.total}`)
  }
  return {
    id,
    element_id: element,
    quantity: quantity ?? sold,
    amounts: { total: amounts.total, seller },
  }
}

export function hasDiscount({ coupon, discounts }: Discounted['details']): boolean {
  return coupon.amount > 0 || (discounts?.length ?? 0) > 0
}

/** All discounts of an order: its own coupon, unless it was listed among them, and those that were
 * given (contract 2.7). */
export function allDiscounts({ currencyId, items, details }: Discounted): Discount[] {
  const given = details.discounts ?? []
  const { id, amount: total } = details.coupon
  const isListed = given.some(({ coupon }) => coupon !== undefined && coupon.id === id)
  if (id === null || total === 0 || isListed) return [...given]
  const parts = spread(total, items, currencyId)
  const spreadItems = items.flatMap((line, index) => {
    const part = parts[index] ?? 0
    if (part === 0) return []
    const amounts = { total: part, seller: 0 }
    return [{ id: line.item.id, element_id: index + 1, quantity: line.quantity, amounts }]
  })
  return [{ type: 'coupon', coupon: { id }, supplier: noSupplier, items: spreadItems }, ...given]
}

/**
 * An amount in parts, one a line, by each line's share of the total (by quantities where nothing
 * costs anything). Reckoned in whole coins; those that are left over go one each to the largest
 * remainders, so that the parts always add up to the amount.
 */
export function spread(total: number, lines: readonly Line[], currency: string): number[] {
  const coin = amount(10).pow(-placesOf(currency))
  const coins = (value: number) => BigInt(amount(value).div(coin).toFixed(0))
  const priced = lines.map((line) => coins(line.unit_price) * BigInt(line.quantity))
  const isFree = priced.every((weight) => weight === 0n)
  const weights = isFree ? lines.map(({ quantity }) => BigInt(quantity)) : priced
  const whole = weights.reduce((all, each) => all + each, 0n)
  const shares = weights.map((weight, index) => ({
    index,
    coins: (coins(total) * weight) / whole,
    remainder: (coins(total) * weight) % whole,
  }))
  const left = coins(total) - shares.reduce((all, share) => all + share.coins, 0n)
  const luckiest = shares.toSorted((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  )
  for (const share of luckiest.slice(0, Number(left))) share.coins += 1n
  return shares.map((share) => numberOf(coin.times(String(share.coins))))
}

const keptMonths = 12

/** Whether the discounts of an order of that day are still kept (contract 8). */
export function areKept(dateCreated: Date, now: Date): boolean {
  return dateCreated >= monthsBefore(now, keptMonths)
}

/** The same day and time of an earlier month (UTC), or that month's last day. */
export function monthsBefore(moment: Date, months: number): Date {
  const found = new Date(moment)
  found.setUTCMonth(moment.getUTCMonth() - months)
  // 31 March less one month is the last day of February, not a day of March.
  if (found.getUTCDate() !== moment.getUTCDate()) found.setUTCDate(0)
  return found
}
