import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type CliFixture, openCliFixture, parseJsonLines } from '../harness/cli-fixture.ts'
import { TestClient } from '../harness/client.ts'
import { runFeria } from '../harness/command.ts'
import { contract } from '../harness/contract.ts'
import { openReceiver, type Receiver } from '../harness/receiver.ts'
import { pollUntil } from '../harness/wait.ts'

// biome-ignore lint/suspicious/noExplicitAny: what commands print, of every shape
type Json = any

/** Commands of the sandbox, as processes of their own against a program that was started. */
let cli: CliFixture
let receiver: Receiver
before(async () => {
  receiver = await openReceiver()
  cli = await openCliFixture()
  const topics = ['--topics', 'orders_v2,items,payments']
  const callback = ['--callback', receiver.url]
  await cli.runSuccessfully('applications', 'put', '7', '--name', 'Seven', ...callback, ...topics)
})
after(async () => {
  await cli.close()
  await receiver.close()
})

const client = () => new TestClient(cli.program().address)
const operator = async (path: string): Promise<Json> =>
  (await client().operator('GET', `/operator/${path}`)).body
const newest = async (): Promise<Json> => (await operator('sandbox/simulations')).simulations[0]

contract(
  '6.2',
  'traffic is played by the program, shown as it goes, and goes on after a kill',
  {
    timeout: 120_000,
  },
  async () => {
    const { runSuccessfully, runJson, startCommand } = cli
    const options = [
      '--orders-per-minute',
      '30',
      '--minutes',
      '2',
      '--application',
      '7',
      '--seed',
      '5',
    ]
    const showing = startCommand('sandbox', 'simulate', ...options, '--json')
    await pollUntil('it to begin', async () => (await newest())?.begun > 0)
    await runSuccessfully('clock', 'advance', '2m')
    await pollUntil('all to begin', async () => (await newest()).begun === 60)
    await cli.restart({ killed: true })
    const isOver = async () => {
      await runSuccessfully('clock', 'advance', '5m')
      return (await newest()).state === 'finished'
    }
    await pollUntil('it to come to its end', isOver, 60_000)
    const { code, stdout, stderr } = await showing.ended
    assert.equal(code, 0, stderr)
    const last = parseJsonLines(stdout).at(-1)
    assert.deepEqual([last.state, last.begun, last.total, last.open], ['finished', 60, 60, 0])
    assert.ok(last.told.orders >= 55 && last.told.payments > 40 && last.told.messages > 0)
    const [status] = await runJson('sandbox', 'status')
    assert.deepEqual(status, last)
    assert.match(
      await runSuccessfully('sandbox', 'status'),
      /: finished, 60 of 60 sales begun, 0 open\n.*users/,
    )
    await pollUntil('the application to be told', () => receiver.received.length > 50)
  },
)

test('Ctrl-C stops what is played; --detach leaves it to the server, until it is stopped', async () => {
  const { runSuccessfully, runJson, expectFailure, startCommand } = cli
  const showing = startCommand(
    'sandbox',
    'simulate',
    '--orders-per-minute',
    '60',
    '--application',
    '7',
  )
  await pollUntil('it to be told how to stop it', () => /Ctrl-C stops it/.test(showing.soFar()))
  const { id } = await newest()
  showing.child.kill('SIGINT')
  const { code, output } = await showing.ended
  assert.equal(code, 130, output)
  assert.match(output, /: stopped, \d+ sales begun, 0 open/)
  assert.equal((await newest()).state, 'stopped')
  const detached = ['--orders-per-minute', '1', '--detach', '--sites', 'MLB,MLA', '--pace', 'real']
  const [started] = await runJson('sandbox', 'simulate', ...detached, '--application', '7')
  assert.notEqual(started.id, id)
  assert.deepEqual(
    [started.state, started.sites, started.pace],
    ['running', ['MLA', 'MLB'], 'real'],
  )
  await expectFailure(
    1,
    /simulation is under way/,
    'sandbox',
    'simulate',
    '--orders-per-minute',
    '1',
  )
  assert.match(await runSuccessfully('sandbox', 'stop'), /: stopped/)
  assert.match(await runSuccessfully('sandbox', 'stop'), /No simulation is running/)
  await expectFailure(2, /--orders-per-minute is missing/, 'sandbox', 'simulate')
  await expectFailure(
    2,
    /sites: expected/,
    'sandbox',
    'simulate',
    '--orders-per-minute',
    '1',
    '--sites',
    'X',
  )
})

