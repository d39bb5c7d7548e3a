import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../test/harness/app.ts'
import { dyingContext } from '../../test/harness/dying-context.ts'
import {
  anaId,
  brunoId,
  carlaId,
  createTestMarket,
  placeOrder,
  putApplication,
  putUser,
} from '../../test/harness/market.ts'
import { succeed } from '../../test/harness/operators.ts'
import { drain } from '../../test/harness/wait.ts'
import { deleteExpiredJobs } from '../jobs/commands.ts'
import { JobRunner } from '../jobs/runner.ts'
import { dayMs, minuteMs } from '../kernel/clock.ts'
import type { Context } from '../platform/context.ts'
import { ensureDayPartitions } from '../platform/database/partitions.ts'
import { sql } from '../platform/database/sql.ts'
import { eraseNextBatch, eraseNextBatches } from './commands.ts'
import { jobKinds } from './job-kinds.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
  await placeOrder(app.client)
})
beforeEach(async () => {
  await app.ctx.db.rows(sql`delete from jobs`)
  await app.ctx.db.rows(sql`delete from user_erasures`)
  await deleteExpiredJobs(app.ctx)
})
after(() => app.close())

let lastUserId = 970_000
async function newUser(): Promise<number> {
  const id = ++lastUserId
  await putUser(app.client, id, { site_id: 'MLA', nickname: `PERSON${id}` })
  return id
}

const erase = (id: number) => app.client.operator('POST', `/operator/users/${id}/erasure`)
const eraseAll = () => drain(() => eraseNextBatches(app.ctx))
const jobOf = async (id: string) => (await app.client.operator('GET', `/operator/jobs/${id}`)).body
const erasureJobs = async () =>
  (await succeed(app.client.operator('GET', '/operator/jobs?kind=erasure'))).jobs

async function start(kind: string, parameters: object): Promise<string> {
  return (await succeed(app.client.operator('POST', '/operator/jobs', { kind, parameters }))).id
}

async function run(ctx: Context = app.ctx): Promise<void> {
  const runner = new JobRunner(ctx, { kinds: jobKinds, most: 1 })
  await runner.turn()
  await runner.idle()
}

async function download(path: string): Promise<string> {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const answer = await fetch(app.address + path, { headers })
  return answer.ok ? answer.text() : `${answer.status} ${await answer.text()}`
}
const fileOf = (id: string) => download(`/operator/jobs/${id}/result`)

test('an erasure is a job: with progress, counts and what is kept, and without a way to cancel it', async () => {
  const userId = await newUser()
  const { status, body } = await erase(userId)
  assert.deepEqual([status, body.state, body.user_id], [202, 'running', userId])
  const [running] = await erasureJobs()
  assert.deepEqual(
    [running.kind, running.state, running.parameters, running.actor.kind, running.has_file],
    ['erasure', 'running', { user_id: userId }, 'token', false],
  )
  const refused = await app.client.operator('POST', `/operator/jobs/${running.id}/cancel`)
  assert.deepEqual([refused.status, refused.body.error], [409, 'job_not_cancellable'])
  assert.equal(
    (await app.client.operator('POST', `/operator/jobs/${running.id}/retry`)).status,
    409,
  )
  await eraseNextBatch(app.ctx, userId)
  assert.ok((await jobOf(running.id)).done > running.done)
  await eraseAll()
  const ended = await jobOf(running.id)
  const { erased, kept } = (await app.client.operator('GET', `/operator/users/${userId}/erasure`))
    .body
  assert.deepEqual([ended.state, ended.done], ['finished', ended.total])
  assert.deepEqual(ended.result, { ...erased, kept })
  assert.ok(ended.finished && ended.expires)

  // Erased again, it is the same job, which runs again.
  assert.equal((await erase(userId)).status, 202)
  const again = await jobOf(running.id)
  assert.deepEqual([again.state, again.finished, again.expires], ['running', null, null])
  await eraseAll()
  app.advance(7 * dayMs)
  await deleteExpiredJobs(app.ctx)
  assert.deepEqual(await erasureJobs(), [])
})

test('an erasure that the previous release began goes on, and is shown from its next batch on', async () => {
  const userId = await newUser()
  await erase(userId)
  await eraseNextBatch(app.ctx, userId)
  await app.ctx.db.rows(sql`delete from jobs`)
  await eraseNextBatch(app.ctx, userId)
  const [job] = await erasureJobs()
  assert.deepEqual(
    [job.state, job.actor],
    ['running', { kind: 'system', id: null, name: 'erasure' }],
  )
  // A process of that release ends it, and knows no job.
  await app.ctx.db.rows(sql`
    update user_erasures set state = 'finished', date_finished = ${app.ctx.now()}`)
  await eraseAll()
  assert.equal((await jobOf(job.id)).state, 'finished')
})

