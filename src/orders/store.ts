import type { SiteId } from '../kernel/sites.ts'
import type { BulkTx, Db, Tx } from '../platform/database/database.ts'
import { OwnerTable } from '../platform/database/owners.ts'
import { copyRecords } from '../platform/database/records.ts'
import { sql } from '../platform/database/sql.ts'
import type { DerivedRows } from '../platform/walks/row-walk.ts'
import {
  type CountKeyRow,
  filingVersion,
  orderCountKeyOf,
  type StoredOrder,
  sortDateOf,
  storedCountKeyOf,
} from './facets.ts'
import { hiddenUntil, type Order, type OrderItem, type OrderParts, totalAmount } from './order.ts'
import { creditedStatuses, type Payment, paidAmount, underWayStatuses } from './payment.ts'
import {
  indexOrder,
  indexOrders,
  reindexOrder,
  reindexUnchangedOrders,
  requestRecount,
} from './store-index.ts'
import { bodyText, bodyVersion, type OrderBodyRow } from './view.ts'

export interface OrderOwner {
  sellerId: number
  buyerId: number
}

/** The parties of each order, for lookups by order id alone. */
export const orderOwners = new OwnerTable<number, OrderOwner>({
  table: 'order_owner',
  id: 'order_id',
  idType: 'bigint',
  owner: { sellerId: 'seller_id', buyerId: 'buyer_id' },
})

/** The buyer of each pack. A pack that exists keeps its buyer. */
export const packOwners = new OwnerTable<number, Pick<OrderOwner, 'buyerId'>>({
  table: 'pack_owner',
  id: 'pack_id',
  idType: 'bigint',
  owner: { buyerId: 'buyer_id' },
})

export interface PaymentOwner {
  sellerId: number
  orderId: number
}

/** The order of each payment. A payment that exists keeps its order. */
export const paymentOwners = new OwnerTable<number, PaymentOwner>({
  table: 'payment_owner',
  id: 'payment_id',
  idType: 'bigint',
  owner: { sellerId: 'seller_id', orderId: 'order_id' },
})

type OrderRow = Omit<Order, 'items' | 'payments' | 'details' | 'parts'> & {
  details: string
  parts: string
}

/** Loads the whole order and locks it until the transaction ends. */
export async function lockOrder(
  tx: Tx,
  { sellerId, id }: { sellerId: number; id: number },
): Promise<StoredOrder | undefined> {
  const row = await tx.row<CountKeyRow>(sql`
    select kind::text as kind, basket::text as "itemSet", filing_version as "filingVersion",
      date_created as "dateCreated", sort_date as "sortDate", last_updated as "lastUpdated"
    from orders where seller_id = ${sellerId} and id = ${id} for update`)
  const order = row && (await loadOrder(tx, { sellerId, id }))
  return order && { ...order, storedCountKey: storedCountKeyOf(row) }
}

/** Loads an order with its items and payments. Undefined if there is none. */
export async function loadOrder(
  db: Db,
  { sellerId, id }: { sellerId: number; id: number },
): Promise<Order | undefined> {
  const row = await db.row<OrderRow>(sql`
    select id, seller_id as "sellerId", buyer_id as "buyerId", site_id as "siteId", status,
      pack_id as "packId", shipment_id as "shipmentId", currency_id as "currencyId",
      is_classified as "isClassified", tags,
      date_created as "dateCreated", date_closed as "dateClosed",
      expiration_date as "expirationDate", last_updated as "lastUpdated", details, parts
    from orders where seller_id = ${sellerId} and id = ${id}`)
  if (!row) return undefined
  const items = await db.rows<{ details: string }>(sql`
    select details from order_items
    where seller_id = ${sellerId} and order_id = ${id} order by position`)
  const payments = await db.rows<{ details: string }>(sql`
    select details from payments
    where seller_id = ${sellerId} and order_id = ${id} order by date_created, id`)
  return orderOf(row, { items, payments })
}

