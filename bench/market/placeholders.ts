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

export const placeholders = {
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
export const placeholderSlots = {
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
export function placeholderTextsOf(order: Order): Map<string, number> {
  const { itemSet, words } = itemSetOf(order)
  const total = totalAmount(order)
  const paid = paidAmount(order.payments)
  const texts = new Map<string, number>([
    [String(placeholders.order.value), placeholderSlots.order],
    [String(placeholders.pack.value), placeholderSlots.pack],
    [String(placeholders.seller.value), placeholderSlots.seller],
    [String(placeholders.buyer.value), placeholderSlots.buyer],
    [String(placeholders.shipment.value), placeholderSlots.shipment],
    [String(placeholders.payment.value), placeholderSlots.payment],
    [String(placeholders.claim.value), placeholderSlots.claim],
    [placeholders.items[0].value, placeholderSlots.item1],
    [placeholders.items[1].value, placeholderSlots.item2],
    [placeholders.titles[0].value, placeholderSlots.title1],
    [placeholders.titles[1].value, placeholderSlots.title2],
    [String(placeholders.prices[0].value), placeholderSlots.price1],
    [String(placeholders.prices[1].value), placeholderSlots.price2],
    [itemSet, placeholderSlots.itemSet],
    [order.expirationDate.toISOString(), placeholderSlots.expires],
    ...placeholders.moments.map(({ value }, index): [string, number] => [
      value.toISOString(),
      placeholderSlots.moments + index,
    ]),
    // Longer than what it is made of, so it is found first.
    [`{${words.map((word) => `"${word}"`).join()}}`, placeholderSlots.words],
  ])
  if (order.items.length > 1) texts.set(total.toString(), placeholderSlots.total)
  // Smaller ones were told as they are: the same in every order of the story.
  if (paid.gte(total.minus(1_000)) && !paid.eq(total))
    texts.set(paid.toString(), placeholderSlots.paid)
  return texts
}

/** A text with slots. */
export interface TextTemplate {
  texts: readonly string[]
  slots: readonly number[]
}

export function textTemplateOf(text: string, replaced: ReadonlyMap<string, number>): TextTemplate {
  const longestFirst = [...replaced.keys()].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(longestFirst.map((each) => each.replace(/\W/g, '\\$&')).join('|'), 'g')
  const slotsFound = (text.match(pattern) ?? []).map((each) => replaced.get(each) as number)
  return { texts: text.split(pattern), slots: slotsFound }
}

export function fillTextTemplate(
  { texts, slots }: TextTemplate,
  values: readonly string[],
): string {
  let text = texts[0] as string
  for (let index = 0; index < slots.length; index++) {
    text += values[slots[index] as number] as string
    text += texts[index + 1] as string
  }
  return text
}
