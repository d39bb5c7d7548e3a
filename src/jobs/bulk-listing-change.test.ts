import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { takeRecordedChanges } from '../../test/harness/changes.ts'
import { dyingContext } from '../../test/harness/dying-context.ts'
import { anaId, carlaId, createTestMarket, putItem } from '../../test/harness/market.ts'
import { minuteMs } from '../kernel/clock.ts'
import { jobKinds } from '../personal-data/job-kinds.ts'
import type { Context } from '../platform/context.ts'
import { sql } from '../platform/database/sql.ts'
import { JobRunner } from './runner.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
after(() => app.close())

async function start(parameters: object): Promise<string> {
  const body = { kind: 'bulk_listing_change', parameters }
  const answer = await app.client.operator('POST', '/operator/jobs', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

async function run(ctx: Context = app.ctx): Promise<void> {
  const runner = new JobRunner(ctx, { kinds: jobKinds, most: 1 })
  await runner.turn()
  await runner.idle()
}

const jobOf = async (id: string) => (await app.client.operator('GET', `/operator/jobs/${id}`)).body
const linesOf = async (id: string) =>
  (await app.client.operator('GET', `/operator/jobs/${id}/result`)).text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

async function listings(ids: readonly string[]) {
  const rows = await app.ctx.db.rows<{ id: string; price: string; status: string }>(sql`
    select id, price, status from listings where id = any(${ids}::text[]) order by id`)
  return rows.map(({ id, price, status }) => `${id} ${Number(price)} ${status}`)
}

const numbered = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => `MLA${first + n}`)

const fields = { seller_id: anaId, category_id: 'MLA1580', price: 100 }

test('listings of a filter change as the operator changes them: saved, searched and notified', async () => {
  const own = numbered(810001, 3)
  const carlas = { ...fields, seller_id: carlaId }
  for (const id of own) await putItem(app.client, id, { ...carlas, title: 'Zzmate zzrojo' })
  await putItem(app.client, 'MLA810010', { ...carlas, status: 'paused' })
  await putItem(app.client, 'MLA810011', { ...carlas, category_id: 'MLA1443' })
  await putItem(app.client, 'MLA810012', fields)
  await takeRecordedChanges(app)
  const filter = { seller_id: carlaId, category_id: 'MLA1580', status: 'active' }
  const id = await start({ filter, change: { status: 'paused' } })
  assert.equal((await jobOf(id)).total, 3)
  await run()
  const { state, done, result } = await jobOf(id)
  assert.deepEqual([state, done], ['finished', 3])
  assert.deepEqual(result, { changed: 3, unchanged: 0, refused: 0, refusals: [] })
  assert.deepEqual(await listings([...own, 'MLA810010', 'MLA810011', 'MLA810012']), [
    ...own.map((id) => `${id} 100 paused`),
    'MLA810010 100 paused',
    'MLA810011 100 active',
    'MLA810012 100 active',
  ])
  const changes = await takeRecordedChanges(app)
  assert.deepEqual(
    changes.map(({ resource }) => resource).sort(),
    own.map((id) => `/items/${id}`),
  )
  const search = await app.client.send('GET', '/sites/MLA/search?q=zzmate')
  assert.equal(search.body.paging.total, 0)
  await app.ctx.db.rows(sql`delete from jobs`)
})

test('a category stands for all below it, and a listing that cannot be changed is named with its reason', async () => {
  const [moved, priceless, removed] = numbered(820001, 3)
  assert.ok(moved && priceless && removed)
  const { body: category } = await app.client.send('GET', '/categories/MLA1443')
  const [{ id: top }] = category.path_from_root
  for (const id of [moved, priceless, removed])
    await putItem(app.client, id, { ...fields, category_id: 'MLA1443', status: 'paused' })
  await app.ctx.db.rows(sql`update listings set price = null where id = ${priceless}`)
  await app.client.operator('PUT', `/operator/items/${removed}`, {
    ...fields,
    site_id: 'MLA',
    title: 'Pava',
    currency_id: 'ARS',
    category_id: 'MLA1443',
    available_quantity: 1,
    status: 'paused',
    sub_status: ['deleted'],
  })
  const filter = { category_id: top, seller_id: anaId, status: 'paused' }
  const change = { status: 'active', category_id: 'MLA1580', price_percent: 50 }
  const id = await start({ filter, change })
  await run()
  const { result } = await jobOf(id)
  assert.deepEqual([result.changed, result.unchanged, result.refused], [1, 0, 2])
  assert.deepEqual(
    result.refusals.map((refusal: { id: string }) => refusal.id),
    [priceless, removed],
  )
  assert.match(result.refusals[0].reason, /^price: /)
  assert.match(result.refusals[1].reason, /^status: /)
  const lines = await linesOf(id)
  assert.deepEqual(
    lines.map(({ id, outcome }) => [id, outcome]),
    [
      [moved, 'changed'],
      [priceless, 'refused'],
      [removed, 'refused'],
    ],
  )
  assert.deepEqual(lines[0].before, { status: 'paused', category_id: 'MLA1443', price: 100 })
  assert.deepEqual(lines[0].after, { status: 'active', category_id: 'MLA1580', price: 150 })
})

test('a price changes once, wherever the process dies and whatever sellers do meanwhile', async () => {
  const ids = numbered(830001, 130)
  await Promise.all(ids.map((id) => putItem(app.client, id, { ...fields, seller_id: carlaId })))
  const id = await start({
    filter: { seller_id: carlaId, category_id: 'MLA1580', status: 'active' },
    change: { price_percent: 10 },
  })
  for (const moment of ['before', 'after', 'before', 'after'] as const) {
    await run(dyingContext(app.ctx, { at: 1, moment }))
    app.advance(minuteMs)
  }
  assert.equal((await jobOf(id)).done, 100)
  // Listings that leave or join the filter ahead of the job.
  await app.ctx.db.rows(
    sql`update listings set category_id = 'MLA1443' where id = ${ids[120] ?? ''}`,
  )
  await putItem(app.client, 'MLA839999', { ...fields, seller_id: carlaId })
  await run()
  const { state, done, total, result } = await jobOf(id)
  assert.deepEqual([state, done, total], ['finished', 130, 130])
  assert.deepEqual(result, { changed: 130, unchanged: 0, refused: 0, refusals: [] })
  const expected = ids.map((id, at) => `${id} ${at === 120 ? 100 : 110} active`)
  assert.deepEqual(await listings(ids), expected)
  const lines = await linesOf(id)
  assert.equal(lines.length, 130)
  assert.equal(new Set(lines.map(({ id }) => id)).size, 130)
  // Each change is in the audit log once, with who started the job.
  const entries = await app.ctx.db.rows<{ target: string; actor: string; before: string }>(sql`
    select target_id as target, actor, before from audit_log
    where operation = 'POST /operator/jobs' and id like ${`${id}-%`}`)
  assert.equal(entries.length, 130)
  assert.equal(new Set(entries.map(({ target }) => target)).size, 130)
  assert.deepEqual(new Set(entries.map(({ actor }) => actor)), new Set(['token']))
  assert.deepEqual(JSON.parse(entries[0]?.before ?? ''), { price: 100 })
  const history = `/operator/audit-log?target=listing:${ids[0]}`
  const [change] = (await app.client.operator('GET', history)).body.results
  assert.deepEqual(
    [change.operation, change.before, change.after],
    ['POST /operator/jobs', { price: 100 }, { price: 110 }],
  )
})

test('what a sale took meanwhile stays taken', async () => {
  await putItem(app.client, 'MLA840001', { ...fields, available_quantity: 5 })
  const { db } = app.ctx
  await db.rows(sql`
    update listing_stock set available_quantity = 3, sold_quantity = 2 where item_id = 'MLA840001'`)
  await start({ filter: { seller_id: anaId }, change: { price_percent: 1 } })
  await run()
  const stock = await db.row(sql`
    select available_quantity::int as available, sold_quantity::int as sold from listing_stock
    where item_id = 'MLA840001'`)
  assert.deepEqual(stock, { available: 3, sold: 2 })
})

test('more lines than a checkpoint keeps are parts of the file, in order', async () => {
  const ids = numbered(850001, 560)
  await app.ctx.db.rows(sql`delete from jobs`)
  const template = 'MLA840001'
  await app.ctx.db.rows(sql`
    insert into listings (seller_id, id, site_id, title, category_id, vertical, currency_id, price,
      status, details, date_created, last_updated)
    select seller_id, new.id, 'MLB', title, 'MLB1', vertical, 'BRL', 10, 'closed', details,
      date_created, last_updated
    from listings, unnest(${ids}::text[]) as new (id) where listings.id = ${template}`)
  await app.ctx.db.rows(sql`
    insert into item_owner (item_id, seller_id) select id, ${anaId} from unnest(${ids}::text[]) as new (id)`)
  const filter = { seller_id: anaId, site_id: 'MLB' }
  const id = await start({ filter, change: { category_id: 'MLA1580' } })
  await run()
  const { result } = await jobOf(id)
  assert.deepEqual([result.refused, result.refusals.length], [560, 100])
  const parts = await app.ctx.db.rows(sql`select key from job_files where job_id = ${id}`)
  assert.equal(parts.length, 1)
  assert.deepEqual(
    (await linesOf(id)).map(({ id }) => id),
    ids,
  )
})