contract(
  '1',
  'a world is kept, left and gone back to, with its time; a kill leaves one of both whole',
  {
    timeout: 120_000,
  },
  async () => {
    const { runSuccessfully, runJson, expectFailure } = cli
    const users = async () => (await runJson('users', 'list', '--limit', '1000'))[0].length
    const before = await users()
    assert.match(
      await runSuccessfully('snapshot', 'save', 'quiet'),
      /quiet is saved: \d+ tables, \d+ rows/,
    )
    const [saved] = await runJson('snapshot', 'list')
    await runSuccessfully('users', 'put', '991', '--site', 'MLA', '--nickname', 'LATER')
    await runSuccessfully('clock', 'advance', '40d')
    const output = await runSuccessfully('snapshot', 'load', 'quiet')
    assert.match(output, /quiet is loaded: .* ms\. The time of the sandbox is \S+Z\./)
    assert.equal(await users(), before)
    const [{ now }] = await runJson('clock', 'show')
    const passed = Date.parse(now) - Date.parse(saved[0].world_time)
    assert.ok(passed >= 0 && passed < 60_000, `${passed} ms`)
    for (const delayMs of [0, 20, 60, 150]) {
      await runSuccessfully('users', 'put', '991', '--site', 'MLA', '--nickname', 'LATER')
      const load = client()
        .operator('POST', '/operator/sandbox/snapshots/quiet/load')
        .catch(() => undefined)
      // A crash at any moment of the load: there is nothing to wait for.
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await cli.restart({ killed: true })
      await load
      const count = await users()
      assert.ok(count === before || count === before + 1, `${count} users of ${before}`)
      const orders = (await operator('sandbox/simulations')).simulations.length
      assert.ok(orders >= 2, 'nothing else is missing')
    }
    await runSuccessfully('snapshot', 'load', 'quiet')
    assert.equal(await users(), before)
    assert.match(await runSuccessfully('snapshot', 'list'), /^NAME .*\nquiet /)
    assert.match(await runSuccessfully('snapshot', 'delete', 'quiet'), /quiet is deleted/)
    assert.match(await runSuccessfully('snapshot', 'list'), /There are no snapshots/)
    await expectFailure(1, /Snapshot not found: quiet/, 'snapshot', 'load', 'quiet')
    await expectFailure(1, /name: expected/, 'snapshot', 'save', 'Not so')
  },
)

test('faults of answers are set, met, listed and cleared', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  const sites = async () => (await client().get('/sites')).status
  const limit = ['--kind', 'limit', '--retry-after', '5', '--path', '/sites', '--times', '1']
  const [set] = await runJson('faults', 'set', ...limit, '--seed', '3')
  assert.deepEqual([set.name, set.retry_after, set.times, set.share], ['limit', 5, 1, 1])
  assert.deepEqual([await sites(), await sites()], [429, 200])
  const slow = ['--kind', 'slow', '--delay-ms', '5', '--name', 'late', '--method', 'GET']
  assert.match(
    await runSuccessfully('faults', 'set', ...slow),
    /^late +slow +100 %.*GET any path.*5 ms/,
  )
  assert.match(
    await runSuccessfully('faults', 'list'),
    /faults of answers:\n {2}late .*\n {2}limit .*met 1 of 1/,
  )
  await runSuccessfully('faults', 'clear', '--name', 'limit')
  const [{ answers }] = await runJson('faults', 'list')
  assert.deepEqual(
    answers.map(({ name }: Json) => name),
    ['late'],
  )
  const parts = ['--kind', 'parts', '--parts', 'buyer,shipping', '--application', '7']
  const [lacking] = await runJson('faults', 'set', ...parts)
  assert.deepEqual([lacking.parts, lacking.application_id], [['buyer', 'shipping'], 7])
  assert.deepEqual((await operator('faults')).order_parts, [], 'those of all orders are others')
  await runSuccessfully('faults', 'clear', '--answers')
  await runSuccessfully('faults', 'set', '--kind', 'failure', '--status', '503', '--path', '/sites')
  assert.equal(await sites(), 503)
  await runSuccessfully('faults', 'clear')
  assert.equal(await sites(), 200)
  await expectFailure(
    1,
    /status: expected/,
    'faults',
    'set',
    '--kind',
    'failure',
    '--status',
    '404',
  )
  await expectFailure(
    2,
    /--path works only with --kind/,
    'faults',
    'set',
    '--kind',
    'drop',
    '--path',
    '/a',
  )
  await expectFailure(1, /Fault not found/, 'faults', 'clear', '--name', 'none')
})

