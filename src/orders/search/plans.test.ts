import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { override } from '../../../test/harness/override.ts'
import {
  orderBuyerIds,
  orderSellerIds,
  saveVariedOrders,
  variedOrders,
} from '../../../test/harness/varied-orders.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Sql } from '../../platform/database/sql.ts'
import { type OrderSearchQuery, parseOrderSearch } from './parameters.ts'
import { queryPlans } from './sales-plan.ts'
import { findOrders } from './search.ts'

/** Every statement of a search looks where its seller's or buyer's rows are, and nowhere else. */

let app: TestApp
const [seller, buyer] = [orderSellerIds[0] as number, orderBuyerIds[0] as number]

before(async () => {
  app = await openTestApp()
  const now = app.ctx.now()
  const orders = variedOrders({ seed: 5, count: 100, firstId: 6_000_001, now })
  await saveVariedOrders(app.ctx.db, { orders, now })
})
after(() => app.close())

const from = '2026-03-05T10:00:00.000Z'
const shapes: Record<string, string>[] = [
  {},
  { tags: 'paid', 'tags.not': 'shops' },
  { q: 'pava' },
  { q: 'bruno' },
  { q: '6000001' },
  { q: 'mla71', item: 'pava' },
  { item: 'acero' },
  { 'order.date_created.from': from, 'order.date_created.to': '2026-03-07T10:00:00.000Z' },
  { 'order.date_closed.from': from },
  { 'order.date_last_updated.to': '2026-03-07T10:00:00.000Z' },
  { 'order.date_last_updated.from': from, item: 'acero' },
  { sort: 'total_desc' },
  { sort: 'last_updated_asc' },
]

/** The statements that a search sends. */
async function statementsOf(search: ReturnType<typeof parseOrderSearch>): Promise<Sql[]> {
  const sent: Sql[] = []
  const { db } = app.ctx
  const rows = <Row>(statement: Sql) => {
    sent.push(statement)
    return db.rows<Row>(statement)
  }
  const watched = override(db, { rows })
  const isWindow = search.dates.size === 1 && !search.dates.has('closed') && !search.item
  const isMerged = search.sort.by === 'date'
  for (const way of search.viewpoint === 'seller' ? queryPlans : (['walk'] as const)) {
    if (way === 'merge_days' && !isWindow) continue
    if (way.startsWith('merge') && !isMerged) continue
    for (const how of [{ newFormat: true }, { newFormat: false }, { newFormat: true, few: 0 }]) {
      await findOrders({ db: watched }, search, { way, ...how })
    }
  }
  return sent
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Plans?: Plan[]
}

/** What is not read by a condition on its key. */
function astray(plan: Plan): string[] {
  const below = (plan.Plans ?? []).flatMap(astray)
  const table = plan['Relation Name']
  if (table === undefined || table === 'users') return below
  const key = table === 'orders_by_buyer' ? 'buyer_id' : 'seller_id'
  const condition = `${plan['Index Cond'] ?? ''} ${plan['Recheck Cond'] ?? ''}`
  const isKeyed = new RegExp(`\\(${key} = (\\$\\d+|\\w+\\.${key})\\b`).test(condition)
  return isKeyed ? below : [`${plan['Node Type']} of ${table}: ${condition}`, ...below]
}

async function planOf(tx: Tx, { text, values }: Sql): Promise<Plan> {
  const run = <Row>(text: string) => tx.rows<Row>({ name: undefined, text, values: [] })
  await run(`prepare looked_at as ${text}`)
  const nulls = values.length === 0 ? '' : `(${values.map(() => 'null').join(', ')})`
  const [row] = await run<{ 'QUERY PLAN': string }>(
    `explain (format json) execute looked_at${nulls}`,
  )
  await run('deallocate looked_at')
  return JSON.parse(row?.['QUERY PLAN'] ?? '')[0].Plan
}

for (const [party, id] of [
  ['seller', seller],
  ['buyer', buyer],
] as const) {
  contract(
    '4.3',
    `each statement of a ${party}'s search names whose rows it reads, by a plain parameter`,
    async () => {
      const other = party === 'seller' ? { buyer } : { seller }
      const statementsByText = new Map<string, Sql>()
      for (const shape of [...shapes, other]) {
        for (const scroll of [false, true]) {
          const query = {
            ...shape,
            [party]: id,
            limit: 5,
            ...(scroll ? { search_type: 'scan' } : {}),
          }
          const search = parseOrderSearch(query as OrderSearchQuery, id)
          const after = { at: search.sort.by === 'total' ? '1' : from, id: 1 }
          const sent = await statementsOf(scroll ? { ...search, after } : search)
          for (const statement of sent) statementsByText.set(statement.text, statement)
        }
      }
      assert.ok(statementsByText.size > 30, `${statementsByText.size} statements`)
      await app.ctx.db.transaction(async (tx) => {
        const set = (text: string) => tx.rows({ name: undefined, text, values: [] })
        await set('set local plan_cache_mode = force_generic_plan')
        // However few rows there are, what is joined is looked up and not read whole.
        for (const way of ['seqscan', 'hashjoin', 'mergejoin', 'material']) {
          await set(`set local enable_${way} = off`)
        }
        for (const statement of statementsByText.values()) {
          assert.deepEqual(astray(await planOf(tx, statement)), [], statement.text)
        }
      })
    },
  )
}

contract('4.3', 'only what is the same for every search is kept prepared', async () => {
  const preparedNames = new Set<string | undefined>()
  for (const shape of shapes) {
    const search = parseOrderSearch({ ...shape, seller } as OrderSearchQuery, seller)
    for (const { name } of await statementsOf(search)) preparedNames.add(name)
  }
  preparedNames.delete(undefined)
  // All orders by facet group, and the facets of the groups.
  assert.ok(preparedNames.size <= 2, [...preparedNames].join())
})
