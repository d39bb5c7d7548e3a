import { dayMs, parseTimestamp } from '../../kernel/clock.ts'
import { badField } from '../../kernel/failure.ts'
import { decimalPlacesOf, fitsCurrency } from '../../kernel/money.ts'
import { isClassified, type Listing, stockOf } from '../../listings/listing.ts'
import { shippingAmounts, withShipmentDetails } from '../../shipments/patch.ts'
import {
  initialShipmentStatus,
  logisticTypeConflict,
  type Shipment,
} from '../../shipments/shipment.ts'
import { discountAmounts, orderDiscountsOf } from '../discount.ts'
import {
  type Order,
  type OrderItem,
  totalAmount,
  transitionOrder,
  withDerivedTags,
} from '../order.ts'
import type { Checkout } from './bodies.ts'

/** The default of `expiration_date`, until which the parties may rate an order. */
const ratingDays = 21
/** Sums must stay below this limit, so that they are exact as JSON numbers and fit their columns. */
export const largestAmount = 1e13

export interface CheckoutContext {
  /** The listings that the lines name, all of one seller. */
  listings: ReadonlyMap<string, Listing>
  now: Date
  orderId: number
  /** Set when the checkout has shipping. */
  shipmentId: number | null
}

/** Builds the order of a checkout; missing fields come from the listings. Throws a `bad_request` that names the wrong
 * field. */
export function buildOrder(checkout: Checkout, facts: CheckoutContext): Order {
  const { now } = facts
  const items = checkout.lines.map((_, index) => itemOf(checkout, facts, index))
  const listing = listingOf(checkout, facts, 0)
  if (listing.sellerId === checkout.buyer_id) {
    throw badField('buyer_id', 'somebody else than the seller')
  }
  checkMoney(checkout)
  if (totalAmount({ items }).gte(largestAmount)) {
    throw badField('lines', `a total below ${largestAmount}`)
  }
  const created: Order = {
    id: facts.orderId,
    sellerId: listing.sellerId,
    buyerId: checkout.buyer_id,
    siteId: listing.siteId,
    status: 'payment_required',
    packId: checkout.pack_id ?? null,
    shipmentId: facts.shipmentId,
    currencyId: checkout.currency_id,
    isClassified: checkout.lines.every((_, index) =>
      isClassified(listingOf(checkout, facts, index)),
    ),
    items,
    payments: [],
    tags: [...new Set(checkout.tags)],
    dateCreated: now,
    dateClosed: null,
    expirationDate: expirationOf(checkout, now),
    lastUpdated: now,
    parts: {
      feedback: { sale: null, purchase: null, isFreed: false },
      mediations: [],
      shipping: checkout.shipping
        ? {
            status: initialShipmentStatus(checkout.shipping.mode),
            substatus: null,
            serviceId: checkout.shipping.service_id ?? null,
          }
        : null,
      stock: 'untouched',
      wasPaid: false,
    },
    details: {
      status_detail: null,
      comments: checkout.comments ?? null,
      pickup_id: checkout.pickup_id ?? null,
      order_request: { change: null, return: null },
      fulfilled: null,
      coupon: checkout.coupon ?? { id: null, amount: 0 },
      ...(checkout.discounts ? { discounts: orderDiscountsOf(checkout.discounts, items) } : {}),
      ...(checkout.product_attributes ? { product_attributes: checkout.product_attributes } : {}),
      manufacturing_ending_date: manufacturingEnd(items, now),
      buying_mode: 'buy_equals_pay',
      hidden_for_seller: false,
      shipping_cost: checkout.shipping?.cost ?? 0,
      application_id: checkout.application_id ?? null,
      taxes: checkout.taxes
        ? { amount: checkout.taxes.amount, currency_id: checkout.currency_id, id: null }
        : { amount: null, currency_id: null, id: null },
      cancel_detail: null,
      context: {
        channel: checkout.context?.channel ?? 'marketplace',
        site: listing.siteId,
        flows: checkout.context?.flows ?? [],
      },
    },
  }
  return withDerivedTags(transitionOrder(created, checkout.status ?? 'confirmed', now))
}

/** Builds the shipment of a checkout; undefined when it has none. Throws a `bad_request` for a wrong combination. */
export function buildShipment(
  checkout: Pick<Checkout, 'shipping'>,
  order: Order,
): Shipment | undefined {
  const { shipping } = checkout
  if (!shipping || order.shipmentId === null) return undefined
  const logisticType = shipping.logistic_type ?? null
  const expected = logisticTypeConflict(shipping.mode, logisticType)
  if (expected) throw badField('shipping.logistic_type', expected)
  const { id: _, mode, logistic_type: __, tags, ...details } = shipping
  const shipment: Shipment = {
    id: order.shipmentId,
    sellerId: order.sellerId,
    buyerId: order.buyerId,
    siteId: order.siteId,
    mode,
    logisticType,
    status: initialShipmentStatus(mode),
    substatus: null,
    currencyId: order.currencyId,
    cost: '0',
    listCost: null,
    declaredValue: null,
    history: {},
    tags: [...new Set(tags)],
    details: {},
    dateCreated: order.dateCreated,
    lastUpdated: order.dateCreated,
  }
  return withShipmentDetails(shipment, details, 'shipping.')
}