/** Builds an order from its row and the rows of its items and payments, whose details are JSON. */
function orderOf(
  row: OrderRow,
  {
    items,
    payments,
  }: { items: readonly { details: string }[]; payments: readonly { details: string }[] },
): Order {
  return {
    ...row,
    details: JSON.parse(row.details),
    parts: JSON.parse(row.parts) as OrderParts,
    items: items.map((item) => JSON.parse(item.details) as OrderItem),
    payments: payments.map((payment) => JSON.parse(payment.details) as Payment),
  }
}

/** Loads and locks a seller's orders, by ascending id. Orders that another transaction has locked are left out. */
export async function lockOrdersSkipLocked(
  tx: Tx,
  { sellerId, ids }: { sellerId: number; ids: readonly number[] },
): Promise<StoredOrder[]> {
  const rows = await tx.rows<OrderRow & CountKeyRow>(sql`
    select id, seller_id as "sellerId", buyer_id as "buyerId", site_id as "siteId", status,
      pack_id as "packId", shipment_id as "shipmentId", currency_id as "currencyId",
      is_classified as "isClassified", tags,
      date_created as "dateCreated", date_closed as "dateClosed",
      expiration_date as "expirationDate", last_updated as "lastUpdated", details, parts,
      kind::text as kind, basket::text as "itemSet", filing_version as "filingVersion",
      sort_date as "sortDate"
    from orders where seller_id = ${sellerId} and id = any(${ids}::bigint[])
    order by id for update skip locked`)
  const lockedIds = rows.map(({ id }) => id)
  const items = await tx.rows<{ orderId: number; details: string }>(sql`
    select order_id as "orderId", details from order_items
    where seller_id = ${sellerId} and order_id = any(${lockedIds}::bigint[])
    order by order_id, position`)
  const payments = await tx.rows<{ orderId: number; details: string }>(sql`
    select order_id as "orderId", details from payments
    where seller_id = ${sellerId} and order_id = any(${lockedIds}::bigint[])
    order by order_id, date_created, id`)
  const itemsOf = Map.groupBy(items, ({ orderId }) => orderId)
  const paymentsOf = Map.groupBy(payments, ({ orderId }) => orderId)
  return rows.map(({ kind, itemSet, filingVersion, sortDate, ...row }) => ({
    ...orderOf(row, { items: itemsOf.get(row.id) ?? [], payments: paymentsOf.get(row.id) ?? [] }),
    storedCountKey: storedCountKeyOf({ ...row, kind, itemSet, filingVersion, sortDate }),
  }))
}

