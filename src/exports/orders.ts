import { parseId } from '../kernel/ids.ts'
import type { SiteId } from '../kernel/sites.ts'
import { matchesInAnyStatus, type SearchParty } from '../orders/search/filters.ts'
import type { OrderConditions } from '../orders/search/parameters.ts'
import { renewBody } from '../orders/search/search.ts'
import { loadFacets } from '../orders/search/search-page.ts'
import { hidesParties, isCancelled, orderStatuses } from '../orders/status.ts'
import { orderOwners } from '../orders/store.ts'
import { bodyVersion, renderOrder } from '../orders/view.ts'
import type { Db } from '../platform/database/database.ts'
import { type ExportKind, type KeyRange, nextKey } from './kind.ts'
import {
  countOrderRows,
  type ExportedOrderConditions,
  findOrderWindowEnd,
  listOrderFacetGroups,
  type OrderKey,
  readExportedOrders,
  readFacetGroups,
  readMediationsOfOrders,
} from './orders-read-model.ts'

export interface OrderExportFilter extends OrderConditions {
  sellerId: number | null
  buyerId: number | null
  sellerIds: readonly number[] | null
  siteId: SiteId | null
}

/** Orders as the operator reads them. Filters work as in a search of the seller, or of the buyer if only that one is
 * named. Without a party, orders of every status are among them unless `order.status` says otherwise. */
export const orderExport: ExportKind<OrderExportFilter, OrderKey> = {
  name: 'orders',
  columns: {
    id: 'id',
    status: 'status',
    date_created: 'date_created',
    date_closed: 'date_closed',
    last_updated: 'last_updated',
    site_id: 'context.site',
    seller_id: 'seller.id',
    seller_nickname: 'seller.nickname',
    buyer_id: 'buyer.id',
    buyer_nickname: 'buyer.nickname',
    currency_id: 'currency_id',
    total_amount: 'total_amount',
    paid_amount: 'paid_amount',
    item_ids: 'order_items.item.id',
    titles: 'order_items.item.title',
    category_ids: 'order_items.item.category_id',
    seller_skus: 'order_items.item.seller_sku',
    quantities: 'order_items.quantity',
    unit_prices: 'order_items.unit_price',
    payment_ids: 'payments.id',
    pack_id: 'pack_id',
    shipment_id: 'shipping.id',
    shipping_status: 'shipping.status',
    claim_ids: 'mediations.id',
    tags: 'tags',
  },
  firstKey: [0, 0],
  async findKey(db, text) {
    const id = parseId(text)
    const owner = id === undefined ? undefined : await orderOwners.find(db, id)
    return owner && id !== undefined ? [owner.sellerId, id] : undefined
  },
  async findWindowEnd(db, { filter, ...window }) {
    return findOrderWindowEnd(db, { conditions: conditionsOf(filter), ...window })
  },
  countRows: countOrderRows,
  async readPage({ db, now }, filter, range) {
    const conditions = conditionsOf(filter)
    const scanned = hasFacetFilter(filter)
      ? await findMatches(db, { filter, conditions, range })
      : undefined
    if (scanned?.ids.length === 0) return { entries: [], next: scanned.next }
    const orders = await readExportedOrders(db, conditions, { range, ids: scanned?.ids ?? null })
    const disputed = orders.filter(({ isDisputed }) => isDisputed)
    const mediations = await readMediationsOfOrders(db, {
      sellerIds: [...new Set(disputed.map(({ sellerId }) => sellerId))],
      orderIds: disputed.map(({ id }) => id),
    })
    const rows = orders.map((row) => ({ ...row, mediations: mediations.get(row.id) ?? null }))
    for (const row of rows) if (row.bodyVersion !== bodyVersion) await renewBody(db, row)
    const view = { reader: 'operator', newFormat: false, now: now() } as const
    return {
      entries: rows.map((row) => renderOrder(row, view)),
      next: scanned ? scanned.next : nextKey(rows, range, ({ sellerId, id }) => [sellerId, id]),
    }
  },
}

/** Whether a filter depends on facets, which are compared outside of the database. */
function hasFacetFilter({ filters: { valuesByFilter, tagsNot } }: OrderExportFilter): boolean {
  return tagsNot.length > 0 || [...valuesByFilter.keys()].some((id) => id !== 'order.status')
}

/** Finds the orders of a range whose facets match. */
async function findMatches(
  db: Db,
  input: {
    filter: OrderExportFilter
    conditions: ExportedOrderConditions
    range: KeyRange<OrderKey>
  },
): Promise<{ ids: number[]; next: OrderKey | undefined }> {
  const { filter, conditions, range } = input
  const rows = await listOrderFacetGroups(db, conditions, range)
  const sellerIds = [...new Set(rows.map(({ sellerId }) => sellerId))]
  const facetsOf = await loadFacets(
    rows.map(({ kind }) => kind),
    (groupIds) => readFacetGroups(db, { sellerIds, groupIds }),
  )
  const ids = rows.flatMap(({ id, kind }) => {
    const facets = facetsOf.get(kind)
    return facets && matchesInAnyStatus(facets, filter.filters, viewpointOf(filter)) ? [id] : []
  })
  return { ids, next: nextKey(rows, range, ({ sellerId, id }) => [sellerId, id]) }
}

function viewpointOf({ sellerId, buyerId }: OrderExportFilter): SearchParty {
  return sellerId === null && buyerId !== null ? 'buyer' : 'seller'
}

function conditionsOf(filter: OrderExportFilter): ExportedOrderConditions {
  const { sellerId, filters, ...others } = filter
  const counterpart = viewpointOf(filter) === 'seller' ? 'buyer' : 'seller'
  const named = filters.valuesByFilter.get('order.status') ?? null
  const statuses = named ?? (sellerId === null ? null : notCancelled)
  const { closedOnly } = filters
  return { ...others, sellerId, statuses, closedOnly, counterpart, namelessStatuses }
}

/** What a search of a seller shows unless `order.status` says otherwise. */
const notCancelled = orderStatuses.filter((status) => !isCancelled(status))
const namelessStatuses = orderStatuses.filter(hidesParties)
