import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { dyingContext } from '../../test/harness/dying-context.ts'
import { importHeaders, postImportLines } from '../../test/harness/import-lines.ts'
import { createTestMarket } from '../../test/harness/market.ts'
import { createKey, sendAs, succeed } from '../../test/harness/operators.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import { dayMs, minuteMs } from '../kernel/clock.ts'
import { jobKinds } from '../personal-data/job-kinds.ts'
import type { Context } from '../platform/context.ts'
import { sql } from '../platform/database/sql.ts'
import { deleteExpiredJobs } from './commands.ts'
import { JobRunner } from './runner.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
beforeEach(async () => {
  await app.ctx.db.rows(sql`delete from jobs`)
  await deleteExpiredJobs(app.ctx)
})
after(() => app.close())

const userLine = (id: number) =>
  JSON.stringify({ type: 'user', id, site_id: 'MLA', nickname: `IMPORTED${id}` })
const userLines = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => userLine(from + n))

async function upload(lines: readonly string[], end = ''): Promise<string> {
  const answer = await fetch(`${app.address}/operator/jobs/import`, {
    method: 'POST',
    headers: importHeaders,
    body: lines.join('\n') + end,
  })
  const body = (await answer.json()) as { id: string }
  assert.equal(answer.status, 201, JSON.stringify(body))
  return body.id
}

async function run(ctx: Context = app.ctx): Promise<void> {
  const runner = new JobRunner(ctx, { kinds: jobKinds, most: 1 })
  await runner.turn()
  await runner.idle()
}

const jobOf = async (id: string) => (await app.client.operator('GET', `/operator/jobs/${id}`)).body