/** Lists the ids of the orders that a shipment of this seller carries, ascending. */
export async function listOrdersOfShipment(
  db: Db,
  { sellerId, shipmentId }: { sellerId: number; shipmentId: number },
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from orders where seller_id = ${sellerId} and shipment_id = ${shipmentId}
    order by id`)
  return rows.map(({ id }) => id)
}

/** Returns the site of an order. Undefined for an unknown one. */
export async function findOrderSite(
  db: Db,
  { sellerId, id }: { sellerId: number; id: number },
): Promise<SiteId | undefined> {
  const row = await db.row<{ siteId: SiteId }>(sql`
    select site_id as "siteId" from orders where seller_id = ${sellerId} and id = ${id}`)
  return row?.siteId
}

/** Returns the sites of the orders of a shipment. */
export async function listShipmentSites(
  db: Db,
  { sellerId, shipmentId }: { sellerId: number; shipmentId: number },
): Promise<SiteId[]> {
  const rows = await db.rows<{ siteId: SiteId }>(sql`
    select distinct site_id as "siteId" from orders
    where seller_id = ${sellerId} and shipment_id = ${shipmentId}`)
  return rows.map(({ siteId }) => siteId)
}

/** Returns the sites of this seller's orders in a pack, and of the order whose id is that of the pack. */
export async function listPackSites(
  db: Db,
  { sellerId, packId }: { sellerId: number; packId: number },
): Promise<SiteId[]> {
  const rows = await db.rows<{ siteId: SiteId }>(sql`
    select distinct site_id as "siteId" from orders
    where seller_id = ${sellerId} and (pack_id = ${packId} or id = ${packId})`)
  return rows.map(({ siteId }) => siteId)
}

/** The fields of an order that conversations need. */
export interface ConversationOrder {
  id: number
  sellerId: number
  buyerId: number
  packId: number | null
  siteId: SiteId
}

/** Lists the orders of these sellers that are in one of these packs, or whose id is one of the pack ids. */
export async function listConversationOrders(
  db: Db,
  { sellerIds, packIds }: { sellerIds: readonly number[]; packIds: readonly number[] },
): Promise<ConversationOrder[]> {
  if (packIds.length === 0) return []
  return db.rows(sql`
    select id, seller_id as "sellerId", buyer_id as "buyerId", pack_id as "packId",
      site_id as "siteId"
    from orders
    where seller_id = any(${sellerIds}::bigint[])
      and (id = any(${packIds}::bigint[]) or pack_id = any(${packIds}::bigint[]))`)
}

/** Returns the pack id of an order, or the order id when it has no pack. */
export async function findPackId(
  db: Db,
  { sellerId, orderId }: { sellerId: number; orderId: number },
): Promise<number | undefined> {
  const row = await db.row<{ packId: number }>(sql`
    select coalesce(pack_id, id) as "packId" from orders
    where seller_id = ${sellerId} and id = ${orderId}`)
  return row?.packId
}

/** Returns the `expiration_date` of an order, after which its ratings are visible. */
export async function findExpirationDate(
  db: Db,
  { sellerId, orderId }: { sellerId: number; orderId: number },
): Promise<Date | undefined> {
  const row = await db.row<{ expirationDate: Date }>(sql`
    select expiration_date as "expirationDate" from orders
    where seller_id = ${sellerId} and id = ${orderId}`)
  return row?.expirationDate
}

/** Lists expired orders that still have a hidden rating, those that expired first at the front. */
export async function listOrdersWithOverdueFeedback(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from orders where feedback_due < ${now} order by feedback_due limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Inserts an order with its lines, payments and search data. Returns what a read of its row would return. The caller
 * has already claimed the ids of the order, its pack and its payments in the owner tables, which find ids that are
 * taken. */
export function insertOrder(tx: Tx, order: Order): OrderBodyRow {
  const row = orderRow(order)
  tx.write(sql`
    insert into orders (seller_id, id, buyer_id, site_id, status, pack_id, shipment_id, currency_id,
      total_amount, paid_amount, tags, date_created, date_closed, expiration_date, last_updated,
      details, body, body_version, parts, is_rated, feedback_due,
      is_disputed, is_classified, sort_date, kind, basket, filing_version)
    values (${row.seller_id}, ${row.id}, ${row.buyer_id}, ${row.site_id}, ${row.status},
      ${row.pack_id}, ${row.shipment_id}, ${row.currency_id}, ${row.total_amount},
      ${row.paid_amount}, ${row.tags}, ${row.date_created}, ${row.date_closed},
      ${row.expiration_date}, ${row.last_updated}, ${row.details}, ${row.body},
      ${row.body_version}, ${row.parts}, ${row.is_rated}, ${row.feedback_due},
      ${row.is_disputed}, ${row.is_classified}, ${row.sort_date}, ${row.kind}, ${row.basket},
      ${row.filing_version})`)
  for (const item of itemRows(order)) {
    tx.write(sql`
      insert into order_items (seller_id, order_id, position, item_id, variation_id, title,
        quantity, unit_price, details)
      values (${item.seller_id}, ${item.order_id}, ${item.position}, ${item.item_id},
        ${item.variation_id}, ${item.title}, ${item.quantity}, ${item.unit_price},
        ${item.details})`)
  }
  savePayments(tx, order)
  indexOrder(tx, order)
  const { sellerId, buyerId, shipmentId, status } = order
  const { body, is_rated: isRated, feedback_due: feedbackDue, is_disputed: isDisputed } = row
  const parties = { sellerId, buyerId, shipmentId }
  return { body, bodyVersion, status, ...parties, isRated, feedbackDue, isDisputed }
}

/** Updates an order that the transaction has locked. */
export function saveOrder(tx: Tx, before: StoredOrder, after: Order): void {
  const row = orderRow(after)
  tx.write(sql`
    update orders set status = ${row.status}, shipment_id = ${row.shipment_id},
      paid_amount = ${row.paid_amount}, tags = ${row.tags}, date_closed = ${row.date_closed},
      expiration_date = ${row.expiration_date}, last_updated = ${row.last_updated},
      details = ${row.details}, body = ${row.body}, body_version = ${row.body_version},
      parts = ${row.parts}, is_rated = ${row.is_rated}, feedback_due = ${row.feedback_due},
      is_disputed = ${row.is_disputed}, sort_date = ${row.sort_date}, kind = ${row.kind},
      basket = ${row.basket}, filing_version = ${row.filing_version}
    where seller_id = ${row.seller_id} and id = ${row.id}`)
  savePayments(tx, after)
  reindexOrder(tx, before, after)
}

/**
 * Updates the derived data of locked orders of one seller to this version. Orders that a later version has filed stay
 * as they are. `groupVersion` is the version of the facet group that listed them. Returns how many were filed.
 */
export async function renewOrderData(
  tx: Tx,
  orders: readonly StoredOrder[],
  { groupVersion }: { groupVersion: number },
): Promise<number> {
  const outdated = orders.filter(
    (order) =>
      order.storedCountKey.version <= filingVersion &&
      order.storedCountKey.kind !== orderCountKeyOf(order).kind,
  )
  // A release without versions wrote the group and left the version of a later one.
  const miscounted = outdated.find(({ storedCountKey }) => storedCountKey.version > groupVersion)
  if (miscounted) requestRecount(tx, miscounted)
  for (const order of outdated) {
    const row = orderRow(order)
    tx.write(sql`
      update orders set total_amount = ${row.total_amount}, paid_amount = ${row.paid_amount},
        body = ${row.body}, body_version = ${row.body_version}, is_rated = ${row.is_rated},
        feedback_due = ${row.feedback_due}, is_disputed = ${row.is_disputed},
        sort_date = ${row.sort_date}, kind = ${row.kind}, basket = ${row.basket},
        filing_version = ${row.filing_version}
      where seller_id = ${row.seller_id} and id = ${row.id}`)
  }
  await reindexUnchangedOrders(tx, outdated)
  return outdated.length
}

/** The rendered texts of orders, for the renewal of derived data. A read also renders texts of another version. */
export const orderTexts: DerivedRows = {
  name: 'order texts',
  table: 'orders',
  version: bodyVersion,
  async list(db, { after, limit }) {
    const [sellerId = 0, id = 0] = after ?? []
    const rows = await db.rows<{ sellerId: number; id: number; version: number }>(sql`
      select seller_id as "sellerId", id, body_version as version from orders
      where (seller_id, id) > (${sellerId}, ${id}) order by seller_id, id limit ${limit}`)
    return rows.map(({ sellerId, id, version }) => ({ key: [sellerId, id], version }))
  },
  async renew(tx, keys) {
    for (const [sellerId, sellerKeys] of Map.groupBy(keys, ([sellerId]) => Number(sellerId))) {
      const ids = sellerKeys.map(([, id]) => Number(id))
      for (const order of await lockOrdersSkipLocked(tx, { sellerId, ids })) {
        tx.write(sql`
          update orders set body = ${bodyText(order)}, body_version = ${bodyVersion}
          where seller_id = ${sellerId} and id = ${order.id}`)
      }
    }
  },
}

/** Bulk-inserts orders with their owner rows. All ids of orders and payments must be unused. */
export async function copyOrders(tx: BulkTx, orders: readonly Order[]): Promise<void> {
  const payments = orders.flatMap(paymentRows)
  await orderOwners.copyMany(tx, orders)
  await copyRecords(tx, 'orders', orders.map(orderRow))
  await copyRecords(tx, 'order_items', orders.flatMap(itemRows))
  await paymentOwners.copyMany(
    tx,
    payments.map(({ id, seller_id: sellerId, order_id: orderId }) => ({ id, sellerId, orderId })),
  )
  await copyRecords(tx, 'payments', payments)
  await indexOrders(tx, orders)
}

/** Updates the planner's statistics. Without them, the planner expects few orders of a new seller, and its plan for a
 * search page takes a hundred times as long. */
export async function analyzeOrders(db: Db): Promise<void> {
  await db.rows({ text: 'analyze orders', name: undefined, values: [] })
}

/**
 * Lists confirmed sales with ids above `after` that were paid and then refunded in full, by ascending id. An earlier
 * release left them confirmed. The list may hold a few others: `statusByPayments` decides.
 */
export async function listRefundedConfirmedOrders(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  // The partial index `orders_confirmed_again` covers the first two conditions.
  const rows = await db.rows<{ id: number }>(sql`
    select o.id from orders o
    where o.status = 'confirmed' and (o.parts ->> 'wasPaid') = 'true' and o.paid_amount = 0
      and o.id > ${after}
      and exists (select from payments p
        where p.seller_id = o.seller_id and p.order_id = o.id
          and (p.status = 'refunded' or (p.status = any(${creditedStatuses}::text[])
            and (p.details ->> 'transaction_amount_refunded')::numeric > 0
            and (p.details ->> 'transaction_amount_refunded')::numeric >= p.transaction_amount)))
      and not exists (select from payments p
        where p.seller_id = o.seller_id and p.order_id = o.id
          and p.status = any(${underWayStatuses}::text[]))
    order by o.id limit ${limit}`)
  return rows.map(({ id }) => id)
}

function savePayments(tx: Tx, order: Order): void {
  for (const row of paymentRows(order)) {
    tx.write(sql`
      insert into payments (seller_id, order_id, id, status, transaction_amount, total_paid_amount,
        details, date_created)
      values (${row.seller_id}, ${row.order_id}, ${row.id}, ${row.status},
        ${row.transaction_amount}, ${row.total_paid_amount}, ${row.details}, ${row.date_created})
      on conflict (seller_id, order_id, id) do update set status = excluded.status,
        transaction_amount = excluded.transaction_amount,
        total_paid_amount = excluded.total_paid_amount, details = excluded.details`)
  }
}

/** Returns the columns of an order's row, those that follow from the order included: amounts, body, search data and
 * flags. */
function orderRow(order: Order) {
  const { kind, itemSet } = orderCountKeyOf(order)
  const { feedback, mediations } = order.parts
  return {
    seller_id: order.sellerId,
    id: order.id,
    buyer_id: order.buyerId,
    site_id: order.siteId,
    status: order.status,
    pack_id: order.packId,
    shipment_id: order.shipmentId,
    currency_id: order.currencyId,
    total_amount: totalAmount(order).toString(),
    paid_amount: paidAmount(order.payments).toString(),
    tags: order.tags,
    date_created: order.dateCreated,
    date_closed: order.dateClosed,
    expiration_date: order.expirationDate,
    last_updated: order.lastUpdated,
    details: JSON.stringify(order.details),
    body: bodyText(order),
    body_version: bodyVersion,
    parts: JSON.stringify(order.parts),
    is_rated: feedback.sale !== null || feedback.purchase !== null,
    feedback_due: hiddenUntil(order),
    is_disputed: mediations.length > 0,
    is_classified: order.isClassified,
    sort_date: sortDateOf(order),
    kind,
    basket: itemSet,
    filing_version: filingVersion,
  }
}

function itemRows({ sellerId, id, items }: Order) {
  return items.map((line, position) => ({
    seller_id: sellerId,
    order_id: id,
    position,
    item_id: line.item.id,
    variation_id: line.item.variation_id,
    title: line.item.title,
    quantity: line.quantity,
    unit_price: line.unit_price,
    details: JSON.stringify(line),
  }))
}

function paymentRows({ sellerId, id, payments }: Order) {
  return payments.map((payment) => ({
    seller_id: sellerId,
    order_id: id,
    id: payment.id,
    status: payment.status,
    transaction_amount: payment.transaction_amount,
    total_paid_amount: payment.total_paid_amount,
    details: JSON.stringify(payment),
    date_created: payment.date_created,
  }))
}
