import assert from 'node:assert/strict'
import type pg from 'pg'
import { type Derivation, type DerivationName, derivations } from '../../src/app/derivations.ts'
import { itemSetsSince, orderCountKeyOf } from '../../src/orders/facets.ts'
import { type CountDimension, countDimension } from '../../src/orders/search/counts/dimension.ts'
import { loadOrder } from '../../src/orders/store.ts'
import { bodyText } from '../../src/orders/view.ts'
import { connectionOptions, type Db } from '../../src/platform/database/database.ts'

/** The counts that searches stand on, folded as they would be by now. */

const buckets: readonly (readonly [CountDimension, bucket: string])[] = [
  [countDimension.all, '0'],
  [countDimension.createdDay, 'created_day'],
  [countDimension.sortDay, 'sort_day'],
  [countDimension.updatedDay, 'updated_day'],
  [countDimension.itemSet, 'basket'],
]

/** Where each order is to be counted, and the words of each basket, until they have been. */
export async function makeCountTables(client: pg.Client): Promise<void> {
  await client.query(`create unlogged table bench_cells (seller_id bigint, kind bigint,
    basket bigint, created_day int, sort_day int, updated_day int)`)
  await client.query(
    'create unlogged table bench_words (seller_id bigint, basket bigint, word bigint)',
  )
}

export async function countOrders(client: pg.Client): Promise<void> {
  await client.query(`set work_mem = '512MB'`)
  for (const [countedBy, bucket] of buckets) {
    await client.query(`
      insert into order_counts (seller_id, dimension, bucket, kind, n)
      select seller_id, ${countedBy}, ${bucket}, kind, count(*) from bench_cells
      group by 1, 3, 4 order by 3`)
  }
  await client.query(`
    insert into order_counts (seller_id, dimension, bucket, kind, n)
    select c.seller_id, ${countDimension.word}, w.word, c.kind, sum(c.n) from order_counts c
    join bench_words w on w.seller_id = c.seller_id and w.basket = c.bucket
    where c.dimension = ${countDimension.itemSet} group by 1, 3, 4`)
  await client.query('drop table bench_cells, bench_words')
}

const days = (column: string) => `floor(extract(epoch from ${column}) / 86400)::bigint`
const allOrders = 'orders o'
const countSources = [
  { countedBy: countDimension.all, bucket: '0', among: allOrders },
  { countedBy: countDimension.createdDay, bucket: days('date_created'), among: allOrders },
  { countedBy: countDimension.sortDay, bucket: days('sort_date'), among: allOrders },
  { countedBy: countDimension.updatedDay, bucket: days('last_updated'), among: allOrders },
  { countedBy: countDimension.itemSet, bucket: 'basket', among: allOrders },
  {
    countedBy: countDimension.word,
    // The first 64 bits of its digest.
    bucket: `('x' || encode(substring(sha256(convert_to(word, 'UTF8')) for 8), 'hex'))::bit(64)::bigint`,
    among: 'orders o join order_baskets b using (seller_id, basket), unnest(b.words) word',
  },
]

/** Throws unless these sellers' counts are those of their orders, every row of theirs stands in all
 * the tables that it should, and what is stored of some is what the program would store. */
export async function checkMarket(client: pg.Client, sellerIds: readonly number[]): Promise<void> {
  for (const id of sellerIds) {
    await checkBodies(client, id)
    for (const { countedBy, bucket, among } of countSources) {
      const { rows } = await client.query(
        `select count(*)::int as wrong from (
          select ${bucket} as bucket, kind, count(*) as n from ${among} where o.seller_id = $1
          group by 1, 2) real
        full join (select bucket, kind, n from order_counts
          where seller_id = $1 and dimension = ${countedBy}) kept using (bucket, kind, n)
        where real.n is null or kept.n is null`,
        [id],
      )
      assert.equal(rows[0].wrong, 0, `counts of seller ${id}, dimension ${countedBy}`)
    }
    const { rows } = await client.query(
      `select count(*) as orders, sum((
          (o.date_created <= o.sort_date and o.sort_date <= o.last_updated)
          and exists (select from orders_by_buyer b where b.buyer_id = o.buyer_id
            and b.order_id = o.id and b.kind = o.kind and b.sort_date = o.sort_date
            and b.last_updated = o.last_updated and b.total_amount = o.total_amount)
          and exists (select from order_owner w where w.order_id = o.id and w.seller_id = $1)
          and exists (select from order_kinds k where k.seller_id = $1 and k.kind = o.kind)
          and exists (select from order_baskets t
            where t.seller_id = $1 and t.basket = o.basket)
          and exists (select from users u where u.id = o.buyer_id)
          and (o.shipment_id is null or exists
            (select from shipments s where s.seller_id = $1 and s.id = o.shipment_id))
          and o.total_amount = (select sum(i.quantity * i.unit_price) from order_items i
            where i.seller_id = $1 and i.order_id = o.id))::int) as whole
      from orders o where o.seller_id = $1`,
      [id],
    )
    assert.equal(rows[0].whole, rows[0].orders, `rows of seller ${id}`)
  }
}

/** The derivations that a market has rows of. */
const marketDerivations: readonly DerivationName[] = [
  'orders',
  'order texts',
  'user texts',
  'shipment texts',
  'feedback texts',
]

/**
 * Throws unless all derived rows have the version of this program's rules. Rows of another version would be measured
 * while the program renews them.
 */
export async function checkVersions(client: pg.Client): Promise<void> {
  for (const name of marketDerivations) {
    const { version, columns }: Derivation = derivations[name]
    for (const [table, names] of Object.entries(columns)) {
      const column = names.find((each) => /^(\w+_)?version$/.test(each))
      if (column === undefined) continue
      const current = table === 'order_baskets' ? itemSetsSince : version
      const { rows } = await client.query(
        `select ${column} as version from ${table} where ${column} <> $1 limit 1`,
        [current],
      )
      assert.equal(rows[0]?.version, undefined, `${table}.${column} is not ${current}`)
    }
  }
}

async function checkBodies(client: pg.Client, sellerId: number): Promise<void> {
  const { types } = connectionOptions({ url: '', poolSize: 1, statementTimeoutMs: 0 })
  const rows: Db['rows'] = async (statement) =>
    (await client.query({ text: statement.text, values: [...statement.values], types })).rows
  const db: Db = { rows, row: async (statement) => (await rows(statement))[0] as never }
  const some = await client.query(
    'select id, body, kind, basket from orders where seller_id = $1 order by hashint8(id) limit 50',
    [sellerId],
  )
  for (const { id, body, kind, basket } of some.rows) {
    const order = await loadOrder(db, { sellerId, id: Number(id) })
    assert.ok(order)
    assert.equal(bodyText(order), body)
    assert.deepEqual([orderCountKeyOf(order).kind, orderCountKeyOf(order).itemSet], [kind, basket])
  }
}
