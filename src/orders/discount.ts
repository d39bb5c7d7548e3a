import { badField } from '../kernel/failure.ts'
import { amount, amountToNumber, decimalPlacesOf } from '../kernel/money.ts'
import type { DiscountBody } from './bodies.ts'

/** A discount in the field names of the HTTP interface. Its type decides which optional fields it has. */
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

interface DiscountedItem {
  id: string
  /** The line of the order, counted from 1: several lines may have the same item. */
  element_id: number
  quantity: number
  amounts: { total: number; seller: number }
}

/** The fields of a line that discounts depend on. */
interface DiscountableLine {
  item: { id: string }
  quantity: number
  unit_price: number
}

interface DiscountableOrder {
  currencyId: string
  items: readonly DiscountableLine[]
  details: { coupon: { id: number | null; amount: number }; discounts?: readonly Discount[] }
}

type DiscountAmount = [field: string, value: number | undefined, currency: string]

/** Lists the amounts of a checkout's discounts, each with its field and its currency. */
export function discountAmounts(
  discounts: readonly DiscountBody[],
  currency: string,
): DiscountAmount[] {
  return discounts.flatMap(({ items, counter_currency: counter }, index) => {
    const field = `discounts[${index}]`
    const itemAmounts = items.flatMap(
      ({ amounts: { total, seller } }, itemIndex): DiscountAmount[] => [
        [`${field}.items[${itemIndex}].amounts.total`, total, currency],
        [`${field}.items[${itemIndex}].amounts.seller`, seller, currency],
      ],
    )
    if (!counter) return itemAmounts
    const counterField = `${field}.counter_currency.value`
    return [[counterField, counter.value, counter.currency_id], ...itemAmounts]
  })
}

/** Returns the discounts of a checkout with their defaults. Throws a `bad_request` that names the wrong field. */
export function orderDiscountsOf(
  discounts: readonly DiscountBody[],
  lines: readonly DiscountableLine[],
): Discount[] {
  return discounts.map((body, index) => {
    const field = `discounts[${index}]`
    checkType(body, field)
    const items = body.items.map((_, itemIndex) =>
      itemOf(body, lines, { itemIndex, field: `${field}.items[${itemIndex}]` }),
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

/** A coupon and a cashback require the field of their name; other types must not have it. */
function checkType({ type, ...body }: DiscountBody, field: string): void {
  for (const part of ['coupon', 'cashback'] as const) {
    if (type === part && !body[part]) {
      throw badField(`${field}.${part}`, `a value, this is a ${part}`)
    }
    if (type !== part && body[part]) {
      throw badField(`${field}.${part}`, `no such field of a ${type}`)
    }
  }
  if (type !== 'cashback' && body.counter_currency) {
    throw badField(`${field}.counter_currency`, `no such field of a ${type}`)
  }
}

/** Returns one item of a discount, by its index in the body. `element_id` is the number of the order line, from 1;
 * by default the first line with that item. Throws a `bad_request` for a line that the discount already names,
 * more items than were sold, or a seller's part above the total. */
function itemOf(
  { items }: DiscountBody,
  lines: readonly DiscountableLine[],
  { itemIndex, field }: { itemIndex: number; field: string },
): DiscountedItem {
  const { id, element_id, quantity, amounts } = items[itemIndex] as DiscountBody['items'][number]
  const lineNumbers = lines.flatMap((line, index) => (line.item.id === id ? [index + 1] : []))
  const element = element_id ?? lineNumbers[0]
  if (element === undefined) throw badField(`${field}.id`, 'an item of the lines')
  if (!lineNumbers.includes(element)) {
    const expected = `the number of a line of ${id}: ${lineNumbers.join(' or ')}`
    throw badField(`${field}.element_id`, expected)
  }
  const elementOf = (item: DiscountBody['items'][number]) =>
    item.element_id ?? lines.findIndex((line) => line.item.id === item.id) + 1
  if (items.findIndex((item) => elementOf(item) === element) !== itemIndex) {
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

export function hasDiscount({ coupon, discounts }: DiscountableOrder['details']): boolean {
  return coupon.amount > 0 || (discounts?.length ?? 0) > 0
}

/** Lists the discounts of an order: those that the checkout reported, and the order's coupon if it is not among them.
 * The amount of that coupon is spread over the lines. */
export function allDiscounts({ currencyId, items, details }: DiscountableOrder): Discount[] {
  const reported = details.discounts ?? []
  const { id, amount: total } = details.coupon
  const isListed = reported.some(({ coupon }) => coupon !== undefined && coupon.id === id)
  if (id === null || total === 0 || isListed) return [...reported]
  const parts = splitAmount(total, items, currencyId)
  const spreadItems = items.flatMap((line, index) => {
    const part = parts[index] ?? 0
    if (part === 0) return []
    const amounts = { total: part, seller: 0 }
    return [{ id: line.item.id, element_id: index + 1, quantity: line.quantity, amounts }]
  })
  return [{ type: 'coupon', coupon: { id }, supplier: noSupplier, items: spreadItems }, ...reported]
}

/**
 * Splits an amount over the lines by their share of the total price, or by quantity when everything is free. The unit
 * is the smallest coin of the currency. Leftover coins go to the largest remainders, so that the parts always add up.
 */
export function splitAmount(
  total: number,
  lines: readonly DiscountableLine[],
  currency: string,
): number[] {
  const coin = amount(10).pow(-decimalPlacesOf(currency))
  const coins = (value: number) => BigInt(amount(value).div(coin).toFixed(0))
  const priced = lines.map((line) => coins(line.unit_price) * BigInt(line.quantity))
  const isFree = priced.every((weight) => weight === 0n)
  const weights = isFree ? lines.map(({ quantity }) => BigInt(quantity)) : priced
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0n)
  const shares = weights.map((weight, index) => ({
    index,
    coins: (coins(total) * weight) / totalWeight,
    remainder: (coins(total) * weight) % totalWeight,
  }))
  const leftover = coins(total) - shares.reduce((sum, share) => sum + share.coins, 0n)
  const byRemainder = shares.toSorted((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  )
  for (const share of byRemainder.slice(0, Number(leftover))) share.coins += 1n
  return shares.map((share) => amountToNumber(coin.times(String(share.coins))))
}

const keptMonths = 12

/** Whether the discounts of an order created then are still available: for 12 months. */
export function areDiscountsAvailable(dateCreated: Date, now: Date): boolean {
  return dateCreated >= monthsBefore(now, keptMonths)
}

/** Returns the same day and time of an earlier month (UTC), or the last day of a shorter month. */
export function monthsBefore(moment: Date, months: number): Date {
  const result = new Date(moment)
  result.setUTCMonth(moment.getUTCMonth() - months)
  // 31 March less one month is the last day of February, not a day of March.
  if (result.getUTCDate() !== moment.getUTCDate()) result.setUTCDate(0)
  return result
}