test('the job of an erasure that a loaded snapshot does not have ends', async () => {
  await erase(await newUser())
  const [job] = await erasureJobs()
  await app.ctx.db.rows(sql`delete from user_erasures`)
  await eraseAll()
  assert.equal((await jobOf(job.id)).state, 'cancelled')
})

test('results that may hold an erased user are deleted before the erasure ends, others stay', async () => {
  const buyerId = await newUser()
  await placeOrder(app.client, { buyer_id: buyerId })
  const holding = [
    await start('export', { of: 'orders' }),
    await start('export', { of: 'orders', filter: { seller: anaId } }),
    await start('export', { of: 'users', format: 'csv' }),
    await start('export', { of: 'audit_log' }),
    await start('personal_data_export', { user_id: anaId }),
    await start('personal_data_export', { user_id: buyerId }),
  ]
  const others = [
    await start('export', { of: 'orders', filter: { seller: carlaId } }),
    await start('export', { of: 'messages', filter: { seller: anaId, buyer: brunoId } }),
    await start('export', { of: 'listings', filter: { seller: anaId } }),
    await start('personal_data_export', { user_id: carlaId }),
  ]
  await run()
  const keys = await app.ctx.db.rows<{ key: string; jobId: string }>(sql`
    select key, job_id as "jobId" from job_files where size is not null`)
  await erase(buyerId)
  await eraseAll()
  for (const id of holding) {
    const { state, has_file, file_removed } = await jobOf(id)
    assert.deepEqual([state, has_file], ['finished', false], id)
    assert.ok(file_removed)
    assert.match(await fileOf(id), /^404 .*user who was erased/)
  }
  for (const id of others) assert.doesNotMatch(await fileOf(id), /^404/)
  for (const { key, jobId } of keys) {
    const reading = app.ctx.files.read(key, { start: 0, end: 0 })
    if (holding.includes(jobId)) await assert.rejects(reading, { code: 'ENOENT' })
    else (await reading).destroy()
  }
  const { erased } = (await app.client.operator('GET', `/operator/users/${buyerId}/erasure`)).body
  assert.equal(erased['job files'], holding.length)
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

test('an export that runs while a user is erased begins anew, and holds nothing of them', async () => {
  await addUsers(6_000)
  const userId = await newUser()
  const nickname = `PERSON${userId}`
  const running = await start('export', { of: 'users' })
  const failed = await start('export', { of: 'users' })
  for (const id of [running, failed]) {
    await app.ctx.db.rows(sql`update jobs set next_at = 'infinity' where id <> ${id}`)
    await app.ctx.db.rows(sql`update jobs set next_at = ${app.ctx.now()} where id = ${id}`)
    await run(dyingContext(app.ctx, { at: 1, moment: 'after' }))
    assert.equal((await jobOf(id)).done, 5_000)
  }
  await app.ctx.db.rows(sql`update jobs set state = 'failed' where id = ${failed}`)
  await erase(userId)
  await eraseAll()
  const restarted = await jobOf(running)
  assert.deepEqual([restarted.state, restarted.done, restarted.result], ['waiting', 0, null])
  await succeed(app.client.operator('POST', `/operator/jobs/${failed}/retry`))
  app.advance(minuteMs)
  await run()
  const expected = await download('/operator/exports/users')
  assert.ok(!expected.includes(nickname))
  for (const id of [running, failed]) {
    assert.equal((await jobOf(id)).state, 'finished')
    assert.ok((await fileOf(id)) === expected)
  }
})

test('a part that was being written while its job began anew is deleted', async () => {
  await addUsers(6_000)
  const userId = await newUser()
  const id = await start('export', { of: 'users' })
  const written: string[] = []
  const { files } = app.ctx
  await run({
    ...app.ctx,
    files: {
      ...files,
      async put(key, content) {
        await files.put(key, content)
        if (written.push(key) > 1) return
        await erase(userId)
        await eraseAll()
      },
    },
  })
  assert.equal((await jobOf(id)).state, 'finished')
  const [first = ''] = written
  await assert.rejects(files.read(first, { start: 0, end: 0 }), { code: 'ENOENT' })
  assert.ok((await fileOf(id)) === (await download('/operator/exports/users')))
})

async function upload(line: string): Promise<string> {
  const answer = await fetch(`${app.address}/operator/jobs/import`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${operatorToken}`,
      'content-type': 'application/x-ndjson',
    },
    body: line,
  })
  assert.equal(answer.status, 201)
  return ((await answer.json()) as { id: string }).id
}

test('an erasure waits for open imports, and ends failed ones, whose uploads may hold the user', async () => {
  const userId = await newUser()
  const result = await start('export', { of: 'users' })
  await run()
  const open = await upload('wrong')
  const failed = await upload('wrong')
  await app.ctx.db.rows(sql`update jobs set state = 'failed' where id = ${failed}`)
  await erase(userId)
  await eraseAll()
  const path = `/operator/users/${userId}/erasure`
  assert.equal((await app.client.operator('GET', path)).body.step, 'job files')
  assert.equal((await jobOf(failed)).state, 'cancelled')
  assert.equal((await jobOf(result)).has_file, true, 'results are deleted once, at the end')
  const parts = await app.ctx.db.rows<{ job: string }>(sql`
    select job_id as job from job_files where is_upload`)
  assert.deepEqual(parts, [{ job: open }])
  await run()
  assert.equal((await jobOf(open)).state, 'finished')
  await eraseAll()
  assert.equal((await app.client.operator('GET', path)).body.state, 'finished')
  assert.equal((await jobOf(result)).has_file, false)
  assert.deepEqual(await app.ctx.db.rows(sql`select key from job_files`), [])
})

test('wherever its process dies, the job exports all data of a user, as without a job', async () => {
  await app.ctx.db.rows(sql`
    insert into listings (seller_id, id, site_id, title, category_id, vertical, currency_id, price,
      status, details, date_created, last_updated)
    select seller_id, 'MLA' || 980000 + n, site_id, title, category_id, vertical, currency_id, price,
      'closed', details, date_created, last_updated
    from listings, generate_series(1, 450) n where id = 'MLA1001'`)
  await app.ctx.db.rows(sql`
    insert into item_owner (item_id, seller_id)
    select 'MLA' || 980000 + n, ${anaId} from generate_series(1, 450) n`)
  const expected = await download(`/operator/users/${anaId}/personal-data`)
  const id = await start('personal_data_export', { user_id: anaId })
  for (const moment of ['before', 'after', 'before', 'after'] as const) {
    await run(dyingContext(app.ctx, { at: 1, moment }))
    assert.equal((await jobOf(id)).state, 'running')
    app.advance(minuteMs)
  }
  await run()
  const { state, done, total, result } = await jobOf(id)
  assert.deepEqual([state, done], ['finished', total])
  assert.equal(result.lines, expected.split('\n').length - 2)
  assert.ok((await fileOf(id)) === expected)
  const unknown = { kind: 'personal_data_export', parameters: { user_id: 999_999_999 } }
  assert.equal((await app.client.operator('POST', '/operator/jobs', unknown)).status, 404)
})

test('the job goes on within the delivery attempts of several applications', async () => {
  const owner = await newUser()
  const stranger = await newUser()
  const { db, now } = app.ctx
  await ensureDayPartitions(db, 'attempts', now())
  for (const [id, ownerId, attempts] of [
    [880_001, owner, 250],
    [880_002, owner, 0],
    [880_003, stranger, 50],
    [880_004, owner, 200],
  ] as const) {
    await putApplication(app.client, id, { owner_id: ownerId })
    await db.rows(sql`
      insert into attempts (application_id, seq, attempt, sent, outcome, url, request_headers,
        request_body, req_time_ms, http_code, response_headers, response_body)
      select ${id}, n / 2, n % 2, ${now()}, 'accepted', 'http://127.0.0.1/', '{}', '{}', 1, 200, '', ''
      from generate_series(0, ${attempts - 1}) n`)
  }
  const expected = await download(`/operator/users/${owner}/personal-data`)
  const attempts = expected
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === 'delivery_attempt')
    .map(({ data }) => `${data.application_id} ${data.seq} ${data.attempt}`)
  assert.equal(attempts.length, 450)
  assert.equal(new Set(attempts).size, 450)
  const id = await start('personal_data_export', { user_id: owner })
  for (const moment of ['before', 'after', 'before', 'after'] as const) {
    await run(dyingContext(app.ctx, { at: 1, moment }))
    app.advance(minuteMs)
  }
  await run()
  assert.ok((await fileOf(id)) === expected)
})
