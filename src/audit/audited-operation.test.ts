import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { createTestMarket, placeOrder } from '../../test/harness/market.ts'
import { routes } from '../app/routes.ts'
import { type AuditRequest, isAudited } from '../http/audit.ts'
import { dayMs } from '../kernel/clock.ts'
import { sql } from '../platform/database/sql.ts'
import { auditOperation } from './audited-operation.ts'
import { listEntries } from './store.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
after(() => app.close())

let requests = 0
const request = (): AuditRequest => ({
  actor: { kind: 'account', id: 5, name: 'Eva' },
  operation: 'PUT /operator/tests',
  targetKind: 'clock',
  targetId: '',
  requestId: `request-${++requests}`,
  reason: null,
})

async function entryIds(): Promise<string[]> {
  const entries = await listEntries(app.ctx.db, { actor: 'account:5' }, { limit: 100 })
  return entries.map(({ id }) => id)
}

const things = { text: 'insert into sandbox_faults (name) values ($1)', name: undefined }

async function hasFault(name: string): Promise<boolean> {
  const { db } = app.ctx
  return (await db.row(sql`select 1 from sandbox_faults where name = ${name}`)) !== undefined
}

test('every operation of the operator that may change something names the kind of its target', () => {
  const unnamed = routes.filter((route) => isAudited(route) && route.audits === undefined)
  assert.deepEqual(
    unnamed.map(({ method, url }) => `${method} ${url}`),
    [],
  )
})

test('a change and its entry are of the same transaction', async () => {
  const { id: orderId, seller } = await placeOrder(app.client)
  const patch = await app.client.operator('PATCH', `/operator/orders/${orderId}`, {
    status: 'cancelled',
  })
  assert.equal(patch.status, 200, patch.text)
  const user = await app.client.operator('PUT', '/operator/users/8008', {
    site_id: 'MLA',
    nickname: 'EVA',
  })
  const secret = await app.client.operator('POST', '/operator/applications/700700/secret', {})
  const { db } = app.ctx
  const transactions = await db.rows<{ id: string; xmin: string }>(sql`
    select 'order' as id, xmin::text from orders where seller_id = ${seller.id} and id = ${orderId}
    union all select 'user', xmin::text from users where id = 8008
    union all select 'secret', xmin::text from applications where id = 700700`)
  const entries = await db.rows<{ id: string; xmin: string }>(sql`
    select id, xmin::text from audit_log`)
  const transactionOf = (rows: typeof entries, id: string | null) =>
    rows.find((row) => row.id === id)?.xmin ?? assert.fail(`nothing of ${id}`)
  for (const [name, answer] of Object.entries({ order: patch, user, secret })) {
    const entry = transactionOf(entries, answer.headers.get('x-request-id'))
    assert.equal(transactionOf(transactions, name), entry, name)
  }
})

test('if the entry cannot be written, the change is rolled back', async () => {
  const { ctx } = await auditOperation(app.ctx, request())
  // The partition of this day is known, so the request relies on it.
  const day = app.ctx.now().toISOString().slice(0, 10).replaceAll('-', '')
  const run = (text: string) => app.ctx.db.rows({ text, name: undefined, values: [] })
  await run(`alter table audit_log detach partition audit_log_${day}`)
  try {
    await assert.rejects(ctx.db.transaction((tx) => tx.write({ ...things, values: ['kept'] })))
    await assert.rejects(ctx.db.rows({ ...things, values: ['kept'] }))
    await assert.rejects(ctx.db.bulk((tx) => tx.rows({ ...things, values: ['kept'] })))
    const { status } = await app.client.operator('PUT', '/operator/users/8010', {
      site_id: 'MLA',
      nickname: 'FLOR',
    })
    assert.ok(status >= 500)
    assert.equal((await app.client.operator('GET', '/operator/users/8010')).status, 404)
  } finally {
    const start = new Date(Math.floor(app.ctx.now().getTime() / dayMs) * dayMs)
    const end = new Date(start.getTime() + dayMs)
    await run(`alter table audit_log attach partition audit_log_${day}
      for values from ('${start.toISOString()}') to ('${end.toISOString()}')`)
  }
  assert.equal(await hasFault('kept'), false)
})