async function refusedLines(id: string): Promise<object[]> {
  const { text } = await app.client.operator('GET', `/operator/jobs/${id}/result`)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

async function countUsers(from: number, count: number): Promise<number> {
  const row = await app.ctx.db.row<{ n: number }>(sql`
    select count(*) as n from users where id >= ${from} and id < ${from + count}`)
  return row?.n ?? 0
}

const uploadParts = () =>
  app.ctx.db.rows<{ key: string }>(sql`select key from job_files where is_upload`)

test('an upload is imported as without a job, and its file has the refused lines by number', async () => {
  const lines = [
    ...userLines(910_001, 3),
    '{"type":"user","id":910004}',
    '',
    'no json',
    '{"type":"order","id":1,"buyer_id":910001}',
    userLine(910_001),
  ]
  const id = await upload(lines, '\n')
  const created = await jobOf(id)
  assert.deepEqual([created.kind, created.state, created.total], ['import', 'waiting', 8])
  await run()
  const { state, done, total, result, error } = await jobOf(id)
  assert.deepEqual([state, done, total, error], ['finished', 8, 8, null])
  assert.deepEqual(result, { imported: 3, unchanged: 1, refused: 3 })
  const answered = await postImportLines(app, lines)
  assert.deepEqual(
    await refusedLines(id),
    answered.filter((line) => 'line' in line),
  )
  assert.deepEqual(
    (await refusedLines(id)).map((line) => Reflect.get(line, 'line')),
    [4, 6, 7],
  )
})

test('wherever its process dies, an import imports each line once and reports each refusal once', async () => {
  // Batches of a thousand lines; every one has a wrong line.
  const lines = userLines(920_001, 2_500).map((line, n) => (n % 1_000 === 10 ? 'wrong' : line))
  const id = await upload(lines)
  const deaths = [
    { kind: 'bulk', moment: 'before' },
    { kind: 'bulk', moment: 'after' },
    { kind: 'transaction', moment: 'before' },
    { kind: 'transaction', moment: 'after' },
  ] as const
  for (const death of deaths) {
    await run(dyingContext(app.ctx, { at: 1, ...death }))
    assert.equal((await jobOf(id)).state, 'running')
    app.advance(minuteMs)
  }
  assert.equal((await jobOf(id)).done, 1_000)
  await run()
  const { state, done, total, result } = await jobOf(id)
  assert.deepEqual([state, done, total], ['finished', 2_500, 2_500])
  assert.equal(await countUsers(920_001, 2_500), 2_497)
  // The batch that was repeated counts its lines as unchanged.
  assert.deepEqual(result, { imported: 1_498, unchanged: 999, refused: 3 })
  assert.deepEqual(
    (await refusedLines(id)).map((line) => Reflect.get(line, 'line')),
    [11, 1_011, 2_011],
  )
})

test('an import waits until its file is whole; one that breaks off leaves nothing', async () => {
  const sending = request(`${app.address}/operator/jobs/import`, {
    method: 'POST',
    headers: importHeaders,
  })
  sending.on('error', () => {})
  // More than one part.
  const half = `${userLines(930_001, 200_000).join('\n')}\n`
  sending.write(half)
  await pollUntil('the first part is stored', async () => (await uploadParts()).length > 0)
  const [{ id, state }] = (await app.client.operator('GET', '/operator/jobs')).body.jobs
  assert.equal(state, 'waiting')
  await run()
  assert.equal((await jobOf(id)).state, 'waiting')
  const [part] = await uploadParts()
  sending.destroy()
  await pollUntil('the job is gone', async () => (await jobOf(id)).error === 'not_found')
  await deleteExpiredJobs(app.ctx)
  assert.deepEqual(await app.ctx.db.rows(sql`select key from job_files`), [])
  await assert.rejects(app.ctx.files.read(part?.key ?? '', { start: 0, end: 0 }), {
    code: 'ENOENT',
  })
  assert.equal(await countUsers(930_001, 200_000), 0)
})

test('an import whose process died while the file arrived fails, and says that the file must be sent again', async () => {
  const id = await upload([userLine(940_001)])
  // As the process left it: the file is not whole, and nobody sends the rest.
  await app.ctx.db.rows(sql`
    update jobs set checkpoint = (jsonb_set(checkpoint::jsonb, '{isUploaded}', 'false'))::json`)
  await run()
  const { state, error } = await jobOf(id)
  assert.equal(state, 'failed')
  assert.match(error, /send the file again/)
  assert.equal(await countUsers(940_001, 1), 0)
})

test('the upload is deleted when its import ends', async () => {
  const finished = await upload([userLine(950_001)])
  await run()
  const cancelled = await upload([userLine(950_002)])
  await succeed(app.client.operator('POST', `/operator/jobs/${cancelled}/cancel`))
  assert.deepEqual(await app.ctx.db.rows(sql`select key from job_files where job_id <> ''`), [])
  await deleteExpiredJobs(app.ctx)
  assert.deepEqual(await app.ctx.db.rows(sql`select key from job_files`), [])
  assert.deepEqual(await refusedLines(finished), [])
  app.advance(7 * dayMs)
  await deleteExpiredJobs(app.ctx)
  assert.equal((await jobOf(finished)).error, 'not_found')
})

test('only who may import starts an import and reads its file', async () => {
  const role = { permissions: ['jobs:read', 'jobs:write'] }
  await succeed(app.client.operator('PUT', '/operator/roles/clerk', role))
  const { key } = await createKey(app, { name: 'clerk', role: 'clerk' })
  const refused = await fetch(`${app.address}/operator/jobs/import`, {
    method: 'POST',
    headers: { ...importHeaders, authorization: `Bearer ${key}` },
    body: userLine(960_001),
  })
  assert.equal(refused.status, 403)
  const named = { kind: 'import', parameters: {} }
  assert.equal((await app.client.operator('POST', '/operator/jobs', named)).status, 400)
  const id = await upload([userLine(960_001)])
  await run()
  assert.equal((await sendAs(app, key, 'GET', `/operator/jobs/${id}/result`)).status, 403)
  assert.equal((await sendAs(app, key, 'POST', `/operator/jobs/${id}/cancel`)).status, 403)
  const log = await succeed(app.client.operator('GET', `/operator/audit-log?target=job:${id}`))
  assert.equal(log.results[0].operation, 'POST /operator/jobs/import')
})
