import { randomUUID } from 'node:crypto'
import type { BulkTx, Tx } from '../platform/database/database.ts'
import { joined, sql, type Template, unnamed } from '../platform/database/sql.ts'
import {
  filingVersion,
  itemSetsSince,
  type OrderCountKey,
  orderCountKeyOf,
  type StoredOrder,
  searchDataOf,
  sortDateOf,
  unversionedFiling,
} from './facets.ts'
import { type Order, totalAmount } from './order.ts'

/** The tables that searches read, written with every order: facet groups, item sets, counts and the buyers' table. */

/** Inserts the search data of a new order. */
export function indexOrder(tx: Tx, order: Order): void {
  const { cell } = searchDataOf(order)
  saveFacetGroup(tx, order)
  saveItemSet(tx, order)
  countOrder(tx, order, { cell, n: 1 })
  const row = buyerRow(order)
  tx.write(sql`
    insert into orders_by_buyer (buyer_id, order_id, seller_id, kind, pack_id, date_created,
      sort_date, last_updated, total_amount, words, facets)
    values (${row.buyer_id}, ${row.order_id}, ${row.seller_id}, ${row.kind}, ${row.pack_id},
      ${row.date_created}, ${row.sort_date}, ${row.last_updated}, ${row.total_amount},
      ${row.words}, ${row.facets})`)
}

/** Updates the search data of a changed order. The old count key comes from the order's row, not from today's rules. */
export function reindexOrder(tx: Tx, before: StoredOrder, after: Order): void {
  const [from, to] = [before.storedCountKey, orderCountKeyOf(after)]
  requestRecountIfMiscounted(tx, before)
  if (from.kind !== to.kind) saveFacetGroup(tx, after)
  if (from.itemSet !== to.itemSet) saveItemSet(tx, after)
  if (!isSameCountKey(from, to)) {
    countOrder(tx, before, { cell: from, n: -1 })
    countOrder(tx, after, { cell: to, n: 1 })
  }
  saveBuyerRow(tx, after)
  if (from.itemSet !== to.itemSet) saveBuyerWords(tx, after)
}

/**
 * Requests a recount if a release without versions has changed an order that a later version filed. That release moves
 * the order to a group of its own version and keeps the order's version. It also decrements the count of the wrong key.
 */
function requestRecountIfMiscounted(tx: Tx, before: StoredOrder): void {
  const { sellerId, id, storedCountKey } = before
  if (storedCountKey.version === unversionedFiling) return
  if (
    storedCountKey.version === filingVersion &&
    storedCountKey.kind === orderCountKeyOf(before).kind
  )
    return
  tx.write(sql`
    insert into order_recounts (seller_id, id)
    select o.seller_id, ${randomUUID()}
    from orders o left join order_kinds k on k.seller_id = o.seller_id and k.kind = ${storedCountKey.kind}
    where o.seller_id = ${sellerId} and o.id = ${id} and coalesce(k.version, 0) < ${storedCountKey.version}`)
}

/** Requests that `search/filing` recounts the orders of a seller. */
export function requestRecount(tx: Tx, { sellerId }: Pick<Order, 'sellerId'>): void {
  tx.write(sql`
    insert into order_recounts (seller_id, id) values (${sellerId}, ${randomUUID()})`)
}

function isSameCountKey(a: OrderCountKey, b: OrderCountKey): boolean {
  return (
    a.kind === b.kind &&
    a.itemSet === b.itemSet &&
    a.createdDay === b.createdDay &&
    a.sortDay === b.sortDay &&
    a.updatedDay === b.updatedDay
  )
}

function saveFacetGroup(tx: Tx, order: Order): void {
  const { cell, facets } = searchDataOf(order)
  tx.write(sql`
    insert into order_kinds (seller_id, kind, facets, version)
    values (${order.sellerId}, ${cell.kind}, ${facets}, ${filingVersion})
    on conflict (seller_id, kind) do nothing`)
}

function saveItemSet(tx: Tx, order: Order): void {
  const { cell, words } = searchDataOf(order)
  tx.write(sql`
    insert into order_baskets (seller_id, basket, words, version)
    values (${order.sellerId}, ${cell.itemSet}, ${words}, ${itemSetsSince})
    on conflict (seller_id, basket) do nothing`)
}

function saveBuyerRow(tx: Tx, order: Order): void {
  const row = buyerRow(order)
  tx.write(sql`
    update orders_by_buyer set kind = ${row.kind}, sort_date = ${row.sort_date},
      last_updated = ${row.last_updated}, facets = ${row.facets}
    where buyer_id = ${row.buyer_id} and order_id = ${row.order_id}`)
}

function saveBuyerWords(tx: Tx, order: Order): void {
  const { words } = searchDataOf(order)
  tx.write(sql`
    update orders_by_buyer set words = ${words}
    where buyer_id = ${order.buyerId} and order_id = ${order.id}`)
}