test('a fault of receivers warns of an application that has no callback', async () => {
  const topics = ['--topics', 'orders_v2']
  await cli.runSuccessfully('applications', 'put', '8', '--name', 'Eight', ...topics)
  for (const [id, warns] of [
    ['7', false],
    ['8', true],
  ] as const) {
    const fault = ['faults', 'set', '--kind', 'drop', '--share', '0', '--application', id]
    const { code, stderr } = await runFeria(cli.env(), ...fault)
    assert.equal(code, 0, stderr)
    assert.equal(/has no callback URL.* do not affect `feria listen`/.test(stderr), warns, stderr)
  }
  await cli.runSuccessfully('faults', 'clear')
})

test('a delivery is written into a file by which a test checks a receiver without a server', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  receiver.received.length = 0
  const [{ resource }] = await runJson('trigger', 'orders_v2', '--application', '7')
  await pollUntil('it to arrive', () =>
    receiver.received.some(({ body }) => body.resource === resource),
  )
  const file = join(cli.dataDirectory, 'order.json')
  const of7 = ['--application', '7', '--resource', resource]
  await runSuccessfully('deliveries', 'export', ...of7, '--sign-with', 'fixture', '--out', file)
  const { request, signature } = JSON.parse(readFileSync(file, 'utf8'))
  const key = Buffer.from(signature.secret.replace('whsec_', ''), 'base64')
  const { 'webhook-id': id, 'webhook-timestamp': at } = request.headers
  const expected = createHmac('sha256', key).update(`${id}.${at}.${request.body}`).digest('base64')
  assert.equal(request.headers['webhook-signature'], `v1,${expected}`)
  assert.equal(JSON.parse(request.body).resource, resource)
  const [same] = await runJson('deliveries', 'export', id, '--application', '7')
  assert.equal(same.request.body, request.body)
  assert.ok(receiver.received.some(({ text }) => text === request.body))
  await expectFailure(2, /Give either/, 'deliveries', 'export', '--application', '7')
  await expectFailure(1, /not found/, 'deliveries', 'export', '0'.repeat(24), '--application', '7')
})

test('an application is given what it needs to be let in, and another secret as a client', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  await runSuccessfully('users', 'put', '70', '--site', 'MLA', '--nickname', 'OWNER')
  const uris = 'http://localhost:3000/callback,https://app.example.com/cb'
  const more = ['--scopes', 'read,offline_access', '--pkce', '--owner', '70']
  const [put] = await runJson('applications', 'put', '7', '--redirect-uris', uris, ...more)
  const settings = ({ redirect_uris, scopes, requires_pkce, is_public, owner_id }: Json) => [
    redirect_uris,
    scopes.toSorted(),
    requires_pkce,
    is_public,
    owner_id,
  ]
  const expected = [uris.split(','), ['offline_access', 'read'], true, false, 70]
  assert.deepEqual(settings(put), expected)
  await runSuccessfully('applications', 'put', '7', '--name', 'Seven')
  const [shown] = await runJson('applications', 'show', '7')
  assert.deepEqual(settings(shown), expected)
  assert.match(
    await runSuccessfully('applications', 'show', '7'),
    /redirects +http.* https.*\n(.*\n)*.*user 70/,
  )
  const [changed] = await runJson('applications', 'put', '7', '--no-pkce', '--no-owner', '--public')
  assert.deepEqual(settings(changed).slice(2), [false, true, null])
  const rotate = ['applications', 'rotate-secret', '7', '--which', 'client', '--overlap-hours', '1']
  const [rotated] = await runJson(...rotate)
  assert.match(rotated.secret, /^[0-9a-f]{40}$/)
  assert.ok(rotated.previous_secret_until)
  assert.match(await runSuccessfully(...rotate), /client secret +[0-9a-f]{40}/)
  await expectFailure(2, /Give either/, 'applications', 'put', '7', '--pkce', '--no-pkce')
  await expectFailure(
    1,
    /redirect_uris\[0\]: expected/,
    'applications',
    'put',
    '7',
    '--redirect-uris',
    'x',
  )
})
