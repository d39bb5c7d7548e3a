import { itemSetOf } from '../../src/orders/facets.ts'
import type { Order } from '../../src/orders/order.ts'
import { totalAmount } from '../../src/orders/order.ts'
import { paidAmount } from '../../src/orders/payment.ts'

/**
 * What stands in a told order where real ones differ: values that occur nowhere else, so that they
 * can be found in its rows once and replaced in millions of copies.
 */
const number = (value: number) => ({ value })
const moment = (text: string) => ({ value: new Date(text) })

export const marks = {
  order: number(4_100_000_000_000_001),
  pack: number(4_200_000_000_000_001),
  seller: number(4_300_000_001),
  buyer: number(4_400_000_001),
  shipment: number(4_500_000_001),
  payment: number(4_600_000_001),
  claim: number(4_700_000_001),
  items: [{ value: 'MLA4800000001' }, { value: 'MLA4900000001' }],
  titles: [{ value: 'titleone' }, { value: 'titletwo' }],
  prices: [number(1_100_000_001.25), number(2_300_000_001.25)],
  total: number(3_400_000_002.5),
  moments: [
    moment('2001-01-01T00:00:00.000Z'),
    moment('2001-02-01T00:00:00.000Z'),
    moment('2001-03-01T00:00:00.000Z'),
    moment('2001-04-01T00:00:00.000Z'),
  ],
} as const

/** The places of an order's values in the list that fills its rows. */
export const slots = {
  order: 0,
  pack: 1,
  seller: 2,
  buyer: 3,
  shipment: 4,
  payment: 5,
  claim: 6,
  item1: 7,
  item2: 8,
  title1: 9,
  title2: 10,
  price1: 11,
  price2: 12,
  total: 13,
  paid: 14,
  itemSet: 15,
  words: 16,
  /** Four moments, and when the time to rate is over. */
  moments: 17,
  expires: 21,
} as const

/** The texts of a told order that are replaced, and the slot of each. */
export function textsOf(order: Order): Map<string, number> {
  const { itemSet, words } = itemSetOf(order)
  const total = totalAmount(order)
  const paid = paidAmount(order.payments)
  const texts = new Map<string, number>([
    [String(marks.order.value), slots.order],
    [String(marks.pack.value), slots.pack],
    [String(marks.seller.value), slots.seller],
    [String(marks.buyer.value), slots.buyer],
    [String(marks.shipment.value), slots.shipment],
    [String(marks.payment.value), slots.payment],
    [String(marks.claim.value), slots.claim],
    [marks.items[0].value, slots.item1],
    [marks.items[1].value, slots.item2],
    [marks.titles[0].value, slots.title1],
    [marks.titles[1].value, slots.title2],
    [String(marks.prices[0].value), slots.price1],
    [String(marks.prices[1].value), slots.price2],
    [itemSet, slots.itemSet],
    [order.expirationDate.toISOString(), slots.expires],
    ...marks.moments.map(({ value }, index): [string, number] => [
      value.toISOString(),
      slots.moments + index,
    ]),
    // Longer than what it is made of, so it is found first.
    [`{${words.map((word) => `"${word}"`).join()}}`, slots.words],
  ])
  if (order.items.length > 1) texts.set(total.toString(), slots.total)
  // Smaller ones were told as they are: the same in every order of the story.
  if (paid.gte(total.minus(1_000)) && !paid.eq(total)) texts.set(paid.toString(), slots.paid)
  return texts
}

/** A text with slots. */
export interface Stencil {
  texts: readonly string[]
  slots: readonly number[]
}

export function stencilOf(text: string, replaced: ReadonlyMap<string, number>): Stencil {
  const longestFirst = [...replaced.keys()].sort((a, b) => b.length - a.length)
  const found = new RegExp(longestFirst.map((each) => each.replace(/\W/g, '\\$&')).join('|'), 'g')
  const slotsFound = (text.match(found) ?? []).map((each) => replaced.get(each) as number)
  return { texts: text.split(found), slots: slotsFound }
}

export function filled({ texts, slots }: Stencil, values: readonly string[]): string {
  let text = texts[0] as string
  for (let index = 0; index < slots.length; index++) {
    text += values[slots[index] as number] as string
    text += texts[index + 1] as string
  }
  return text
}
