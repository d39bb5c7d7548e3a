import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../test/harness/app.ts'
import { anaId, createTestMarket, putItem } from '../../test/harness/market.ts'
import { createKey, sendAs, succeed } from '../../test/harness/operators.ts'
import { override } from '../../test/harness/override.ts'
import { secondMs } from '../kernel/clock.ts'
import { jobKinds } from '../personal-data/job-kinds.ts'
import { sql } from '../platform/database/sql.ts'
import { maxOpenJobs, maxOpenJobsOfActor } from './commands.ts'
import { erasureKindName, jobKindNames } from './job.ts'
import { JobRunner } from './runner.ts'

let app: TestApp
let anaToken: string
before(async () => {
  app = await openTestApp()
  anaToken = (await createTestMarket(app.client, null)).anaToken
  await putItem(app.client, 'MLA700001', { price: 100 })
})
beforeEach(() => app.ctx.db.rows(sql`delete from jobs`))
after(() => app.close())

const pause = {
  kind: 'bulk_listing_change',
  parameters: { filter: { seller_id: anaId }, change: { price_percent: 10 } },
}
const post = (body: object) => app.client.operator('POST', '/operator/jobs', body)
const get = (path: string) => app.client.operator('GET', `/operator/jobs${path}`)

async function start(body: object = pause): Promise<string> {
  const answer = await post(body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

async function run(): Promise<void> {
  const runner = new JobRunner(app.ctx, { kinds: jobKinds })
  await runner.turn()
  await runner.idle()
}

test('every kind goes by the name that the interface lists', () => {
  assert.deepEqual([...jobKinds.map(({ name }) => name), erasureKindName], jobKindNames)
})

test('a job is started, followed to its end, and its file read whole or in part', async () => {
  const created = await post(pause)
  assert.equal(created.status, 201)
  const { id, ...rest } = created.body
  assert.match(id, /^[0-9a-f]{24}$/)
  assert.deepEqual(rest, {
    ...pause,
    state: 'waiting',
    total: rest.total,
    done: 0,
    result: null,
    has_file: true,
    file_removed: null,
    error: null,
    actor: { kind: 'token', id: null, name: null },
    date_created: '2026-03-10T15:00:00.000Z',
    started: null,
    finished: null,
    expires: null,
  })
  assert.ok(rest.total >= 1)
  assert.equal((await get(`/${id}/result`)).status, 409)
  await run()
  const ended = (await get(`/${id}`)).body
  assert.deepEqual(
    [ended.state, ended.done, ended.result.refused, ended.expires],
    ['finished', rest.total, 0, '2026-03-17T15:00:00.000Z'],
  )
  const url = `${app.address}/operator/jobs/${id}/result`
  const authorization = `Bearer ${operatorToken}`
  const whole = await fetch(url, { headers: { authorization } })
  assert.equal(whole.headers.get('content-type'), 'application/x-ndjson')
  const disposition = `attachment; filename=bulk_listing_change-${id}.ndjson`
  assert.equal(whole.headers.get('content-disposition'), disposition)
  const text = await whole.text()
  const line = text.split('\n').find((line) => line.includes('MLA700001'))
  assert.deepEqual(JSON.parse(line ?? ''), {
    id: 'MLA700001',
    seller_id: anaId,
    outcome: 'changed',
    before: { price: 100 },
    after: { price: 110 },
  })
  const part = await fetch(url, { headers: { authorization, range: 'bytes=1-4' } })
  assert.deepEqual([part.status, await part.text()], [206, text.slice(1, 5)])
  assert.equal(part.headers.get('content-range'), `bytes 1-4/${text.length}`)
  const beyond = await fetch(url, { headers: { authorization, range: `bytes=${text.length}-` } })
  assert.deepEqual(
    [beyond.status, beyond.headers.get('content-range')],
    [416, `bytes */${text.length}`],
  )
  const etag = whole.headers.get('etag') ?? ''
  const again = await fetch(url, { headers: { authorization, 'if-none-match': etag } })
  assert.equal(again.status, 304)
})

test('jobs are listed newest first, page by page, by kind and state', async () => {
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    ids.unshift(await start(n === 2 ? { kind: 'reindex', parameters: { of: 'orders' } } : pause))
    if (n !== 3) app.advance(secondMs)
  }
  const listed: string[] = []
  for (let after = ''; ; ) {
    const { body } = await get(`?limit=2${after}`)
    listed.push(...body.jobs.map(({ id }: { id: string }) => id))
    if (body.next_after === null) break
    after = `&after=${body.next_after}`
  }
  assert.deepEqual([...listed].sort(), [...ids].sort())
  assert.equal(listed.at(-1), ids.at(-1))
  const reindexing = (await get('?kind=reindex&state=waiting')).body.jobs
  assert.deepEqual(
    reindexing.map(({ id }: { id: string }) => id),
    [ids[2]],
  )
  assert.deepEqual((await get('?state=failed')).body, { jobs: [], next_after: null })
  for (const query of ['?kind=erase', '?state=gone', '?limit=0', '?after=x', '?after=1-2'])
    assert.equal((await get(query)).status, 400, query)
})

test('a job is cancelled once, and only a failed one is retried', async () => {
  const id = await start()
  const act = (action: string) => app.client.operator('POST', `/operator/jobs/${id}/${action}`)
  const tooEarly = await act('retry')
  assert.deepEqual([tooEarly.status, tooEarly.body.error], [409, 'job_not_failed'])
  assert.match(tooEarly.body.message, /this one is waiting/)
  assert.equal((await act('cancel')).body.state, 'cancelled')
  const repeated = await act('cancel')
  assert.deepEqual([repeated.status, repeated.body.error], [409, 'job_ended'])
  await app.ctx.db.rows(sql`update jobs set state = 'failed', error = 'x'`)
  const retried = await act('retry')
  assert.deepEqual([retried.status, retried.body.state], [200, 'waiting'])
  for (const action of ['cancel', 'retry']) {
    const unknown = await app.client.operator('POST', `/operator/jobs/none/${action}`)
    assert.equal(unknown.status, 404)
  }
  assert.deepEqual([(await get('/none')).status, (await get('/none/result')).status], [404, 404])
})

test('a job of a kind without a file has none', async () => {
  const id = await start({ kind: 'reindex', parameters: { of: 'listings' } })
  await run()
  const { body } = await get(`/${id}`)
  assert.deepEqual([body.state, body.has_file], ['finished', false])
  assert.equal((await get(`/${id}/result`)).status, 404)
})

test('a file that the store does not give is refused before the answer begins', async () => {
  const id = await start()
  await run()
  await app.ctx.db.rows(sql`
    insert into job_files (key, job_id, position, size) values ('jobs/gone', ${id}, 0, 10)`)
  const answer = await get(`/${id}/result`)
  assert.deepEqual([answer.status, answer.body.error], [500, 'internal_server_error'])
  await app.ctx.db.rows(sql`delete from job_files`)
})

test('at most a hundred jobs are open, also when two are started at a time', async () => {
  for (let n = 0; n < maxOpenJobs - 1; n++)
    await app.ctx.db.rows(sql`
      insert into jobs (id, kind, parameters, state, checkpoint, total, done, actor, date_created,
        next_at, attempts, held_until, fence)
      values (${`open ${n}`}, 'x', '{}', 'running', '{}', 0, 0, '{"kind":"token"}', now(),
        now(), 0, now(), 0)`)
  const answers = await Promise.all([post(pause), post(pause), post(pause)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  assert.equal(refused?.body.error, 'too_many_jobs')
})

test('an account or key holds at most twenty open jobs, and leaves the other places to others', async () => {
  const first = (await createKey(app, { role: 'catalog' })).key
  const second = (await createKey(app, { role: 'catalog' })).key
  const send = (token: string, path = '') =>
    sendAs(app, token, 'POST', `/operator/jobs${path}`, path === '' ? pause : undefined)
  const started = await succeed(send(first))
  for (let n = 0; n < maxOpenJobsOfActor - 2; n++) await succeed(send(first))
  const answers = await Promise.all([send(first), send(first), send(first)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  assert.deepEqual(refused?.body, {
    message: 'Twenty jobs of the same API key are open: let one end, or cancel one.',
    error: 'too_many_jobs',
    status: 409,
    cause: refused?.body.cause,
  })
  for (const token of [second, operatorToken]) assert.equal((await send(token)).status, 201)

  await app.ctx.db.rows(sql`update jobs set state = 'failed' where id = ${started.id}`)
  await succeed(send(first))
  const retried = await send(second, `/${started.id}/retry`)
  assert.deepEqual([retried.status, retried.body.error], [409, 'too_many_jobs'])
  for (let n = 0; n < maxOpenJobsOfActor; n++) await succeed(send(operatorToken))
})

test('wrong parameters are refused with the name of the field, and start nothing', async () => {
  const { kind } = pause
  const change = { status: 'paused' }
  const filter = { seller_id: anaId }
  const cases: [body: unknown, field: string][] = [
    [{}, 'kind'],
    [{ kind: 'erase_all', parameters: {} }, 'kind'],
    [{ kind }, 'parameters'],
    [{ kind, parameters: [] }, 'parameters'],
    [{ kind, parameters: {} }, 'parameters.'],
    [{ kind, parameters: { filter, change }, priority: 1 }, 'priority'],
    [{ kind, parameters: { filter, change, dry_run: true } }, 'parameters.dry_run'],
    [{ kind, parameters: { filter: {}, change } }, 'parameters.filter'],
    [{ kind, parameters: { filter: { status: 'active' }, change } }, 'parameters.filter'],
    [{ kind, parameters: { filter, change: {} } }, 'parameters.change'],
    [{ kind, parameters: { filter, change: { price_percent: 0 } } }, 'parameters.change'],
    [{ kind, parameters: { filter, change: { price_percent: -100 } } }, 'parameters.change'],
    [{ kind, parameters: { filter, change: { price_percent: 1e300 } } }, 'parameters.change'],
    [{ kind, parameters: { filter, change: { category_id: 'MLA0' } } }, 'parameters.change'],
    [{ kind, parameters: { filter, change: { status: 'sold' } } }, 'parameters.change.status'],
    [{ kind, parameters: { filter: { seller_id: '1' }, change } }, 'parameters.filter.seller_id'],
    [{ kind, parameters: { filter: { category_id: 'a\0' }, change } }, 'parameters.filter'],
    [{ kind, parameters: { filter: { category_id: '\ud800' }, change } }, 'parameters.filter'],
    [JSON.parse(`{"kind":"${kind}","parameters":{"__proto__":{"filter":{}}}}`), 'parameters'],
    [{ kind: 'reindex', parameters: { of: 'users' } }, 'parameters.of'],
    [{ kind: 'reindex', parameters: { of: 'orders', seller_id: 0 } }, 'parameters.seller_id'],
  ]
  for (const [body, field] of cases) {
    const answer = await post(body as object)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.ok(answer.body.message.startsWith(field), `${answer.body.message} names ${field}`)
  }
  for (const body of ['', 'null', '[]', '"x"', '1', '{'])
    assert.equal((await app.client.operator('POST', '/operator/jobs', body)).status, 400, body)
  assert.deepEqual((await get('')).body.jobs, [])
})

test('jobs are the operator’s alone', async () => {
  const id = await start()
  const requests: [method: 'GET' | 'POST', path: string][] = [
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${id}`],
    ['GET', `/${id}/result`],
    ['POST', `/${id}/cancel`],
    ['POST', `/${id}/retry`],
  ]
  for (const [method, path] of requests) {
    const body = method === 'POST' ? {} : undefined
    const sent = { token: anaToken, ...(body ? { body } : {}) }
    assert.equal((await app.client.send(method, `/operator/jobs${path}`, sent)).status, 401)
  }
})

test('a snapshot of a sandbox that is loaded leaves jobs as they are', async () => {
  const before = await start()
  const snapshot = await app.client.operator('PUT', '/operator/sandbox/snapshots/jobs')
  assert.equal(snapshot.status, 200, snapshot.text)
  const after = await start()
  await run()
  const load = '/operator/sandbox/snapshots/jobs/load'
  assert.equal((await app.client.operator('POST', load)).status, 200)
  for (const id of [before, after]) assert.equal((await get(`/${id}`)).body.state, 'finished')
})

test('while the database is away a job waits, and then goes on', async () => {
  const id = await start()
  const { db } = app.ctx
  const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
  const runner = new JobRunner(
    { ...app.ctx, db: override(db, { transaction: away }) },
    { kinds: jobKinds },
  )
  await runner.turn()
  await runner.idle()
  const { body } = await get(`/${id}`)
  assert.deepEqual([body.state, body.done], ['running', 0])
  app.advance(5 * secondMs)
  await run()
  assert.equal((await get(`/${id}`)).body.state, 'finished')
})
