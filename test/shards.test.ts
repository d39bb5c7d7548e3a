import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { hourMs } from '../src/kernel/clock.ts'
import { sql } from '../src/platform/database/sql.ts'
import { openTestApp, type TestApp } from './harness/app.ts'
import { contract } from './harness/contract.ts'
import {
  applicationId,
  brunoId,
  createTestMarket,
  type MarketTokens,
  placeOrder,
  putItem,
  putUser,
} from './harness/market.ts'
import {
  createMessagingMarket,
  messagesPath,
  placeCustomShippingOrder,
  sendTestMessage,
} from './harness/messaging.ts'
import { exerciseOAuth } from './harness/oauth.ts'
import { openReceiver } from './harness/receiver.ts'
import { download, uploadFile } from './harness/upload.ts'

/**
 * The schema's rules for many machines (docs/decisions/0004): every statement that requests and
 * deliveries run finds its shard by a plain parameter, at every level of its plan. Checked on plain
 * PostgreSQL, with the statements that the program really sent.
 */

/** The column that each spread table is spread by. */
const distributionColumns = new Map<string, string>()
for (const file of globSync(at('../migrations/*.distribute.sql'))) {
  const text = readFileSync(file, 'utf8')
  for (const [, table = '', key = ''] of text.matchAll(
    /create_distributed_table\('(\w+)', '(\w+)'/g,
  )) {
    distributionColumns.set(table, key)
  }
}

function at(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

/** Statements that may ask every shard, each with its reason; known by how they begin. */
const acrossShards: readonly [beginning: RegExp, reason: string][] = [
  [
    /^select .* from changes c where slot/,
    'the scan for unlisted changes asks all sellers at once',
  ],
  [/^select .* from waiting_changes/, 'the fan-out asks all sellers at once'],
  [/^delete from waiting_changes/, 'the fan-out takes changes of all sellers at once'],
  [/^insert into taken_changes/, 'the fan-out takes changes of all sellers at once'],
  [/^(select .* from|lock table) changes/, 'a slot is emptied whole'],
  [/^insert into lanes .* from unnest/, 'the fan-out numbers for all applications at once'],
  [/^delete from lane_notes where at </, 'once an hour'],
  [/^select .* from listeners where last_seen </, 'once an hour'],
  [
    /^select id from orders where feedback_due < /,
    'the freeing of ratings asks all sellers at once',
  ],
  [/^select .* from lanes /, 'the dispatcher asks all applications at once'],
  [/^(select|delete) .*from order_count_changes/, 'the folding of counts asks all sellers at once'],
  [
    /^select .* from order_kinds k where k.version </,
    'the filing of orders asks all sellers at once',
  ],
  [/^select .* from order_recounts limit/, 'the filing of orders asks all sellers at once'],
  [
    /^(update|insert into) (orders|order_kinds|order_recounts) (set kind = kind|set version|.* select )/,
    'this test',
  ],
  [/^select .* from lesson_notes limit/, 'the learner asks all sellers at once'],
  [/^(select|delete) .*from idempotency_keys where recorded_at/, 'once an hour'],
  [
    /^select .* from messages where status = 'moderated' and \(date_created, id\)/,
    'the operator reads what was held back of all sellers',
  ],
  [/^select .* from attachments where expires_at < /, 'the sweep asks all users at once'],
  [/^select .* from attachments where expires_at > /, 'room for uploads is counted over all users'],
  [/^delete from message_prints where sent_at </, 'once a minute'],
  [/^delete from tokens where expires_at/, 'once an hour'],
  [/^select distinct site_id .* from listing_word_notes/, 'the folding of words asks all sites'],
  [
    /^select .* from \(select \* from listings where \(seller_id, id\) >/,
    'the walk through all listings',
  ],
  [/^select .* from listing_folds order by site_id/, 'the walk measures all sites at its end'],
  [/^select .* from unnest.* join listing_stock/, 'a page of a search is of many sellers'],
]

const sentStatements = new Set<string>()
let app: TestApp
before(async () => {
  const { prototype } = pg.Client
  const { query } = prototype
  // Everything goes through this one method, of the pool and of the pipeline alike.
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args
    if (
      statement !== null &&
      typeof statement === 'object' &&
      'text' in statement &&
      'values' in statement
    ) {
      sentStatements.add(String(statement.text))
    }
    return Reflect.apply(query, this, args)
  } as typeof query
  app = await openTestApp()
})
after(() => app.close())

contract('4', 'every statement of a sale names the shard of every table it touches', async () => {
  await exerciseSale()
  assert.ok(sentStatements.size > 40, `only ${sentStatements.size} statements were seen`)
  const breaches: string[] = []
  await app.ctx.db.transaction(async (tx) => {
    const run = <Row>(text: string) => tx.rows<Row>({ name: '', text, values: [] })
    await run('set local plan_cache_mode = force_generic_plan')
    await run('set local enable_seqscan = off')
    for (const text of sentStatements) {
      const line = text.replace(/\s+/g, ' ').trim()
      if (!/^(select|insert|update|delete|with)\b/.test(line)) continue
      if (acrossShards.some(([beginning]) => beginning.test(line))) continue
      for (const table of await unkeyedTables(run, line)) breaches.push(`${table}: ${line}`)
    }
  })
  assert.deepEqual(breaches, [])
})

/** What requests and loops do with one sale, over HTTP. */
async function exerciseSale(): Promise<void> {
  const receiver = await openReceiver()
  try {
    const market = await createTestMarket(app.client, receiver.url)
    const { client } = app
    const order = await placeOrder(app.client, { coupon: { id: 5, amount: 1 }, pack_id: 77 })
    const path = `/operator/orders/${order.id}`
    const { total_amount: amount } = order
    await client.operator('POST', `${path}/payments`, {
      id: 61,
      status: 'approved',
      transaction_amount: amount,
    })
    await client.operator('PATCH', path, { tags: { add: ['test_order'] } })
    for (const token of [market.anaToken, market.brunoToken, market.carlaToken]) {
      await client.get(`/orders/${order.id}`, token)
      await client.send('GET', `/orders/${order.id}`, {
        token,
        headers: { 'x-format-new': 'true' },
      })
    }
    await app.runPendingWork()
    await readOrderPages(order, market)
    await exerciseConversation()
    await exerciseQuestions()
    await exerciseAttachments()
    await exerciseListening()
    await exerciseOAuth(app)
    await refileOrder(order)
    app.advance(13 * hourMs)
    await app.runPendingWork()
  } finally {
    await receiver.close()
  }
}

/** Orders of an earlier version are filed anew, and the counts of a seller compared with a recount. */
async function refileOrder({ id }: { id: number }): Promise<void> {
  const { db } = app.ctx
  await db.rows(sql`update order_kinds set version = 0`)
  await db.rows(sql`
    update orders set kind = kind + 1 where id = ${id}`)
  await db.rows(sql`
    insert into order_kinds (seller_id, kind, facets, version)
    select o.seller_id, o.kind, k.facets, 0 from orders o
    join order_kinds k on k.seller_id = o.seller_id and k.kind = o.kind - 1 where o.id = ${id}`)
  await db.rows(sql`
    insert into order_recounts (seller_id, id)
    select seller_id, gen_random_uuid() from orders where id = ${id}`)
  await app.runPendingWork()
}

/** A conversation: by the guide, held back, overruled, told and read, as both parties do. */
async function exerciseConversation(): Promise<void> {
  const { client } = app
  const messaging = await createMessagingMarket(app.client)
  const guided = await placeOrder(app.client)
  const guide = `/messages/action_guide/packs/${guided.id}`
  await client.get(guide, messaging.anaToken)
  await client.get(`${guide}/caps_available`, messaging.anaToken)
  const body = { option_id: 'OTHER', text: 'Hola, ya lo preparamos' }
  const chosen = await client.send('POST', `${guide}/option`, { token: messaging.anaToken, body })
  assert.ok(chosen.status < 300, chosen.text)
  const { id: packId } = await placeCustomShippingOrder(app.client)
  const { body: sent } = await sendTestMessage(app.client, { token: messaging.anaToken, packId })
  await sendTestMessage(app.client, {
    token: messaging.brunoToken,
    packId,
    by: brunoId,
    text: 'Llamame al 11 4444-5566',
  })
  const { body: queue } = await client.operator('GET', '/operator/messages/moderated')
  const [heldBack] = queue.messages
  await client.operator('POST', `/operator/messages/${heldBack.id}/overrule`, {})
  await app.runPendingWork()
  for (const token of [messaging.anaToken, messaging.brunoToken, messaging.carlaToken]) {
    await client.get(messagesPath(packId), token)
    await client.get(`/messages/${sent.id}`, token)
    await client.get('/messages/unread?role=buyer', token)
    await client.get(`/messages/unread${messagesPath(packId).slice('/messages'.length)}`, token)
  }
  const block = { block: 'blocked_by_buyer' }
  await client.operator('PATCH', `/operator/conversations/packs/${packId}/sellers/1001`, block)
}

/** What is asked and told around listings, read as all who may do. */
async function exerciseQuestions(): Promise<void> {
  const { client } = app
  const { anaToken, brunoToken: token } = await createMessagingMarket(app.client)
  const body = { item_id: 'MLA1001', text: '¿Hay?' }
  const { id } = (await client.send('POST', '/questions', { token, body })).body
  await client.operator('PATCH', `/operator/questions/${id}`, { hold: true })
  await client.send('POST', '/answers', { token: anaToken, body: { question_id: id, text: 'Sí' } })
  await putItem(client, 'MLC1', {
    site_id: 'MLC',
    category_id: 'MLC1',
    currency_id: 'CLP',
    vertical: 'real_estate',
  })
  await client.operator('PUT', '/operator/quotations/31', { item_id: 'MLC1', user_id: brunoId })
  const error = { item_id: 'MLA1001', message: 'x', source: 'https://example.com/a.jpg' }
  await client.operator('PUT', '/operator/pictures/p1/errors', error)
  await putUser(client, 4004, { site_id: 'MLB', nickname: 'DORA' })
  const invoice = { invoice_number: 1, amount: 1 }
  for (const amount of [1, 2]) {
    await client.operator('PUT', '/operator/users/4004/invoices/41', { ...invoice, amount })
  }
  const { access_token } = (await client.operator('POST', '/operator/tokens', { user_id: 4004 }))
    .body
  const reads: [path: string, token: string][] = [
    ['/items?ids=MLA1001,MLC1', anaToken],
    [`/questions/${id}`, token],
    ['/questions/search?item=MLA1001&status=ANSWERED&sort=from_id', token],
    [`/questions/search?from=${brunoId}&sort=seller_id_desc`, token],
    ['/questions/search', anaToken],
    ['/quotations/31?caller.type=seller', anaToken],
    ['/pictures/p1/errors', anaToken],
    ['/users/4004/invoices/41', access_token],
    ['/sites/MLA/search?q=pava&price=1-5000&BRAND=NONE', anaToken],
    ['/sites/MLA/search?q=pava&sort=price_asc', anaToken],
    ['/sites/MLA/search?q=pavva', anaToken],
  ]
  for (const [path, token] of reads) {
    const { status, text } = await client.get(path, token)
    assert.equal(status, 200, `${path}: ${text}`)
  }
  await client.operator('DELETE', '/operator/pictures/p1/errors')
}

/** Somebody follows the application's notifications beside its callback. */
async function exerciseListening(): Promise<void> {
  const { client } = app
  const list = `/operator/applications/${applicationId}/listeners`
  await createTestMarket(app.client, 'http://127.0.0.1:1/')
  await client.operator('PUT', `${list}/laptop`, {})
  await placeOrder(app.client)
  await app.runPendingWork()
  const { body } = await client.operator('GET', `${list}/laptop/notifications`)
  assert.ok(body.notifications.length > 0)
  await client.operator('POST', `${list}/laptop/ack`, { seq: body.up_to })
  await client.operator('POST', `${list}/laptop/rewind`, { since: app.ctx.now().toISOString() })
  await client.operator('GET', list)
  await client.operator('DELETE', `${list}/laptop`)
}

/** Files: one that is sent and read, one that nobody attaches, which the sweep removes. */
async function exerciseAttachments(): Promise<void> {
  const { anaToken, brunoToken } = await createMessagingMarket(app.client)
  const { id: packId } = await placeCustomShippingOrder(app.client)
  const id = await uploadFile(app.address, { token: anaToken })
  await uploadFile(app.address, { token: anaToken })
  await sendTestMessage(app.client, { token: anaToken, packId, more: { attachments: [id] } })
  assert.equal((await download(app.address, { token: brunoToken, id })).status, 200)
  app.advance(49 * hourMs)
  await app.runPendingWork()
}

/** Everything that its parties read of a sale, and their searches. */
async function readOrderPages(
  order: { id: number; shipping: { id: number } },
  { anaToken, brunoToken }: MarketTokens,
): Promise<void> {
  const around = ['product', 'discounts', 'shipments', 'billing_info', 'notes', 'feedback']
  const searches = [
    'tags=paid',
    'q=pava',
    'item=MLA1001',
    'order.status=paid&sort=total_desc',
    'order.date_created.from=2026-01-01T00:00:00.000Z&display=complete',
    'order.date_last_updated.from=2026-01-01T00:00:00.000Z&search_type=scan',
  ]
  for (const token of [anaToken, brunoToken]) {
    const as = token === anaToken ? 'seller=1001' : 'buyer=2002'
    for (const path of [
      ...around.map((name) => `/orders/${order.id}/${name}`),
      ...searches.map((search) => `/orders/search?${as}&${search}`),
      `/shipments/${order.shipping.id}`,
      '/packs/77',
      '/collections/61',
      '/myfeeds?app_id=700700',
      '/missed_feeds?app_id=700700',
    ]) {
      const { status, text } = await app.client.get(path, token)
      assert.ok([200, 204, 403].includes(status), `${path}: ${status} ${text}`)
    }
  }
}

type QueryRunner = <Row>(text: string) => Promise<Row[]>

/** The spread tables that this statement would look for in every shard. */
async function unkeyedTables(run: QueryRunner, text: string): Promise<string[]> {
  const inserted = /^insert into (\w+) \(([^)]*)\)\s*values/.exec(text)
  if (inserted) {
    const [, table = '', columns = ''] = inserted
    const key = distributionColumns.get(table)
    return key === undefined || columns.split(/,\s*/).includes(key) ? [] : [table]
  }
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
  await run(`prepare looked_at as ${text}`)
  const nulls = count === 0 ? '' : `(${Array(count).fill('null').join(', ')})`
  const [row] = await run<{ 'QUERY PLAN': string }>(
    `explain (format json) execute looked_at${nulls}`,
  )
  await run('deallocate looked_at')
  return unkeyedIn(JSON.parse(row?.['QUERY PLAN'] ?? '')[0].Plan)
}

interface QueryPlan {
  'Relation Name'?: string
  'Node Type': string
  Plans?: QueryPlan[]
}

function unkeyedIn(plan: QueryPlan): string[] {
  const below = (plan.Plans ?? []).flatMap(unkeyedIn)
  const table = plan['Relation Name']
  const key = distributionColumns.get(table ?? '')
  if (table === undefined || key === undefined || plan['Node Type'] === 'ModifyTable') return below
  // A parameter, or the same column of a row that was found by one: both lie in the same shard. The
  // condition may stand in the index scan under a bitmap scan.
  const conditions = JSON.stringify(plan)
  const isKeyed = new RegExp(`\\b${key} = ((ANY \\()?\\(?\\$\\d|\\w+\\.${key}\\b)`).test(conditions)
  return isKeyed ? below : [table, ...below]
}