test('if the change is rolled back, so is the entry', async () => {
  const { ctx } = await auditOperation(app.ctx, request())
  const failing = ctx.db.transaction(async (tx) => {
    tx.write({ ...things, values: ['a'] })
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  await assert.rejects(ctx.db.rows({ ...things, values: [null] }))
  assert.deepEqual(await entryIds(), [])
})

test('a statement outside of transactions that writes commits with the entry, one that reads adds none', async () => {
  const { ctx } = await auditOperation(app.ctx, request())
  await ctx.db.rows(sql`select 1 as one`)
  await ctx.db.row(sql`with one as (select 1 as n) select n from one`)
  assert.deepEqual(await entryIds(), [])
  await ctx.db.rows({ ...things, values: ['alone'] })
  assert.deepEqual(await entryIds(), [`request-${requests}`])
  assert.equal(await hasFault('alone'), true)
})

test('several transactions of a request have one entry, also those that run together', async () => {
  const [{ ctx, finish }, earlier] = [await auditOperation(app.ctx, request()), await entryIds()]
  const insert = (name: string) =>
    ctx.db.transaction((tx) => tx.write({ ...things, values: [name] }))
  await Promise.all([insert('b'), insert('c'), insert('d')])
  await insert('e')
  await ctx.db.bulk((tx) => tx.rows({ ...things, values: ['f'] }))
  await finish()
  assert.deepEqual(await entryIds(), [`request-${requests}`, ...earlier])
  assert.ok(await hasFault('f'))
})

test('a transaction that runs again after a deadlock describes its last run only', async () => {
  const { ctx } = await auditOperation(app.ctx, request())
  let runs = 0
  await ctx.db.transaction(async (tx) => {
    ctx.audit.change({ before: { run: 0 }, after: { run: ++runs } })
    if (runs === 1) await tx.rows(sql`do $$ begin raise exception using errcode = '40001'; end $$`)
  })
  const [entry] = await listEntries(app.ctx.db, { actor: 'account:5' }, { limit: 1 })
  assert.equal(runs, 2)
  assert.deepEqual([entry?.before, entry?.after], ['{"run":0}', '{"run":2}'])
  assert.equal(entry?.actorName, 'Eva')
})

test('an operation that wrote nothing has an entry once it has succeeded', async () => {
  const { finish } = await auditOperation(app.ctx, request())
  await finish()
  await finish()
  assert.equal((await entryIds())[0], `request-${requests}`)
})

test('a trial, which takes a permission to read and changes nothing, has no entry', async () => {
  const entries = () => app.ctx.db.rows(sql`select id from audit_log`)
  const before = await entries()
  const text = { text: 'Hola', site_id: 'MLA', writer: 'seller' }
  for (const [path, body] of [
    ['/operator/moderation/try', text],
    ['/operator/moderation/preview', {}],
  ] as const) {
    const { status, text } = await app.client.operator('POST', path, body)
    assert.equal(status, 200, text)
  }
  assert.deepEqual(await entries(), before)
})

test('the first entry of a day creates its partition, whichever of two requests is first', async () => {
  app.advance(3 * dayMs)
  const rate = (value: number) =>
    app.client.operator('PUT', '/operator/currency_rates/MXN/USD', { rate: value })
  const answers = await Promise.all([rate(0.05), rate(0.06), rate(0.07)])
  assert.ok(answers.every(({ status }) => status < 300))
  const target = { kind: 'currency_rate', id: 'MXN/USD' } as const
  assert.equal((await listEntries(app.ctx.db, { target }, { limit: 9 })).length, 3)
})

test('long values are stored as their length and hash', async () => {
  const { ctx, finish } = await auditOperation(app.ctx, request())
  ctx.audit.change({ before: null, after: { text: 'x'.repeat(5_000) } })
  await finish()
  const [entry] = await listEntries(app.ctx.db, { actor: 'account:5' }, { limit: 1 })
  assert.match(entry?.after ?? '', /^\{"text":\{"length":5002,"sha256":"[0-9a-f]{64}"\}\}$/)
})