function listingOf(checkout: Checkout, { listings }: CheckoutContext, index: number): Listing {
  const listing = listings.get(checkout.lines[index]?.item_id ?? '')
  if (!listing) throw badField(`lines[${index}].item_id`, 'a registered item')
  return listing
}

/** Returns the order item of a line of the checkout, by its index. Title, variation and SKU are copied from the
 * listing as it is now; the price too, unless the line has one. Throws a `bad_request` that names the field if the
 * listing cannot be sold that way. */
function itemOf(checkout: Checkout, facts: CheckoutContext, index: number): OrderItem {
  const line = checkout.lines[index] as Checkout['lines'][number]
  const field = `lines[${index}]`
  const listing = listingOf(checkout, facts, index)
  if (listing.currencyId !== checkout.currency_id) {
    throw badField('currency_id', `${listing.currencyId}, the currency of ${listing.id}`)
  }
  if (listing.status !== 'active') {
    throw badField(`${field}.item_id`, `an active item, ${listing.id} is ${listing.status}`)
  }
  const variationId = line.variation_id ?? null
  const stock = stockOf(listing, variationId)
  if (!stock) throw badField(`${field}.variation_id`, `a variation of ${listing.id}`)
  const unitPrice = line.unit_price ?? (listing.price === null ? null : Number(listing.price))
  if (unitPrice === null) {
    throw badField(`${field}.unit_price`, `an amount, as ${listing.id} is listed without a price`)
  }
  return {
    item: {
      id: listing.id,
      title: listing.title,
      variation_id: variationId,
      variation_attributes: stock.attributes,
      category_id: listing.categoryId,
      seller_custom_field: listing.sellerCustomField,
      seller_sku: stock.sellerSku ?? listing.sellerSku,
      condition: listing.condition,
      warranty: listing.warranty,
    },
    quantity: line.quantity,
    unit_price: unitPrice,
    full_unit_price: line.full_unit_price ?? unitPrice,
    sale_fee: line.sale_fee ?? 0,
    listing_type_id: listing.listingTypeId,
    currency_id: checkout.currency_id,
    base_currency_id: line.base_currency_id ?? null,
    base_exchange_rate: line.base_exchange_rate ?? null,
    differential_pricing_id: line.differential_pricing_id ?? null,
    manufacturing_days: listing.manufacturingDays,
  }
}

/** Checks that every amount of a checkout fits the decimal places of its currency. Discounts may have a currency of
 * their own. Throws `bad_request`. */
function checkMoney(checkout: Checkout): void {
  const { currency_id: currency } = checkout
  const amounts: [field: string, value: number | undefined][] = [
    ...checkout.lines.flatMap((line, index): [string, number | undefined][] => [
      [`lines[${index}].unit_price`, line.unit_price],
      [`lines[${index}].full_unit_price`, line.full_unit_price],
      [`lines[${index}].sale_fee`, line.sale_fee],
    ]),
    ...shippingAmounts(checkout.shipping ?? {}, 'shipping.'),
    ['coupon.amount', checkout.coupon?.amount],
    ['taxes.amount', checkout.taxes?.amount],
  ]
  checkAmounts(amounts, currency)
  const discounts = discountAmounts(checkout.discounts ?? [], currency)
  for (const [field, value, discountCurrency] of discounts) {
    checkAmounts([[field, value]], discountCurrency)
  }
}

/** Throws a `bad_request` that names the first amount with more decimal places than its currency has. */
export function checkAmounts(
  amounts: readonly (readonly [field: string, value: number | null | undefined])[],
  currency: string,
): void {
  for (const [field, value] of amounts) {
    if (typeof value === 'number' && !fitsCurrency(value, currency)) {
      throw badField(
        field,
        `an amount of ${currency}, at most ${decimalPlacesOf(currency)} decimal places`,
      )
    }
  }
}

function expirationOf(checkout: Checkout, now: Date): Date {
  const defaultExpiration = new Date(now.getTime() + ratingDays * dayMs)
  if (checkout.expiration_date === undefined) return defaultExpiration
  return parseTimestamp(checkout.expiration_date) ?? defaultExpiration
}

/** Returns `manufacturing_ending_date`: the item with the longest manufacturing time decides. */
function manufacturingEnd(items: readonly OrderItem[], now: Date): string | null {
  const days = Math.max(0, ...items.map((line) => line.manufacturing_days ?? 0))
  return days === 0 ? null : new Date(now.getTime() + days * dayMs).toISOString()
}
