import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type CliFixture, openCliFixture } from '../harness/cli-fixture.ts'
import { TestClient } from '../harness/client.ts'
import { putItem } from '../harness/market.ts'

/** Commands of jobs, each as a process of its own against a program that was started as a person would. */
let cli: CliFixture
before(async () => {
  cli = await openCliFixture()
})
after(() => cli.close())

function fileWith(name: string, value: object | string): string {
  const file = join(cli.dataDirectory, name)
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
  return file
}

test('a job is started, watched to its end, listed and shown, also across a restart that is a crash', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  assert.equal(await runSuccessfully('jobs', 'list'), 'There are no jobs.\n')
  await runSuccessfully('users', 'put', '1001', '--site', 'MLA', '--nickname', 'TIENDA')
  const client = new TestClient(cli.program().address)
  for (let n = 0; n < 120; n++) await putItem(client, `MLA${900001 + n}`, { seller_id: 1001 })
  const filter = { seller_id: 1001, status: 'active' }
  const parameters = fileWith('raise.json', { filter, change: { price_percent: 10 } })
  const [started] = await runJson('jobs', 'start', 'bulk_listing_change', parameters)
  await cli.restart({ killed: true })
  const shown = await runSuccessfully('jobs', 'show', started.id, '--watch')
  assert.equal(
    shown,
    `job ${started.id}: bulk_listing_change is finished, 120 of 120 done\n  changed    120\n  unchanged  0\n  refused    0\n`,
  )
  assert.match(
    await runSuccessfully('jobs', 'list', '--state', 'finished'),
    /^ID +KIND +STATE +DONE +TOTAL +CREATED\n[0-9a-f]{24} +bulk_listing_change +finished +120 +120 +\S+\n$/,
  )
  const printed = await runSuccessfully('jobs', 'result', started.id)
  const lines = printed.trim().split('\n')
  assert.equal(lines.length, 120)
  for (const line of lines) assert.deepEqual(JSON.parse(line).after, { price: 11 })
  const file = join(cli.dataDirectory, 'result.ndjson')
  const saved = await runSuccessfully('jobs', 'result', started.id, '--out', file)
  assert.equal(saved, `The file of job ${started.id} is in ${file}\n`)
  assert.equal(readFileSync(file, 'utf8'), printed)

  const watched = await runJson(
    'jobs',
    'start',
    'reindex',
    fileWith('reindex.json', { of: 'listings' }),
    '--watch',
  )
  assert.deepEqual(watched.at(-1).result, { listings: 120 })
  await expectFailure(1, /The job has ended: it is finished/, 'jobs', 'cancel', started.id)
  await expectFailure(1, /this one is finished/, 'jobs', 'retry', started.id)
  await expectFailure(1, /Job not found: none/, 'jobs', 'show', 'none')
  await expectFailure(1, /has no file/, 'jobs', 'result', watched.at(-1).id)
  const wrong = fileWith('wrong.json', { filter, change: {} })
  const kind = 'bulk_listing_change'
  await expectFailure(1, /parameters\.change: expected/, 'jobs', 'start', kind, wrong)
  await expectFailure(1, /is not JSON/, 'jobs', 'start', kind, fileWith('text.json', 'x'))
  await expectFailure(2, /bulk_listing_change/, 'jobs', 'start', 'erase', wrong)
})

test('an upload is imported and an export written, each watched to its end', async () => {
  const { runSuccessfully, runJson } = cli
  const line = '{"type":"user","id":1002,"site_id":"MLA","nickname":"IMPORTED"}'
  const history = fileWith('history.ndjson', `${line}\nwrong\n`)
  const imported = await runSuccessfully('jobs', 'import', history, '--watch')
  assert.match(
    imported,
    /import is finished, 2 of 2 done\n {2}imported +1\n {2}unchanged +0\n {2}refused +1\n/,
  )
  const [[job]] = await runJson('jobs', 'list', '--kind', 'import')
  assert.match(await runSuccessfully('jobs', 'result', job.id), /^\{"line":2,/)
  const parameters = fileWith('export.json', { of: 'users', filter: { nickname: 'imp' } })
  const lines = await runJson('jobs', 'start', 'export', parameters, '--watch')
  const { id, result } = lines.at(-1)
  assert.deepEqual(result, { entries: 1 })
  assert.equal(JSON.parse(await runSuccessfully('jobs', 'result', id)).nickname, 'IMPORTED')
})
