import { hash } from 'node:crypto'
import { type Facets, facetsOf } from '../../src/orders/facets.ts'
import type { Order } from '../../src/orders/order.ts'
import { loadOrder } from '../../src/orders/store.ts'
import type { Database, Tx } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'

/** How an earlier version filed an order, as far as it did otherwise. */
export interface OldFiling {
  facets?(facets: Facets): object
  words?(title: string): string[]
  /** Sets the numbers of its groups and item sets apart from those of today. */
  salt: string
}

/** What earlier versions may have done otherwise. */
export const oldFilings: Readonly<Record<string, OldFiling>> = {
  'a facet less': { salt: '', facets: ({ isFreed: _, ...facets }) => facets },
  'a nested facet less': {
    salt: '',
    facets: ({ shipping: { serviceId: _, ...shipping }, ...facets }) => ({ ...facets, shipping }),
  },
  'a facet more': { salt: '', facets: (facets) => ({ wasGift: facets.isClosed, ...facets }) },
  'another hash': { salt: 'another' },
  'another tokenizer': {
    salt: 'tokens',
    words: (title) => [...new Set(title.toLowerCase().split(' '))],
  },
}

const numberOf = (text: string) => hash('sha256', text, 'buffer').readBigInt64BE().toString()

/** The version of what the kit writes: none of a release. */
const oldVersion = 0

/** Files all orders as an earlier version would have, and counts them so. */
export async function fileAsBefore(db: Database, filing: OldFiling): Promise<void> {
  const keys = await db.rows<{ sellerId: number; id: number }>(sql`
    select seller_id as "sellerId", id from orders order by id`)
  await db.transaction(async (tx) => {
    for (const key of keys) {
      const order = await loadOrder(tx, key)
      if (order) await fileOne(tx, order, filing)
    }
    await tx.rows(sql`delete from order_counts`)
    await tx.rows(sql`delete from order_count_changes`)
    await tx.rows(sql`
      insert into order_count_changes (seller_id, id, kind, basket, created_day, sort_day,
        updated_day, n)
      select seller_id, gen_random_uuid(), kind, basket,
        floor(extract(epoch from date_created) / 86400),
        floor(extract(epoch from sort_date) / 86400),
        floor(extract(epoch from last_updated) / 86400), 1 from orders`)
  })
}

async function fileOne(tx: Tx, order: Order, filing: OldFiling): Promise<void> {
  const { salt, facets: ofFacets = (facets) => facets, words: ofWords } = filing
  const facets = JSON.stringify(ofFacets(facetsOf(order)))
  const kind = numberOf(`${salt}${facets}`)
  await tx.rows(sql`
    insert into order_kinds (seller_id, kind, facets, version)
    values (${order.sellerId}, ${kind}, ${facets}, ${oldVersion}) on conflict do nothing`)
  await tx.rows(sql`
    update orders set kind = ${kind}, filing_version = ${oldVersion}
    where seller_id = ${order.sellerId} and id = ${order.id}`)
  await tx.rows(sql`
    update orders_by_buyer set kind = ${kind}, facets = ${facets}
    where buyer_id = ${order.buyerId} and order_id = ${order.id}`)
  if (!ofWords) return
  const titles = order.items.map(({ item }) => `${item.id} ${item.title}`).sort()
  const [words, itemSet] = [ofWords(titles.join(' ')), numberOf(`${salt}${titles.join()}`)]
  await tx.rows(sql`
    insert into order_baskets (seller_id, basket, words, version)
    values (${order.sellerId}, ${itemSet}, ${words}, ${oldVersion}) on conflict do nothing`)
  await tx.rows(sql`
    update orders set basket = ${itemSet} where seller_id = ${order.sellerId} and id = ${order.id}`)
  await tx.rows(sql`
    update orders_by_buyer set words = ${words}
    where buyer_id = ${order.buyerId} and order_id = ${order.id}`)
}
