import { type BenchSandbox, operatorToken } from './bench-sandbox.ts'
import type { CallbackReceiver, ReceivedRequest } from './callbacks.ts'
import type { AcknowledgedSale, SalesPlan } from './sales.ts'

const itemsPerShop = 100
const buyerCount = 200
const stock = 1_000_000

export interface BenchMarket extends Pick<SalesPlan, 'shops' | 'buyerIds' | 'token'> {
  sellerIds: readonly number[]
}

/** Registers buyers, and shops with items on sale: shop `n` has authorized application `n`. */
export async function createBenchMarket(
  world: BenchSandbox,
  { urls }: CallbackReceiver,
): Promise<BenchMarket> {
  const { sellerIds } = await world.registerSubscribers(urls, 0, [
    'orders_v2',
    'shipments',
    'items',
  ])
  const buyerIds = Array.from({ length: buyerCount }, (_, n) => 1_500_000 + n)
  for (const id of buyerIds) {
    await world.put(`users/${id}`, { site_id: 'MLA', nickname: `BUYER_${id}` })
  }
  const shops = sellerIds.map((_, shop) => ({
    itemIds: Array.from(
      { length: itemsPerShop },
      (_, n) => `MLA${9_000_000 + shop * itemsPerShop + n}`,
    ),
  }))
  for (const [shop, { itemIds }] of shops.entries()) {
    for (const [n, id] of itemIds.entries()) {
      await world.put(`items/${id}`, {
        seller_id: sellerIds[shop],
        site_id: 'MLA',
        title: `Pava eléctrica ${n}`,
        category_id: 'MLA1580',
        currency_id: 'ARS',
        price: 999,
        available_quantity: stock,
      })
    }
  }
  return { shops, sellerIds, buyerIds, token: operatorToken }
}

/** What only this sale is notified of. */
export const resourcesOfSale = ({ orderId, shipmentId }: AcknowledgedSale) => [
  `/orders/${orderId}`,
  `/shipments/${shipmentId}`,
]

/** When each resource was first and last sent, on `monotonicMs`. */
export function arrivalTimesOf(receivedRequests: readonly ReceivedRequest[]) {
  const [first, last] = [new Map<string, number>(), new Map<string, number>()]
  for (const { resource, at } of receivedRequests) {
    first.set(resource, Math.min(first.get(resource) ?? at, at))
    last.set(resource, Math.max(last.get(resource) ?? at, at))
  }
  return { first, last }
}

/**
 * From the acknowledged sale to the first attempt to notify its order and its shipment, in milliseconds. What arrives
 * before its sale is seen to be acknowledged counts as 0.
 */
export function saleLagsOf(
  sales: readonly AcknowledgedSale[],
  receivedRequests: readonly ReceivedRequest[],
): number[] {
  const { first } = arrivalTimesOf(receivedRequests)
  return sales.flatMap((sale) =>
    resourcesOfSale(sale).map((resource) =>
      Math.max(0, (first.get(resource) ?? Number.NaN) - sale.acknowledgedAt),
    ),
  )
}
