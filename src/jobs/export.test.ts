import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../test/harness/app.ts'
import { openTestDatabase } from '../../test/harness/database.ts'
import { dyingContext } from '../../test/harness/dying-context.ts'
import { anaId, createTestMarket, placeOrder } from '../../test/harness/market.ts'
import { createKey, sendAs, succeed } from '../../test/harness/operators.ts'
import { exportStreamNames } from '../exports/streams.ts'
import { minuteMs } from '../kernel/clock.ts'
import { jobKinds } from '../personal-data/job-kinds.ts'
import type { Context } from '../platform/context.ts'
import { sql } from '../platform/database/sql.ts'
import { JobRunner } from './runner.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
let app: TestApp
/** Another process on the same database. */
let other: TestApp

before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  other = await openTestApp({ databaseUrl: database.url })
  await createTestMarket(app.client, null)
  await placeOrder(app.client)
  await placeOrder(app.client)
})
beforeEach(() => app.ctx.db.rows(sql`delete from jobs`))
after(async () => {
  await other.close()
  await app.close()
  await database.drop()
})

async function start(parameters: object, kind = 'export'): Promise<string> {
  const answer = await app.client.operator('POST', '/operator/jobs', { kind, parameters })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

async function run(ctx: Context = app.ctx): Promise<void> {
  const runner = new JobRunner(ctx, { kinds: jobKinds, most: 1 })
  await runner.turn()
  await runner.idle()
}

const jobOf = async (id: string) => (await app.client.operator('GET', `/operator/jobs/${id}`)).body

async function download(path: string): Promise<string> {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const answer = await fetch(app.address + path, { headers })
  assert.equal(answer.status, 200)
  return answer.text()
}
const fileOf = (id: string) => download(`/operator/jobs/${id}/result`)

for (const format of ['ndjson', 'csv'] as const) {
  test(`the ${format} file of each stream is that of the export without a job, byte for byte`, async () => {
    for (const of of exportStreamNames) {
      const id = await start({ of, format })
      await run()
      const { state, done, total, result } = await jobOf(id)
      assert.deepEqual([state, done], ['finished', total], of)
      const expected = await download(`/operator/exports/${of}?format=${format}`)
      assert.equal(await fileOf(id), expected, of)
      const lines = expected.split('\n').length - 1
      if (format === 'ndjson') assert.equal(result.entries, lines, of)
      if (of === 'orders') assert.ok(result.entries >= 2)
    }
  })
}

test('the file of the audit log is that of its export without a job', async () => {
  const query = 'operation=POST%20/operator/orders'
  for (const format of ['ndjson', 'csv']) {
    const filter = { operation: 'POST /operator/orders' }
    const id = await start({ of: 'audit_log', format, filter })
    await run()
    const path = `/operator/audit-log/export?format=${format}&${query}`
    assert.equal(await fileOf(id), await download(path))
    assert.ok((await jobOf(id)).result.entries >= 2)
  }
})

test('a filter selects as it does without a job, and a wrong one is refused with its name', async () => {
  const id = await start({ of: 'orders', filter: { seller: anaId, 'order.status': 'cancelled' } })
  await run()
  const path = `/operator/exports/orders?seller=${anaId}&order.status=cancelled`
  assert.equal(await fileOf(id), await download(path))
  const wrong: [parameters: object, field: string][] = [
    [{ of: 'sales' }, 'parameters.of'],
    [{ of: 'orders', format: 'xlsx' }, 'parameters.format'],
    [{ of: 'orders', filter: { colour: 'red' } }, 'parameters.filter.colour'],
    [{ of: 'orders', filter: { seller: 'x' } }, 'parameters.filter.seller'],
    [{ of: 'orders', filter: { after: '1' } }, 'parameters.filter.after'],
    [{ of: 'payments', filter: { status: 'gone' } }, 'status'],
    [{ of: 'audit_log', filter: { target: 'x' } }, 'target'],
  ]
  for (const [parameters, field] of wrong) {
    const answer = await app.client.operator('POST', '/operator/jobs', {
      kind: 'export',
      parameters,
    })
    assert.equal(answer.status, 400, JSON.stringify(parameters))
    assert.ok(answer.body.message.startsWith(field), answer.body.message)
  }
})

/** Adds users, so that an export of them takes several steps. */
async function addUsers(count: number): Promise<void> {
  await app.ctx.db.rows(sql`
    insert into users (id, site_id, nickname, profile, status, nickname_folded, as_buyer,
      as_buyer_new, as_seller, date_created, last_updated)
    select 5000000 + n, u.site_id, 'USER' || n, u.profile, u.status, 'user' || n, u.as_buyer,
      u.as_buyer_new, u.as_seller, u.date_created, u.last_updated
    from users u, generate_series(1, ${count}) n where u.id = ${anaId}
    on conflict (id) do nothing`)
}

test('wherever its process dies, an export loses and doubles no row', async () => {
  await addUsers(12_000)
  const expected = await download('/operator/exports/users')
  // A step has one transaction. The file of its part is written before.
  for (const at of [1, 2, 3]) {
    for (const moment of ['before', 'after'] as const) {
      const id = await start({ of: 'users' })
      assert.equal((await jobOf(id)).total, expected.split('\n').length - 1)
      await run(dyingContext(app.ctx, { at, moment }))
      const { state, done } = await jobOf(id)
      const isDone = at === 3 && moment === 'after'
      assert.equal(state, isDone ? 'finished' : 'running')
      if (!isDone) assert.equal(done, (moment === 'before' ? at - 1 : at) * 5_000)
      app.advance(minuteMs)
      other.advance(minuteMs)
      await run({ ...other.ctx, files: app.ctx.files })
      assert.equal((await jobOf(id)).state, 'finished')
      assert.ok((await fileOf(id)) === expected, `${moment} the commit of step ${at}`)
    }
  }
})

test('two processes export at a time, each job once', async () => {
  await addUsers(12_000)
  const expected = await download('/operator/exports/users')
  const ids = [await start({ of: 'users' }), await start({ of: 'users' })]
  const second = { ...other.ctx, files: app.ctx.files }
  for (let round = 0; round < 3; round++) await Promise.all([run(), run(second)])
  for (const id of ids) {
    assert.equal((await jobOf(id)).state, 'finished')
    assert.ok((await fileOf(id)) === expected)
  }
})

test('an export of any length holds one page of entries at a time', async () => {
  await addUsers(12_000)
  const id = await start({ of: 'users' })
  const { files } = app.ctx
  const linesOfChunks: number[] = []
  async function* watched(content: AsyncIterable<Uint8Array>) {
    for await (const chunk of content) {
      linesOfChunks.push(Buffer.from(chunk).toString().split('\n').length - 1)
      yield chunk
    }
  }
  await run({
    ...app.ctx,
    files: { ...files, put: (key, content) => files.put(key, watched(content)) },
  })
  assert.equal((await jobOf(id)).state, 'finished')
  assert.ok(linesOfChunks.length >= 24)
  assert.equal(Math.max(...linesOfChunks), 500)
})

test('a disk that is full leaves nothing of a step, and the export goes on later', async () => {
  await addUsers(12_000)
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const id = await start({ of: 'users' })
  const { files } = app.ctx
  let parts = 0
  await run({
    ...app.ctx,
    files: {
      ...files,
      put: async (key, content) => (++parts > 1 ? Promise.reject(full) : files.put(key, content)),
    },
  })
  assert.deepEqual([(await jobOf(id)).state, (await jobOf(id)).done], ['running', 5_000])
  app.advance(minuteMs)
  await run()
  assert.ok((await fileOf(id)) === (await download('/operator/exports/users')))
})

test('who may not export may neither start the job nor retry it nor read its file', async () => {
  const role = { permissions: ['jobs:read', 'jobs:write', 'listings:read'] }
  await succeed(app.client.operator('PUT', '/operator/roles/clerk', role))
  const { key } = await createKey(app, { name: 'clerk', role: 'clerk' })
  const send = (method: 'GET' | 'POST', path: string, body?: object) =>
    sendAs(app, key, method, path, body)
  const cases: [kind: string, parameters: object, permission: string][] = [
    ['export', { of: 'orders' }, 'exports:download'],
    ['export', { of: 'users' }, 'personal-data:export'],
    ['export', { of: 'messages' }, 'personal-data:export'],
    ['export', { of: 'audit_log' }, 'audit:read'],
    ['personal_data_export', { user_id: anaId }, 'personal-data:export'],
  ]
  for (const [kind, parameters, permission] of cases) {
    const refused = await send('POST', '/operator/jobs', { kind, parameters })
    assert.deepEqual([refused.status, refused.body.error], [403, 'permission_denied'])
    assert.ok(refused.body.message.includes(permission))
    const id = await start(parameters, kind)
    await run()
    assert.equal((await send('GET', `/operator/jobs/${id}`)).status, 200)
    assert.equal((await send('GET', `/operator/jobs/${id}/result`)).status, 403)
    await app.ctx.db.rows(sql`update jobs set state = 'failed' where id = ${id}`)
    assert.equal((await send('POST', `/operator/jobs/${id}/retry`)).status, 403)
  }
  const own = await send('POST', '/operator/jobs', {
    kind: 'export',
    parameters: { of: 'listings' },
  })
  assert.equal(own.status, 201)
  await run()
  assert.equal((await send('GET', `/operator/jobs/${own.body.id}/result`)).status, 200)
})

test('finance exports as a job what it exports without one, and starts and cancels no other work', async () => {
  const { key } = await createKey(app, { name: 'finance', role: 'finance' })
  const send = (method: 'GET' | 'POST', path: string, body?: object) =>
    sendAs(app, key, method, path, body)
  for (const name of ['orders', 'payments', 'shipments', 'claims']) {
    const body = { kind: 'export', parameters: { of: name } }
    const { id } = await succeed(send('POST', '/operator/jobs', body))
    await run()
    assert.equal((await send('GET', `/operator/jobs/${id}/result`)).status, 200)
  }
  const pause = { filter: { seller_id: anaId, status: 'closed' }, change: { status: 'paused' } }
  const cases: [kind: string, parameters: object, permission: string][] = [
    ['export', { of: 'listings' }, 'listings:read'],
    ['bulk_listing_change', pause, 'listings:write'],
    ['reindex', { of: 'listings' }, 'listings:write'],
    ['reindex', { of: 'orders' }, 'orders:write'],
  ]
  for (const [kind, parameters, permission] of cases) {
    const refused = await send('POST', '/operator/jobs', { kind, parameters })
    assert.deepEqual([refused.status, refused.body.error], [403, 'permission_denied'])
    assert.ok(refused.body.message.includes(permission))
    const id = await start(parameters, kind)
    assert.equal((await send('POST', `/operator/jobs/${id}/cancel`)).status, 403)
  }
})

test('who reads listings, but may not change them, reads the file of a change of listings', async () => {
  const pause = { filter: { seller_id: anaId, status: 'closed' }, change: { status: 'paused' } }
  const id = await start(pause, 'bulk_listing_change')
  await run()
  const statusFor = async (role: string) => {
    const { key } = await createKey(app, { name: role, role })
    return (await sendAs(app, key, 'GET', `/operator/jobs/${id}/result`)).status
  }
  assert.deepEqual([await statusFor('read-only'), await statusFor('finance')], [200, 403])
})

test('who is limited to a site exports it as a job, and gets to no export of more', async () => {
  const { key } = await createKey(app, { name: 'Brazil', role: 'owner', sites: ['MLB'] })
  const send = (method: 'GET' | 'POST', path: string, body?: object) =>
    sendAs(app, key, method, path, body)
  const own = { kind: 'export', parameters: { of: 'orders', filter: { site_id: 'MLB' } } }
  const { id } = await succeed(send('POST', '/operator/jobs', own))
  await run()
  const file = await send('GET', `/operator/jobs/${id}/result`)
  assert.deepEqual([file.status, file.text], [200, ''])
  const refused: [kind: string, parameters: object][] = [
    ['export', { of: 'orders' }],
    ['export', { of: 'orders', filter: { site_id: 'MLA' } }],
    ['export', { of: 'audit_log', filter: { site_id: 'MLB' } }],
    ['personal_data_export', { user_id: anaId }],
  ]
  for (const [kind, parameters] of refused) {
    const { status, body } = await send('POST', '/operator/jobs', { kind, parameters })
    assert.deepEqual([status, body.error], [403, 'site_denied'], JSON.stringify(parameters))
  }
  for (const filter of [{}, { site_id: 'MLA' }]) {
    const foreign = await start({ of: 'orders', filter })
    await run()
    for (const [method, path] of [
      ['GET', foreign],
      ['GET', `${foreign}/result`],
      ['POST', `${foreign}/cancel`],
      ['POST', `${foreign}/retry`],
    ] as const) {
      assert.equal((await send(method, `/operator/jobs/${path}`)).status, 404, path)
    }
  }
  const { jobs } = await succeed(send('GET', '/operator/jobs'))
  assert.deepEqual(
    jobs.map((job: { id: string }) => job.id),
    [id],
  )
})

test('starting, cancelling and retrying are in the audit log', async () => {
  const id = await start({ of: 'orders' })
  await succeed(app.client.operator('POST', `/operator/jobs/${id}/cancel`))
  await app.ctx.db.rows(sql`update jobs set state = 'failed' where id = ${id}`)
  await succeed(app.client.operator('POST', `/operator/jobs/${id}/retry`))
  const { results } = await succeed(
    app.client.operator('GET', `/operator/audit-log?target=job:${id}`),
  )
  assert.deepEqual(results.map(({ operation }: { operation: string }) => operation).sort(), [
    'POST /operator/jobs',
    'POST /operator/jobs/{id}/cancel',
    'POST /operator/jobs/{id}/retry',
  ])
})