/** Writes that `n` orders with this count key came (1) or went (-1). A loop folds these rows into the counts. */
function countOrder(
  tx: Tx,
  { sellerId }: Pick<Order, 'sellerId'>,
  { cell, n }: { cell: OrderCountKey; n: number },
): void {
  tx.write(sql`
    insert into order_count_changes (seller_id, id, kind, basket, created_day, sort_day,
      updated_day, n)
    values (${sellerId}, ${randomUUID()}, ${cell.kind}, ${cell.itemSet}, ${cell.createdDay},
      ${cell.sortDay}, ${cell.updatedDay}, ${n})`)
}

/** Bulk-inserts the search data of new orders. */
export async function indexOrders(tx: BulkTx, orders: readonly Order[]): Promise<void> {
  const counts = new CountDeltas()
  for (const order of orders) counts.add(order.sellerId, orderCountKeyOf(order), 1)
  await saveGroups(tx, orders)
  await tx.copy(
    { table: 'order_count_changes', columns: countColumns },
    counts
      .nonZero()
      .map(({ sellerId, cell, n }) => [
        sellerId,
        randomUUID(),
        cell.kind,
        cell.itemSet,
        cell.createdDay,
        cell.sortDay,
        cell.updatedDay,
        n,
      ]),
  )
  await tx.copy(
    { table: 'orders_by_buyer', columns: buyerColumns },
    orders.map((order) => Object.values(buyerRow(order))),
  )
}

/** Moves unchanged orders of one seller to the groups and counts of this version. */
export async function reindexUnchangedOrders(
  tx: Tx,
  orders: readonly StoredOrder[],
): Promise<void> {
  await saveGroups(tx, orders)
  const counts = new CountDeltas()
  for (const order of orders) {
    const { version: _, ...from } = order.storedCountKey
    counts.add(order.sellerId, from, -1)
    counts.add(order.sellerId, orderCountKeyOf(order), 1)
    saveBuyerRow(tx, order)
    if (from.itemSet !== orderCountKeyOf(order).itemSet) saveBuyerWords(tx, order)
  }
  for (const { sellerId, cell, n } of counts.nonZero()) countOrder(tx, { sellerId }, { cell, n })
}

/** Sums the changes per count key, so that each key gets one row. */
class CountDeltas {
  readonly #counts = new Map<string, { sellerId: number; cell: OrderCountKey; n: number }>()

  add(sellerId: number, cell: OrderCountKey, n: number): void {
    const { kind, itemSet, createdDay, sortDay, updatedDay } = cell
    const key = [sellerId, kind, itemSet, createdDay, sortDay, updatedDay].join()
    const count = this.#counts.get(key)
    if (count) count.n += n
    else this.#counts.set(key, { sellerId, cell, n })
  }

  nonZero(): { sellerId: number; cell: OrderCountKey; n: number }[] {
    return [...this.#counts.values()].filter(({ n }) => n !== 0)
  }
}

/** Inserts the facet groups and item sets of these orders, each once. */
async function saveGroups(tx: Tx, orders: readonly Order[]): Promise<void> {
  const groupRows = new Map<string, Template>()
  const itemSets = new Map<string, Template>()
  for (const order of orders) {
    const { sellerId } = order
    const { cell, facets, words } = searchDataOf(order)
    const { kind, itemSet } = cell
    groupRows.set(`${sellerId} ${kind}`, sql`(${sellerId}, ${kind}, ${facets}, ${filingVersion})`)
    itemSets.set(
      `${sellerId} ${itemSet}`,
      sql`(${sellerId}, ${itemSet}, ${words}, ${itemSetsSince})`,
    )
  }
  for (const rows of chunksOf(groupRows)) {
    await tx.rows(
      unnamed(sql`
        insert into order_kinds (seller_id, kind, facets, version) values ${rows}
        on conflict (seller_id, kind) do nothing`),
    )
  }
  for (const rows of chunksOf(itemSets)) {
    await tx.rows(
      unnamed(sql`
        insert into order_baskets (seller_id, basket, words, version) values ${rows}
        on conflict (seller_id, basket) do nothing`),
    )
  }
}

/** Yields the rows of each statement. Sorted keys prevent deadlocks between transactions that insert the same ones. */
function* chunksOf(rows: ReadonlyMap<string, Template>): Generator<Template> {
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  for (let from = 0; from < sorted.length; from += rowsPerStatement)
    yield joined(sorted.slice(from, from + rowsPerStatement), ', ')
}

const rowsPerStatement = 250
const countColumns = [
  'seller_id',
  'id',
  'kind',
  'basket',
  'created_day',
  'sort_day',
  'updated_day',
  'n',
]
const buyerColumns = [
  'buyer_id',
  'order_id',
  'seller_id',
  'kind',
  'pack_id',
  'date_created',
  'sort_date',
  'last_updated',
  'total_amount',
  'words',
  'facets',
]

/** In the order of `buyerColumns`. */
function buyerRow(order: Order) {
  const { cell, facets, words } = searchDataOf(order)
  return {
    buyer_id: order.buyerId,
    order_id: order.id,
    seller_id: order.sellerId,
    kind: cell.kind,
    pack_id: order.packId,
    date_created: order.dateCreated,
    sort_date: sortDateOf(order),
    last_updated: order.lastUpdated,
    total_amount: totalAmount(order).toString(),
    words,
    facets,
  }
}
