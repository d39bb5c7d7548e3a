import assert from 'node:assert/strict'
import type { Claim } from '../../src/claims/claim.ts'
import { ApiClient } from '../../src/cli/client/client.ts'
import type { User } from '../../src/identity/user.ts'
import type { Listing } from '../../src/listings/listing.ts'
import type { Order } from '../../src/orders/order.ts'
import type { DemoData, DemoOrder } from '../../src/sandbox/demo/demo.ts'
import type { Shipment } from '../../src/shipments/shipment.ts'
import { operatorToken, type TestApp } from './app.ts'
import { brunoId } from './market.ts'

// biome-ignore lint/suspicious/noExplicitAny: lines of the answer come in three shapes
export type ImportLineResult = any

/** Sends lines (values, or texts as they are) and returns what was answered, line by line. */
export async function postImportLines(
  app: Pick<TestApp, 'address'>,
  lines: readonly (object | string)[],
): Promise<ImportLineResult[]> {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  const client = new ApiClient(app.address, operatorToken, '/operator')
  const { status, headers, text } = await client.send('POST', '/operator/import', {
    headers: importHeaders,
    body: texts.join('\n'),
  })
  assert.equal(status, 200, text)
  assert.equal(headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
  assert.ok(text.endsWith('\n'))
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

export const importHeaders = {
  authorization: `Bearer ${operatorToken}`,
  'content-type': 'application/x-ndjson',
}

/** The line of an order of bruno's with ana of long ago. */
export function pastOrderLine(id: number, more: object = {}) {
  return {
    type: 'order',
    id,
    buyer_id: brunoId,
    currency_id: 'ARS',
    lines: [{ item_id: 'MLA1001', quantity: 2, unit_price: 100 }],
    date_created: '2025-01-02T03:04:05.000Z',
    ...more,
  }
}

/** The lines that import demo data: people and listings first, then one line an order. */
export function* demoImportLines(world: DemoData): Generator<string> {
  for (const user of world.users) yield `${JSON.stringify(userLine(user))}\n`
  for (const listing of world.listings) yield `${JSON.stringify(itemLine(listing))}\n`
  for (const order of world.orders) yield `${JSON.stringify(orderLine(order))}\n`
}

export function userLine(user: User): object {
  return {
    type: 'user',
    id: user.id,
    site_id: user.siteId,
    nickname: user.nickname,
    status: user.status,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    phone: user.phone,
    alternative_phone: user.alternativePhone,
    billing_info: user.billingInfo,
  }
}

export function itemLine(listing: Listing): object {
  const [only] = listing.stock
  const isPlain = listing.stock.length === 1 && only?.variationId === 0
  return {
    type: 'item',
    id: listing.id,
    seller_id: listing.sellerId,
    site_id: listing.siteId,
    title: listing.title,
    category_id: listing.categoryId,
    currency_id: listing.currencyId,
    price: Number(listing.price),
    status: listing.status,
    condition: listing.condition,
    listing_type_id: listing.listingTypeId,
    warranty: listing.warranty,
    seller_custom_field: listing.sellerCustomField,
    seller_sku: listing.sellerSku,
    manufacturing_days: listing.manufacturingDays,
    vertical: listing.vertical,
    permalink: listing.permalink,
    pictures: listing.pictures,
    attributes: listing.attributes,
    shipping: listing.shipping,
    ...(isPlain
      ? { available_quantity: only.availableQuantity }
      : {
          variations: listing.stock.map((variation) => ({
            id: variation.variationId,
            available_quantity: variation.availableQuantity,
            attributes: variation.attributes,
            seller_sku: variation.sellerSku,
          })),
        }),
  }
}

export function orderLine({ order, shipment, claims }: DemoOrder): object {
  const { details } = order
  const { coupon, taxes } = details
  return {
    type: 'order',
    id: order.id,
    buyer_id: order.buyerId,
    currency_id: order.currencyId,
    lines: order.items.map(({ item, quantity, ...line }) => ({
      item_id: item.id,
      variation_id: item.variation_id,
      quantity,
      unit_price: line.unit_price,
      full_unit_price: line.full_unit_price,
      sale_fee: line.sale_fee,
      base_currency_id: line.base_currency_id,
      base_exchange_rate: line.base_exchange_rate,
      differential_pricing_id: line.differential_pricing_id,
    })),
    status: order.status,
    date_created: order.dateCreated,
    date_closed: order.dateClosed,
    expiration_date: order.expirationDate,
    last_updated: order.lastUpdated,
    ...(order.packId === null ? {} : { pack_id: order.packId }),
    ...(coupon.id === null ? {} : { coupon: { id: coupon.id, amount: coupon.amount } }),
    ...(taxes.amount === null ? {} : { taxes: { amount: taxes.amount } }),
    ...(details.discounts ? { discounts: details.discounts } : {}),
    ...(details.product_attributes ? { product_attributes: details.product_attributes } : {}),
    context: { channel: details.context.channel, flows: details.context.flows },
    tags: order.tags,
    comments: details.comments,
    application_id: details.application_id,
    pickup_id: details.pickup_id,
    status_detail: details.status_detail,
    fulfilled: details.fulfilled,
    hidden_for_seller: details.hidden_for_seller,
    manufacturing_ending_date: details.manufacturing_ending_date,
    order_request: details.order_request,
    cancel_detail: details.cancel_detail,
    payments: order.payments.map(
      ({ order_id: _, collector: __, site_id: ___, currency_id: ____, ...payment }) => payment,
    ),
    ...(shipment ? { shipping: shippingLinePart(shipment, order) } : {}),
    claims: claims.map(claimLinePart),
  }
}

function claimLinePart(claim: Claim): object {
  return {
    id: claim.id,
    type: claim.type,
    stage: claim.stage,
    status: claim.status,
    opened_by: claim.openedBy,
    parent_id: claim.parentId,
    reason_id: claim.reasonId,
    fulfilled: claim.fulfilled,
    claimed_quantity: claim.claimedQuantity,
    ...(claim.resolution ? { resolution: claim.resolution } : {}),
    related_entities: claim.relatedEntities,
    date_created: claim.dateCreated,
    last_updated: claim.lastUpdated,
  }
}

function shippingLinePart(shipment: Shipment, order: Order): object {
  return {
    ...shipment.details,
    id: shipment.id,
    mode: shipment.mode,
    logistic_type: shipment.logisticType,
    cost: order.details.shipping_cost,
    list_cost: shipment.listCost === null ? null : Number(shipment.listCost),
    declared_value: shipment.declaredValue === null ? null : Number(shipment.declaredValue),
    tags: shipment.tags,
    status: shipment.status,
    substatus: shipment.substatus,
    history: shipment.history,
    date_created: shipment.dateCreated,
    last_updated: shipment.lastUpdated,
  }
}
